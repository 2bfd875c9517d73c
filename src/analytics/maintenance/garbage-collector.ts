import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { DAY_MS } from '@docent/base/time';
import { damagedIds } from '../../store/analytics/damage.ts';
import { deletedProjects, pendingDeletions } from '../../store/analytics/deletions.ts';
import { withProjectLock } from '../../store/analytics/lock.ts';
import { analyticsFilePaths, analyticsProjectIds } from '../../store/analytics/manifest.ts';
import { forgetLostWriters } from '../../store/analytics/writers.ts';
import { forgetOldListings } from '../../store/analytics/listings.ts';
import { removeObjectsAside } from '../storage/bucket/objects-aside.ts';
import { indexOf } from '../storage/index-of.ts';
import { deleteDeadFolders, isOwned } from '../storage/folder-claim.ts';
import { isMissing } from '../storage/durable-files.ts';
import { settleUnnamed } from './take-in.ts';
import { setUnnamedAside, uncountedFiles } from '../storage/set-aside.ts';
import { filesBelow } from '../storage/files-below.ts';
import { deleteNoted, type StorageDeps } from '../storage/storage.ts';

/** Files and objects in no manifest are garbage after this long. */
const ORPHAN_MS = 60 * 60_000;
/** A check lists the files of all projects. Listings of a bucket are paid for, a thousand names at a time. */
const POLL_MS = { folder: 10 * 60_000, bucket: 20 * 60_000 };
/** How long damaged files, and copies of torn logs, are kept for a person. */
const SET_ASIDE_DAYS = 30;
const LOST_DAYS = 30;

/**
 * Deletes orphans. Their age is measured between checks, by the monotonic clock, so that new files are safe.
 * Unknown events are never deleted, for the database may be older: they are taken in or set aside.
 */
export class GarbageCollector {
  readonly #deps: StorageDeps;
  readonly #clocks: { wall: () => number; monotonic: () => number };
  /** Since when each unnamed file has been in no manifest. */
  readonly #since = new Map<string, number>();
  #lookedAt = -Infinity;
  #uncounted = 0;

  constructor(deps: StorageDeps, clocks = { wall: () => Date.now(), monotonic: () => performance.now() }) {
    this.#deps = deps;
    this.#clocks = clocks;
  }

  /** Idempotent. @returns how many were deleted @throws AppError `unavailable` */
  async collect(): Promise<number> {
    const { database, folder, log } = this.#deps;
    await folder.verify();
    await forgetOldListings(database.db);
    let gone = await this.#deleteOnPurpose();
    const now = this.#clocks.monotonic();
    if (now - this.#lookedAt >= POLL_MS[folder.bucketFiles ? 'bucket' : 'folder']) {
      const unnamed = await this.#unnamed();
      this.#lookedAt = now;
      gone += await this.#clearAll(unnamed, now);
    }
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

  /** Names of temporary files without an owner, and of files or objects that no manifest names. */
  async #unnamed(): Promise<string[]> {
    const { database, folder } = this.#deps;
    const nameOf = (file: string) => path.relative(folder.root, file).split(path.sep).join('/');
    deleteDeadFolders(folder.temporaryFolder);
    const temporary = await filesBelow(folder.temporaryFolder);
    const unnamed = temporary.filter((file) => !isOwned(path.relative(folder.temporaryFolder, file))).map(nameOf);
    // The files first: one that comes in between is named by now, and not in the list.
    const files = folder.bucketFiles
      ? (await folder.bucketFiles.list('files/')).map(({ name }) => name)
      : (await filesBelow(folder.filesFolder)).map(nameOf);
    const known = new Set(await analyticsProjectIds(database.db));
    for (const [projectId, own] of Map.groupBy(files, projectOf)) {
      const named = projectId !== null && known.has(projectId) ? await this.#namedIn(projectId) : new Set<string>();
      unnamed.push(...own.filter((name) => !named.has(name)));
    }
    return unnamed;
  }

  async #namedIn(projectId: string): Promise<Set<string>> {
    const paths = await analyticsFilePaths(this.#deps.database.db, projectId);
    return new Set(paths.flatMap((name) => [name, indexOf(name)]));
  }

  /** Deletes what was unnamed for long, and objects of deleted projects. @param unnamed all that is */
  async #clearAll(unnamed: readonly string[], now: number): Promise<number> {
    const { database, folder } = this.#deps;
    const since = this.#since;
    const all = new Set(unnamed);
    for (const name of since.keys()) if (!all.has(name)) since.delete(name);
    for (const name of unnamed) if (!since.has(name)) since.set(name, now);
    const deleted = new Set(await deletedProjects(database.db));
    const isDeleted = (projectId: string | null) => projectId !== null && deleted.has(projectId);
    let gone = 0;
    for (const [projectId, own] of Map.groupBy(unnamed, projectOf)) {
      const due = own.filter((name) => isDeleted(projectId) || now - since.get(name)! >= ORPHAN_MS);
      if (due.length === 0) continue;
      if (projectId === null) {
        for (const name of due) await rm(folder.fileOf(name), { force: true });
        gone += due.length;
      } else gone += await this.#clearOf(projectId, due, isDeleted(projectId));
    }
    if (folder.bucketFiles) for (const projectId of deleted) await removeObjectsAside(folder.bucketFiles, projectId);
    return gone;
  }

  /**
   * Under the project's lock. If that is taken, the files may belong to running work, such as a rebuild, and are
   * watched from its end on. Unfinished files have their events elsewhere still; counts can be recomputed.
   */
  async #clearOf(projectId: string, names: readonly string[], isDeleted: boolean): Promise<number> {
    const { database, folder, log } = this.#deps;
    const cleared = await withProjectLock(database, projectId, async () => {
      // Someone may have named them since they were listed.
      const named = await this.#namedIn(projectId);
      const unnamed = names.filter((name) => !named.has(name));
      const ofEvents = isDeleted ? [] : unnamed.filter((name) => EVENT_FILE.test(name));
      const settled = await settleUnnamed(this.#deps, projectId, ofEvents);
      const redundant = unnamed.filter((name) => (settled.get(name) ?? 'redundant') === 'redundant');
      if (folder.bucketFiles) await folder.bucketFiles.remove(redundant);
      else for (const name of redundant) await rm(folder.fileOf(name), { force: true });
      for (const name of ofEvents.filter((one) => settled.get(one) === 'unknown')) {
        const copy = await setUnnamedAside(folder, name);
        log.warn(
          { projectId, file: name, copy },
          'a file of page views that the database does not know was set aside: see `docent analytics verify`',
        );
      }
      return unnamed.length;
    });
    if (cleared === null) for (const name of names) this.#since.delete(name);
    return cleared ?? 0;
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

/** A file of events below `files/<project>/`. */
const EVENT_FILE = /^[^/]+\/[^/]+\/(?:events|unmerged)\/.*\.parquet$/;

/** Null for a temporary file. */
function projectOf(name: string): string | null {
  const [top, projectId = ''] = name.split('/');
  return top === 'files' ? projectId : null;
}
