import { archiveJob } from '../../jobs/stop.ts';
import { findJobById, lockJob } from '../../store/jobs.ts';
import { findProject } from '../../store/projects.ts';
import { findRunningTurn, hasWaitingMessages } from '../../store/turns.ts';
import type { ActivityDeps } from '../deps.ts';
import { runActivity } from '../run-activity.ts';
import { endOnce, type TurnEnding } from './end-once.ts';
import { idleMsOf, openNext, type OpenedTurn } from './open-next.ts';

/** Activities that touch nothing but rows. */
export function createRowActivities(deps: Pick<ActivityDeps, 'db' | 'log' | 'settings' | 'jobWorkflows'>) {
  const { db, log } = deps;

  return {
    /**
     * Opens a turn for what waits, or says that nothing does. Idempotent: a running turn is given again.
     * @param input.mayQueue whether the workflow understands that its job waits for a place, and `joins`: those of earlier builds do not
     */
    async openTurn({ jobId, mayQueue = false }: { jobId: string; mayQueue?: boolean }): Promise<OpenedTurn> {
      return runActivity(log, { jobId }, () => openNext(deps, jobId, mayQueue));
    },

    /**
     * Ends a turn and settles the job's status. Idempotent: an ended turn keeps its first outcome.
     * @throws RowsBehind where the rows do not have that outcome: the turn is still to be worked on
     */
    async endTurn(input: TurnEnding): Promise<{ next?: OpenedTurn; ms: number }> {
      return runActivity(log, { jobId: input.jobId, turn: input.turn }, (run) => endOnce(deps, input, run.log));
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
          const idleMs = idleMsOf(deps.settings, await findProject(tx, job.projectId));
          const idle = Date.now() - job.updatedAt.getTime() >= idleMs * 0.99;
          if (!idle || job.status === 'active' || (await hasWaitingMessages(tx, jobId))) return { archived: false };
          await archiveJob(tx, job.projectId, jobId, 'Archived: nobody wrote to it for a long time.');
          return { archived: true };
        }),
      );
    },
  };
}
