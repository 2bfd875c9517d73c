import { readdir, rmdir } from 'node:fs/promises';
import { faultPoint } from '../faults.ts';
import { adoptWriter, listWriters, removeWriter } from '../store/analytics-writers.ts';
import { segmentNo, type AnalyticsFolder } from './analytics-folder.ts';
import { isMissing, syncFolder } from './durable-files.ts';
import { sealSegment, type SealDeps } from './seal.ts';
import { Lease } from './wal/lease.ts';
import type { ClosedSegment } from './wal/segment-log.ts';

/**
 * Takes over the logs of processes that are gone: of writers whose row nobody has touched for as long as a lease lasts. That
 * is watched on this process's monotonic clock, so that no clock which somebody sets, here or at the database, ends a lease.
 */
export class LogAdoption {
  readonly #deps: SealDeps;
  readonly #leaseSeconds: number;
  readonly #watched = new Map<string, { mark: string; since: number }>();

  constructor(deps: SealDeps, leaseSeconds: number) {
    this.#deps = deps;
    this.#leaseSeconds = leaseSeconds;
  }

  /**
   * @param isOwn tells the writer of this process
   * @param quietMs how long a writer has to have been quiet
   * @returns how many logs were taken over
   */
  async run(isOwn: (writerId: string) => boolean, quietMs = this.#leaseSeconds * 1_000): Promise<number> {
    const now = performance.now();
    const writers = await listWriters(this.#deps.database.db);
    const listed = new Set(writers.map(({ id }) => id));
    for (const id of this.#watched.keys()) if (!listed.has(id)) this.#watched.delete(id);
    let adopted = 0;
    for (const { id, mark } of writers) {
      if (isOwn(id)) continue;
      const watched = this.#watched.get(id);
      const since = watched?.mark === mark ? watched.since : now;
      this.#watched.set(id, { mark, since });
      if (now - since < quietMs || !(await isFolder(this.#deps.folder.writerFolder(id)))) continue;
      if (await this.#adopt(id, mark)) adopted += 1;
    }
    return adopted;
  }

  async #adopt(id: string, mark: string): Promise<boolean> {
    const { database, folder, log } = this.#deps;
    const takenAt = performance.now();
    const writer = await adoptWriter(database.db, { id, mark }, this.#leaseSeconds);
    if (!writer) return false;
    const lease = new Lease(database.db, writer, { takenAt, seconds: this.#leaseSeconds, log });
    try {
      const segments = await segmentsIn(folder, id);
      for (const segment of segments) await sealSegment(this.#deps, writer, segment);
      faultPoint('log-adopted');
      await rmdir(folder.writerFolder(id));
      await syncFolder(folder.walFolder);
      await removeWriter(database.db, writer);
      log.info({ writer: id, segments: segments.length }, 'took over the event log of a process that is gone');
      return true;
    } finally {
      await lease.close();
    }
  }
}

/** The segments that lie in a writer's folder, in order. */
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
