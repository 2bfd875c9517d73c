import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '@docent/base/time';
import { damagedIds } from '../../store/analytics/damage.ts';
import { deletedProjects, pendingDeletions } from '../../store/analytics/deletions.ts';
import { analyticsFilePaths, analyticsProjectIds } from '../../store/analytics/manifest.ts';
import { forgetLostWriters } from '../../store/analytics/writers.ts';
import { forgetOldListings } from '../../store/analytics/listings.ts';
import { indexOf } from '../storage/index-of.ts';
import { deleteDeadFolders, isOwned } from '../storage/folder-claim.ts';
import { isMissing } from '../storage/durable-files.ts';
import { settleUnnamed } from './take-in.ts';
import { setUnnamedAside, uncountedFiles } from '../storage/set-aside.ts';
import { filesBelow } from '../storage/files-below.ts';
import { deleteNoted, type StorageDeps } from '../storage/storage.ts';
import { hasEvents, UnnamedObjects } from './unnamed-objects.ts';
import { UnnamedWatch } from './unnamed-watch.ts';

/** Unnamed files are garbage after this long, unless the project is in use: {@link UnnamedWatch}. */
const ORPHAN_MS = 60 * 60_000;
/** A check lists the files of all projects. */
const POLL_MS = 10 * 60_000;
/** How long damaged files, and copies of torn logs, are kept for a person. */
const SET_ASIDE_DAYS = 30;
const LOST_DAYS = 30;

/**
 * Deletes orphans. Their age is measured by the monotonic clock, so that new files are safe. Unknown events
 * are never deleted, for the database may be older: they are taken in or set aside.
 */
export class GarbageCollector {
  readonly #deps: StorageDeps;
  readonly #clocks: { wall: () => number; monotonic: () => number };
  readonly #watch: UnnamedWatch;
  readonly #objects: UnnamedObjects | null;
  #lookedAt = -Infinity;
  #uncounted = 0;

  constructor(deps: StorageDeps, clocks = { wall: () => Date.now(), monotonic: () => performance.now() }) {
    this.#deps = deps;
    this.#clocks = clocks;
    this.#watch = new UnnamedWatch(deps.database, ORPHAN_MS);
    const { bucketFiles } = deps.folder;
    this.#objects = bucketFiles && new UnnamedObjects(deps, bucketFiles, ORPHAN_MS, clocks.monotonic);
  }

  /** Idempotent. @returns how many files were deleted @throws AppError `unavailable` */
  async collect(): Promise<number> {
    const { database, folder, log } = this.#deps;
    await folder.verify();
    await forgetOldListings(database.db);
    let gone = await this.#deleteOnPurpose();
    const now = this.#clocks.monotonic();
    if (now - this.#lookedAt >= POLL_MS) {
      const unnamed = await this.#unnamedFiles();
      this.#lookedAt = now;
      const names = unnamed.map((file) => path.relative(folder.root, file).split(path.sep).join('/'));
      gone += await this.#clearAll(this.#watch.long(names, now));
    }
    gone += (await this.#objects?.clear()) ?? 0;
    if (folder.bucketFiles) await this.#forgetLostLogs();
    if (gone > 0) log.info({ files: gone }, 'deleted unused files');
    await this.#deleteOldCopies();
    await this.#logUncounted();
    return gone;
  }

  /** Deletes what left the manifest on purpose before its process died, and deleted projects' files. */
  async #deleteOnPurpose(): Promise<number> {
    const { database, folder } = this.#deps;
    const pending = await pendingDeletions(database.db);
    await deleteNoted(database, folder, pending);
    let gone = pending.length;
    const known = new Set(await analyticsProjectIds(database.db));
    for (const projectId of await deletedProjects(database.db)) {
      if (known.has(projectId)) continue;
      const damaged = path.join(folder.setAsideFolder, 'damaged', projectId);
      for (const target of [folder.filesFolder, folder.unnamedFolder].map((top) => path.join(top, projectId))) {
        for (const file of await filesBelow(target)) {
          await rm(file, { force: true });
          gone += 1;
        }
      }
      for (const file of await filesBelow(damaged)) await rm(file, { force: true });
    }
    return gone;
  }

