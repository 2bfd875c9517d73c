import { messageOf } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { removeUnused } from '../../store/attachments.ts';
import type { Db } from '../../store/database.ts';

const EVERY_MS = 10 * 60_000;

/** Removes attachments that nobody used in time, now and then, until it is stopped. Several processes may. */
export function removeUnusedAttachments(db: Db, log: Logger): { stop: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  const remove = async () => {
    try {
      const removed = await removeUnused(db);
      if (removed > 0) log.info({ removed }, 'attachments were removed that no message had');
    } catch (err) {
      // A database that is away is told by whoever needs it; the next round finds them.
      log.debug({ err: messageOf(err) }, 'unused attachments could not be removed');
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
