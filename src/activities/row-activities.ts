import { faultPoint } from '../faults.ts';
import { archiveJob, lockJob, lockPublishing, type JobRow } from '../store/jobs.ts';
import { lastStepOf } from '../store/transcript.ts';
import { endTurn, findRunningTurn, hasWaitingMessages, openTurn } from '../store/turns.ts';
import { findProject } from '../store/projects.ts';
import { closingWords } from './closing-words.ts';
import type { ActivityDeps } from './deps.ts';
import { runActivity } from './run-activity.ts';

export type OpenedTurn =
  /** `spentMs`: what the turn's activities have taken so far; absent where an earlier version answered. */
  | { kind: 'turn'; turn: number; step: number; job: JobSummary; spentMs?: number }
  /** `idleMs`: the project's own time after which its jobs are archived, or null. */
  | { kind: 'idle'; job: JobSummary; idleMs: number | null }
  | { kind: 'archived'; job: JobSummary }
  | { kind: 'gone' };

const DAY_MS = 86_400_000;

/** What the Web UI shows of a job. */
export interface JobSummary {
  projectId: string;
  status: string;
  title: string;
  prLink: string | null;
  branch: string | null;
}

/** Activities that touch nothing but rows. */
export function createRowActivities({ db, log, settings }: Pick<ActivityDeps, 'db' | 'log' | 'settings'>) {
  return {
    /** Opens a turn for what waits, or says that nothing does. Idempotent: a running turn is given again. */
    async openTurn({ jobId }: { jobId: string }): Promise<OpenedTurn> {
      return runActivity(log, { jobId }, async (): Promise<OpenedTurn> => {
        const opened = await db.transaction((tx) => openTurn(tx, jobId, settings.messagesPerTurn));
        if (opened.kind === 'gone') return { kind: 'gone' };
        const job = summaryOf(opened.job);
        if (opened.kind === 'archived') return { kind: 'archived', job };
        if (opened.kind === 'idle') {
          const days = (await findProject(db, job.projectId))?.settings.archiveAfterDays;
          return { kind: 'idle', job, idleMs: days === undefined ? null : days * DAY_MS };
        }
        faultPoint('turn-opened');
        const step = Math.max(1, await lastStepOf(db, jobId, opened.turn.no));
        return { kind: 'turn', turn: opened.turn.no, step, job, spentMs: opened.turn.activityMs };
      });
    },

    /** Ends a turn and settles the job's status. Idempotent: an ended turn keeps its first outcome. */
    async endTurn(input: {
      jobId: string;
      turn: number;
      outcome: 'published' | 'unchanged' | 'failed' | 'cancelled';
      /** With `published`: the turn ended at a limit, and what it did until then was published. */
      error?: { code: string; message: string };
    }): Promise<{ ms: number }> {
      const { jobId, turn, outcome } = input;
      return runActivity(log, { jobId, turn }, async ({ log: runLog }) => {
        const { job } = await db.transaction(async (tx) =>
          endTurn(tx, jobId, turn, {
            state: outcome,
            summary:
              outcome === 'cancelled'
                ? 'Cancelled. Nothing of this turn was published.'
                : await closingWords(tx, jobId, turn),
            error: input.error ?? null,
          }),
        );
        runLog.info({ outcome, status: job.status, code: input.error?.code }, 'turn ended');
        faultPoint('turn-finished');
        return {};
      });
    },

    /** Whether somebody asked to cancel this turn, or the job was archived (which has ended the turn already). */
    async readOrders({
      jobId,
      turn,
    }: {
      jobId: string;
      turn: number;
    }): Promise<{ cancel: boolean; archived: boolean }> {
      return runActivity(log, { jobId, turn }, async () => {
        const job = await db.transaction((tx) => lockJob(tx, null, jobId));
        const running = await findRunningTurn(db, jobId);
        return { cancel: job.cancelRequestedAt !== null && running?.no === turn, archived: job.status === 'archived' };
      });
    },

    /** Archives a job that nobody wrote to for `idleMs`. Changes nothing if somebody did. */
    async archiveIdle({ jobId, idleMs }: { jobId: string; idleMs: number }): Promise<{ archived: boolean }> {
      return runActivity(log, { jobId }, async () =>
        db.transaction(async (tx) => {
          // In the order in which a push and a request to archive take them.
          await lockPublishing(tx, jobId);
          const job = await lockJob(tx, null, jobId);
          const idle = Date.now() - job.updatedAt.getTime() >= idleMs * 0.99;
          if (!idle || job.status === 'active' || (await hasWaitingMessages(tx, jobId))) return { archived: false };
          await archiveJob(tx, job.projectId, jobId, 'Archived: nobody wrote to it for a long time.');
          return { archived: true };
        }),
      );
    },
  };
}

function summaryOf(job: JobRow): JobSummary {
  const { projectId, status, title, prLink, branch } = job;
  return { projectId, status, title, prLink, branch };
}
