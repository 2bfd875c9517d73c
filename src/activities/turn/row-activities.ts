import type { DeclaredOutcome } from '../../agent/declared-outcome.ts';
import { messageOf } from '../../platform/errors.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Logger } from '../../platform/log.ts';
import type { Queryable } from '../../store/database.ts';
import { archiveJob } from '../../jobs/stop.ts';
import { modeOf } from '../../store/job-options.ts';
import { findJobById, lockJob, type JobRow } from '../../store/jobs.ts';
import { isPublishTurn } from '../../store/preview.ts';
import { assertAnswered, assertPublished } from '../../store/reached.ts';
import { lastStepOf } from '../../store/transcript.ts';
import { findNextInQueue } from '../../jobs/queue.ts';
import { endTurn, openTurn, waitsInWords } from '../../jobs/turn-life.ts';
import { findRunningTurn, findTurn, hasWaitingMessages } from '../../store/turns.ts';
import { findProject } from '../../store/projects.ts';
import type { TurnLimits } from '../../workflows/contract.ts';
import { allowedSecrets, hideSecrets } from '../publish/outgoing-secrets.ts';
import { closingOf } from './closing-words.ts';
import type { ActivityDeps } from '../deps.ts';
import { runActivity } from '../run-activity.ts';

export type OpenedTurn =
  /**
   * `spentMs`: what the turn's activities have taken so far. `joins`: the workflow may have the turn located with its first step, and the
   * docs checked with its last one. Absent for workflows of builds that do not know this, and in what they recorded.
   */
  | {
      kind: 'turn';
      turn: number;
      step: number;
      job: JobSummary;
      spentMs: number;
      limits: TurnLimits;
      joins?: true;
      /** It publishes what is ready, and asks no model. */
      publishes?: true;
    }
  /** `idleMs`: the time after which the job is archived. */
  | { kind: 'idle'; job: JobSummary; idleMs: number; limits: TurnLimits }
  /** As many jobs are worked on as may be. `words` for the Web UI; `waitMs`: look again then, also without a signal. */
  | { kind: 'queued'; job: JobSummary; words: string; waitMs: number; limits: TurnLimits }
  | { kind: 'archived'; job: JobSummary }
  /** `why`: for the Web UI. */
  | { kind: 'gone'; why: string };

/** `openNext`: the answer says what is next, as `openTurn` does. `error` with `published`: the turn ended at a limit, and what it did until then was published. */
export type TurnEnding = {
  jobId: string;
  turn: number;
  openNext?: boolean;
  error?: { code: string; message: string };
} & (
  | { outcome: 'failed' | 'cancelled' }
  /** `step`: where the work ended; `answered` as for {@link assertAnswered}. */
  | { outcome: 'published' | 'ready' | 'unchanged'; step: number; answered: boolean }
);

const DAY_MS = 86_400_000;
/** Whoever ends a turn signals who is next, and the reconciler does: this is for a day without either. */
const QUEUED_MS = 600_000;

/** What the Web UI shows of a job. */
export interface JobSummary {
  projectId: string;
  /** The job's; `cancelled` where that was the end of its last turn, as a completed job does not tell. */
  status: string;
  title: string;
  prLink: string | null;
  branch: string | null;
  /** Why it has failed. */
  reason: string | null;
}

const GONE =
  'The job is not in Docent’s database: its project was deleted, the database was restored from an earlier backup, or the workflow was started by hand.';

