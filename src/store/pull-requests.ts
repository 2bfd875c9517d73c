import { desc, eq } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { pullRequests } from './schema.ts';

export type PullRequestRow = typeof pullRequests.$inferSelect;

export async function findPullRequestById(q: Queryable, id: string): Promise<PullRequestRow | null> {
  const [row] = await q.select().from(pullRequests).where(eq(pullRequests.id, id));
  return row ?? null;
}

/** The pull request of the newest link of a job's chain. */
export async function findNewestPullRequest(q: Queryable, jobId: string): Promise<PullRequestRow | null> {
  const [row] = await q
    .select()
    .from(pullRequests)
    .where(eq(pullRequests.jobId, jobId))
    .orderBy(desc(pullRequests.chainNo))
    .limit(1);
  return row ?? null;
}
