import { LRUCache } from 'lru-cache';
import type { Quota } from '../errors.ts';
import { subscriberOf } from '@docent/base/net/ip-address';

const MINUTE_MS = 60_000;

/** What a refusal says of a limit by the minute that is used up. */
export function minuteQuota(name: string, perMinute: number, resetSeconds: number): Quota {
  return { name, limit: perMinute, windowSeconds: 60, remaining: 0, resetSeconds };
}

/**
 * Bounds how often one address may send: `perMinute` on average and at once (a token bucket). An IPv6 address
 * counts with its /64 network, which is what one subscriber has. Kept in memory only, for the `capacity`
 * addresses that came last: whoever makes up addresses takes no more memory than that. Each process counts
 * for itself.
 *
 * Our own, since the store in memory of rate-limiter-flexible has no bound, holds a timer for each address,
 * asks the wall clock, and lets twice as much pass where two of its windows meet.
 */
export class AddressLimit {
  readonly #perMinute: number;
  readonly #buckets: LRUCache<string, { tokens: number; at: number }>;

  constructor({ perMinute, capacity = 100_000 }: { perMinute: number; capacity?: number }) {
    this.#perMinute = perMinute;
    // By size, since `max` takes memory for all entries at once.
    this.#buckets = new LRUCache({ maxSize: capacity, sizeCalculation: () => 1 });
  }

  /**
   * 0 if the request may pass, else the seconds to wait.
   * @param now milliseconds of a clock that never goes back
   */
  take(address: string, now = performance.now()): number {
    const subscriber = subscriberOf(address);
    const bucket = this.#buckets.get(subscriber) ?? { tokens: this.#perMinute, at: now };
    const earned = ((now - bucket.at) / MINUTE_MS) * this.#perMinute;
    const tokens = Math.min(this.#perMinute, bucket.tokens + earned);
    const passes = tokens >= 1;
    this.#buckets.set(subscriber, { tokens: passes ? tokens - 1 : tokens, at: now });
    return passes ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / this.#perMinute));
  }
}
