import { LRUCache } from 'lru-cache';
import { AppError } from '../../platform/errors.ts';
import type { Damaged } from '../storage/file-check.ts';
import { mayStillShow } from './lost-files.ts';
import { repairProject } from './repair.ts';
import type { StorageDeps } from '../storage/storage.ts';

/** A question that fails for another reason does not have all files read each time. */
const PAUSE_MS = 5_000;
const REMEMBERED = 10_000;

/** Repairs projects with unreadable files, once for all parallel callers. */
export class SharedRepairs {
  readonly #storage: StorageDeps;
  readonly #running = new Map<string, Promise<boolean>>();
  /** Projects where nothing was found just now. */
  readonly #nothingFound = new LRUCache<string, true>({ max: REMEMBERED, ttl: PAUSE_MS });
  /** Projects whose files were just missing, and may still appear. */
  readonly #mayStillShow = new LRUCache<string, AppError>({ max: REMEMBERED, ttl: PAUSE_MS });

  constructor(storage: StorageDeps) {
    this.#storage = storage;
  }

  /**
   * @param version the unreadable version, if not the newest
   * @returns whether there was damage, so the question can be repeated
   * @throws AppError `unavailable` if the files are in use for minutes, the disk is full, or files may still
   * show
   */
  async repair(projectId: string, version: number | undefined): Promise<boolean> {
    const key = `${projectId} ${version ?? ''}`;
    if (this.#nothingFound.get(key)) return false;
    const waiting = this.#mayStillShow.get(key);
    if (waiting) throw waiting;
    let running = this.#running.get(key);
    if (!running) {
      running = this.#repair(projectId, version, key).finally(() => this.#running.delete(key));
      this.#running.set(key, running);
    }
    return running;
  }

  async #repair(projectId: string, version: number | undefined, key: string): Promise<boolean> {
    let damaged: Damaged[] | null;
    try {
      damaged = await repairProject(this.#storage, projectId, 0, version);
    } catch (err) {
      if (mayStillShow(err)) this.#mayStillShow.set(key, err);
      if (!(err instanceof AppError) || err.code !== 'storage_full') throw err;
      throw new AppError(
        'unavailable',
        'Count files are damaged, and the disk is too full to rewrite them. Free some space, and try again.',
        { cause: err, retryAfterSeconds: 30 },
      );
    }
    if (damaged === null) {
      throw new AppError('unavailable', 'Maintenance is running on this project. Try again in a minute.', {
        retryAfterSeconds: 30,
      });
    }
    if (damaged.length === 0) this.#nothingFound.set(key, true);
    return damaged.length > 0;
  }
}
