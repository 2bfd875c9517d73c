import { describe, expect } from 'vitest';
import { markerIn, testWithDocent as test, trapAt, type Installation } from '../support/installation.ts';

const OPTIONS = { ref: 'next', title: 'Say what comes next', metadata: { ticket: 'DOC-17' } };
/** Starting and killing processes one by one takes minutes under load. */
const LONG = { timeout: 400_000 };
const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';

async function post(docent: Installation, branch: string) {
  const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
    params: { path: { projectId: docent.projectId }, header: { 'Idempotency-Key': branch } },
    body: { prompt: PROMPT, branch, ...OPTIONS },
  });
  if (!data) throw new Error(JSON.stringify(error));
  return data.id;
}

/** For each job one branch, commit and pull request, and all as the job was configured. */
async function expectAsTold(docent: Installation, branchOf: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, branch] of branchOf) {
    const job = await docent.settled(id);
    expect(job).toMatchObject({ ...OPTIONS, branch, status: 'completed', source: { ref: branch } });
    expect((await docent.git('log', '--format=%s', `next..${branch}`)).trim().split('\n')).toHaveLength(1);
    const { rows } = await docent.database.pool.query(
      'SELECT head_branch, base_branch, title FROM pull_requests WHERE job_id = $1',
      [id],
    );
    expect(rows).toEqual([{ head_branch: branch, base_branch: 'next', title: OPTIONS.title }]);
  }
  expect(await docent.branches()).toEqual([...branchOf.values(), 'main', 'next'].toSorted());
}

describe('a job with a base branch and its own branch', () => {
  test(
    'keeps them though the API or a worker died, and takes no branch of its own for another’s',
    LONG,
    async ({ docent }) => {
      const marker = markerIn(docent, 'api');
      const traps = ['pull-request-saved', 'commit-pushed'].map((point) => trapAt(docent, point));
      const faults = { DOCENT_TEST_FAULT: traps.map(({ spec }) => spec).join(',') };
      let [api, worker] = await Promise.all([
        docent.startApi({ DOCENT_TEST_FAULT: `job-accepted@${marker.file}` }),
        docent.startWorker(faults),
      ]);
      await docent.createProject();
      await docent.git('branch', 'next', 'main');
      // The API dies between the acceptance of the job and its start.
      await expect(post(docent, 'docs/accepted')).rejects.toThrow();
      expect(await api.ended).toBe('SIGKILL');
      api = await docent.startApi();
      const branchOf = new Map([[await post(docent, 'docs/accepted'), 'docs/accepted']]);
      await docent.settled([...branchOf.keys()][0]!);
      for (const [i, trap] of traps.entries()) {
        trap.arm();
        branchOf.set(await post(docent, `docs/named-${i}`), `docs/named-${i}`);
        expect(await worker.ended).toBe('SIGKILL');
        worker = await docent.startWorker(faults);
      }
      await expectAsTold(docent, branchOf);
    },
  );
});
