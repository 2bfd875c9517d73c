import { createHmac } from 'node:crypto';
import { saltOf } from '../store/analytics-salts.ts';
import type { SaltPolicy } from '../store/analytics-schema.ts';
import type { Db } from '../store/database.ts';
import { DAY_MS, dateText, dayOf } from './days.ts';
import type { VisitorSource } from './event.ts';

/**
 * The first 64 bits of HMAC-SHA256 over what tells visitors apart. The delimiters keep ("a", "bc") and ("ab", "c") apart, and
 * an id from an address.
 */
export function visitorOf(salt: Buffer, source: VisitorSource): bigint {
  const text = 'visitorId' in source ? `id\0${source.visitorId}` : `ip\0${source.ip}\0${source.userAgent}`;
  return createHmac('sha256', salt).update(text).digest().readBigUInt64BE(0);
}

/** The period whose salt an event of this time takes. */
export function periodOf(policy: SaltPolicy, time: number): string {
  if (policy === 'fixed') return '';
  return dateText(dayOf(time)).slice(0, policy === 'monthly' ? 7 : 10);
}

/** The last period whose salts are still made and kept: an event of an earlier one came too late. */
export function oldestPeriod(policy: SaltPolicy, now: number, lateDays: number): string {
  return periodOf(policy, now - lateDays * DAY_MS);
}

/** Salts of one process. What is destroyed in the database is not used here either: old periods are asked for by nobody. */
export class Salts {
  readonly #db: Db;
  readonly #known = new Map<string, Promise<Buffer>>();

  constructor(db: Db) {
    this.#db = db;
  }

  of(projectId: string, period: string): Promise<Buffer> {
    const key = `${projectId}/${period}`;
    let salt = this.#known.get(key);
    if (!salt) {
      if (this.#known.size > 10_000) this.#known.clear();
      salt = saltOf(this.#db, projectId, period);
      salt.catch(() => this.#known.delete(key));
      this.#known.set(key, salt);
    }
    return salt;
  }

  /** After a project was deleted, its successor of the same name has other salts. */
  forget(): void {
    this.#known.clear();
  }
}
