import { AppError, type ErrorCode } from '../platform/errors.ts';
import type { JobRow } from '../store/jobs/jobs.ts';
import type { JobStatus, Outcome } from '../store/schema.ts';

export type JobEvent =
  /** Someone wrote to it. */
  | { type: 'message' }
  /** Its turn ended. A failed turn may have no error; one that ended at a limit has one and was published. */
  | {
      type: 'turn_ended';
      messagesWait: boolean;
      failed: boolean;
      error: JobError | null;
      outcome: Outcome | null;
      summary?: string | null;
    }
  /** A request to end its work. `turnRuns`: the running turn ends it. */
  | { type: 'cancel'; turnRuns: boolean }
  /** Its workflow was ended from outside. */
  | { type: 'workflow_lost'; error: JobError }
  | { type: 'archive' }
  | { type: 'unarchive' }
  /** A request to publish the ready change. */
  | { type: 'publish' }
  /** A request to discard the ready change. */
  | { type: 'discard' }
  /** A request to repeat what its last turn did not do. */
  | { type: 'retry' };

export interface JobError {
  code: string;
  message: string;
}

type Refusal = Extract<ErrorCode, 'job_archived' | 'job_active' | 'job_not_active' | 'job_not_archived'>;

/** The next status; `stays` (late or repeated), `before_archive`, or an invalid request's error. */
type Next = JobStatus | 'stays' | 'before_archive' | Refusal;

export type Transition =
  | Exclude<JobEvent['type'], 'turn_ended' | 'cancel'>
  | 'turn_completed'
  | 'turn_failed'
  | 'turn_ended_with_more'
  | 'cancel_turn'
  | 'cancel_waiting';

/** Every change of a job's status that there is. People read it under "States" in docs/concepts/jobs.mdx. */
export const LIFE: Readonly<Record<Transition, Readonly<Record<JobStatus, Next>>>> = {
  message: { active: 'active', completed: 'active', failed: 'active', archived: 'job_archived' },
  turn_completed: { active: 'completed', completed: 'stays', failed: 'stays', archived: 'stays' },
  turn_failed: { active: 'failed', completed: 'stays', failed: 'stays', archived: 'stays' },
  turn_ended_with_more: { active: 'active', completed: 'stays', failed: 'stays', archived: 'stays' },
  cancel_turn: { active: 'active', completed: 'job_not_active', failed: 'job_not_active', archived: 'job_not_active' },
  cancel_waiting: {
    active: 'completed',
    completed: 'job_not_active',
    failed: 'job_not_active',
    archived: 'job_not_active',
  },
  workflow_lost: { active: 'failed', completed: 'stays', failed: 'stays', archived: 'stays' },
  archive: { active: 'archived', completed: 'archived', failed: 'archived', archived: 'stays' },
  unarchive: {
    active: 'job_not_archived',
    completed: 'job_not_archived',
    failed: 'job_not_archived',
    archived: 'before_archive',
  },
  publish: { active: 'job_active', completed: 'active', failed: 'active', archived: 'job_archived' },
  retry: { active: 'job_active', completed: 'active', failed: 'active', archived: 'job_archived' },
  discard: { active: 'job_active', completed: 'completed', failed: 'completed', archived: 'job_archived' },
};

type JobProgress = Pick<JobRow, 'status' | 'statusBeforeArchive' | 'cancelRequestedAt' | 'summary'>;

/** The columns that an event may change. */
export type JobChange = Partial<
  Pick<
    JobRow,
    | 'status'
    | 'statusBeforeArchive'
    | 'archivedAt'
    | 'errorCode'
    | 'errorMessage'
    | 'summary'
    | 'outcome'
    | 'pendingChanges'
    | 'progress'
    | 'cancelRequestedAt'
    | 'signalPending'
    | 'queueNo'
    | 'slotReservedAt'
  >
>;

/**
 * An event's changes to a job, or null.
 * @throws AppError `job_archived`, `job_active`, `job_not_active` or `job_not_archived` (409)
 */
export function changeBy(job: JobProgress, event: JobEvent, now: Date): JobChange | null {
  const next = LIFE[transitionOf(event)][job.status];
  switch (next) {
    case 'stays':
      return null;
    case 'job_archived':
    case 'job_active':
    case 'job_not_active':
    case 'job_not_archived':
      throw new AppError(next, REFUSALS[next](job.status));
    case 'before_archive':
      return { status: job.statusBeforeArchive ?? 'completed', ...columnsOf(job, event, now) };
    default:
      return { status: next, ...columnsOf(job, event, now) };
  }
}

function transitionOf(event: JobEvent): Transition {
  switch (event.type) {
    case 'turn_ended':
      if (event.messagesWait) return 'turn_ended_with_more';
      return event.failed || event.error ? 'turn_failed' : 'turn_completed';
    case 'cancel':
      return event.turnRuns ? 'cancel_turn' : 'cancel_waiting';
    default:
      return event.type;
  }
}

function columnsOf(job: JobProgress, event: JobEvent, now: Date): JobChange {
  switch (event.type) {
    case 'message':
    case 'retry':
      return { errorCode: null, errorMessage: null, outcome: null };
    case 'publish':
      return { errorCode: null, errorMessage: null, outcome: null, signalPending: true };
    case 'discard':
      return { errorCode: null, errorMessage: null, outcome: 'discarded', pendingChanges: null, summary: DISCARDED };
    case 'turn_ended': {
      const error = event.messagesWait ? null : event.error;
      return {
        summary: event.summary ?? job.summary,
        outcome: event.messagesWait ? null : event.outcome,
        errorCode: error?.code ?? null,
        errorMessage: error?.message ?? null,
        cancelRequestedAt: null,
        progress: null,
        ...OUT_OF_QUEUE,
      };
    }
    case 'cancel':
      return event.turnRuns
        ? { cancelRequestedAt: job.cancelRequestedAt ?? now, signalPending: true }
        : { summary: CANCELLED_UNBEGUN, cancelRequestedAt: null, ...OUT_OF_QUEUE };
    case 'workflow_lost':
      return {
        outcome: 'failed',
        errorCode: event.error.code,
        errorMessage: event.error.message,
        cancelRequestedAt: null,
        ...OUT_OF_QUEUE,
      };
    case 'archive':
      return {
        // An interrupted turn has no outcome of its own: back from the archive, its job is idle.
        statusBeforeArchive: job.status === 'active' ? 'completed' : job.status,
        archivedAt: now,
        cancelRequestedAt: null,
        ...OUT_OF_QUEUE,
        signalPending: true,
      };
    case 'unarchive':
      return { statusBeforeArchive: null, archivedAt: null, signalPending: true };
  }
}

/** A job that neither waits for a slot nor has reserved one. */
export const OUT_OF_QUEUE = { queueNo: null, slotReservedAt: null };

export const DISCARDED = 'Discarded. Nothing was published.';
export const CANCELLED_UNBEGUN = 'Cancelled before the agent started.';

const REFUSALS: Record<Refusal, (status: JobStatus) => string> = {
  job_archived: () => 'This job is archived. Unarchive it first, or create a new job.',
  job_active: () => 'This job is active. Wait until its turn has ended, or cancel it.',
  job_not_active: (status) => `This job is ${status}: there is nothing to cancel.`,
  job_not_archived: (status) => `This job is ${status}: only an archived job can be unarchived.`,
};
