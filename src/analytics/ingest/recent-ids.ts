import { LRUCache } from 'lru-cache';
import { dayOf } from '../events/days.ts';

/** The ids of the events that this process took last: a repeat is told at once. */
export class RecentIds {
  readonly #ids: LRUCache<string, true> | null;

  /** Remembers the last `max`; none for 0. */
  constructor(max: number) {
    // By size, since `max` takes memory for all entries at once.
    this.#ids = max > 0 ? new LRUCache({ maxSize: max, sizeCalculation: () => 1 }) : null;
  }

  /**
   * An id counts for one project and one UTC day, and no longer than the events that were counted with it.
   * The key is as long as its characters: a string that was put together holds its parts, and a part the text
   * it was cut from, in all three times the memory.
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
