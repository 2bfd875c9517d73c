import { LRUCache } from 'lru-cache';
import { saltOf } from '../../store/analytics/salts.ts';
import type { SaltSchedule } from '../../store/analytics-settings.ts';
import type { Db } from '../../store/database.ts';

/** How long a salt is cached, so that a destroyed one soon leaves every process. */
const KEPT_MS = 60_000;

/** Salts of one process, by project and period. */
export class Salts {
  readonly #db: Db;
  /** Each expires on its own timer, even if no salt is requested anymore. */
  readonly #known = new LRUCache<string, Promise<Buffer | null>>({ max: 10_000, ttl: KEPT_MS, ttlAutopurge: true });

  constructor(db: Db) {
    this.#db = db;
  }

  /** The salt of a period, created if needed. Null if it was destroyed, or the schedule changed. */
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
