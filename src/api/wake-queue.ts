import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { messageOf } from '@docent/base/thrown';
import type { Logger } from '../platform/log.ts';
import { inThisSpan } from '../platform/telemetry/spans.ts';

/**
 * Calls to Temporal that one process has under way. More make none of them faster: with eight clients they
 * once halved the rate.
 */
const AT_ONCE = 4;
/**
 * Where this many wait, the last one is not sent before the reconciler looks for it (2.5 s), so nothing is
 * lost by leaving it out.
 */
const MAX_WAITING = 1_000;
/** Overflow is said this often at most. */
const SAY_EVERY_MS = 10_000;

/**
 * Tells workflows to look at their rows, behind the answers to those who changed the rows. What is not sent,
 * because too many wait, Temporal is away or the process dies, is only late: the rows say what is to be done,
 * and the workers' reconciler looks at them.
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
   * Sends later, at the earliest when the event loop has come round: the answer goes first. Never throws.
   * @param send must end within seconds and be safe to leave out
   * @param log of whoever asked for it: is told where sending failed
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
   * Waits until all is sent, `withinMs` at most; what is left then is for the reconciler. Nothing is to be
   * added any more.
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
