import type { Config } from '../../config/config.ts';
import { Duty } from '../../jobs/duty.ts';
import { archiveIdleJobs } from '../../jobs/idle-jobs.ts';
import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { removeUnused } from '../../store/attachments.ts';
import { removeOldAudit } from '../../store/audit-log.ts';
import type { Db } from '../../store/database.ts';

const EVERY_MS = 10 * 60_000;

/**
 * Removes what has outlived its time, now and then, until it is stopped: attachments that nobody used, and old rows of the audit log.
 * Archives jobs that nobody wrote to. Of several processes, one does.
 */
export function removeOutlived(
  db: Db,
  { auditDays, limits }: Pick<Config, 'auditDays' | 'limits'>,
  log: Logger,
): { stop: () => Promise<void> } {
  const removals: Record<string, () => Promise<number>> = {
    'attachments were removed that no message had': () => removeUnused(db),
    'old rows of the audit log were deleted': () => removeOldAudit(db, auditDays),
    'jobs were archived that nobody wrote to': () => archiveIdleJobs(db, limits.idleMs),
  };
  // A database that is away is told by whoever needs it; the next round finds them.
  const failed = (err: unknown) =>
    log.debug({ err: messageOf(err) }, 'what has outlived its time could not be removed');
  const remove = async () => {
    for (const [what, work] of Object.entries(removals)) {
      try {
        const removed = await work();
        if (removed > 0) log.info({ removed }, what);
      } catch (err) {
        failed(err);
      }
    }
  };
  const duty = new Duty({ db, name: 'removals', everyMs: EVERY_MS, round: remove, failed });
  duty.start();
  return { stop: () => duty.stop() };
}
