import type { Logger } from '../../platform/log.ts';
import { addUnmerged } from '../../store/analytics/manifest-changes.ts';
import { withProjectLock } from '../../store/analytics/lock.ts';
import { recoveredSource } from '../../store/analytics/recovered.ts';
import { listLostWriter } from '../../store/analytics/writers.ts';
import { projectIds } from '../../store/projects/projects.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { isProblem } from '../storage/bucket/bucket-problem.ts';
import { isSealed, newestFirst, readUnknownFile, unknownFiles, withCopy, type UnknownFile } from './unknown-files.ts';
import { findAnalytics, readManifest } from '../../store/analytics/manifest.ts';
import { isOutOfMemory } from '../storage/duck.ts';
import { isStorageFull } from '../storage/durable-files.ts';
import { absolutePaths, dayExpression, ofFamily, overlapping, relation } from '../storage/tables.ts';

/** How long another process may work on a project's files before the next project is searched. */
const WAIT_MS = 2_000;
/** When a search comes again that failed, or that left out projects in use. */
const RETRY_MS = 15_000;

/**
 * Adds an unnamed file to the manifest if any of its events count nowhere. The caller holds the project's
 * lock. Idempotent.
 * @returns events that are counted now; null without the project
 */
async function takeIn(deps: StorageDeps, projectId: string, { file }: UnknownFile): Promise<number | null> {
  const missing = await missingIn(deps, projectId, file.path);
  if (missing === 0) return 0;
  const added = await deps.database.db.transaction((tx) =>
    addUnmerged(tx, projectId, [file], recoveredSource(file.id)),
  );
  return added === null ? null : (missing ?? file.rows);
}

const missingIn = (deps: StorageDeps, projectId: string, name: string) =>
  withCopy(deps.folder, name, (copy) => missingEvents(deps, projectId, copy));

/**
 * Decides about event files that were unnamed for long. The caller holds the project's lock.
 * @returns for each: `redundant` if all its events count from elsewhere, `counts` if it is in the manifest
 *   now, `unfinished` if its writer will still seal it, `unknown` if an operator must decide: it is damaged,
 *   of no project, or from an import that died
 */
export async function settleUnnamed(
  deps: StorageDeps,
  projectId: string,
  names: readonly string[],
): Promise<Map<string, 'redundant' | 'counts' | 'unfinished' | 'unknown'>> {
  const settled: Awaited<ReturnType<typeof settleUnnamed>> = new Map();
  const found: UnknownFile[] = [];
  for (const name of names) {
    const read = await unlessMissing(readUnknownFile(deps, projectId, name));
    if (read === null) settled.set(name, 'redundant');
    else if (read === 'unfinished') settled.set(name, read);
    else if ('reason' in read)
      settled.set(name, (await missingIn(deps, projectId, name)) === 0 ? 'redundant' : 'unknown');
    else found.push(read);
  }
  let [files, events] = [0, 0];
  for (const one of newestFirst(found)) {
    const { path } = one.file;
    const isOurs = isSealed(one) || isMerged(path);
    const missing = isOurs ? await takeIn(deps, projectId, one) : await missingIn(deps, projectId, path);
    settled.set(path, missing === 0 ? 'redundant' : isOurs && missing !== null ? 'counts' : 'unknown');
    if (settled.get(path) !== 'counts') continue;
    files += 1;
    events += missing ?? 0;
  }
  if (files > 0) logTakenIn(deps.log, { projectId, files, events });
  return settled;
}

/** Null for an object that another process was faster with. */
async function unlessMissing<T>(read: Promise<T>): Promise<T | null> {
  try {
    return await read;
  } catch (err) {
    if (isProblem(err, 'missing')) return null;
    throw err;
  }
}

const isMerged = (name: string): boolean => name.split('/')[2] === 'events';

function logTakenIn(log: Logger, about: { projectId: string; files: number; events: number }): void {
  log.warn(about, 'the database lost recent changes: recovered its page views. Other lost changes cannot be recovered');
}

/** Lists event logs that the database does not know, for takeover. Idempotent. @returns how many */
export async function listLostLogs({ database, folder }: StorageDeps): Promise<number> {
  let logs = 0;
  for (const id of await folder.writerIds()) {
    if (await listLostWriter(database.db, id)) logs += 1;
  }
  return logs;
}

