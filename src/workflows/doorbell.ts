import { condition } from '@temporalio/workflow';
import type { RingPayload } from './contract.ts';

/**
 * Collects rings. A ring says "look at your rows" and nothing else: repeated, forged or late rings cost one look.
 * Contract: `ring` never throws, whatever a signal carries.
 */
export class Doorbell {
  private rung = false;
  private orders = 0;

  ring(payload: RingPayload | undefined): void {
    this.rung = true;
    // Anything but a message may end the running turn. Malformed payloads count as such: looking is harmless.
    if (payload?.reason !== 'message') this.orders += 1;
  }

  /** Forgets rings. Call it before the rows are read, never after. */
  clear(): void {
    this.rung = false;
  }

  /** Waits for a ring. @returns false if there was none within `ms`. */
  rungWithin(ms: number): Promise<boolean> {
    return condition(() => this.rung, ms);
  }

  /** How many rings so far may have been orders (cancel, archive). */
  get orderCount(): number {
    return this.orders;
  }

  /** Waits until there are more orders than `seen`. */
  async orderedAfter(seen: number): Promise<void> {
    await condition(() => this.orders > seen);
  }
}
