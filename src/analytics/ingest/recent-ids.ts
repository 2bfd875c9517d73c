import { LRUCache } from 'lru-cache';
import { dayOf } from '../events/days.ts';

/** The ids of this process's last events, to recognize repeats immediately. */
export class RecentIds {
  readonly #ids: LRUCache<string, true> | null;

  /** Caches the last `max`; none for 0. */
  constructor(max: number) {
    // By size, because `max` allocates memory for all entries immediately.
    this.#ids = max > 0 ? new LRUCache({ maxSize: max, sizeCalculation: () => 1 }) : null;
  }

  /**
   * An id counts for one project and one UTC day, and no longer than the events that were counted with it.
   * The key is a flat string: a concatenated one keeps its parts, and a part the text that it was cut from,
   * in three times the memory.
   */
  static key(project: { projectId: string; epoch: string }, event: { id: string; time: number }): string {
    return Buffer.from(`${project.projectId}/${project.epoch}/${dayOf(event.time)}/${event.id}`).toString();
  }

  has(key: string): boolean {
    return this.#ids?.has(key) ?? false;
  }

  add(key: string): void {
    this.#ids?.set(key, true);
  }
}
