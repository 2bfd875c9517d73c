import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { tsToMs } from '@temporalio/common/lib/time.js';
import { describe, expect } from 'vitest';
import type { components } from '../../packages/client/src/index.ts';
import { installationId } from '../../src/store/installation/installation.ts';
import { jobWorkflowId } from '../../src/workflows/contract.ts';
import { testWithDocent, testWithProject as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { services } from '../support/run-services.ts';

const REPLACE = 'Replace "Install" with "Set up" in guides/start';
const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';

const turnsOf = async (docent: Installation, id: string) => {
  const { rows } = await docent.database.pool.query(
    'SELECT state, error_code FROM turns WHERE job_id = $1 ORDER BY no',
    [id],
  );
  return rows.map((row) => [row.state, row.error_code]);
};

/** The tree of a commit with these files in it, too. */
async function writeTree(docent: Installation, commit: string, files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-tree-'));
  const work = ['--work-tree', folder];
  try {
    await docent.git(...work, 'read-tree', commit);
    await docent.git(...work, 'checkout-index', '-a');
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
    await docent.git(...work, 'add', '-A');
    return (await docent.git(...work, 'write-tree')).trim();
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function commitTree(docent: Installation, tree: string, parents: string[]): Promise<string> {
  const person = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const made = await docent.git(
    ...person,
    'commit-tree',
    tree,
    ...parents.flatMap((one) => ['-p', one]),
    '-m',
    'Theirs',
  );
  return made.trim();
}

describe('a job', () => {
  test('becomes a pull request, and a follow-up its second commit', async ({ docent }) => {
    const id = await docent.post(SECTION);
    const first = await docent.settled(id);
    expect(first).toMatchObject({
      status: 'completed',
      source: { ref: `docent/${id}` },
      error: null,
      archivedAt: null,
    });
    expect((await docent.say(id, REPLACE)).status).toBe(200);
    expect((await docent.job(id)).prLink === null || (await docent.job(id)).status === 'completed').toBe(true);
    const second = await docent.settled(id);
    expect(second.prLink).toBe(first.prLink);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
    const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
    expect(page).toBe('---\ntitle: Start\n---\n\nSet up Acme, then run it.\n\n## Next\n\nRead on.\n');
    const html = await (await fetch(second.prLink ?? '')).text();
    expect(html).toContain('2 commits');
  });

  test('has no activity wait for the server to hand it out', async ({ docent }) => {
    const id = await docent.post(SECTION);
    await docent.settled(id);
    const connection = await Connection.connect({ address: services.temporalAddress });
    try {
      const workflowId = jobWorkflowId(await installationId(docent.database.db), id);
      const history = await new Client({ connection }).workflow.getHandle(workflowId).fetchHistory();
      const times = (history.events ?? []).map(({ eventTime }) => tsToMs(eventTime));
      const waits = (history.events ?? []).flatMap(({ activityTaskStartedEventAttributes: started }, i) =>
        started ? [(times[i] ?? NaN) - (times[Number(started.scheduledEventId) - 1] ?? NaN)] : [],
      );
      expect(waits.length).toBeGreaterThanOrEqual(5);
      // Passed to a child process, it takes at least some milliseconds.
      expect(waits.toSorted((a, b) => a - b)[Math.floor(waits.length / 2)]).toBeLessThanOrEqual(1);
    } finally {
      await connection.close();
    }
  });

  test.for(['merge', 'rebase'])(
    'has only its own change in its pull request after a %s brings in the base branch',
    async (how, { docent }) => {
      const id = await docent.post(SECTION);
      await docent.settled(id);
      const mine = `docent/${id}`;
      const tree = await writeTree(docent, 'main', { 'guides/theirs.mdx': '---\ntitle: Theirs\n---\n\nHello.\n' });
      const theirs = await commitTree(docent, tree, ['main']);
      await docent.git('update-ref', 'refs/heads/main', theirs);
      const merged = (await docent.git('merge-tree', '--write-tree', mine, theirs)).trim();
      const tip = await commitTree(docent, merged, how === 'merge' ? [mine, theirs] : [theirs]);
      await docent.git('update-ref', `refs/heads/${mine}`, tip);
      await docent.say(id, REPLACE);
      expect((await docent.settled(id)).status).toBe('completed');
      const { rows } = await docent.database.pool.query('SELECT diff, body FROM pull_requests WHERE job_id = $1', [id]);
      expect(rows).toHaveLength(1);
      expect(rows[0].diff.match(/^diff --git .*$/gm)).toEqual(['diff --git a/guides/start.mdx b/guides/start.mdx']);
      expect(rows[0].body).not.toContain('theirs');
    },
  );

  test('without anything to change completes without a pull request', async ({ docent }) => {
    const id = await docent.post('Good morning');
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', prLink: null });
    expect(await docent.branches()).toEqual(['main']);
  });

  test('follows the renamed default branch if the project names none', async ({ docent }) => {
    const params = { path: { projectId: docent.projectId } };
    await docent.client.DELETE('/v1/projects/{projectId}', { params });
    await docent.client.POST('/v1/projects', { body: { id: docent.projectId, repository: docent.repository } });
    await docent.git('branch', '-m', 'main', 'trunk');
    expect(await docent.settled(await docent.post(SECTION))).toMatchObject({ status: 'completed', error: null });
    expect((await docent.client.GET('/v1/projects/{projectId}', { params })).data).toMatchObject({ ref: 'trunk' });
    await docent.client.PATCH('/v1/projects/{projectId}', { params, body: { ref: 'trunk' } });
    await docent.git('branch', '-m', 'trunk', 'main');
    expect((await docent.settled(await docent.post(SECTION))).error).toMatchObject({ code: 'branch_missing' });
  });

  test('whose repository is gone fails once, with a sentence, and continues when it is back', async ({ docent }) => {
    await rename(docent.repository, `${docent.repository}.away`);
    const id = await docent.post(SECTION);
    const failed = await docent.settled(id);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'repository_missing' } });
    expect(await turnsOf(docent, id)).toEqual([['failed', 'repository_missing']]);
    await rename(`${docent.repository}.away`, docent.repository);
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
  });

  test('is archived and taken back by request, and its workflow ends and begins with it', async ({ docent }) => {
    const id = await docent.post(SECTION);
    const { prLink } = await docent.settled(id);
    const order = (action: 'archive' | 'unarchive') =>
      docent.client.POST(`/v2/agent/{projectId}/job/{id}/${action}`, {
        params: { path: { projectId: docent.projectId, id } },
      });
    expect((await order('archive')).data).toMatchObject({ status: 'archived', prLink });
    expect((await docent.say(id, 'More')).status).toBe(409);
    expect((await order('unarchive')).data).toMatchObject({ status: 'completed', prLink, archivedAt: null });
    await docent.say(id, REPLACE);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
  });

  testWithDocent('that is cancelled publishes nothing, and carries out what is said afterwards', async ({ docent }) => {
    await docent.startApi();
    const worker = await docent.startWorker();
    await docent.createProject();
    await worker.kill('SIGTERM');
    const id = await docent.post(SECTION);
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/cancel', {
      params: { path: { projectId: docent.projectId, id } },
    });
    expect(data).toMatchObject({ status: 'completed', prLink: null });
    await docent.startWorker();
    await docent.say(id, 'Append a section "Other" with text "Else." to the page guides/log');
    await until('the message is carried out', async () => (await docent.job(id)).prLink !== null);
    expect(await docent.git('diff', '--name-only', `main...docent/${id}`)).toBe('guides/log.mdx\n');
  });
});

