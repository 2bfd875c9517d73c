import { findAnalytics } from '../../store/analytics-manifest.ts';
import { isMergePlanned } from '../../store/analytics-merges.ts';
import { mergeProject } from './merge.ts';
import type { StorageDeps } from '../storage/storage.ts';

/** Unmerged events that are worth a merge before the scheduled one: every question unpacks all of them anew. */
const WORTH_IT = 200_000;
/** So long after it was planned, workers are likely to be at a merge in shards. */
const PLANNED_MS = 10 * 60_000;

/**
 * Merges projects that get many events sooner than the schedule does. One merge at a time; what fails is left to the schedule. Where visitors
 * are merged in shards it waits for as many times the events, one shard comes after the other, and what workers are at is left to them.
 */
export class EarlyMerge {
  readonly #storage: StorageDeps;
  readonly #unmerged = new Map<string, number>();
  /** Shards of projects that have several, as far as is known. */
  readonly #shards = new Map<string, number>();
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
    const [next] = [...this.#unmerged].filter(([id, events]) => events >= WORTH_IT * (this.#shards.get(id) ?? 1));
    if (!next) return;
    this.#unmerged.delete(next[0]);
    this.#merging = this.#merge(...next);
  }

  async #merge(projectId: string, events: number): Promise<void> {
    const { db } = this.#storage.database;
    try {
      const shards = (await findAnalytics(db, projectId))?.shards ?? 1;
      if (shards > 1) this.#shards.set(projectId, shards);
      else this.#shards.delete(projectId);
      if (events < WORTH_IT * shards) this.#unmerged.set(projectId, (this.#unmerged.get(projectId) ?? 0) + events);
      else if (shards === 1 || !(await isMergePlanned(db, projectId, PLANNED_MS)))
        await mergeProject(this.#storage, projectId);
    } catch (err) {
      this.#storage.log.warn({ err, projectId }, 'events could not be merged early');
    }
    this.#merging = null;
    this.#mergeNext();
  }
}
