import { mkdir, rmdir } from 'node:fs/promises';
import { AppError, isExpected } from '../../platform/errors.ts';
import { logAppended } from '../../platform/telemetry/instruments.ts';
import { newId } from '../../store/ids.ts';
import { createWriter, removeWriter } from '../../store/analytics/writers.ts';
import { isMissing, isStorageFull, syncFolder } from '../storage/durable-files.ts';
import { claimFolder } from '../storage/folder-claim.ts';
import { LogTakeover } from './log-takeover.ts';
import { notYet, StoredWaits } from './stored-waits.ts';
import { sealSegment, type SealDeps } from './seal.ts';
import { Lease } from './wal/lease.ts';
import { SegmentLog, type ClosedSegment } from './wal/segment-log.ts';

export interface EventLogOptions extends SealDeps {
  /** Events become visible at most about this long after they were acknowledged. */
  sealAfterMs: number;
  maxSegmentBytes: number;
  /** Bytes that may wait to be written before more are refused. */
  maxBacklogBytes: number;
  /** How long a process that others cannot see may be away before one of them takes over its log. */
  leaseSeconds: number;
  /** How often to search for logs of dead processes; the first search is immediate. Infinite: never. */
  takeoverMs: number;
  /** The wall clock, for times of events. */
  now: () => number;
  /** Whether `append` waits until its lines are in the manifest, and in the bucket if there is one. */
  ack: 'local' | 'stored';
  /** How long it waits for that. */
  storedWithinMs: number;
}

const SEAL_CHECK_MS = 200;
const RETRY_SEAL_MS = 2_000;

/**
 * The log of this process. Appended lines are on disk, and are sealed into Parquet every other second. Takes
 * over logs of dead processes. If another process took over this one, it begins another.
 */
export class EventLog {
  readonly #options: EventLogOptions;
  readonly #takeover: LogTakeover;
  #lease: Lease;
  #segments: SegmentLog;
  #closed: ClosedSegment[] = [];
  #sealing: Promise<void> | null = null;
  #retryAt = 0;
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;
  #reopening: Promise<void> | null = null;
  #takingOver: Promise<void> = Promise.resolve();
  #isTakingOver = false;
  readonly #stored: StoredWaits;

  private constructor(options: EventLogOptions, lease: Lease) {
    this.#options = options;
    this.#takeover = new LogTakeover(options, options.leaseSeconds);
    this.#lease = lease;
    this.#segments = this.#openSegments(lease);
    this.#stored = new StoredWaits(options.storedWithinMs);
  }

  /** @throws if the database or the folder cannot be used */
  static async open(options: EventLogOptions): Promise<EventLog> {
    const log = new EventLog(options, await takeLease(options));
    log.#start();
    return log;
  }

