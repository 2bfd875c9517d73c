import { describe, expect } from 'vitest';
import { markerIn, testWithDocent as test, type Installation } from '../support/installation.ts';

const OPTIONS = { ref: 'next', branch: 'docs/named', title: 'Say what comes next', metadata: { ticket: 'DOC-17' } };
const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';

async function post(docent: Installation) {
  const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
    params: { path: { projectId: docent.projectId }, header: { 'Idempotency-Key': 'once' } },
    body: { prompt: PROMPT, ...OPTIONS },
  });
  if (!data) throw new Error(JSON.stringify(error));
  return data.id;
}

/** One job, branch, commit and pull request, and all as the job was told. */
async function expectAsTold(docent: Installation, id: string): Promise<void> {
  const job = await docent.settled(id);
  expect(job).toMatchObject({ ...OPTIONS, status: 'completed', source: { ref: 'docs/named' } });
  expect(await docent.branches()).toEqual(['docs/named', 'main', 'next']);
  expect((await docent.git('log', '--format=%s', 'next..docs/named')).trim().split('\n')).toHaveLength(1);
  const { rows } = await docent.database.pool.query('SELECT head_branch, base_branch, title FROM pull_requests');
  expect(rows).toEqual([{ head_branch: 'docs/named', base_branch: 'next', title: OPTIONS.title }]);
}

describe.concurrent('a job with a base branch and a branch of its own', () => {
  test('keeps them though the API died between its acceptance and its start', async ({ docent }) => {
    const marker = markerIn(docent, 'api');
    const doomed = await docent.startApi({ DOCENT_TEST_FAULT: `job-accepted@${marker.file}` });
    await docent.startWorker();
    await docent.createProject();
    await docent.git('branch', 'next', 'main');
    await expect(post(docent)).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    await docent.startApi();
    await expectAsTold(docent, await post(docent));
  });

  test.for(['model-answered', 'commit-pushed', 'pull-request-saved'])(
    'goes on there after a worker died at %s, and takes no branch of its own for another’s',
    async (point, { docent }) => {
      const marker = markerIn(docent, point);
      await docent.startApi();
      const doomed = await docent.startWorker({ DOCENT_TEST_FAULT: `${point}@${marker.file}` });
      await docent.createProject();
      await docent.git('branch', 'next', 'main');
      const id = await post(docent);
      expect(await doomed.ended).toBe('SIGKILL');
      await docent.startWorker();
      await expectAsTold(docent, id);
    },
  );
});
