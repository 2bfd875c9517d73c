import { createHash } from 'node:crypto';
import { BoundedCache } from '../../../platform/bounded-cache.ts';
import { subscriberOf } from '../../../platform/net/ip-address.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

interface Bucket {
  tokens: number;
  at: number;
}

/**
 * Bounds how often one address may send: `perMinute` on average and at once. An IPv6 address counts with its /64 network,
 * which is what one subscriber has. Kept in memory only, for the last `capacity` addresses; each process counts for itself.
 */
export class AddressLimit {
  readonly #perMinute: number;
  readonly #buckets: BoundedCache<string, Bucket>;

  constructor({ perMinute, capacity = 100_000 }: { perMinute: number; capacity?: number }) {
    this.#perMinute = perMinute;
    this.#buckets = new BoundedCache(capacity);
  }

  /** 0 if the request may pass, else the seconds to wait. */
  take(address: string, now: number): number {
    const network = subscriberOf(address);
    const bucket = this.#buckets.get(network) ?? { tokens: this.#perMinute, at: now };
    // A clock that was set back gives nothing and takes nothing.
    const earned = (Math.max(0, now - bucket.at) / MINUTE_MS) * this.#perMinute;
    const tokens = Math.min(this.#perMinute, bucket.tokens + earned);
    const passes = tokens >= 1;
    this.#buckets.set(network, { tokens: passes ? tokens - 1 : tokens, at: now });
    return passes ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / this.#perMinute));
  }
}

/** What a path is new as: a page, or an address where none is. */
export type PathKind = 'page' | 'missing';

/**
 * Bounds how many paths that nobody knows yet a project may get in an hour: the endpoint is public, and each made-up path
 * would stay in a listing for ever. Pages and broken links have an hour's number each: a site full of broken links still gets its
 * new pages counted, and the other way round. A path that was let in costs nothing when it comes again, in later hours too, also
 * one that no answer of pages ever shows: a broken link, or a page that crawlers alone have read. Each process counts and
 * remembers for itself, the last `remembered` paths.
 */
export class NewPathLimit {
  readonly #perHour: number;
  readonly #hours = new Map<string, { hour: number; count: number }>();
  readonly #admitted: BoundedCache<string, number>;

  constructor(perHour: number, remembered = 100_000) {
    this.#perHour = perHour;
    this.#admitted = new BoundedCache(remembered);
  }

  /** True if a view of this path may pass. @param isKnown whether the project has counted this path as a page before */
  admits(projectId: string, path: string, kind: PathKind, isKnown: boolean, now: number): boolean {
    if (isKnown) return true;
    const key = createHash('sha256').update(`${projectId} ${kind} ${path}`).digest('base64url').slice(0, 22);
    if (this.#admitted.get(key) !== undefined) return true;
    const hour = Math.floor(now / HOUR_MS);
    const budget = `${projectId} ${kind}`;
    let spent = this.#hours.get(budget);
    if (spent?.hour !== hour) {
      spent = { hour, count: 0 };
      this.#hours.set(budget, spent);
    }
    if (spent.count >= this.#perHour) return false;
    spent.count += 1;
    this.#admitted.set(key, 1);
    return true;
  }
}
