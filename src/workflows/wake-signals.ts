import { condition } from '@temporalio/workflow';
import type { WakePayload } from './contract.ts';

const BEGINNINGS: ReadonlySet<unknown> = new Set<WakePayload['reason']>(['message', 'publish', 'place']);

/** Collects wake signals. Repeated, forged or late ones cost one read of the rows. `receive` never throws. */
export class WakeSignals {
  private received = false;
  private stops = 0;

  receive(payload: WakePayload | undefined): void {
    this.received = true;
    // Every other signal may end the running turn, even a malformed one: an extra read is harmless.
    if (!BEGINNINGS.has(payload?.reason)) this.stops += 1;
  }

  /** Forgets signals. Call it before the rows are read, never after. */
  clear(): void {
    this.received = false;
  }

  /** Whether a signal arrived since the last `clear`. */
  get hasReceived(): boolean {
    return this.received;
  }

  /** Waits for a signal. @returns false if there was none within `ms`. */
  receivedWithin(ms: number): Promise<boolean> {
    return condition(() => this.received, ms);
  }

  /** How many signals so far may have been requests to stop (cancel, archive). */
  get stopCount(): number {
    return this.stops;
  }

  /** Waits until there are more of them than `seen`. */
  async stopAfter(seen: number): Promise<void> {
    await condition(() => this.stops > seen);
  }
}
