import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';

export interface Patience {
  log: Logger;
  signal: AbortSignal;
}

const RETRY_MS = 1_000;
const REMIND_MS = 15_000;

/** Retries while something is unreachable. @throws the attempt's error if waiting would not help */
export async function untilReachable<T>(
  what: string,
  attempt: () => Promise<T>,
  isUnreachable: (err: unknown) => boolean,
  { log, signal }: Patience,
): Promise<T> {
  let said = -Infinity;
  for (;;) {
    signal.throwIfAborted();
    try {
      const result = await attempt();
      if (said > 0) log.info(`${what} can be reached`);
      return result;
    } catch (err) {
      if (!isUnreachable(err)) throw err;
      if (performance.now() - said > REMIND_MS) {
        said = performance.now();
        log.warn(`waiting for ${what}: ${messageOf(err)}`);
      }
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