const START = '---\ntitle: Start\n---\n\nInstall Acme, then run it.\n';

describe('the outcome of a job', () => {
  test('is that of its last turn, and null while one runs or was cancelled', async ({ docent }) => {
    const id = await docent.post(REPLACE);
    expect((await docent.job(id)).outcome ?? 'none').toMatch(/none|changed/);
    const changed = await docent.settled(id);
    expect(changed).toMatchObject({ status: 'completed', outcome: 'changed', prLink: expect.any(String) });
    for (const [prompt, outcome] of [
      [REPLACE, 'unchanged'],
      ['Change the heading to something nicer', 'refused'],
      ['What can you do?', 'answered'],
    ] as const) {
      await docent.say(id, prompt);
      expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome, prLink: changed.prLink });
    }
    const { rows } = await docent.database.pool.query('SELECT outcome FROM turns WHERE job_id = $1 ORDER BY no', [id]);
    expect(rows.map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged', 'refused', 'answered']);
  });

  test('of a refusal explains in a few lines what is needed, with a link to models', async ({ docent }) => {
    const id = await docent.post('Change the heading to something nicer in guides/start');
    const job = await docent.settled(id);
    expect(job).toMatchObject({ status: 'completed', outcome: 'refused', prLink: null });
    expect(job.summary).toMatch(/builtin-editor/);
    expect(job.summary?.split('\n').length).toBeLessThanOrEqual(5);
  });

  test('to undo the last change creates a commit that reverts exactly that', async ({ docent }) => {
    const before = await docent.git('show', 'main:guides/start.mdx');
    expect(before).toBe(START);
    const id = await docent.post(SECTION);
    await docent.settled(id);
    await docent.say(id, REPLACE);
    await docent.settled(id);
    await docent.say(id, 'Undo the last change');
    expect(await docent.settled(id)).toMatchObject({
      outcome: 'changed',
      summary: expect.stringMatching(/^Undid the change of turn 2/),
    });
    expect(await docent.git('show', `docent/${id}:guides/start.mdx`)).toBe(`${START}\n## Next\n\nRead on.\n`);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(3);
  });
});

