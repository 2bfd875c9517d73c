import { faultPoint } from '../../platform/faults.ts';
import { isNextInQueue, whenSlotsUnlocked } from '../../jobs/queue.ts';
import { openTurn, type Opened } from '../../jobs/turn-life.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';
import { isPublishTurn } from '../../store/preview.ts';
import { lastStepOf } from '../../store/jobs/transcript.ts';
import { findTurn } from '../../store/jobs/turns.ts';
import type { TurnLimits } from '../../workflows/contract.ts';
import type { ActivityDeps } from '../deps.ts';

export type OpenedTurn =
  /** `spentMs`: the time that the turn's activities have taken so far. */
  | {
      kind: 'turn';
      turn: number;
      step: number;
      job: JobSummary;
      spentMs: number;
      limits: TurnLimits;
      /** It publishes a finished change, and asks no model. */
      publishes?: true;
    }
  | { kind: 'idle'; job: JobSummary; limits: TurnLimits }
  /** All job slots are taken. The turn that frees one signals the next job. */
  | { kind: 'queued'; job: JobSummary }
  | { kind: 'archived'; job: JobSummary }
  /** `why`: for the Web UI. */
  | { kind: 'gone'; why: string };

/** The job's fields that the Web UI shows. */
export interface JobSummary {
  projectId: string;
  /** The job's status; `cancelled` if its last turn ended that way, which a completed job does not show. */
  status: string;
  title: string;
  prLink: string | null;
  branch: string | null;
  /** Why it has failed. */
  reason: string | null;
}

const GONE =
  'The job is not in the database: its project was deleted, the database was restored from an earlier ' +
  'backup, or the workflow was started manually.';

type OpenDeps = Pick<ActivityDeps, 'db' | 'settings'>;

/** Opens a turn for waiting work, or reports that there is none. Idempotent: returns a running turn again. */
export async function openNext(deps: OpenDeps, jobId: string): Promise<OpenedTurn> {
  const { db, settings } = deps;
  let opened = await openWhenFree(deps, jobId);
  // A slot that became free while this job was entering the queue may have missed the job.
  while (opened.kind === 'queued' && (await isNextInQueue(db, { id: jobId }, settings))) {
    opened = await openWhenFree(deps, jobId);
  }
  if (opened.kind === 'gone') return { kind: 'gone', why: GONE };
  const last = opened.kind === 'turn' ? opened.turn : await findTurn(db, jobId, opened.job.lastTurnNo);
  const job = summaryOf(opened.job, last?.state === 'cancelled');
  if (opened.kind === 'archived') return { kind: 'archived', job };
  if (opened.kind === 'idle') return idleAnswer(deps, opened.job, last?.state === 'cancelled');
  if (opened.kind === 'queued') return { kind: 'queued', job };
  faultPoint('turn-opened');
  const { no, activityMs, steps } = opened.turn;
  const step = steps === 0 ? 1 : Math.max(1, await lastStepOf(db, jobId, no));
  return {
    kind: 'turn',
    turn: no,
    step,
    job,
    spentMs: activityMs,
    limits: settings.limits,
    ...(isPublishTurn(opened.job, no) ? { publishes: true } : {}),
  };
}

const openWhenFree = ({ db, settings }: OpenDeps, jobId: string): Promise<Opened> =>
  whenSlotsUnlocked(() => db.transaction((tx) => openTurn(tx, jobId, settings.messagesPerTurn, settings)));

/** The job is idle: nothing waits. */
export function idleAnswer({ settings }: OpenDeps, job: JobRow, isCancelled: boolean): OpenedTurn {
  return { kind: 'idle', job: summaryOf(job, isCancelled), limits: settings.limits };
}

function summaryOf(job: JobRow, isCancelled: boolean): JobSummary {
  const { projectId, title, prLink, branch, errorCode, errorMessage } = job;
  return {
    projectId,
    status: job.status === 'completed' && isCancelled ? 'cancelled' : job.status,
    title,
    prLink,
    branch,
    reason: errorCode === null ? null : `${errorCode}: ${errorMessage ?? ''}`,
  };
}