/** Activities that touch nothing but rows. */
export function createRowActivities({
  db,
  log,
  settings,
  jobWorkflows,
}: Pick<ActivityDeps, 'db' | 'log' | 'settings' | 'jobWorkflows'>) {
  return {
    /**
     * Opens a turn for what waits, or says that nothing does. Idempotent: a running turn is given again.
     * @param input.mayQueue whether the workflow understands that its job waits for a place, and `joins`: those of earlier builds do not
     */
    async openTurn({ jobId, mayQueue = false }: { jobId: string; mayQueue?: boolean }): Promise<OpenedTurn> {
      return runActivity(log, { jobId }, () => open(jobId, mayQueue));
    },

    /**
     * Ends a turn and settles the job's status. Idempotent: an ended turn keeps its first outcome.
     * @throws RowsBehind where the rows do not have that outcome: the turn is still to be worked on
     */
    async endTurn(input: TurnEnding): Promise<{ next?: OpenedTurn; ms: number }> {
      const { jobId, turn, outcome } = input;
      return runActivity(log, { jobId, turn }, async ({ log: runLog }) => {
        const closing = outcome === 'cancelled' ? null : await closingOf(db, jobId, turn);
        const summary = closing === null ? null : await hideSecrets(closing.text, await allowedOf(jobId));
        const ended = await db.transaction(async (tx) => {
          const job = await findJobById(tx, jobId);
          if (!job) return null;
          if ('step' in input) await assertDone(tx, input);
          return endTurn(tx, jobId, turn, {
            state: outcome,
            summary: outcome === 'cancelled' ? 'Cancelled. Nothing of this turn was published.' : summary,
            declared: declaredOf(job, closing?.outcome),
            error: input.error ?? null,
          });
        });
        if (!ended) return {};
        const { job, moreWaiting } = ended;
        runLog.info({ outcome: job.outcome ?? outcome, status: job.status, code: input.error?.code }, 'turn ended');
        faultPoint('turn-finished');
        await tellNext(runLog);
        if (!input.openNext) return {};
        // Who writes from here on signals, and that is heard: the workflow forgot its signals before it asked for this.
        const isAtRest = !moreWaiting && (job.status === 'completed' || job.status === 'failed');
        return { next: isAtRest ? await idleAnswer(job, outcome === 'cancelled') : await open(jobId, true) };
      });
    },

    /** Whether somebody asked to cancel this turn, or the job was archived (which has ended the turn already). */
    async readStopRequest({
      jobId,
      turn,
    }: {
      jobId: string;
      turn: number;
    }): Promise<{ cancel: boolean; archived: boolean }> {
      return runActivity(log, { jobId, turn }, async () => {
        const job = await findJobById(db, jobId);
        // Deleted with its project, or not in the backup that the database was restored from: the next half step finds out.
        if (!job) return { cancel: false, archived: false };
        const running = await findRunningTurn(db, jobId);
        return { cancel: job.cancelRequestedAt !== null && running?.no === turn, archived: job.status === 'archived' };
      });
    },

    /**
     * Archives a job that nobody wrote to for as long as its project says. Changes nothing if somebody did, or if the workflow was told
     * to wait for less.
     */
    async archiveIdle({ jobId }: { jobId: string }): Promise<{ archived: boolean }> {
      return runActivity(log, { jobId }, async () =>
        db.transaction(async (tx) => {
          if (!(await findJobById(tx, jobId))) return { archived: false };
          const job = await lockJob(tx, null, jobId);
          const idleMs = await idleMsOf(tx, job.projectId);
          const idle = Date.now() - job.updatedAt.getTime() >= idleMs * 0.99;
          if (!idle || job.status === 'active' || (await hasWaitingMessages(tx, jobId))) return { archived: false };
          await archiveJob(tx, job.projectId, jobId, 'Archived: nobody wrote to it for a long time.');
          return { archived: true };
        }),
      );
    },
  };

  async function open(jobId: string, mayQueue: boolean): Promise<OpenedTurn> {
    const places = mayQueue ? settings : null;
    let opened = await db.transaction((tx) => openTurn(tx, jobId, settings.messagesPerTurn, places));
    // A place that came free while this job went into the queue: nobody may have seen it there.
    while (opened.kind === 'queued' && (await findNextInQueue(db, settings)).some(({ id }) => id === jobId)) {
      opened = await db.transaction((tx) => openTurn(tx, jobId, settings.messagesPerTurn, places));
    }
    if (opened.kind === 'gone') return { kind: 'gone', why: GONE };
    const last = await findTurn(db, jobId, opened.job.lastTurnNo);
    const job = summaryOf(opened.job, last?.state === 'cancelled');
    if (opened.kind === 'archived') return { kind: 'archived', job };
    if (opened.kind === 'idle') return idleAnswer(opened.job, last?.state === 'cancelled');
    if (opened.kind === 'queued') {
      const words = waitsInWords(opened.position);
      return { kind: 'queued', job, words, waitMs: QUEUED_MS, limits: settings.limits };
    }
    faultPoint('turn-opened');
    const step = Math.max(1, await lastStepOf(db, jobId, opened.turn.no));
    const { no, activityMs } = opened.turn;
    return {
      kind: 'turn',
      turn: no,
      step,
      job,
      spentMs: activityMs,
      limits: settings.limits,
      ...(mayQueue ? { joins: true } : {}),
      ...(isPublishTurn(opened.job, no) ? { publishes: true } : {}),
    };
  }

  async function idleAnswer(job: JobRow, isCancelled: boolean): Promise<OpenedTurn> {
    const idleMs = await idleMsOf(db, job.projectId);
    return { kind: 'idle', job: summaryOf(job, isCancelled), idleMs, limits: settings.limits };
  }

  /** A place has come free. What is not told here, because the worker dies or Temporal is away, the reconciler tells. */
  async function tellNext(runLog: Logger): Promise<void> {
    try {
      for (const job of await findNextInQueue(db, settings)) await jobWorkflows.signal(job, { reason: 'place' });
    } catch (err) {
      runLog.warn(
        { reason: messageOf(err) },
        'who is next in the queue could not be told: the reconciler will tell it',
      );
    }
  }

  async function allowedOf(jobId: string): Promise<readonly string[]> {
    const job = await findJobById(db, jobId);
    const project = job && (await findProject(db, job.projectId));
    return project ? allowedSecrets(project) : [];
  }

  async function idleMsOf(q: Queryable, projectId: string): Promise<number> {
    const days = (await findProject(q, projectId))?.settings.archiveAfterDays;
    return days === undefined ? settings.limits.idleMs : days * DAY_MS;
  }
}

/** Where no change can be made, none was asked for, unless the model says that it could not answer. */
function declaredOf(job: JobRow, declared: DeclaredOutcome | undefined): DeclaredOutcome | null {
  return modeOf(job) === 'ask' && declared !== 'refused' ? 'answered' : (declared ?? null);
}

/** @throws RowsBehind */
async function assertDone(
  tx: Queryable,
  { jobId, turn: turnNo, outcome, step: stepNo, answered }: Extract<TurnEnding, { step: number }>,
): Promise<void> {
  if ((await findTurn(tx, jobId, turnNo))?.state !== 'running') return;
  await assertPublished(tx, { jobId, turnNo }, outcome);
  await assertAnswered(tx, { jobId, turnNo, stepNo }, answered);
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
