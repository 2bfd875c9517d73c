import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const HOUR_MS = 3_600_000;

/** What a path is new as: a page, or an address where none is. */
export type PathKind = 'page' | 'missing';

/**
 * Bounds how many paths that no one knows yet a project may get in an hour: the endpoint is public, and each
 * made-up path would stay in a listing forever. Pages and broken links have an hour's number each: a site
 * full of broken links still gets its new pages counted, and the other way round. A path that was let in
 * costs nothing when it comes again, in later hours too, also one that no answer of pages ever shows: a
 * broken link, or a page that crawlers alone have read. Each process counts and remembers for itself, the
 * last `remembered` paths.
 */
export class NewPathLimit {
  readonly #perHour: number;
  readonly #hours = new Map<string, { hour: number; count: number }>();
  readonly #admitted: LRUCache<string, true>;

  constructor(perHour: number, remembered = 100_000) {
    this.#perHour = perHour;
    // By size, since `max` takes memory for all entries at once.
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
