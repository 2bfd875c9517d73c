import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import type { PullRequestChecks, PullRequestReview } from '@docent/code-hosts/checks';
import type { PullRequestRow } from './pull-requests.ts';
import { jobs, projects, pullRequests } from '../schema.ts';
import { storable } from '../storable.ts';
import { enqueueWebhooks, thinPullRequest } from '../webhooks/webhook-outbox.ts';

/** The next poll is due after a tenth of the time without changes, within these bounds. */
const SHORTEST_S = 30;
const LONGEST_S = 600;
/** A host that refused is asked again no sooner. */
const AFTER_PROBLEM_S = 300;

const quiet = sql`extract(epoch FROM now() - ${pullRequests.updatedAt})`;
const nextPoll = sql`now() + least(${LONGEST_S}, greatest(${SHORTEST_S}, ${quiet} / 10)) * interval '1 second'`;

/** Those of archived jobs are only polled again after an unarchive: see {@link resumePolling}. */
const AFTER_ARCHIVE_S = 86_400;
/** The batch size, and the larger one if many of its pull requests belong to archived jobs. */
const [FEW, MANY] = [20, 1_000];

/**
 * Open pull requests of jobs that are not archived and due for a poll, the longest due first, with the id of
 * the host. Those of archived jobs are postponed: otherwise each poll would read them all.
 */
export async function listDuePolls(q: Queryable, limit: number): Promise<{ id: string; host: string }[]> {
  for (let atLeast = FEW; ; atLeast = MANY) {
    const due = await q
      .select({ id: pullRequests.id, host: projects.host, status: jobs.status })
      .from(pullRequests)
      .innerJoin(projects, eq(projects.id, pullRequests.projectId))
      .innerJoin(jobs, eq(jobs.id, pullRequests.jobId))
      // As a literal, like in the index.
      .where(and(sql`${pullRequests.state} = 'open'`, lte(pullRequests.nextPollAt, sql`now()`)))
      .orderBy(asc(pullRequests.nextPollAt))
      .limit(Math.max(limit, atLeast));
    const archived = due.filter(({ status }) => status === 'archived').map(({ id }) => id);
    if (archived.length > 0) {
      await q
        .update(pullRequests)
        .set({ nextPollAt: sql`now() + ${AFTER_ARCHIVE_S} * interval '1 second'` })
        .where(and(inArray(pullRequests.id, archived), lte(pullRequests.nextPollAt, sql`now()`)));
    }
    const found = due.filter(({ status }) => status !== 'archived').map(({ id, host }) => ({ id, host }));
    if (archived.length === 0 || found.length >= limit) return found.slice(0, limit);
  }
}

/** The job was taken back from the archive: its open pull requests are due. */
export async function resumePolling(q: Queryable, jobId: string): Promise<void> {
  await q
    .update(pullRequests)
    .set({ nextPollAt: sql`now()` })
    .where(and(eq(pullRequests.jobId, jobId), eq(pullRequests.state, 'open')));
}

/** An open pull request as reported by its host. */
export interface SeenPullRequest {
  headCommit: string | null;
  checks: PullRequestChecks | null;
  mergeable: boolean | null;
  review: PullRequestReview | null;
}

/**
 * Updates the row from the host's report. Another author's commit is sent to the webhooks that want it. While
 * the job works, the push may be its own and is reported separately. A poll without news keeps `updatedAt`.
 * Safe to repeat.
 */
export async function recordPoll(q: Queryable, id: string, seen: SeenPullRequest): Promise<PullRequestRow | null> {
  return q.transaction(async (tx) => {
    const [before] = await tx.select().from(pullRequests).where(eq(pullRequests.id, id)).for('update');
    if (!before) return null;
    const polled = { polledAt: sql`now()`, pollProblem: null, nextPollAt: nextPoll };
    if (before.state !== 'open') {
      const [row] = await tx.update(pullRequests).set(polled).where(eq(pullRequests.id, id)).returning();
      return row ?? null;
    }
    const [job] = await tx.select({ status: jobs.status }).from(jobs).where(eq(jobs.id, before.jobId));
    const isPushed = seen.headCommit !== null && seen.headCommit !== before.headCommit && job?.status !== 'active';
    const { mergeable, review } = seen;
    const headCommit = (isPushed ? seen.headCommit : null) ?? before.headCommit;
    const checks = seen.checks && storable(seen.checks);
    const after = { headCommit, checks, mergeable, review };
    const isNews = newsOf(before) !== newsOf(after);
    const [row] = await tx
      .update(pullRequests)
      .set({ ...polled, ...after, ...(isNews ? { updatedAt: new Date(), nextPollAt: soon } : {}) })
      .where(eq(pullRequests.id, id))
      .returning();
    if (row && isPushed) await enqueueWebhooks(tx, 'pull_request.updated', row, { pullRequest: thinPullRequest(row) });
    return row ?? null;
  });
}

const soon = sql`now() + ${SHORTEST_S} * interval '1 second'`;

/** The fields that count as a change. No checks, or no conflict, is not a change before the first poll. */
function newsOf({ headCommit, mergeable, review, checks }: SeenPullRequest): string {
  return JSON.stringify([headCommit, mergeable ?? true, review, checks?.state === 'none' ? null : sorted(checks)]);
}

/** jsonb orders the fields differently. */
function sorted(checks: PullRequestChecks | null): unknown {
  return (
    checks && [checks.state, checks.total, checks.url, checks.items.map(({ name, state, url }) => [name, state, url])]
  );
}

/** The host could not be reached, or has no such pull request. The problem is a sentence without secrets. */
export async function recordPollProblem(
  q: Queryable,
  id: string,
  { problem, retryAfterMs = 0 }: { problem: string; retryAfterMs?: number },
): Promise<void> {
  const pauseS = Math.max(AFTER_PROBLEM_S, Math.min(retryAfterMs / 1_000, 86_400));
  await q
    .update(pullRequests)
    .set({ pollProblem: problem.slice(0, 500), nextPollAt: sql`now() + ${pauseS} * interval '1 second'` })
    .where(eq(pullRequests.id, id));
}
