import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, markerIn } from '../support/installation.ts';
import { withWorkflowOf } from '../support/workflow-handle.ts';

const PROMPT = 'Change the title of page `guides/start` to "Begin"';

interface LostPush {
  /** With its own project. */
  docent: Installation;
  id: string;
  branch: string;
  pushed: string;
}

let installation: Installation;
let first: LostPush;
let second: LostPush;

beforeAll(async () => {
  installation = await Installation.create();
  await installation.startApi();
  first = await jobWithLostPush('first');
  second = await jobWithLostPush('second');
  await installation.startWorker();
});
afterAll(() => installation.stop());

/** A job whose commit is on its branch, and of which nothing was written down. Its worker is dead. */
async function jobWithLostPush(name: string): Promise<LostPush> {
  const marker = markerIn(installation, name);
  const doomed = await installation.startWorker({ DOCENT_TEST_FAULT: `commit-pushed@${marker.file}` });
  const docent = await installation.withOwnProject();
  const id = await docent.post(PROMPT);
  expect(await doomed.ended).toBe('SIGKILL');
  await withWorkflowOf(docent, id, (handle) => handle.terminate());
  const branch = `docent/${id}`;
  const commits = await docent.commits(branch);
  expect(commits).toHaveLength(1);
  return { docent, id, branch, pushed: commits[0]! };
}

async function expectLost({ docent, id }: LostPush): Promise<void> {
  const lost = await docent.settled(id);
  expect(lost).toMatchObject({ status: 'failed', error: { code: 'workflow_lost' }, prLink: null });
}

const pullRequestsOf = async (docent: Installation, id: string) =>
  (await docent.database.pool.query('SELECT state, head_commit FROM pull_requests WHERE job_id = $1', [id])).rows;

describe.concurrent('a push whose worker and workflow were lost before the record', () => {
  test('is found when the request is repeated: opens the pull request, with one commit', async () => {
    const { docent, id, branch, pushed } = first;
    await expectLost(first);
    expect((await docent.say(id, PROMPT)).status).toBe(200);
    const job = await docent.settled(id);
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(job.prLink).toMatch(/\/pull-requests\//);
    expect(await docent.branches()).toEqual([branch, 'main']);
    expect(await docent.commits(branch)).toEqual([pushed]);
    expect(await docent.git('show', `${branch}:guides/start.mdx`)).toContain('title: Begin');

    const { rows: turns } = await docent.database.pool.query(
      'SELECT state, "commit", commit_message, diff FROM turns WHERE job_id = $1 ORDER BY no',
      [id],
    );
    expect(turns.map(({ state }) => state)).toEqual(['failed', 'published']);
    expect(turns[1]).toMatchObject({
      commit: pushed,
      commit_message: expect.stringContaining(`Docent-Turn: ${id}/1`),
      diff: expect.stringContaining('+title: Begin'),
    });
    expect(await pullRequestsOf(docent, id)).toEqual([{ state: 'open', head_commit: pushed }]);
  });

  test('goes into the pull request of the next change', async () => {
    const { docent, id, branch, pushed } = second;
    await expectLost(second);
    await docent.say(id, 'Change the title of page `guides/log` to "Diary"');
    const job = await docent.settled(id);
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(job.prLink).toMatch(/\/pull-requests\//);
    const commits = await docent.commits(branch);
    expect(commits).toEqual([pushed, expect.any(String)]);
    expect(await pullRequestsOf(docent, id)).toEqual([{ state: 'open', head_commit: commits[1] }]);
  });
});