type Options = Omit<components['schemas']['NewJob'], 'prompt'>;

async function post(docent: Installation, prompt: string, options: Options): Promise<string> {
  const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
    params: { path: { projectId: docent.projectId } },
    body: { prompt, ...options },
  });
  if (!data) throw new Error(JSON.stringify(error));
  return data.id;
}

const pullRequests = async (docent: Installation, id: string) => {
  const { rows } = await docent.database.pool.query(
    'SELECT head_branch, base_branch, state, title FROM pull_requests WHERE job_id = $1 ORDER BY chain_no',
    [id],
  );
  return rows;
};

async function branchOff(docent: Installation, name: string): Promise<void> {
  await docent.git('branch', name, 'main');
}

describe('a job that was created with options', () => {
  test('starts from its base branch, works on its own, and has the name that was requested', async ({ docent }) => {
    const earlier = await docent.post(REPLACE);
    await docent.settled(earlier);
    // The base branch of the next job has a commit that main lacks.
    await docent.git('branch', 'release', `docent/${earlier}`);
    const metadata = { ticket: 'DOC-17' };
    const id = await post(docent, SECTION, {
      ref: 'release',
      branch: 'docs/next-steps',
      title: 'Say what comes next, @everyone',
      draft: true,
      metadata,
    });
    const done = await docent.settled(id);
    expect(done).toMatchObject({
      outcome: 'changed',
      source: { ref: 'docs/next-steps' },
      ref: 'release',
      branch: 'docs/next-steps',
      draft: true,
      metadata,
    });
    expect(await docent.branches()).toEqual(['docent/' + earlier, 'docs/next-steps', 'main', 'release'].toSorted());
    expect(await docent.git('diff', '--name-only', 'release...docs/next-steps')).toBe('guides/start.mdx\n');
    expect(await docent.git('show', 'docs/next-steps:guides/start.mdx')).toContain('Set up Acme');
    expect(await pullRequests(docent, id)).toEqual([
      {
        head_branch: 'docs/next-steps',
        base_branch: 'release',
        state: 'open',
        title: 'Say what comes next, @\u2060everyone',
      },
    ]);
    // Merged, it goes to its base branch; what follows, to the next of its branches.
    const params = { path: { projectId: docent.projectId, id } };
    const merged = await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', { params });
    expect(merged.data).toMatchObject({ state: 'merged' });
    expect(await docent.git('show', 'release:guides/start.mdx')).toContain('## Next');
    expect(await docent.git('show', 'main:guides/start.mdx')).not.toContain('## Next');
    await docent.say(id, 'Append a section "More" with text "Even more." to the page guides/start');
    expect((await docent.settled(id)).source.ref).toBe('docs/next-steps-2');
    expect(await docent.git('diff', '--name-only', 'release...docs/next-steps-2')).toBe('guides/start.mdx\n');
  });

  test('whose base branch is missing fails with a sentence, and continues once it exists', async ({ docent }) => {
    const id = await post(docent, SECTION, { ref: 'not/yet' });
    expect((await docent.settled(id)).error).toEqual({
      code: 'branch_missing',
      message: expect.stringContaining('"not/yet"'),
    });
    await branchOff(docent, 'not/yet');
    await docent.say(id, 'Go on');
    expect((await docent.settled(id)).status).toBe('completed');
  });

  test('pushes to no branch that someone else made, before it started or while it worked', async ({ docent }) => {
    await branchOff(docent, 'theirs');
    const tip = await docent.git('rev-parse', 'theirs');
    for (const branch of ['theirs', 'theirs/below']) {
      const id = await post(docent, SECTION, { branch });
      expect((await docent.settled(id)).error).toMatchObject({
        code: 'branch_taken',
        message: expect.stringContaining('theirs'),
      });
    }
    await branchOff(docent, 'deep/branch');
    expect((await docent.settled(await post(docent, SECTION, { branch: 'deep' }))).error?.code).toBe('branch_taken');
    expect(await docent.git('rev-parse', 'theirs')).toBe(tip);
    expect(await docent.branches()).toEqual(['deep/branch', 'main', 'theirs']);
  });

  test('skips a foreign branch with the name of its next one', async ({ docent }) => {
    const id = await post(docent, SECTION, { branch: 'mine' });
    await docent.settled(id);
    await branchOff(docent, 'mine-2');
    const tip = await docent.git('rev-parse', 'mine-2');
    const params = { path: { projectId: docent.projectId, id } };
    await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/close', { params });
    await docent.say(id, REPLACE);
    expect((await docent.settled(id)).source.ref).toBe('mine-3');
    expect(await docent.git('rev-parse', 'mine-2')).toBe(tip);
  });
});
