import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';

/** gRPC codes of a server that knows the caller and refuses it: PERMISSION_DENIED, UNAUTHENTICATED. */
const REFUSED_CODES = new Set([7, 16]);

export interface TemporalKeyWatchOptions {
  /** Reads the key again from its configured source. Undefined if there is none. */
  read: () => string | undefined;
  /** Called with a changed key. */
  use: (key: string) => Promise<void>;
  /** Asks Temporal something that needs the key. */
  ask: () => Promise<unknown>;
  log: Logger;
  everyMs?: number;
  /** Consecutive refusals after which the worker cannot continue. */
  refusals?: number;
}

/**
 * Keeps a worker's Temporal key current and notices when it is refused: pollers fail silently.
 * @returns `refused` rejects after several refusals in a row
 */
export function watchTemporalKey(options: TemporalKeyWatchOptions): { refused: Promise<never>; stop: () => void } {
  const { read, use, ask, log, everyMs = 10_000, refusals = 3 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let key = read();
  const renew = async () => {
    try {
      const found = read();
      if (found === undefined || found === key) return;
      await use(found);
      key = found;
      log.info('the Temporal API key was replaced');
    } catch (err) {
      log.warn({ reason: messageOf(err) }, 'the Temporal API key cannot be read: keeping the previous one');
    }
  };
  const isRefused = () =>
    ask().then(
      () => false,
      (err: unknown) => err instanceof Error && 'code' in err && REFUSED_CODES.has(Number(err.code)),
    );
  const watch = async (): Promise<never> => {
    for (let refused = 0; refused < refusals;) {
      await sleep(everyMs, undefined, { signal, ref: false });
      await renew();
      refused = (await isRefused()) ? refused + 1 : 0;
      if (refused > 0) log.warn({ refused }, 'Temporal rejects the API key of this worker');
    }
    throw new Error(
      'Temporal rejects the API key of this worker, so it gets no tasks. Set a valid key in ' +
        'TEMPORAL_API_KEY, TEMPORAL_API_KEY_FILE or the configuration file, and restart the worker.',
    );
  };
  const refused = watch().catch((err: unknown) =>
    signal.aborted ? new Promise<never>(() => {}) : Promise.reject(err),
  );
  refused.catch(() => {}); // The code that runs the worker waits for it later.
  return { refused, stop: () => stopping.abort() };
}
