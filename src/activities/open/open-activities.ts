import { jobRests } from '../../jobs/idle-jobs.ts';
import { faultPoint } from '../../platform/faults.ts';
import { findJobById } from '../../store/jobs/jobs.ts';
import { findRunningTurn } from '../../store/jobs/turns.ts';
import type { ActivityDeps } from '../deps.ts';
import { runActivity } from '../run-activity.ts';
import { openNext, type OpenedTurn } from './open-next.ts';

/** Decides what a job does next. These activities only touch rows. */
export function createOpenActivities(deps: Pick<ActivityDeps, 'db' | 'log' | 'settings'>) {
  const { db, log } = deps;

  return {
    /** Opens a turn for waiting work, or returns the running one, or none. Idempotent. */
    async openTurn({ jobId }: { jobId: string }): Promise<OpenedTurn> {
      return runActivity(log, { jobId }, () => openNext(deps, jobId));
    },

    /** Whether a person asked to cancel this turn, or archived the job, which ended the turn. */
    async readStopRequest({
      jobId,
      turn,
    }: {
      jobId: string;
      turn: number;
    }): Promise<{ cancel: boolean; archived: boolean }> {
      return runActivity(log, { jobId, turn }, async () => {
        const job = await findJobById(db, jobId);
        // Deleted with its project, or missing after a restore: the next half step notices.
        if (!job) return { cancel: false, archived: false };
        const running = await findRunningTurn(db, jobId);
        return { cancel: job.cancelRequestedAt !== null && running?.no === turn, archived: job.status === 'archived' };
      });
    },

    /**
     * The last check before a run ends.
     * @returns `rests`: nothing waits; later writers signal, which starts another run
     */
    async checkRest({ jobId }: { jobId: string }): Promise<{ rests: boolean }> {
      return runActivity(log, { jobId }, async () => {
        const rests = await jobRests(db, jobId);
        faultPoint('rest-looked');
        return { rests };
      });
    },
  };
}
