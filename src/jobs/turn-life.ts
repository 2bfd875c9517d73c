import { eq, getTableColumns, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../store/database.ts';
import { lockJob, updateJob, type JobRow } from '../store/jobs/jobs.ts';
import { releaseCalls } from '../store/jobs/model-calls.ts';
import { clearOverlay } from '../store/jobs/overlay.ts';
import { findPendingDiff } from '../store/jobs/pending-diffs.ts';
import { isPublishTurn, mustPublish, type ChangeSize } from '../store/preview.ts';
import { jobs, turns, type Outcome, type TurnState } from '../store/schema.ts';
import { closeRunningTurn, holdRunningTurn, type TurnRow } from '../store/jobs/turn-fence.ts';
import { findRunningTurn, findTurn, hasWaitingMessages, settleTaken, takeFirstMessages } from '../store/jobs/turns.ts';
import { advance } from './advance.ts';
import { OUT_OF_QUEUE, type JobError } from './job-life.ts';
import { enqueue, hasSlot, isNextInQueue, noteQueued, tryLockSlots, type SlotLimits } from './queue.ts';

export type Opened =
  | { kind: 'turn'; turn: TurnRow; job: JobRow }
  /** Messages wait, but the limit of running jobs is reached. */
  | { kind: 'queued'; job: JobRow }
  /** Nothing waits. */
  | { kind: 'idle'; job: JobRow }
  | { kind: 'archived'; job: JobRow }
  /** The job does not exist (its project was deleted, or the workflow was started manually). */
  | { kind: 'gone' };

/**
 * The running turn, or a new one if messages wait. A new turn takes unanswered messages and the first
 * `messageLimit` of the waiting ones. They stay its own whatever its outcome, so they are not tried forever.
 * Safe to repeat: a turn is opened once, and a waiting job keeps its position.
 * @throws Expected `slots_busy` if a slot may be free and is being given to another job: retry shortly
 */
export async function openTurn(tx: Queryable, jobId: string, messageLimit: number, slots: SlotLimits): Promise<Opened> {
  const [job] = await tx.select().from(jobs).where(eq(jobs.id, jobId)).for('update');
  if (!job) return { kind: 'gone' };
  if (job.status === 'archived') return { kind: 'archived', job };
  const running = await findRunningTurn(tx, jobId);
  if (running) return { kind: 'turn', turn: running, job };
  const publishes = mustPublish(job);
  if (!publishes && !(await hasWaitingMessages(tx, jobId))) return { kind: 'idle', job: await settleIdle(tx, job) };
  const no = job.lastTurnNo + 1;
  const turn = await insertInTurn(tx, job, no, slots);
  if (!turn) return { kind: 'queued', job };
  // Later messages are for the next turn: only what a person has seen is published.
  if (!publishes) await takeFirstMessages(tx, { jobId, turnNo: no }, messageLimit);
  const order = job.publishOrder && publishes ? { ...job.publishOrder, turn: no } : null;
  const begun = { lastTurnNo: no, cancelRequestedAt: null, ...OUT_OF_QUEUE };
  const text = publishes ? `Turn ${no} started: publishing the preview.` : `Turn ${no} started.`;
  const updated = await updateJob(
    tx,
    jobId,
    { ...begun, ...(order ? { publishOrder: order } : { pendingChanges: null }) },
    { type: 'turn_started', turnNo: no, text },
  );
  return { kind: 'turn', turn, job: updated };
}

/** @param when a condition that may use the job's project `p`. @returns null if it does not hold */
async function insertTurn(tx: Queryable, job: JobRow, no: number, when: SQL | null): Promise<TurnRow | null> {
  const commitTime = new Date(Math.floor(Date.now() / 1_000) * 1_000).toISOString();
  const inserted = tx.$with('inserted', getTableColumns(turns)).as(sql`
    INSERT INTO turns (job_id, no, commit_time) SELECT ${job.id}, ${no}::int, ${commitTime}::timestamptz
    FROM projects p WHERE p.id = ${job.projectId} AND ${when ?? sql`true`} RETURNING *`);
  const [turn] = await tx.with(inserted).select().from(inserted);
  return turn ?? null;
}

/** Opens a turn if the job has a slot; else queues it, with an event. @throws Expected `slots_busy` */
async function insertInTurn(tx: Queryable, job: JobRow, no: number, slots: SlotLimits): Promise<TurnRow | null> {
  if (job.slotReservedAt) {
    await tryLockSlots(tx);
    const turn = await insertTurn(tx, job, no, hasSlot(slots));
    if (turn) return turn;
  }
  const isNew = await enqueue(tx, job);
  if (await isNextInQueue(tx, job, slots)) {
    await tryLockSlots(tx);
    if (await isNextInQueue(tx, job, slots)) return insertTurn(tx, job, no, null);
  }
  if (isNew) await noteQueued(tx, job);
  return null;
}

/** Completes an active job with nothing to do. No path leads there, but it would be waited for forever. */
async function settleIdle(tx: Queryable, job: JobRow): Promise<JobRow> {
  if (job.status !== 'active') return job;
  const last = await findTurn(tx, job.id, job.lastTurnNo);
  const error = last?.errorCode ? { code: last.errorCode, message: last.errorMessage ?? last.errorCode } : null;
  const failed = last?.state === 'failed';
  return advance(tx, job, { type: 'turn_ended', messagesWait: false, failed, error, outcome: last?.outcome ?? null });
}

export interface TurnEnd {
  state: Exclude<TurnState, 'running' | 'discarded'>;
  summary: string | null;
  /** The outcome that the model declares for a turn that changed nothing. */
  declared?: Exclude<Outcome, 'changed' | 'discarded' | 'failed'> | null;
  /** The job fails with it. A turn that was published may have one: it ended at a limit. */
  error: JobError | null;
}

/**
 * Ends the turn and sets the job's status: active while messages wait, else completed or failed. A canceled
 * turn's unpublished changes are dropped. Those of a failed turn are kept for the next one, and so are
 * messages without an answer. Idempotent; ends any running attempt.
 * @param assertMayEnd checks again, with the job locked, whether the running turn may end so; its error is
 *   thrown
 */
export async function endTurn(
  tx: Queryable,
  jobId: string,
  turnNo: number,
  end: TurnEnd,
  assertMayEnd: () => Promise<void> = async () => {},
): Promise<{ job: JobRow; moreWaiting: boolean }> {
  await holdRunningTurn(tx, jobId);
  const job = await lockJob(tx, null, jobId);
  const turn = await findTurn(tx, jobId, turnNo);
  const moreWaiting = await hasWaitingMessages(tx, jobId);
  if (turn?.state !== 'running') return { job, moreWaiting };
  await assertMayEnd();
  const { state, error } = end;
  const publishes = isPublishTurn(job, turnNo);
  // The summary of the change stays, however often publishing is tried.
  const said = publishes ? (end.summary ?? job.summary) : end.summary;
  const summary = turn.remark === null ? said : [said, turn.remark].filter(Boolean).join('\n\n');
  const outcome = outcomeOf(end);
  await closeRunningTurn(tx, jobId, { state, summary, outcome, error });
  // Canceled work is unwanted, and a conversation that was too long for the model would be too long again.
  const isUnwanted = state === 'cancelled' || error?.code === 'model_context';
  await settleTaken(tx, jobId, isUnwanted ? 'dropped' : 'unheard');
  if (state === 'cancelled' && !publishes) await clearOverlay(tx, jobId);
  const failed = state === 'failed';
  const ended = { type: 'turn_ended' as const, messagesWait: moreWaiting, failed, error, outcome, summary };
  const pendingChanges = await pendingAfter(tx, job, state, publishes);
  const text = sentenceOf(turnNo, end, outcome);
  const historyEvent = { type: 'turn_ended' as const, turnNo, text, data: { state, outcome, error } };
  const updated = await advance(tx, { ...job, pendingChanges }, ended, { pendingChanges }, historyEvent);
  await releaseCalls(tx, jobId);
  return { job: updated, moreWaiting };
}

/** The change that is ready to publish after a turn: its own, or one that it could not publish. */
async function pendingAfter(
  tx: Queryable,
  job: JobRow,
  state: TurnEnd['state'],
  publishes: boolean,
): Promise<ChangeSize | null> {
  if (publishes) return state === 'published' || state === 'unchanged' ? null : job.pendingChanges;
  if (state !== 'ready') return null;
  const diff = await findPendingDiff(tx, job.id);
  return diff && { files: diff.files, additions: diff.additions, deletions: diff.deletions };
}

/** A turn that was cancelled came to nothing: it has none. */
export function outcomeOf({ state, error, declared }: Pick<TurnEnd, 'state' | 'error' | 'declared'>): Outcome | null {
  if (state === 'cancelled' || state === 'archived') return null;
  if (error) return error.code === 'model_refused' ? 'refused' : 'failed';
  if (state === 'failed') return 'failed';
  return state === 'published' || state === 'ready' ? 'changed' : (declared ?? 'unchanged');
}

function sentenceOf(turnNo: number, { state, error }: TurnEnd, outcome: Outcome | null): string {
  if (error) return `Turn ${turnNo} failed: ${error.message}`;
  if (state === 'unchanged' && outcome === 'answered') return `Turn ${turnNo} ended with an answer.`;
  if (state === 'unchanged' && outcome === 'refused') {
    return `Turn ${turnNo} ended without a change: the request was not carried out.`;
  }
  if (state === 'unchanged' && outcome === 'asked') return `Turn ${turnNo} ended with a question.`;
  const words = {
    published: 'ended',
    ready: 'ended: its change is ready to be published',
    unchanged: 'ended without a change',
    failed: 'failed',
    cancelled: 'was cancelled',
    archived: 'was archived',
  };
  return `Turn ${turnNo} ${words[state]}.`;
}
