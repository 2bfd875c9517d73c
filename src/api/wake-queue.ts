import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import { inThisSpan } from '../platform/telemetry/spans.ts';

/** Parallel calls to Temporal. More slow it down: eight clients once halved the rate. */
const AT_ONCE = 4;
/** Beyond this, signals would come later than the reconciler's (2.5 s), so they are dropped. */
const MAX_WAITING = 1_000;
/** The shortest interval between two overflow warnings. */
const SAY_EVERY_MS = 10_000;

/** Signals workflows after the answer. Lost signals are only late: see the reconciler. */
export class WakeQueue {
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #log: Logger;
  readonly #maxWaiting: number;
  #saidAt = -Infinity;

  constructor(log: Logger, { maxWaiting = MAX_WAITING }: { maxWaiting?: number } = {}) {
    this.#log = log;
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Sends in a later turn of the event loop. Never throws.
   * @param send ends within seconds and may be skipped
   * @param log of the caller, for failures
   */
  add(send: () => Promise<void>, log: Logger = this.#log): void {
    if (this.#queue.size >= this.#maxWaiting) {
      this.#reportOverflow();
      return;
    }
    const sendLater = async () => {
      await setImmediate();
      try {
        await send();
      } catch (err) {
        log.warn(
          { reason: messageOf(err) },
          'the change is stored, but Temporal could not be notified: the reconciler will do it',
        );
      }
    };
    void this.#queue.add(inThisSpan(sendLater));
  }

  /** Waits `withinMs` for all signals; the reconciler sends the rest. Add nothing afterwards. */
  async close(withinMs: number): Promise<void> {
    const done = new AbortController();
    const late = sleep(withinMs, undefined, { signal: done.signal }).catch(() => {});
    await Promise.race([this.#queue.onIdle(), late]);
    done.abort();
    const left = this.#queue.size + this.#queue.pending;
    this.#queue.clear();
    if (left > 0)
      this.#log.warn({ left }, 'stopped before Temporal was notified of all changes: the reconciler will do it');
  }

  #reportOverflow(): void {
    if (performance.now() - this.#saidAt < SAY_EVERY_MS) return;
    this.#saidAt = performance.now();
    this.#log.warn(
      { waiting: this.#queue.size },
      'Temporal is slower than the requests: the reconciler will notify it of the newest changes',
    );
  }
}
