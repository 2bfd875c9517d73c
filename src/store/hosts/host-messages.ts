import { and, asc, desc, eq, inArray, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { Query, Queryable } from '../database.ts';
import { hostMessages, REPLY_IS_DUE, type HostPlace } from './host-talk-schema.ts';
import { jobs, messages, turns } from '../schema.ts';
import type { JobRow } from '../jobs/jobs.ts';
import type { TurnRow } from '../jobs/turn-fence.ts';

export type HostMessageRow = typeof hostMessages.$inferSelect;
/** A person's comment that may need an answer. */
export type CommentRow = HostMessageRow & { place: HostPlace; jobId: string };
type Thread = Pick<CommentRow, 'jobId' | 'thread'>;
export type NewHostMessage = Pick<
  HostMessageRow,
  'id' | 'projectId' | 'jobId' | 'messageNo' | 'pullRequestId' | 'place' | 'thread'
>;

const FIRST_PAUSE_S = 5;
const MAX_PAUSE_S = 3_600;
/** Including pauses, these attempts take a day. */
const MAX_ATTEMPTS = 32;
const DELETED_AT_ONCE = 1_000;

/** The ids of those that were taken or refused before. */
export async function knownHostMessages(q: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const found = await q
    .select({ id: hostMessages.id })
    .from(hostMessages)
    .where(inArray(hostMessages.id, [...ids]));
  return new Set(found.map(({ id }) => id));
}

/**
 * @param options `isAnswered`: no reaction or reply is expected
 * @returns whether it is new: another process may have been faster
 */
export async function insertHostMessage(
  tx: Queryable,
  row: NewHostMessage,
  { isAnswered = false }: { isAnswered?: boolean } = {},
): Promise<boolean> {
  const answered = isAnswered ? { reactedAt: new Date(), answeredAt: new Date() } : {};
  const added = await tx
    .insert(hostMessages)
    .values({ ...row, ...answered })
    .onConflictDoNothing()
    .returning({ id: hostMessages.id });
  return added.length > 0;
}

/** An issue or a pull request in which people call Docent. */
export interface Conversation {
  projectId: string;
  hostId: string;
  repositoryId: string;
  on: HostPlace['on'];
  /** What its job does: one of the mode `ask`, or one of another mode. */
  isAsk: boolean;
}

/** The newest job that a comment on this issue or pull request started, and which still takes messages. */
export async function findStartedJob(
  q: Queryable,
  { projectId, hostId, repositoryId, on, isAsk }: Conversation,
): Promise<string | null> {
  const place = JSON.stringify({ hostId, repositoryId, on: { type: on.type, number: on.number } });
  const [row] = await q
    .select({ jobId: jobs.id })
    .from(hostMessages)
    .innerJoin(jobs, eq(jobs.id, hostMessages.jobId))
    .where(
      and(
        eq(hostMessages.projectId, projectId),
        isNotNull(hostMessages.messageNo),
        isNull(jobs.archivedAt),
        sql`(coalesce(${jobs.options} ->> 'mode', '') = 'ask') = ${isAsk}`,
        sql`${hostMessages.place} @> ${place}::jsonb`,
      ),
    )
    .orderBy(desc(jobs.createdAt))
    .limit(1);
  return row?.jobId ?? null;
}

/** The jobs' pull requests no longer start as drafts: what they waited for was merged. Idempotent. */
export async function endDrafts(
  q: Queryable,
  { projectId, hostId, repositoryId, on }: Omit<Conversation, 'isAsk'>,
): Promise<Pick<JobRow, 'id' | 'status'>[]> {
  const place = JSON.stringify({ hostId, repositoryId, on });
  const started = q
    .select({ id: hostMessages.jobId })
    .from(hostMessages)
    .where(and(eq(hostMessages.projectId, projectId), sql`${hostMessages.place} @> ${place}::jsonb`));
  return q
    .update(jobs)
    .set({ options: sql`${jobs.options} || '{"draft": false}'` })
    .where(and(inArray(jobs.id, started), sql`${jobs.options} -> 'cause' @> '{"isDraftUntilMerge": true}'`))
    .returning({ id: jobs.id, status: jobs.status });
}

/** How many messages failed checks of a pull request have led to. */
export function countCheckMessages(q: Queryable, pullRequestId: string): Promise<number> {
  const ofCheck = sql`${hostMessages.place} ->> 'kind' = 'check'`;
  return q.$count(hostMessages, and(eq(hostMessages.pullRequestId, pullRequestId), ofCheck));
}

/** The rows of {@link listDueReplies}, and others that it leaves out. */
export function dueReplies(q: Queryable, limit: number): Query<HostMessageRow[]> {
  const { jobId, messageNo, reactedAt, dueAt } = hostMessages;
  const isEnded = sql`EXISTS (SELECT 1 FROM ${messages} m LEFT JOIN ${turns} t ON t.job_id = m.job_id AND t.no = m.turn_no
    WHERE m.job_id = ${jobId} AND m.no = ${messageNo} AND (t.state <> 'running' OR m.state IN ('unheard', 'dropped')))`;
  return q
    .select()
    .from(hostMessages)
    .where(and(REPLY_IS_DUE, sql`${dueAt} <= now()`, sql`(${reactedAt} IS NULL OR ${isEnded})`))
    .orderBy(asc(dueAt), asc(hostMessages.createdAt))
    .limit(limit);
}

/** Due reactions, and replies to messages whose turn has ended or that none takes, oldest first. */
export async function listDueReplies(q: Queryable, limit: number): Promise<CommentRow[]> {
  const rows = await dueReplies(q, limit);
  return rows.filter((row): row is CommentRow => row.place.kind !== 'check' && row.jobId !== null);
}

/** The newest turn that has ended of those that took messages of this thread; null if none has. */
export async function newestTurnOfThread(q: Queryable, { jobId, thread }: Thread): Promise<TurnRow | null> {
  const [row] = await q
    .select({ turn: turns })
    .from(hostMessages)
    .innerJoin(messages, and(eq(messages.jobId, hostMessages.jobId), eq(messages.no, hostMessages.messageNo)))
    .innerJoin(turns, and(eq(turns.jobId, messages.jobId), eq(turns.no, messages.turnNo)))
    .where(and(eq(hostMessages.jobId, jobId), eq(hostMessages.thread, thread), sql`${turns.state} <> 'running'`))
    .orderBy(desc(turns.no))
    .limit(1);
  return row?.turn ?? null;
}

/** The reply that the thread has; null before the first. */
export async function findReply(q: Queryable, { jobId, thread }: Thread): Promise<string | null> {
  const [row] = await q
    .select({ replyId: hostMessages.replyId })
    .from(hostMessages)
    .where(and(eq(hostMessages.jobId, jobId), eq(hostMessages.thread, thread), isNotNull(hostMessages.replyId)))
    .orderBy(desc(hostMessages.answeredAt))
    .limit(1);
  return row?.replyId ?? null;
}

export async function noteReaction(q: Queryable, id: string): Promise<void> {
  await q
    .update(hostMessages)
    .set({ reactedAt: sql`now()`, attempts: 0 })
    .where(eq(hostMessages.id, id));
}

/**
 * Records that the thread's reply covers this message, and those taken by its turn or an earlier one.
 * @param turnNo null if no turn took the message
 */
export async function noteReply(
  q: Queryable,
  { id, jobId, thread }: Thread & Pick<HostMessageRow, 'id'>,
  { replyId, turnNo }: { replyId: string | null; turnNo: number | null },
): Promise<void> {
  const taken = q
    .select({ no: messages.no })
    .from(messages)
    .where(and(eq(messages.jobId, jobId), lte(messages.turnNo, turnNo ?? 0)));
  const isAnswered = sql`(${hostMessages.id} = ${id} OR ${inArray(hostMessages.messageNo, taken)})`;
  await q
    .update(hostMessages)
    .set({ answeredAt: sql`now()`, replyId })
    .where(
      and(
        eq(hostMessages.jobId, jobId),
        eq(hostMessages.thread, thread),
        isNull(hostMessages.answeredAt),
        isNotNull(hostMessages.messageNo),
        isAnswered,
      ),
    );
}

/** The location for an answer is gone. Idempotent. */
export async function dropReply(q: Queryable, id: string): Promise<void> {
  await q
    .update(hostMessages)
    .set({ answeredAt: sql`now()` })
    .where(eq(hostMessages.id, id));
}

/**
 * The work failed for now: it is retried later, for about a day.
 * @param atLeastS the pause that the code host requested
 * @returns whether it is abandoned
 */
export async function postponeReply(q: Queryable, row: HostMessageRow, atLeastS: number): Promise<boolean> {
  const isGivenUp = row.attempts + 1 >= MAX_ATTEMPTS;
  const pauseS = Math.max(Math.min(MAX_PAUSE_S, FIRST_PAUSE_S * 2 ** row.attempts), atLeastS);
  await q
    .update(hostMessages)
    .set({
      attempts: row.attempts + 1,
      dueAt: sql`now() + ${pauseS} * interval '1 second'`,
      ...(isGivenUp ? { answeredAt: sql`now()` } : {}),
    })
    .where(eq(hostMessages.id, row.id));
  return isGivenUp;
}

/**
 * Deletes a batch of older refused comments without a job: their events no longer arrive.
 * @returns whether there may be more
 */
export async function deleteOldRefusals(q: Queryable, days: number): Promise<boolean> {
  const old = q
    .select({ id: hostMessages.id })
    .from(hostMessages)
    .where(and(isNull(hostMessages.jobId), sql`${hostMessages.createdAt} < now() - make_interval(days => ${days})`))
    .limit(DELETED_AT_ONCE);
  const { rowCount } = await q.delete(hostMessages).where(inArray(hostMessages.id, old));
  return rowCount === DELETED_AT_ONCE;
}