  /**
   * @throws AppError `unavailable` (503) if more waits to be written than may, or nothing can be stored
   * now that has to be
   */
  requireRoom(): void {
    // Otherwise, senders that keep retrying would fill the disk with unacknowledged events.
    if (this.#options.ack === 'stored' && this.#retryAt > performance.now()) throw notYet();
    if (this.#segments.backlog <= this.#options.maxBacklogBytes) return;
    throw unavailable('Events arrive faster than the disk can store them. Send them again in a moment.', 2);
  }

  /**
   * Resolves when the lines are on disk, and will be sealed whatever dies next; with `ack` `stored`, when
   * they are sealed.
   * @throws AppError `storage_full` (507), `unavailable` (503): nothing was accepted, or it was not stored in
   *   time
   */
  async append(lines: Buffer): Promise<void> {
    const { lease, segments } = { lease: this.#lease, segments: this.#segments };
    if (!lease.isValid) {
      if (lease.isLost) await this.#reopen();
      if (!this.#lease.isValid) throw away();
      return this.append(lines);
    }
    const startedAt = performance.now();
    let no: number;
    try {
      no = await segments.append(lines);
      logAppended(performance.now() - startedAt);
    } catch (err) {
      if (err instanceof AppError) throw err;
      if (isStorageFull(err)) {
        throw new AppError('storage_full', 'The disk of the server is full. Send the events again later.', {
          cause: err,
          retryAfterSeconds: 30,
        });
      }
      throw unavailable('The event log cannot be written. Send the events again later.', 5, err);
    }
    // A process that took over the folder may have read it before this was written.
    if (!(await lease.holds())) throw away();
    if (this.#options.ack === 'stored') await this.#untilStored(lease, no);
  }

  /** Requests that come while a segment is stored go together into the next one. */
  async #untilStored(lease: Lease, no: number): Promise<void> {
    if (lease.writer.consumed >= no) return;
    if (this.#lease !== lease) throw notYet();
    const stored = this.#stored.until(no);
    if (!this.#sealing && this.#segments.openedAt !== null) void this.#segments.rotate();
    await stored;
  }

  /** Seals all that was appended. */
  async flush(): Promise<void> {
    await this.#segments.rotate();
    await this.#sealing;
    this.#retryAt = 0;
    while (this.#closed.length > 0) {
      await this.#seal();
      if (this.#retryAt > 0) throw new Error('The event log cannot be sealed now.');
    }
  }

  /** Takes over what processes left that are gone. @returns how many logs */
  takeOver(quietMs?: number): Promise<number> {
    return this.#takeover.run((id) => id === this.#lease.writer.id, quietMs);
  }

  /** Seals the rest and releases the log. Another process, or the next, takes over what remains. */
  async close(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#takingOver;
    const { database, folder, log } = this.#options;
    try {
      await this.flush();
      await rmdir(folder.writerFolder(this.#lease.writer.id)).catch((err: unknown) => {
        if (!isMissing(err)) throw err;
      });
      await removeWriter(database.db, this.#lease.writer);
      await this.#lease.close({ isDone: true });
    } catch (err) {
      await this.#lease.close({ isDone: false });
      log.warn({ err }, 'the event log could not be sealed at shutdown; the next process does it');
    }
  }

  async #takeOverQuietly(): Promise<void> {
    this.#isTakingOver = true;
    try {
      await this.takeOver();
    } catch (err) {
      this.#options.log.warn({ err }, 'leftover logs could not be taken over');
    } finally {
      this.#isTakingOver = false;
    }
  }

  #start(): void {
    const check = setInterval(() => this.#tick(), SEAL_CHECK_MS);
    this.#timers = [check];
    const { takeoverMs, leaseSeconds } = this.#options;
    if (takeoverMs < Infinity) {
      const takeOver = () => {
        if (!this.#isTakingOver) this.#takingOver = this.#takeOverQuietly();
      };
      takeOver();
      this.#timers.push(setInterval(takeOver, Math.min(takeoverMs, (leaseSeconds * 1_000) / 4)));
    }
    for (const timer of this.#timers) timer.unref();
  }

  #tick(): void {
    const { openedAt } = this.#segments;
    if (openedAt !== null && performance.now() - openedAt >= this.#options.sealAfterMs) void this.#segments.rotate();
    if (this.#closed.length > 0 && performance.now() >= this.#retryAt) void this.#seal();
    if (this.#lease.isLost) void this.#reopen();
  }

  /** In order: the manifest only knows the last segment. Also resolves if sealing failed, to be retried. */
  #seal(): Promise<void> {
    this.#sealing ??= (async () => {
      const { log } = this.#options;
      // Of one log: another one, with its own segments, may be opened in the meantime.
      const { writer } = this.#lease;
      const closed = this.#closed;
      try {
        for (let next = closed[0]; next; next = closed[0]) {
          await sealSegment(this.#options, writer, next);
          closed.shift();
          if (this.#lease.writer === writer) this.#stored.storedUpTo(next.no);
        }
      } catch (err) {
        if (isExpected(err, 'folder_lost')) {
          closed.length = 0;
          log.warn('another process has taken over the event log');
        } else {
          this.#retryAt = performance.now() + RETRY_SEAL_MS;
          log.warn({ err }, 'the event log could not be sealed; retrying');
        }
      } finally {
        this.#sealing = null;
      }
      const isAwaited = this.#stored.isAwaited(writer.consumed + 1);
      if (isAwaited && this.#retryAt < performance.now() && this.#segments.openedAt !== null)
        void this.#segments.rotate();
    })();
    return this.#sealing;
  }

  /** Creates a new folder after another process took over ours while this one was paused. */
  #reopen(): Promise<void> {
    this.#reopening ??= (async () => {
      try {
        const before = this.#lease;
        const lease = await takeLease(this.#options);
        await this.#segments.rotate();
        this.#stored.giveUp();
        this.#closed = [];
        this.#lease = lease;
        this.#segments = this.#openSegments(lease);
        await before.close({ isDone: false });
      } catch (err) {
        this.#options.log.warn({ err }, 'no new event log could be opened');
      } finally {
        this.#reopening = null;
      }
    })();
    return this.#reopening;
  }

  #openSegments(lease: Lease): SegmentLog {
    const { folder, maxSegmentBytes } = this.#options;
    const { id, consumed } = lease.writer;
    return new SegmentLog({
      folder: folder.writerFolder(id),
      fileOf: (no) => folder.segmentFile(id, no),
      firstNo: consumed + 1,
      maxBytes: maxSegmentBytes,
      requireWritten: (file) => folder.requireWritten(file),
      onClosed: (segment) => {
        if (this.#lease !== lease) return;
        this.#closed.push(segment);
        if (!this.#stopping && performance.now() >= this.#retryAt) void this.#seal();
      },
    });
  }
}

async function takeLease(options: EventLogOptions): Promise<Lease> {
  const { database, folder, log, leaseSeconds, now, onBehind } = options;
  await folder.verify();
  const id = newId();
  const own = folder.writerFolder(id);
  // Before the writer is registered: other processes consider a registered writer with a free claim dead.
  const claim = claimFolder(own);
  try {
    const takenAt = performance.now();
    const writer = await createWriter(database.db, id, leaseSeconds);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await syncFolder(folder.walFolder);
    return new Lease(database.db, writer, { takenAt, seconds: leaseSeconds, log, claim, wallClock: now, onBehind });
  } catch (err) {
    claim.abandon();
    throw err;
  }
}

const away = () => unavailable('The server is reopening its event log. Send the events again.', 2);

function unavailable(message: string, retryAfterSeconds: number, cause?: unknown): AppError {
  return new AppError('unavailable', message, { retryAfterSeconds, cause });
}
