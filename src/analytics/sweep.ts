import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { analyticsFilePaths, analyticsProjectIds } from '../store/analytics-manifest.ts';
import { forgetOldPages } from '../store/analytics-pages.ts';
import { isMissing, syncFolder } from './durable-files.ts';
import type { StorageDeps } from './storage.ts';

/** What is in no manifest for this long, at every look, is left over from a death. */
const ORPHAN_MS = 60 * 60_000;
/** Events that no manifest names are kept this long: the database may have been restored from before them. */
const UNNAMED_DAYS = 7;
/** Damaged files and logs are kept this long for a person to look at. */
const SET_ASIDE_DAYS = 30;
const DAY_MS = 86_400_000;

/**
 * Clears away what belongs to nobody. How long a file has belonged to nobody is watched on the monotonic clock: a file that was
 * just written, and is about to be named, is left alone whatever the clocks say.
 */
export class Sweeper {
  readonly #deps: StorageDeps;
  readonly #clocks: { wall: () => number; monotonic: () => number };
  readonly #unnamedSince = new Map<string, number>();

  constructor(deps: StorageDeps, clocks = { wall: () => Date.now(), monotonic: () => performance.now() }) {
    this.#deps = deps;
    this.#clocks = clocks;
  }

  /** Idempotent. @returns how many files went */
  async sweep(): Promise<number> {
    const { database, folder, log } = this.#deps;
    await forgetOldPages(database.db);
    const unnamed = await filesBelow(folder.temporaryFolder);
    const known = new Set(await analyticsProjectIds(database.db));
    for (const projectId of await readdir(folder.filesFolder)) {
      // The files first: one that comes in between is named by now, and not in the list.
      const files = await filesBelow(path.join(folder.filesFolder, projectId));
      const paths = known.has(projectId) ? await analyticsFilePaths(database.db, projectId) : [];
      const named = new Set(paths.map((name) => folder.fileOf(name)));
      unnamed.push(...files.filter((file) => !named.has(file)));
    }
    let gone = 0;
    for (const file of this.#longUnnamed(unnamed)) {
      if (this.#holdsEvents(file)) await this.#setAside(file);
      else await rm(file, { force: true });
      gone += 1;
    }
    if (gone > 0) log.info({ files: gone }, 'files that belonged to nobody were cleared away');
    for (const [name, days] of [
      ['unnamed', UNNAMED_DAYS],
      ['', SET_ASIDE_DAYS],
    ] as const) {
      for (const file of await filesBelow(path.join(folder.setAsideFolder, name))) {
        if (this.#clocks.wall() - (await changedAt(file)) > days * DAY_MS) await rm(file, { force: true });
      }
    }
    return gone;
  }

  #longUnnamed(files: readonly string[]): string[] {
    const now = this.#clocks.monotonic();
    const listed = new Set(files);
    for (const file of this.#unnamedSince.keys()) if (!listed.has(file)) this.#unnamedSince.delete(file);
    return files.filter((file) => {
      const since = this.#unnamedSince.get(file) ?? now;
      this.#unnamedSince.set(file, since);
      return now - since >= ORPHAN_MS;
    });
  }

  #holdsEvents(file: string): boolean {
    const [top, , family] = path.relative(this.#deps.folder.root, file).split(path.sep);
    return top === 'files' && (family === 'events' || family === 'inbox');
  }

  async #setAside(file: string): Promise<void> {
    const { folder } = this.#deps;
    const target = path.join(folder.unnamedFolder, path.relative(folder.filesFolder, file));
    await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
    try {
      await rename(file, target);
    } catch (err) {
      if (!isMissing(err)) throw err;
    }
    await syncFolder(path.dirname(target));
  }
}

export async function filesBelow(target: string): Promise<string[]> {
  try {
    const entries = await readdir(target, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  } catch (err) {
    if (isMissing(err)) return [];
    throw err;
  }
}

/** When a file came to where it is. */
async function changedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).ctimeMs;
  } catch (err) {
    if (isMissing(err)) return Infinity;
    throw err;
  }
}
