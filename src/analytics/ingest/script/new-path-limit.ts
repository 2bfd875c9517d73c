import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '@docent/base/time';

/** The new path: a page, or the address of a missing one. */
export type PathKind = 'page' | 'missing';

/**
 * Limits the number of new paths per project and hour: the endpoint is public, and each made-up path would
 * stay in a listing forever. Pages and broken links have separate limits, so that many of one kind do not
 * block the other. An accepted path costs nothing when it comes again, even in later hours, and also if no
 * list of pages shows it: a broken link, or a page that only crawlers read. Each process counts separately,
 * and remembers the last `remembered` paths.
 */
export class NewPathLimit {
  readonly #perHour: number;
  readonly #hours = new Map<string, { hour: number; count: number }>();
  readonly #admitted: LRUCache<string, true>;

  constructor(perHour: number, remembered = 100_000) {
    this.#perHour = perHour;
    // By size, because `max` allocates memory for all entries immediately.
    this.#admitted = new LRUCache({ maxSize: remembered, sizeCalculation: () => 1 });
  }

  /**
   * True if a view of this path may pass.
   * @param isKnown whether the project has counted this path as a page before
   */
  admits(projectId: string, path: string, kind: PathKind, isKnown: boolean, now: number): boolean {
    if (isKnown) return true;
    const key = createHash('sha256').update(`${projectId} ${kind} ${path}`).digest('base64url').slice(0, 22);
    if (this.#admitted.get(key)) return true;
    const hour = Math.floor(now / HOUR_MS);
    const budget = `${projectId} ${kind}`;
    let spent = this.#hours.get(budget);
    if (spent?.hour !== hour) {
      spent = { hour, count: 0 };
      this.#hours.set(budget, spent);
    }
    if (spent.count >= this.#perHour) return false;
    spent.count += 1;
    this.#admitted.set(key, true);
    return true;
  }
}
