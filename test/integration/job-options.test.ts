import { describe, expect } from 'vitest';
import type { components } from '../../client/src/index.ts';
import { testWithDocent as test, type Installation } from '../support/installation.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';
const REPLACE = 'Replace "Install" with "Set up" in guides/start';

async function started(docent: Installation): Promise<void> {
  await Promise.all([docent.startApi(), docent.startWorker()]);
  await docent.createProject();
}

type Options = Omit<components['schemas']['NewJob'], 'prompt'>;

async function post(docent: Installation, prompt: string, options: Options): Promise<string> {
  const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
    params: { path: { projectId: 'acme' } },
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
  test('starts from its base branch, works on its own, and is called as it was told', async ({ docent }) => {
    await started(docent);
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
    const params = { path: { projectId: 'acme', id } };
    const merged = await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', { params });
    expect(merged.data).toMatchObject({ state: 'merged' });
    expect(await docent.git('show', 'release:guides/start.mdx')).toContain('## Next');
    expect(await docent.git('show', 'main:guides/start.mdx')).not.toContain('## Next');
    await docent.say(id, 'Append a section "More" with text "Even more." to the page guides/start');
    expect((await docent.settled(id)).source.ref).toBe('docs/next-steps-2');
    expect(await docent.git('diff', '--name-only', 'release...docs/next-steps-2')).toBe('guides/start.mdx\n');
  });

  test('whose base branch is not there fails with a sentence, and goes on when it is', async ({ docent }) => {
    await started(docent);
    const id = await post(docent, SECTION, { ref: 'not/yet' });
    expect((await docent.settled(id)).error).toEqual({
      code: 'branch_missing',
      message: expect.stringContaining('"not/yet"'),
    });
    await branchOff(docent, 'not/yet');
    await docent.say(id, 'Go on');
    expect((await docent.settled(id)).status).toBe('completed');
  });

  test('pushes to no branch that somebody else made, before it started or while it worked', async ({ docent }) => {
    await started(docent);
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

  test('steps over a branch of somebody else that stands where its next one would', async ({ docent }) => {
    await started(docent);
    const id = await post(docent, SECTION, { branch: 'mine' });
    await docent.settled(id);
    await branchOff(docent, 'mine-2');
    const tip = await docent.git('rev-parse', 'mine-2');
    const params = { path: { projectId: 'acme', id } };
    await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/close', { params });
    await docent.say(id, REPLACE);
    expect((await docent.settled(id)).source.ref).toBe('mine-3');
    expect(await docent.git('rev-parse', 'mine-2')).toBe(tip);
  });
});
