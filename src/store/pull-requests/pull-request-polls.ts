import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import type { PullRequestChecks, PullRequestReview } from '../pull-request-checks.ts';
import type { PullRequestRow } from './pull-requests.ts';
import { jobs, projects, pullRequests } from '../schema.ts';
import { storable } from '../storable.ts';
import { enqueueWebhooks, thinPullRequest } from '../webhooks/webhook-outbox.ts';

/**
 * How long after a look the next one is due: a tenth of the time for which nothing has changed, within these
 * bounds. What was pushed just now is looked at twice a minute, what was not touched for two hours every ten
 * minutes.
 */
const SHORTEST_S = 30;
const LONGEST_S = 600;
/** A host that refused is asked again no sooner. */
const AFTER_PROBLEM_S = 300;

const quiet = sql`extract(epoch FROM now() - ${pullRequests.updatedAt})`;
const nextPoll = sql`now() + least(${LONGEST_S}, greatest(${SHORTEST_S}, ${quiet} / 10)) * interval '1 second'`;

/** Those of archived jobs are looked at again only where the job is taken back: see {@link resumePolling}. */
const AFTER_ARCHIVE_S = 86_400;
/** So many at once, and more where there are many of archived jobs among them. */
const [FEW, MANY] = [20, 1_000];

/**
 * Open pull requests of jobs that are not archived, whose host is to be asked: the longest due first, with
 * the id of the host. Those of archived jobs that it comes upon it puts off: else each look would read them
 * all.
 */
export async function listDuePolls(q: Queryable, limit: number): Promise<{ id: string; host: string }[]> {
  for (let atLeast = FEW; ; atLeast = MANY) {
    const due = await q
      .select({ id: pullRequests.id, host: projects.host, status: jobs.status })
      .from(pullRequests)
      .innerJoin(projects, eq(projects.id, pullRequests.projectId))
      .innerJoin(jobs, eq(jobs.id, pullRequests.jobId))
      // In words, as the index has it.
      .where(and(sql`${pullRequests.state} = 'open'`, lte(pullRequests.lookAt, sql`now()`)))
      .orderBy(asc(pullRequests.lookAt))
      .limit(Math.max(limit, atLeast));
    const archived = due.filter(({ status }) => status === 'archived').map(({ id }) => id);
    if (archived.length > 0) {
      await q
        .update(pullRequests)
        .set({ lookAt: sql`now() + ${AFTER_ARCHIVE_S} * interval '1 second'` })
        .where(and(inArray(pullRequests.id, archived), lte(pullRequests.lookAt, sql`now()`)));
    }
    const found = due.filter(({ status }) => status !== 'archived').map(({ id, host }) => ({ id, host }));
    if (archived.length === 0 || found.length >= limit) return found.slice(0, limit);
  }
}

/** The job was taken back from the archive: its open pull requests are due. */
export async function resumePolling(q: Queryable, jobId: string): Promise<void> {
  await q
    .update(pullRequests)
    .set({ lookAt: sql`now()` })
    .where(and(eq(pullRequests.jobId, jobId), eq(pullRequests.state, 'open')));
}

/** What a host said of an open pull request. */
export interface SeenPullRequest {
  headCommit: string | null;
  checks: PullRequestChecks | null;
  mergeable: boolean | null;
  review: PullRequestReview | null;
}

/**
 * Makes the row say what its host said. A new commit that is not ours is told to who asked for it; while the
 * job works, a push may be its own, and says so by itself. A look that brings nothing new leaves `updatedAt`
 * as it was. Safe to repeat.
 */
export async function recordPoll(q: Queryable, id: string, seen: SeenPullRequest): Promise<PullRequestRow | null> {
  return q.transaction(async (tx) => {
    const [before] = await tx.select().from(pullRequests).where(eq(pullRequests.id, id)).for('update');
    if (!before) return null;
    const polled = { lookedAt: sql`now()`, lookProblem: null, lookAt: nextPoll };
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
      .set({ ...polled, ...after, ...(isNews ? { updatedAt: new Date(), lookAt: soon } : {}) })
      .where(eq(pullRequests.id, id))
      .returning();
    if (row && isPushed) await enqueueWebhooks(tx, 'pull_request.updated', row, { pullRequest: thinPullRequest(row) });
    return row ?? null;
  });
}

const soon = sql`now() + ${SHORTEST_S} * interval '1 second'`;

/**
 * What counts as a change. That there are no checks, or no conflict, is none where no one had looked before.
 */
function newsOf({ headCommit, mergeable, review, checks }: SeenPullRequest): string {
  return JSON.stringify([headCommit, mergeable ?? true, review, checks?.state === 'none' ? null : sorted(checks)]);
}

/** jsonb puts the fields into an order of its own. */
function sorted(checks: PullRequestChecks | null): unknown {
  return (
    checks && [checks.state, checks.total, checks.url, checks.items.map(({ name, state, url }) => [name, state, url])]
  );
}

/** Its host could not be asked, or has no such pull request: in a sentence, without secrets. */
export async function recordPollProblem(
  q: Queryable,
  id: string,
  { problem, retryAfterMs = 0 }: { problem: string; retryAfterMs?: number },
): Promise<void> {
  const pauseS = Math.max(AFTER_PROBLEM_S, Math.min(retryAfterMs / 1_000, 86_400));
  await q
    .update(pullRequests)
    .set({ lookProblem: problem.slice(0, 500), lookAt: sql`now() + ${pauseS} * interval '1 second'` })
    .where(eq(pullRequests.id, id));
}
