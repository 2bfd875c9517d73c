import { LRUCache } from 'lru-cache';
import { saltOf } from '../../store/analytics/salts.ts';
import type { SaltSchedule } from '../../store/analytics-settings.ts';
import type { Db } from '../../store/database.ts';

/**
 * How long a salt stays in memory after it was read: one that was destroyed is gone from every process soon
 * after.
 */
const KEPT_MS = 60_000;

/** Salts of one process, by project and period. */
export class Salts {
  readonly #db: Db;
  /** Each expires on its own timer, even if no salt is requested anymore. */
  readonly #known = new LRUCache<string, Promise<Buffer | null>>({ max: 10_000, ttl: KEPT_MS, ttlAutopurge: true });

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * The salt of a period, made if need be. Null where it is destroyed, or the project's schedule has changed
   * meanwhile.
   */
  of(projectId: string, period: string, schedule: SaltSchedule | undefined): Promise<Buffer | null> {
    const key = `${projectId}/${period}`;
    const known = this.#known.get(key);
    if (known) return known;
    const salt = saltOf(this.#db, projectId, period, schedule);
    this.#known.set(key, salt);
    const forget = () => this.#known.delete(key);
    salt.then((found) => found ?? forget(), forget);
    return salt;
  }

  /** After a project was deleted, its successor of the same name has other salts. */
  forget(): void {
    this.#known.clear();
  }
}
