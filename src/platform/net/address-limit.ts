import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import { subscriberOf } from '@docent/base/net/ip-address';
import { MINUTE_MS } from '@docent/base/time';

/**
 * Limits how often one address may send: `perMinute` on average, and as a burst (a token bucket). An IPv6
 * address counts with its /64 network, which is what one subscriber has. In memory only, for the last
 * `capacity` addresses, so invented addresses take no more. Each process counts separately.
 *
 * Our own code, because the in-memory store of rate-limiter-flexible has no size limit, holds a timer for
 * each address, uses the wall clock, and allows twice as much where two windows meet.
 */
export class AddressLimit {
  readonly #perMinute: number;
  readonly #buckets: LRUCache<string, { tokens: number; at: number }>;

  constructor({ perMinute, capacity = 100_000 }: { perMinute: number; capacity?: number }) {
    this.#perMinute = perMinute;
    // By size, because `max` allocates memory for all entries immediately.
    this.#buckets = new LRUCache({ maxSize: capacity, sizeCalculation: () => 1 });
  }

  /** 0 if the request may pass, else seconds to wait. @param now milliseconds of a monotonic clock */
  take(address: string, now = performance.now()): number {
    const subscriber = subscriberOf(address);
    const bucket = this.#buckets.get(subscriber) ?? { tokens: this.#perMinute, at: now };
    const earned = ((now - bucket.at) / MINUTE_MS) * this.#perMinute;
    const tokens = Math.min(this.#perMinute, bucket.tokens + earned);
    const passes = tokens >= 1;
    this.#buckets.set(subscriber, { tokens: passes ? tokens - 1 : tokens, at: now });
    return passes ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / this.#perMinute));
  }

  /** Like {@link take}. @param name of the limit in headers @returns the refusal of a request, or null */
  refusal(name: string, address: string, sentence: string): AppError | null {
    const retryAfterSeconds = this.take(address);
    if (retryAfterSeconds === 0) return null;
    const quota = { name, limit: this.#perMinute, windowSeconds: 60, remaining: 0, resetSeconds: retryAfterSeconds };
    return new AppError('rate_limited', sentence, { retryAfterSeconds, quota });
  }

  /** @throws AppError `rate_limited` */
  pass(name: string, address: string, sentence: string): void {
    const refusal = this.refusal(name, address, sentence);
    if (refusal) throw refusal;
  }
}
