import { pullRequests } from '../../src/store/schema.ts';
import type { TestApi } from './api-server.ts';

/** Posts a job as the operator and gives its id. */
export async function createJob(api: TestApi, projectId: string, prompt = 'Fix broken links'): Promise<string> {
  const answer = await api.call(`/v2/agent/${projectId}/job`, { body: { prompt } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.id;
}

/** Puts a pull request into the database, as a turn does that has pushed. */
export async function addPullRequest(
  api: TestApi,
  row: { id: string; projectId: string; jobId: string } & Partial<typeof pullRequests.$inferInsert>,
): Promise<void> {
  await api.database.db.insert(pullRequests).values({
    chainNo: 1,
    repository: '/srv/git/docs',
    headBranch: `docent/${row.jobId}`,
    baseBranch: 'main',
    title: 'Fix broken links',
    body: '',
    headCommit: 'c'.repeat(40),
    ...row,
  });
}
