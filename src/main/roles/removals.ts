import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { removeUnused } from '../../store/attachments.ts';
import type { Db } from '../../store/database.ts';

const EVERY_MS = 10 * 60_000;

/**
 * Removes attachments that nobody used, now and then, until it is stopped. Several processes may. What settings say how long to keep is
 * removed by a workflow: see retention-activities.ts.
 */
export function removeOutlived(db: Db, log: Logger): { stop: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const removals: Record<string, () => Promise<number>> = {
    'attachments were removed that no message had': () => removeUnused(db),
  };
  const remove = async () => {
    for (const [what, work] of Object.entries(removals)) {
      try {
        const removed = await work();
        if (removed > 0) log.info({ removed }, what);
      } catch (err) {
        // A database that is away is told by whoever needs it; the next round finds them.
        log.debug({ err: messageOf(err) }, 'what has outlived its time could not be removed');
      }
    }
  };
  const timer = setInterval(() => void (running = remove()), EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
