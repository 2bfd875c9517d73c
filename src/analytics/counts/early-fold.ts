import { foldProject } from './fold.ts';
import type { StorageDeps } from '../storage/storage.ts';

/** Unfolded events that are worth a fold before the scheduled one: every question unpacks all of them anew. */
const WORTH_IT = 200_000;

/** Folds projects that get many events sooner than the schedule does. One fold at a time; what fails is left to the schedule. */
export class EarlyFold {
  readonly #storage: StorageDeps;
  readonly #unfolded = new Map<string, number>();
  #folding: Promise<void> | null = null;
  #stopped = false;

  constructor(storage: StorageDeps) {
    this.#storage = storage;
  }

  /** Notes what came into a project's inbox. */
  add(projectId: string, events: number): void {
    this.#unfolded.set(projectId, (this.#unfolded.get(projectId) ?? 0) + events);
    this.#foldNext();
  }

  async close(): Promise<void> {
    this.#stopped = true;
    await this.#folding;
  }

  #foldNext(): void {
    if (this.#folding || this.#stopped) return;
    const [next] = [...this.#unfolded].filter(([, events]) => events >= WORTH_IT);
    if (!next) return;
    this.#unfolded.delete(next[0]);
    this.#folding = this.#fold(next[0]);
  }

  async #fold(projectId: string): Promise<void> {
    try {
      await foldProject(this.#storage, projectId);
    } catch (err) {
      this.#storage.log.warn({ err, projectId }, 'events could not be folded early');
    }
    this.#folding = null;
    this.#foldNext();
  }
}
