import { readdir, rmdir } from 'node:fs/promises';
import { faultPoint } from '../../platform/faults.ts';
import {
  takeOverWriter,
  listWriters,
  removeWriter,
  type WriterLease,
  type WriterSign,
} from '../../store/analytics/writers.ts';
import { segmentNo, type AnalyticsFolder } from '../storage/analytics-folder.ts';
import { isMissing, syncFolder } from '../storage/durable-files.ts';
import { claimedBy, claimFolder, claimFromDead, type FolderClaim } from '../storage/folder-claim.ts';
import { sealSegment, type SealDeps } from './seal.ts';
import { Lease } from './wal/lease.ts';
import type { ClosedSegment } from './wal/segment-log.ts';

/**
 * Takes over the logs of processes that have ended, whose claim is free. Also those of processes that are
 * paused, or whose claim is not on this disk, if their row did not change for the time of a lease, on this
 * process's monotonic clock. So changing a clock, here or at the database, never ends a lease.
 */
export class LogTakeover {
  readonly #deps: SealDeps;
  readonly #leaseSeconds: number;
  readonly #watched = new Map<string, { mark: string; since: number }>();

  constructor(deps: SealDeps, leaseSeconds: number) {
    this.#deps = deps;
    this.#leaseSeconds = leaseSeconds;
  }

  /**
   * @param isOwn recognizes the writer of this process
   * @param quietMs how long a writer of unknown state must have been quiet
   * @returns how many logs were taken over
   * @throws the first error, after all others were tried
   */
  async run(isOwn: (writerId: string) => boolean, quietMs = this.#leaseSeconds * 1_000): Promise<number> {
    const writers = await listWriters(this.#deps.database.db);
    const listed = new Set(writers.map(({ id }) => id));
    for (const id of this.#watched.keys()) if (!listed.has(id)) this.#watched.delete(id);
    let takenOver = 0;
    const failures: unknown[] = [];
    for (const writer of writers) {
      if (isOwn(writer.id)) continue;
      try {
        if (await this.#takeOverIfGone(writer, quietMs)) takenOver += 1;
      } catch (err) {
        failures.push(err);
      }
    }
    await this.#forgetStrays(listed);
    if (failures.length > 0) throw failures[0];
    return takenOver;
  }

  /** Claims of processes that died before anyone knew of their writers. */
  async #forgetStrays(listed: ReadonlySet<string>): Promise<void> {
    const { folder } = this.#deps;
    for (const name of await readdir(folder.walFolder)) {
      const id = claimedBy(name);
      if (id === null || listed.has(id) || (await isFolder(folder.writerFolder(id)))) continue;
      claimFromDead(folder.writerFolder(id))?.release();
    }
  }

  async #takeOverIfGone({ id, mark }: WriterSign, quietMs: number): Promise<boolean> {
    const folder = this.#deps.folder.writerFolder(id);
    const claim = claimFromDead(folder);
    if (!claim) {
      const now = performance.now();
      const watched = this.#watched.get(id);
      const since = watched?.mark === mark ? watched.since : now;
      this.#watched.set(id, { mark, since });
      if (now - since < quietMs || !(await isFolder(folder))) return false;
    }
    const takenAt = performance.now();
    const writer = await this.#take(id, mark, claim);
    if (!writer) return false;
    return this.#seal(writer, takenAt, claim ?? claimFolder(folder));
  }

  async #take(id: string, mark: string, claim: FolderClaim | null): Promise<WriterLease | null> {
    let writer: WriterLease | null = null;
    try {
      writer = await takeOverWriter(this.#deps.database.db, { id, mark }, this.#leaseSeconds);
    } finally {
      // A heartbeat came in between, or another process is faster: the next check decides.
      if (!writer) claim?.abandon();
    }
    return writer;
  }

  async #seal(writer: WriterLease, takenAt: number, claim: FolderClaim): Promise<boolean> {
    const { database, folder, log } = this.#deps;
    const lease = new Lease(database.db, writer, { takenAt, seconds: this.#leaseSeconds, log, claim });
    let isDone = false;
    try {
      // None if it died before it created its folder.
      const segments = (await isFolder(folder.writerFolder(writer.id))) ? await segmentsIn(folder, writer.id) : null;
      // Segments are sealed in order, and folders are deleted before their rows: a missing one may have been
      // sealed and forgotten.
      const mayBeBehind = writer.consumed + 1 < (segments?.[0]?.no ?? Infinity);
      for (const segment of segments ?? []) await sealSegment(this.#deps, writer, segment);
      faultPoint('log-taken-over');
      if (segments) await rmdir(folder.writerFolder(writer.id));
      await syncFolder(folder.walFolder);
      await removeWriter(database.db, writer);
      if (mayBeBehind) this.#deps.onBehind?.();
      isDone = true;
      log.info({ writer: writer.id, segments: segments?.length ?? 0 }, 'took over the event log of a stopped process');
      return true;
    } finally {
      await lease.close({ isDone });
    }
  }
}

/** The segments in a writer's folder, in order. */
export async function segmentsIn(folder: AnalyticsFolder, writerId: string): Promise<ClosedSegment[]> {
  const numbers = (await readdir(folder.writerFolder(writerId))).map(segmentNo).filter((no) => no !== null);
  return numbers.toSorted((a, b) => a - b).map((no) => ({ no, file: folder.segmentFile(writerId, no) }));
}

async function isFolder(folder: string): Promise<boolean> {
  try {
    await readdir(folder);
    return true;
  } catch (err) {
    if (isMissing(err)) return false;
    throw err;
  }
}
