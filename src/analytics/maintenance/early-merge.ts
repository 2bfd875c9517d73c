import { mergeProject } from './merge.ts';
import type { StorageDeps } from '../storage/storage.ts';

/** Unmerged events that justify an early merge: every question unpacks them. */
const WORTH_IT = 200_000;

/** Merges busy projects ahead of schedule, one at a time. Failures are left to the schedule. */
export class EarlyMerge {
  readonly #storage: StorageDeps;
  readonly #unmerged = new Map<string, number>();
  #merging: Promise<void> | null = null;
  #stopped = false;

  constructor(storage: StorageDeps) {
    this.#storage = storage;
  }

  /** Notes events of a project that came in unmerged. */
  add(projectId: string, events: number): void {
    this.#unmerged.set(projectId, (this.#unmerged.get(projectId) ?? 0) + events);
    this.#mergeNext();
  }

  async close(): Promise<void> {
    this.#stopped = true;
    await this.#merging;
  }

  #mergeNext(): void {
    if (this.#merging || this.#stopped) return;
    const next = [...this.#unmerged].find(([, events]) => events >= WORTH_IT);
    if (!next) return;
    this.#unmerged.delete(next[0]);
    this.#merging = this.#merge(next[0]);
  }

  async #merge(projectId: string): Promise<void> {
    try {
      await mergeProject(this.#storage, projectId);
    } catch (err) {
      this.#storage.log.warn({ err, projectId }, 'events could not be merged early');
    }
    this.#merging = null;
    this.#mergeNext();
  }
}
