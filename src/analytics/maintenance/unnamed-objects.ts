import { deletedProjects } from '../../store/analytics/deletions.ts';
import { analyticsFilePaths, analyticsProjectIds } from '../../store/analytics/manifest.ts';
import type { BucketFiles } from '../storage/bucket/bucket-files.ts';
import { removeObjectsAside } from '../storage/bucket/objects-aside.ts';
import { setUnnamedAside } from '../storage/set-aside.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { settleUnnamed } from './take-in.ts';
import { UnnamedWatch } from './unnamed-watch.ts';

/** Listings are paid for, a thousand names at a time. */
const POLL_MS = 20 * 60_000;

/** Objects in no manifest. Their age is measured between checks, not by the store's clock. */
export class UnnamedObjects {
  readonly #deps: StorageDeps;
  readonly #files: BucketFiles;
  readonly #now: () => number;
  readonly #watch: UnnamedWatch;
  #lookedAt = -Infinity;

  /** @param orphanMs how long an object has to have been unnamed @param now a monotonic clock */
  constructor(deps: StorageDeps, files: BucketFiles, orphanMs: number, now: () => number) {
    this.#deps = deps;
    this.#files = files;
    this.#now = now;
    this.#watch = new UnnamedWatch(deps.database, orphanMs);
  }

  /**
   * Deletes long unnamed objects; events that count nowhere are taken in or set aside. Idempotent.
   * @returns how many
   */
  async clear(): Promise<number> {
    const now = this.#now();
    if (now - this.#lookedAt < POLL_MS) return 0;
    const unnamed = await this.#unnamed();
    this.#lookedAt = now;
    const long = this.#watch.long(unnamed, now);
    const deleted = new Set(await deletedProjects(this.#deps.database.db));
    let gone = 0;
    for (const [projectId, own] of Map.groupBy(unnamed, (name) => name.split('/')[1] ?? '')) {
      const isDeleted = deleted.has(projectId);
      const due = own.filter((name) => isDeleted || long.has(name));
      if (due.length === 0) continue;
      gone += await this.#watch.clear(projectId, due, (names) => this.#clear(projectId, names, isDeleted));
    }
    for (const projectId of deleted) await removeObjectsAside(this.#files, projectId);
    return gone;
  }

  async #unnamed(): Promise<Set<string>> {
    const { db } = this.#deps.database;
    // The objects first: one that comes in between is named by now, and not in the list.
    const listed = await this.#files.list('files/');
    const known = new Set(await analyticsProjectIds(db));
    const unnamed = new Set<string>();
    for (const [projectId, own] of Map.groupBy(listed, ({ name }) => name.split('/')[1] ?? '')) {
      const named = new Set(known.has(projectId) ? await analyticsFilePaths(db, projectId) : []);
      for (const { name } of own) if (!named.has(name)) unnamed.add(name);
    }
    return unnamed;
  }

  async #clear(projectId: string, names: readonly string[], isDeleted: boolean): Promise<void> {
    const ofEvents = isDeleted ? [] : names.filter(hasEvents);
    const settled = await settleUnnamed(this.#deps, projectId, ofEvents);
    const redundant = ofEvents.filter((name) => settled.get(name) === 'redundant');
    await this.#files.remove([...names.filter((name) => !ofEvents.includes(name)), ...redundant]);
    for (const name of ofEvents.filter((name) => settled.get(name) === 'unknown')) {
      const copy = await setUnnamedAside(this.#deps.folder, name);
      this.#deps.log.warn(
        { projectId, file: name, copy },
        'an object of page views that the database does not know was set aside: see `docent analytics verify`',
      );
    }
  }
}

export const hasEvents = (name: string): boolean => ['events', 'unmerged'].includes(name.split('/')[2] ?? '');
