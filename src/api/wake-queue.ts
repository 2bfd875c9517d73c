import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import { inThisSpan } from '../platform/telemetry/spans.ts';

/**
 * Parallel calls to Temporal per process. More of them slow it down: with eight clients the rate was once
 * halved.
 */
const AT_ONCE = 4;
/**
 * Above this length, the last signal would be later than the reconciler's (2.5 s), so nothing is lost without
 * it.
 */
const MAX_WAITING = 1_000;
/** The shortest interval between two overflow warnings. */
const SAY_EVERY_MS = 10_000;

/**
 * Signals workflows after the answers to the requests that changed their rows. An unsent signal (queue full,
 * Temporal down, process dead) is only late: the workers' reconciler finds its row.
 */
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
   * Sends later, at the earliest in the next event loop turn: the answer goes first. Never throws.
   * @param send must end within seconds and be safe to leave out
   * @param log of the caller: gets failures to send
   */
  add(send: () => Promise<void>, log: Logger = this.#log): void {
    if (this.#queue.size >= this.#maxWaiting) {
      this.#sayOverflow();
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

  /**
   * Waits until all signals are sent, within `withinMs`. The reconciler sends the rest. Add nothing
   * afterwards.
   */
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

  #sayOverflow(): void {
    if (performance.now() - this.#saidAt < SAY_EVERY_MS) return;
    this.#saidAt = performance.now();
    this.#log.warn(
      { waiting: this.#queue.size },
      'Temporal is slower than the requests: the reconciler will notify it of the newest changes',
    );
  }
}
