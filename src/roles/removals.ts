import type { Config } from '../config/config.ts';
import { PeriodicTask } from '../jobs/periodic-task.ts';
import { archiveIdleJobs } from '../jobs/idle-jobs.ts';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import { removeUnused } from '../store/jobs/attachments.ts';
import type { Db } from '../store/database.ts';

const EVERY_MS = 10 * 60_000;

/**
 * Regularly removes unused attachments and archives idle jobs, in one of all processes. See
 * retention-activities.ts for the rest.
 * @param limits idle time before archiving, unless the project sets it
 */
export function removals(db: Db, limits: Pick<Config['limits'], 'idleMs'>, log: Logger): PeriodicTask {
  const parts: Record<string, () => Promise<number>> = {
    'deleted unused attachments': () => removeUnused(db),
    'archived inactive jobs': () => archiveIdleJobs(db, limits.idleMs),
  };
  // Other code reports an unreachable database; the next round finds them.
  const failed = (err: unknown) => log.debug({ err: messageOf(err) }, 'expired data could not be deleted');
  const remove = async () => {
    for (const [what, work] of Object.entries(parts)) {
      try {
        const removed = await work();
        if (removed > 0) log.info({ removed }, what);
      } catch (err) {
        failed(err);
      }
    }
  };
  return new PeriodicTask({ db, name: 'removals', everyMs: EVERY_MS, round: remove, failed });
}