  /** Only with separate disks: in a shared folder, others take a dead process's log over. */
  async #forgetLostLogs(): Promise<void> {
    const { database, log } = this.#deps;
    const lost = await forgetLostWriters(database.db, LOST_DAYS);
    if (lost > 0) log.warn({ logs: lost }, `dropped logs on disks that were not seen for ${LOST_DAYS} days`);
  }

  async #unnamedFiles(): Promise<string[]> {
    const { database, folder } = this.#deps;
    deleteDeadFolders(folder.temporaryFolder);
    const temporary = await filesBelow(folder.temporaryFolder);
    const unnamed = temporary.filter((file) => !isOwned(path.relative(folder.temporaryFolder, file)));
    // Those are copies: see StaleCopies.
    if (folder.bucketFiles) return unnamed;
    const known = new Set(await analyticsProjectIds(database.db));
    for (const projectId of await readdir(folder.filesFolder)) {
      // The files first: one that comes in between is named by now, and not in the list.
      const files = await filesBelow(path.join(folder.filesFolder, projectId));
      const paths = known.has(projectId) ? await analyticsFilePaths(database.db, projectId) : [];
      const named = new Set(paths.map((name) => folder.fileOf(name)).flatMap((name) => [name, indexOf(name)]));
      unnamed.push(...files.filter((file) => !named.has(file)));
    }
    return unnamed;
  }

  async #clearAll(names: Iterable<string>): Promise<number> {
    const { folder } = this.#deps;
    const byProject = Map.groupBy(names, (name) => {
      const [top, projectId = ''] = name.split('/');
      return top === 'files' ? projectId : null;
    });
    let gone = 0;
    for (const [projectId, own] of byProject) {
      if (projectId === null) {
        for (const name of own) await rm(folder.fileOf(name), { force: true });
        gone += own.length;
        continue;
      }
      gone += await this.#watch.clear(projectId, own, (names) => this.#clear(projectId, names));
    }
    return gone;
  }

  /** Unfinished files have their events elsewhere still; counts can be recomputed. */
  async #clear(projectId: string, names: readonly string[]): Promise<void> {
    const { folder, log } = this.#deps;
    const ofEvents = names.filter((name) => hasEvents(name) && name.endsWith('.parquet'));
    const settled = await settleUnnamed(this.#deps, projectId, ofEvents);
    for (const name of names) {
      const came = settled.get(name) ?? 'redundant';
      if (came === 'redundant') await rm(folder.fileOf(name), { force: true });
      if (came !== 'unknown') continue;
      const copy = await setUnnamedAside(folder, name);
      log.warn(
        { projectId, file: name, copy },
        'a file of page views that the database does not know was set aside: see `docent analytics verify`',
      );
    }
  }

  async #deleteOldCopies(): Promise<void> {
    const { database, folder } = this.#deps;
    const damaged = await damagedIds(database.db);
    for (const file of await filesBelow(folder.setAsideFolder)) {
      const isUncounted = [folder.unnamedFolder, folder.unreadFolder].some((kept) => file.startsWith(kept + path.sep));
      // Until an operator has seen to it.
      if (isUncounted || damaged.has(path.basename(file, '.parquet'))) continue;
      if (this.#clocks.wall() - (await changedAt(file)) > SET_ASIDE_DAYS * DAY_MS) await rm(file, { force: true });
    }
  }

  async #logUncounted(): Promise<void> {
    const files = await uncountedFiles(this.#deps);
    if (files.length > this.#uncounted) {
      this.#deps.log.warn(
        { files: files.length, first: files.slice(0, 10) },
        'files hold page views that are not counted, because the database does not know them: see `docent analytics verify`',
      );
    }
    this.#uncounted = files.length;
  }
}

async function changedAt(file: string): Promise<number> {
  try {
    return (await stat(file)).ctimeMs;
  } catch (err) {
    if (isMissing(err)) return Infinity;
    throw err;
  }
}
