import type { DeclaredOutcome } from '../../agent/declared-outcome.ts';
import { faultPoint } from '../../platform/faults.ts';
import type { Queryable } from '../../store/database.ts';
import { archiveJob } from '../../jobs/stop.ts';
import { modeOf } from '../../store/job-options.ts';
import { findJobById, lockJob, type JobRow } from '../../store/jobs.ts';
import { isPublishTurn } from '../../store/preview.ts';
import { assertAnswered, assertPublished } from '../../store/reached.ts';
import { lastStepOf } from '../../store/transcript.ts';
import { endTurn, openTurn } from '../../jobs/turn-life.ts';
import { findRunningTurn, findTurn, hasWaitingMessages } from '../../store/turns.ts';
import { findProject } from '../../store/projects.ts';
import type { TurnLimits } from '../../workflows/contract.ts';
import { allowedSecrets, hideSecrets } from '../publish/outgoing-secrets.ts';
import { closingOf } from './closing-words.ts';
import type { ActivityDeps } from '../deps.ts';
import { runActivity } from '../run-activity.ts';

export type OpenedTurn =
  /** `spentMs`: what the turn's activities have taken so far. */
  | {
      kind: 'turn';
      turn: number;
      step: number;
      job: JobSummary;
      spentMs: number;
      limits: TurnLimits;
      /** It publishes what is ready, and asks no model. */
      publishes?: true;
    }
  /** `idleMs`: the time after which the job is archived. */
  | { kind: 'idle'; job: JobSummary; idleMs: number; limits: TurnLimits }
  | { kind: 'archived'; job: JobSummary }
  /** `why`: for the Web UI. */
  | { kind: 'gone'; why: string };

/** `error` with `published`: the turn ended at a limit, and what it did until then was published. */
export type TurnEnding = { jobId: string; turn: number; error?: { code: string; message: string } } & (
  | { outcome: 'failed' | 'cancelled' }
  /** `step`: where the work ended; `answered` as for {@link assertAnswered}. */
  | { outcome: 'published' | 'ready' | 'unchanged'; step: number; answered: boolean }
);

const DAY_MS = 86_400_000;

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
export function createRowActivities({ db, log, settings }: Pick<ActivityDeps, 'db' | 'log' | 'settings'>) {
  return {
    /** Opens a turn for what waits, or says that nothing does. Idempotent: a running turn is given again. */
    async openTurn({ jobId }: { jobId: string }): Promise<OpenedTurn> {
      return runActivity(log, { jobId }, async (): Promise<OpenedTurn> => {
        const opened = await db.transaction((tx) => openTurn(tx, jobId, settings.messagesPerTurn));
        if (opened.kind === 'gone') return { kind: 'gone', why: GONE };
        const last = await findTurn(db, jobId, opened.job.lastTurnNo);
        const job = summaryOf(opened.job, last?.state === 'cancelled');
        if (opened.kind === 'archived') return { kind: 'archived', job };
        if (opened.kind === 'idle') {
          return { kind: 'idle', job, idleMs: await idleMsOf(db, job.projectId), limits: settings.limits };
        }
        faultPoint('turn-opened');
        const step = Math.max(1, await lastStepOf(db, jobId, opened.turn.no));
        const { no, activityMs } = opened.turn;
        const publishes = isPublishTurn(opened.job, no) ? { publishes: true as const } : {};
        return { kind: 'turn', turn: no, step, job, spentMs: activityMs, limits: settings.limits, ...publishes };
      });
    },

    /**
     * Ends a turn and settles the job's status. Idempotent: an ended turn keeps its first outcome.
     * @throws RowsBehind where the rows do not have that outcome: the turn is still to be worked on
     */
    async endTurn(input: TurnEnding): Promise<{ ms: number }> {
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
        const { job } = ended;
        runLog.info({ outcome: job.outcome ?? outcome, status: job.status, code: input.error?.code }, 'turn ended');
        faultPoint('turn-finished');
        return {};
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
