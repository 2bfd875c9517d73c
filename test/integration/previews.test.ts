import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { acceptMessage } from '../../src/jobs/acceptance.ts';
import { freePort } from '../support/free-port.ts';
import { testWithProject as test, type Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { checksOf, commitOnMain, diffOf, discard, eventsOf, patchOf, postIn, publish } from '../support/previews.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';

async function allowPush(docent: Installation, allowPush: boolean): Promise<void> {
  const { error } = await docent.client.PATCH('/v1/projects/{projectId}', {
    params: { path: { projectId: docent.projectId } },
    body: { settings: { allowPush } },
  });
  if (error) throw new Error(JSON.stringify(error));
}

/** The repository takes no push to its base branch. */
function protect(docent: Installation): void {
  const hook = `${docent.repository}/hooks/pre-receive`;
  writeFileSync(
    hook,
    '#!/bin/sh\nwhile read old new ref; do\n  if [ "$ref" = refs/heads/main ]; then echo "main is protected" >&2; exit 1; fi\ndone\n',
  );
  chmodSync(hook, 0o755);
}

describe('a preview', () => {
  test('is checked and held back until it is published, as someone named it', async ({ docent }) => {
    const id = await postIn(docent, 'preview', SECTION);
    const ready = await docent.settled(id);
    expect(ready).toMatchObject({
      status: 'completed',
      mode: 'preview',
      outcome: 'changed',
      state: 'ready',
      prLink: null,
      pendingChanges: { files: 1, additions: 4, deletions: 0 },
    });
    expect(await docent.branches()).toEqual(['main']);
    const { pending, diff, turns } = await diffOf(docent, id);
    expect({ diff, turns }).toEqual({ diff: '', turns: [] });
    expect(pending).toMatchObject({
      turn: 1,
      ready: true,
      cut: false,
      baseCommit: (await docent.git('rev-parse', 'main')).trim(),
      files: [
        { path: 'guides/start.mdx', oldPath: null, status: 'modified', additions: 4, deletions: 0, binary: false },
      ],
    });
    expect(await checksOf(docent, id)).toMatchObject([{ turn: 1, pages: 3, problems: [], secrets: [], told: false }]);

    const asked = await publish(docent, id, { title: 'Say what is next', draft: true });
    expect(asked.data).toMatchObject({ status: 'active', pendingChanges: null });
    const published = await docent.settled(id);
    expect(published).toMatchObject({
      status: 'completed',
      state: 'open',
      outcome: 'changed',
      pendingChanges: null,
      summary: ready.summary,
    });
    expect(published.prLink).toMatch(/\/pull-requests\//);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    expect(await docent.git('log', '-1', '--format=%B', `docent/${id}`)).toContain(`Docent-Turn: ${id}/2`);
    expect(await docent.git('show', `docent/${id}:guides/start.mdx`)).toContain('## Next');
    const { data: pullRequest } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/pull-request', {
      params: { path: { projectId: docent.projectId, id } },
    });
    expect(pullRequest?.title).toBe('Say what is next');
    const page = await (await fetch(published.prLink ?? '')).text();
    expect(page).toContain('Append a section');
    expect(await eventsOf(docent, id)).toContain('publishing the preview');
    const after = await diffOf(docent, id);
    expect(after).toMatchObject({ pending: null, files: [{ path: 'guides/start.mdx', additions: 4 }] });
    const { data: usage } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/usage', {
      params: { path: { projectId: docent.projectId, id } },
    });
    expect(usage?.turns.map(({ turn }) => turn)).toEqual([1]);
    expect((await publish(docent, id)).error).toMatchObject({ code: 'nothing_to_publish' });
  });

  test('continues from its change, and its patch applies with git', async ({ docent }) => {
    const id = await postIn(docent, 'preview', SECTION);
    await docent.settled(id);
    await docent.say(id, 'Rename the page guides/log to guides/diary');
    expect(await docent.settled(id)).toMatchObject({ outcome: 'changed', pendingChanges: expect.anything() });
    const { pending } = await diffOf(docent, id);
    expect(pending?.turn).toBe(2);
    const clone = `${docent.folder}/clone`;
    execFileSync('git', ['clone', '-q', docent.repository, clone]);
    writeFileSync(`${docent.folder}/change.diff`, await patchOf(docent, id));
    execFileSync('git', ['-C', clone, 'apply', '--index', `${docent.folder}/change.diff`]);
    const tree = execFileSync('git', ['-C', clone, 'write-tree']).toString();
    await publish(docent, id);
    await docent.settled(id);
    expect(await docent.git('rev-parse', `docent/${id}^{tree}`)).toBe(tree);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    expect(readFileSync(`${clone}/guides/start.mdx`, 'utf8')).toContain('## Next');
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    const again = await docent.settled(id);
    expect(again).toMatchObject({
      pendingChanges: { files: 1, additions: 1, deletions: 1 },
      prLink: expect.any(String),
    });
    await publish(docent, id);
    expect((await docent.settled(id)).prLink).toBe(again.prLink);
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
  });

  test("is applied on top of other people's changes, and never overwrites them", async ({ docent }) => {
    const id = await postIn(docent, 'preview', SECTION);
    await docent.settled(id);
    commitOnMain(docent, 'guides/log.mdx', '---\ntitle: Log\n---\n\nMore happened.\n');
    await publish(docent, id);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome: 'changed' });
    expect(await docent.git('show', `docent/${id}:guides/log.mdx`)).toContain('More happened.');

    const other = await postIn(docent, 'preview', SECTION);
    await docent.settled(other);
    commitOnMain(docent, 'guides/start.mdx', '---\ntitle: Start\n---\n\nStart here.\n');
    await publish(docent, other);
    const failed = await docent.settled(other);
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'conflict_unresolved', message: expect.stringContaining('guides/start.mdx') },
      pendingChanges: { files: 1 },
    });
    expect(await docent.branches()).not.toContain(`docent/${other}`);
    await docent.say(other, SECTION);
    expect(await docent.settled(other)).toMatchObject({ status: 'completed', pendingChanges: { files: 1 } });
    await publish(docent, other);
    expect(await docent.settled(other)).toMatchObject({ status: 'completed', prLink: expect.any(String) });
    const page = await docent.git('show', `docent/${other}:guides/start.mdx`);
    expect(page).toContain('Start here.');
    expect(page).toContain('## Next');
  });

  test('is published once, however often it is requested, and not while the job works or is archived', async ({
    docent,
  }) => {
    const port = await freePort();
    await docent.startApi({ DOCENT_PORT: String(port) });
    const id = await postIn(docent, 'preview', SECTION);
    expect((await publish(docent, id)).error?.code ?? 'at once').toMatch(/job_active|at once/);
    await docent.settled(id);
    const order = (action: 'archive' | 'unarchive') =>
      docent.client.POST(`/v2/agent/{projectId}/job/{id}/${action}`, {
        params: { path: { projectId: docent.projectId, id } },
      });
    await order('archive');
    expect((await publish(docent, id)).error).toMatchObject({ code: 'job_archived' });
    expect((await discard(docent, id)).error).toMatchObject({ code: 'job_archived' });
    expect((await order('unarchive')).data).toMatchObject({ pendingChanges: { files: 1 } });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        publish(docent, id, {}, `key-${i % 3}`, i % 2 === 0 ? docent.apiUrl : `http://127.0.0.1:${port}`),
      ),
    );
    const codes = answers.map(({ data, error }) => String(data?.status ?? error?.code));
    // One key is first, and its repeat gets the same answer.
    expect(codes.toSorted((a, b) => a.localeCompare(b))).toEqual([
      'active',
      'active',
      'job_active',
      'job_active',
      'job_active',
      'job_active',
    ]);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome: 'changed' });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(1);
    const { rows } = await docent.database.pool.query('SELECT state FROM turns WHERE job_id = $1 ORDER BY no', [id]);
    expect(rows.map(({ state }) => state)).toEqual(['ready', 'published']);
  });

  test('that is discarded leaves nothing, and the next message starts from the published state', async ({ docent }) => {
    const id = await postIn(docent, 'preview', SECTION);
    await docent.settled(id);
    const { data } = await discard(docent, id);
    expect(data).toMatchObject({
      status: 'completed',
      state: 'discarded',
      outcome: 'discarded',
      pendingChanges: null,
      summary: expect.stringContaining('Discarded'),
    });
    expect((await discard(docent, id)).error).toMatchObject({ code: 'nothing_to_publish' });
    expect((await diffOf(docent, id)).pending).toBeNull();
    await docent.say(id, 'Append a section "Other" with text "Else." to the page guides/log');
    await docent.settled(id);
    await publish(docent, id);
    await docent.settled(id);
    expect(await docent.git('diff', '--name-only', `main...docent/${id}`)).toBe('guides/log.mdx\n');
    expect(await docent.git('log', '-1', '--format=%B', `docent/${id}`)).not.toContain('Next');
  });
});