/** Takes in unnamed files and logs without a row, after the database went back. Once at a time. */
export class LostEvents {
  readonly #storage: StorageDeps;
  #running: Promise<void> | null = null;
  #isAsked = false;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(storage: StorageDeps) {
    this.#storage = storage;
  }

  /** Searches soon: the database may have gone back in time. */
  search(): void {
    this.#isAsked = true;
    if (this.#running || this.#stopped) return;
    clearTimeout(this.#retry);
    this.#running = this.#run().finally(() => (this.#running = null));
  }

  /** Resolves when no search is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async close(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#retry);
    await this.#running;
  }

  async #run(): Promise<void> {
    const { log } = this.#storage;
    while (this.#isAsked && !this.#stopped) {
      this.#isAsked = false;
      const isDone = await this.#takeInAll().catch((err: unknown) => {
        log.warn({ err }, 'could not search for page-view files that the database does not know; retrying');
        return false;
      });
      if (isDone || this.#stopped) continue;
      this.#retry = setTimeout(() => this.search(), RETRY_MS).unref();
      return;
    }
  }

  /** @returns false if projects were in use, and are left for the next search */
  async #takeInAll(): Promise<boolean> {
    const { database, folder, log } = this.#storage;
    await folder.verify();
    const logs = await listLostLogs(this.#storage);
    if (logs > 0) log.warn({ logs }, 'found event logs that the database does not know: taking them over');
    let isBusy = false;
    for (const projectId of await projectIds(database.db)) {
      if (this.#stopped) return false;
      const done = await withProjectLock(database, projectId, () => this.#takeInOf(projectId), { waitMs: WAIT_MS });
      isBusy ||= done === null;
    }
    return !isBusy;
  }

  async #takeInOf(projectId: string): Promise<true> {
    const { log } = this.#storage;
    const { found } = await unknownFiles(this.#storage, projectId, 'unmerged');
    let [files, events] = [0, 0];
    for (const one of found.filter(isSealed)) {
      const missing = (await takeIn(this.#storage, projectId, one)) ?? 0;
      events += missing;
      if (missing > 0) files += 1;
    }
    if (files > 0) logTakenIn(log, { projectId, files, events });
    return true;
  }
}

/** How many events of an unnamed file count nowhere; expired days do count. Null if unknown. */
async function missingEvents(
  { database, folder, duck, log }: StorageDeps,
  projectId: string,
  file: string,
): Promise<number | null> {
  if (!(await findAnalytics(database.db, projectId))) return null;
  const manifest = await readManifest(database.db, projectId);
  try {
    return await duck.use(async (session) => {
      const day = dayExpression('time');
      const floor = manifest.floorDay ?? -1_000_000;
      const span = await session.one<{ first: number | null; last: number | null }>(
        `SELECT min(${day}) AS first, max(${day}) AS last FROM read_parquet($file) WHERE ${day} >= $floor`,
        { file, floor },
      );
      if (span.first === null || span.last === null) return 0;
      const [events, unmerged] = (['events', 'unmerged'] as const).map((family) =>
        overlapping(ofFamily(manifest.files, family), span.first ?? 0, span.last ?? 0),
      );
      const { missing } = await session.one<{ missing: bigint }>(
        `SELECT count(*) AS missing FROM (SELECT DISTINCT id, ${day} AS day FROM ${relation('events', [file], 'file')} WHERE ${day} >= $floor)
         ANTI JOIN (
           SELECT id, ${day} AS day FROM ${relation('events', events ?? [], 'events')}
           UNION ALL SELECT id, ${day} AS day FROM ${relation('unmerged', unmerged ?? [], 'unmerged')}
         ) USING (id, day)`,
        { file, floor, events: absolutePaths(folder, events ?? []), unmerged: absolutePaths(folder, unmerged ?? []) },
      );
      return Number(missing);
    });
  } catch (err) {
    if (isOutOfMemory(err) || isStorageFull(err)) throw err;
    log.warn(
      { err, projectId, file },
      'could not determine whether the events of an unknown file are counted elsewhere',
    );
    return null;
  }
}
