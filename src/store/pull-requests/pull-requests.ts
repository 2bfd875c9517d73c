import { and, asc, desc, eq, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { identityOf, type ProjectRow } from '../projects/projects.ts';
import { projects, pullRequests, type CommitInfo, type PullRequestState } from '../schema.ts';
import { enqueueWebhooks, thinPullRequest } from '../webhooks/webhook-outbox.ts';

export type PullRequestRow = typeof pullRequests.$inferSelect;

export interface SavedPullRequest {
  projectId: string;
  jobId: string;
  chainNo: number;
  repository: string;
  /** The code host's own id of the repository, if it has one. */
  repositoryId?: string;
  headBranch: string;
  baseBranch: string;
  title: string;
  body: string;
  headCommit: string;
  diff: string;
  commits: CommitInfo[];
  /** For a host of the network. */
  number?: number;
  link?: string;
}

/** 32 characters of five bits: the link gives access to the page, so it must not be guessable. */
const ID_LENGTH = 32;
/** Hosts need a moment after a push. */
const SOON = sql`now() + interval '15 seconds'`;

export async function findPullRequestById(q: Queryable, id: string): Promise<PullRequestRow | null> {
  const [row] = await q.select().from(pullRequests).where(eq(pullRequests.id, id));
  return row ?? null;
}

export async function pullRequestsById(q: Queryable, ids: readonly string[]): Promise<Map<string, PullRequestRow>> {
  if (ids.length === 0) return new Map();
  const rows = await q
    .select()
    .from(pullRequests)
    .where(inArray(pullRequests.id, [...ids]));
  return new Map(rows.map((row) => [row.id, row]));
}

/** By its head branch, which is unique in a project, in any state. */
export async function findPullRequestByHead(
  q: Queryable,
  projectId: string,
  headBranch: string,
): Promise<PullRequestRow | null> {
  const [row] = await q
    .select()
    .from(pullRequests)
    .where(and(eq(pullRequests.projectId, projectId), eq(pullRequests.headBranch, headBranch)));
  return row ?? null;
}

/** The project's newest pull request in the repository that had this URL then. */
export async function findNewestAt(
  q: Queryable,
  projectId: string,
  repository: string,
): Promise<PullRequestRow | null> {
  const [row] = await q
    .select()
    .from(pullRequests)
    .where(
      and(
        eq(pullRequests.projectId, projectId),
        eq(pullRequests.repository, repository),
        isNotNull(pullRequests.number),
      ),
    )
    .orderBy(desc(pullRequests.createdAt))
    .limit(1);
  return row ?? null;
}

/** Pull requests that a code host means by number or head branch, in any state, of each project there. */
export async function listPullRequestsAt(
  q: Queryable,
  at: { host: string; repositoryId: string } & ({ number: number } | { headBranch: string } | { headCommit: string }),
): Promise<PullRequestRow[]> {
  const isIt =
    'number' in at
      ? eq(pullRequests.number, at.number)
      : 'headBranch' in at
        ? eq(pullRequests.headBranch, at.headBranch)
        : eq(pullRequests.headCommit, at.headCommit);
  const rows = await q
    .select({ pullRequest: pullRequests })
    .from(pullRequests)
    .innerJoin(projects, eq(projects.id, pullRequests.projectId))
    .where(
      and(
        eq(projects.host, at.host),
        isIt,
        sql`coalesce(${pullRequests.repositoryId}, ${projects.repositoryId}) = ${at.repositoryId}`,
      ),
    );
  return rows.map(({ pullRequest }) => pullRequest);
}

/** The host has another base branch for an open pull request. Safe to repeat. */
export async function setBaseBranch(q: Queryable, id: string, baseBranch: string): Promise<void> {
  await q
    .update(pullRequests)
    .set({ baseBranch, updatedAt: new Date() })
    .where(and(eq(pullRequests.id, id), eq(pullRequests.state, 'open'), ne(pullRequests.baseBranch, baseBranch)));
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

/** A job's pull requests, in the order of its chain of branches. */
export async function listPullRequestsOfJob(q: Queryable, jobId: string): Promise<PullRequestRow[]> {
  return q.select().from(pullRequests).where(eq(pullRequests.jobId, jobId)).orderBy(asc(pullRequests.chainNo));
}

/**
 * Creates or updates a head branch's pull request. Idempotent. A merged or closed one is returned as it is.
 */
export async function savePullRequest(q: Queryable, input: SavedPullRequest): Promise<PullRequestRow> {
  const { title, body, headCommit, diff, commits, baseBranch, number, link, repository, repositoryId } = input;
  const set = { title, body, headCommit, diff, commits, baseBranch, number, link, repository, repositoryId };
  const [saved] = await q
    .insert(pullRequests)
    .values({ ...input, id: newId(ID_LENGTH), nextPollAt: SOON })
    .onConflictDoUpdate({
      target: [pullRequests.projectId, pullRequests.headBranch],
      // Facts about the previous commit do not apply to this one.
      set: { ...set, checks: null, mergeable: null, nextPollAt: SOON, updatedAt: new Date() },
      setWhere: eq(pullRequests.state, 'open'),
    })
    .returning();
  const row = saved ?? (await findPullRequestByHead(q, input.projectId, input.headBranch));
  if (!row) throw new Error('The saved pull request was not returned.');
  return row;
}

/** Returns null unless it is in the first state. @param mergeCommit for `merged`: the base branch's commit */
export async function setPullRequestState(
  q: Queryable,
  id: string,
  change: { from: PullRequestState; to: PullRequestState; mergeCommit?: string },
): Promise<PullRequestRow | null> {
  return q.transaction(async (tx) => {
    const [row] = await tx
      .update(pullRequests)
      .set({ state: change.to, mergeCommit: change.mergeCommit ?? null, ...settled(change.to) })
      .where(and(eq(pullRequests.id, id), eq(pullRequests.state, change.from)))
      .returning();
    if (row) await enqueueStateWebhook(tx, row);
    return row ?? null;
  });
}

function settled(state: PullRequestState): { updatedAt: Date; settledAt: Date | null } {
  const now = new Date();
  return { updatedAt: now, settledAt: state === 'open' ? null : now };
}

/** Notifies the project's webhooks that a pull request was merged or closed, or is open again. */
async function enqueueStateWebhook(tx: Queryable, row: PullRequestRow): Promise<void> {
  const type = `pull_request.${row.state === 'open' ? ('updated' as const) : row.state}` as const;
  await enqueueWebhooks(tx, type, row, { pullRequest: thinPullRequest(row) });
}

/** Mirrors the host's state. Does nothing without a row, or without a change. */
export async function mirrorPullRequest(
  q: Queryable,
  at: { projectId: string; headBranch: string },
  seen: { state: PullRequestState; number: number; link: string; mergeCommit: string | null },
): Promise<void> {
  const { state, number, link, mergeCommit } = seen;
  const differs = sql`(${pullRequests.state}, ${pullRequests.number}, ${pullRequests.link}, ${pullRequests.mergeCommit})
    IS DISTINCT FROM (${state}::text, ${number}::int, ${link}::text, ${mergeCommit}::text)`;
  const isIt = and(eq(pullRequests.projectId, at.projectId), eq(pullRequests.headBranch, at.headBranch), differs);
  await q.transaction(async (tx) => {
    const [before] = await tx.select({ state: pullRequests.state }).from(pullRequests).where(isIt).for('update');
    if (!before) return;
    const [row] = await tx
      .update(pullRequests)
      .set({
        state,
        number,
        link,
        mergeCommit,
        updatedAt: new Date(),
        ...(before.state === state ? {} : settled(state)),
      })
      .where(isIt)
      .returning();
    if (row && before.state !== state) await enqueueStateWebhook(tx, row);
  });
}

/** The repository in which it was opened. The project may have another one by now. */
export function identityOfPullRequest(
  pullRequest: PullRequestRow,
  project: ProjectRow,
): { repository: string; repositoryId: string | null } {
  const { repository, repositoryId } = pullRequest;
  const known = identityOf(project);
  return { repository, repositoryId: repositoryId ?? (known.repository === repository ? known.repositoryId : null) };
}
