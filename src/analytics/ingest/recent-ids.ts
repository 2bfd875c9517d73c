import { dayOf } from '../events/days.ts';

/** The ids of the events that this process took last: a repeat is told at once. */
export class RecentIds {
  readonly #max: number;
  #new = new Set<string>();
  #old = new Set<string>();

  /** Remembers between `max` and twice as many; none for 0. */
  constructor(max: number) {
    this.#max = max;
  }

  /** An id counts for one project and one UTC day, and no longer than the events that were counted with it. */
  static key(project: { projectId: string; epoch: string }, event: { id: string; time: number }): string {
    return `${project.projectId}/${project.epoch}/${dayOf(event.time)}/${event.id}`;
  }

  has(key: string): boolean {
    return this.#new.has(key) || this.#old.has(key);
  }

  add(key: string): void {
    if (this.#max === 0) return;
    this.#new.add(key);
    if (this.#new.size < this.#max) return;
    this.#old = this.#new;
    this.#new = new Set();
  }
}