describe('a job in mode ask', () => {
  test('is answered, and cannot change anything', async ({ docent }) => {
    const id = await postIn(docent, 'ask', 'What can you do?');
    expect(await docent.settled(id)).toMatchObject({
      status: 'completed',
      mode: 'ask',
      outcome: 'answered',
      prLink: null,
      pendingChanges: null,
      summary: expect.any(String),
    });
    // The built-in editor knows of no mode: it calls the tools that the job does not have.
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome: 'refused', pendingChanges: null });
    expect(await eventsOf(docent, id)).toContain('1 of 1 calls were rejected');
    expect((await diffOf(docent, id)).pending).toBeNull();
    expect(await docent.branches()).toEqual(['main']);
    expect((await publish(docent, id)).error).toMatchObject({ code: 'nothing_to_publish' });
    expect((await discard(docent, id)).error).toMatchObject({ code: 'nothing_to_publish' });
  });
});

describe('a job that pushes', () => {
  test('is refused if the project does not allow it', async ({ docent }) => {
    const { error, response } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: docent.projectId } },
      body: { prompt: SECTION, mode: 'push' },
    });
    expect(response.status).toBe(403);
    expect(error).toMatchObject({ code: 'push_not_allowed', error: expect.stringContaining('--allow-push') });
    // Nor after it was allowed, and then no longer was.
    await allowPush(docent, true);
    const id = await postIn(docent, 'push', 'What can you do?');
    await docent.settled(id);
    await allowPush(docent, false);
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ outcome: 'changed', prLink: expect.any(String) });
    expect(await docent.git('show', 'main:guides/start.mdx')).not.toContain('Next');
  });

  test('goes to the branch of a pull request whose author asked for it there, whatever the project allows', async ({
    docent,
  }) => {
    await allowPush(docent, true);
    const id = await postIn(docent, 'push', 'What can you do?');
    await docent.settled(id);
    await allowPush(docent, false);
    const cause = { cause: { url: 'https://git.example/acme/docs/pulls/1', isOwnBranch: true }, ref: 'retries' };
    await docent.git('branch', 'retries', 'main');
    await docent.database.pool.query('UPDATE jobs SET options = options || $2 WHERE id = $1', [id, cause]);
    expect((await docent.say(id, SECTION)).status).toBe(403);
    // As the host's comments are accepted.
    const message = {
      projectId: docent.projectId,
      jobId: id,
      prompt: SECTION,
      limitPerHour: 100,
      slots: MANY_SLOTS,
    };
    await docent.database.db.transaction((tx) => acceptMessage(tx, message));
    expect(await docent.settled(id)).toMatchObject({ outcome: 'changed', prLink: null });
    expect(await docent.git('show', 'retries:guides/start.mdx')).toContain('Next');
    expect(await docent.git('show', 'main:guides/start.mdx')).not.toContain('Next');
    expect((await docent.branches()).toSorted()).toEqual(['main', 'retries']);
  });

  test('commits on top of the base branch, repeatedly, and on top of other commits', async ({ docent }) => {
    await allowPush(docent, true);
    const before = (await docent.git('rev-parse', 'main')).trim();
    const id = await postIn(docent, 'push', SECTION);
    expect(await docent.settled(id)).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      prLink: null,
      source: { ref: 'main' },
      summary: expect.stringMatching(/Pushed commit [0-9a-f]{12} to main\.$/),
    });
    expect((await docent.git('rev-parse', 'main~1')).trim()).toBe(before);
    commitOnMain(docent, 'guides/log.mdx', '---\ntitle: Log\n---\n\nMore happened.\n');
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    expect(await docent.settled(id)).toMatchObject({ outcome: 'changed', prLink: null });
    const page = await docent.git('show', 'main:guides/start.mdx');
    expect(page).toContain('Set up Acme');
    expect(page).toContain('## Next');
    expect(await docent.git('show', 'main:guides/log.mdx')).toContain('More happened.');
    expect(await docent.branches()).toEqual(['main']);
    expect((await docent.git('rev-list', '--count', 'main')).trim()).toBe('4');
    const { turns } = await diffOf(docent, id);
    expect(turns.map(({ branch, files }) => [branch, files?.length])).toEqual([
      ['main', 1],
      ['main', 1],
    ]);
  });

  test('becomes a pull request if a hook refuses, reports it, and keeps it while it is open', async ({ docent }) => {
    await allowPush(docent, true);
    protect(docent);
    const id = await postIn(docent, 'push', SECTION);
    const job = await docent.settled(id);
    expect(job).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      prLink: expect.stringMatching(/\/pull-requests\//),
      source: { ref: `docent/${id}` },
      summary: expect.stringMatching(
        /The repository refused the push to main \(.*\): Docent opens a pull request instead\.$/,
      ),
    });
    expect(await eventsOf(docent, id)).toContain('step: The repository refused the push to main');
    expect(await docent.git('show', 'main:guides/start.mdx')).not.toContain('Next');
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    expect(await docent.settled(id)).toMatchObject({ prLink: job.prLink });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
  });

  test('becomes a pull request if a work tree has the base branch checked out', async ({ docent }) => {
    const work = `${docent.folder}/checked-out`;
    execFileSync('git', ['clone', '-q', docent.repository, work]);
    const { error } = await docent.client.POST('/v1/projects', {
      body: { id: 'tree', repository: work, ref: 'main', settings: { allowPush: true } },
    });
    expect(error).toBeUndefined();
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: 'tree' } },
      body: { prompt: SECTION, mode: 'push' },
    });
    const where = { params: { path: { projectId: 'tree', id: data!.id } } };
    const jobInTree = async () => (await docent.client.GET('/v2/agent/{projectId}/job/{id}', where)).data;
    await until('it ends', async () => (await jobInTree())?.status !== 'active');
    expect(await jobInTree()).toMatchObject({
      status: 'completed',
      prLink: expect.any(String),
      summary: expect.stringContaining('checked out'),
    });
    expect(execFileSync('git', ['-C', work, 'status', '--porcelain']).toString()).toBe('');
  });
});
