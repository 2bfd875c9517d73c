import ipaddr from 'ipaddr.js';
import { BoundedCache } from '../bounded-cache.ts';

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
    const network = networkOf(address);
    const bucket = this.#buckets.get(network) ?? { tokens: this.#perMinute, at: now };
    // A clock that was set back gives nothing and takes nothing.
    const earned = (Math.max(0, now - bucket.at) / MINUTE_MS) * this.#perMinute;
    const tokens = Math.min(this.#perMinute, bucket.tokens + earned);
    const passes = tokens >= 1;
    this.#buckets.set(network, { tokens: passes ? tokens - 1 : tokens, at: now });
    return passes ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / this.#perMinute));
  }
}

/**
 * Bounds how many pages that nobody knows yet a project may get in an hour: the endpoint is public, and each made-up path
 * would stay in every listing for ever. Each process counts for itself.
 */
export class NewPathLimit {
  readonly #perHour: number;
  readonly #projects = new Map<string, { hour: number; paths: Set<string> }>();

  constructor(perHour: number) {
    this.#perHour = perHour;
  }

  /** True if a view of this path may pass. @param isKnown whether the project has counted this path before */
  admits(projectId: string, path: string, isKnown: boolean, now: number): boolean {
    if (isKnown) return true;
    const hour = Math.floor(now / HOUR_MS);
    let found = this.#projects.get(projectId);
    if (found?.hour !== hour) {
      found = { hour, paths: new Set() };
      this.#projects.set(projectId, found);
    }
    if (found.paths.has(path)) return true;
    if (found.paths.size >= this.#perHour) return false;
    found.paths.add(path);
    return true;
  }
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? parsed.parts.slice(0, 4).join(':') : parsed.toString();
}
