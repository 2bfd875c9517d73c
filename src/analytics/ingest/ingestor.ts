import { mkdir, rmdir } from 'node:fs/promises';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import { createWriter, removeWriter } from '../../store/analytics-writers.ts';
import { ensureAnalytics, type AnalyticsProject } from '../../store/analytics-manifest.ts';
import type { Database } from '../../store/database.ts';
import { newId } from '../../store/ids.ts';
import { LogAdoption } from './adopt-logs.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { isMissing, isStorageFull, syncFolder } from '../storage/durable-files.ts';
import { dayOf } from '../events/days.ts';
import type { Duck } from '../storage/duck.ts';
import type { StoredEvent } from '../events/event.ts';
import { eventLine } from '../events/event-lines.ts';
import { EventRefused, randomId, readEvent, type ReadEvent } from '../events/read-event.ts';
import { claimFolder } from '../storage/folder-claim.ts';
import { RecentIds } from './recent-ids.ts';
import { repeatId, type RepeatableRequest } from '../events/repeat-id.ts';
import { FolderLost, sealSegment } from './seal.ts';
import { isClosed, SaltCalendar } from '../events/salt-calendar.ts';
import { Salts } from '../events/salts.ts';
import { visitorOf } from '../events/visitor.ts';
import { Lease, LEASE_SECONDS } from './wal/lease.ts';
import { SegmentLog, type ClosedSegment } from './wal/segment-log.ts';

export interface IngestorOptions {
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
  log: Logger;
  /** Events become visible at most about this long after they were acknowledged. */
  sealAfterMs?: number;
  maxSegmentBytes?: number;
  /** Bytes that may wait to be written before more are refused. */
  maxBacklogBytes?: number;
  /** Ids by which a repeat is recognised at once. */
  rememberedIds?: number;
  /** How long what is known of a project is believed. */
  projectCacheMs?: number;
  /** Is told of events of a project that are to be merged. */
  onSealed?: (projectId: string, events: number) => void;
  /** How long a process that others cannot see may be away before one of them takes over its log. */
  leaseSeconds?: number;
  /** How often logs are looked for whose processes are gone, and first at once; never by itself where it is infinite. */
  adoptMs?: number;
  /** The wall clock, for what events say about time. */
  now?: () => number;
}

/** What became of the events of one request. */
export interface Ingested {
  accepted: number;
  /** As far as this process remembers: a repeat that it does not recognise is counted once all the same. */
  duplicates: number;
  rejected: { index: number; error: string }[];
}

interface KnownProject {
  row: AnalyticsProject;
  calendar: SaltCalendar;
  readAt: number;
}

const CLOSED =
  '`timestamp` lies in a period whose salt is destroyed, so its visitors get no ids any more: events may be a week late.';

const SEAL_CHECK_MS = 200;
const RETRY_SEAL_MS = 2_000;
const ADOPT_MS = 2_000;
const PROJECT_CACHE_MS = 1_000;

/**
 * Takes events: writes them to this process's log, answers once they are on disk, and seals the log into Parquet every other
 * second. Logs of processes that died are taken over.
 */
export class Ingestor {
  readonly #options: Required<IngestorOptions>;
  readonly #salts: Salts;
  readonly #recent: RecentIds;
  readonly #adoption: LogAdoption;
  readonly #projects = new Map<string, KnownProject>();
  #lease: Lease;
  #segments: SegmentLog;
  #closed: ClosedSegment[] = [];
  #sealing: Promise<void> | null = null;
  #retryAt = 0;
  #timers: NodeJS.Timeout[] = [];
  #stopping = false;
  #reopening: Promise<void> | null = null;
  #adopting: Promise<void> = Promise.resolve();
  #isAdopting = false;

  private constructor(options: Required<IngestorOptions>, lease: Lease) {
    this.#options = options;
    this.#salts = new Salts(options.database.db);
    this.#recent = new RecentIds(options.rememberedIds);
    this.#adoption = new LogAdoption(options, options.leaseSeconds);
    this.#lease = lease;
    this.#segments = this.#openLog(lease);
  }

  /** @throws where the database or the folder cannot be used */
  static async open(options: IngestorOptions): Promise<Ingestor> {
    const complete: Required<IngestorOptions> = {
      sealAfterMs: 1_500,
      maxSegmentBytes: 32 * 1024 * 1024,
      maxBacklogBytes: 64 * 1024 * 1024,
      onSealed: () => {},
      rememberedIds: 200_000,
      projectCacheMs: PROJECT_CACHE_MS,
      leaseSeconds: LEASE_SECONDS,
      adoptMs: ADOPT_MS,
      now: Date.now,
      ...options,
    };
    const ingestor = new Ingestor(complete, await takeLease(complete));
    ingestor.#start();
    return ingestor;
  }

  /**
   * Takes events of one project. Those that can be taken are on disk when this resolves, and will be counted whatever dies
   * next; the others are named.
   * @param request where it may come again: its events without an id are then recognised, see {@link repeatId}
   * @throws AppError `project_not_found`, `storage_full` (507), `unavailable` (503)
   */
  async ingest(projectId: string, inputs: readonly unknown[], request?: RepeatableRequest): Promise<Ingested> {
    this.#options.folder.requireHere();
    if (this.#segments.backlog > this.#options.maxBacklogBytes) throw busy();
    let project = await this.#project(projectId);
    const result: Ingested = { accepted: 0, duplicates: 0, rejected: [] };
    const lines: string[] = [];
    const keys: string[] = [];
    const inRequest = new Set<string>();
    for (const [index, input] of inputs.entries()) {
      try {
        const read = readEvent(input, { now: this.#options.now(), floorDay: project.row.floorDay });
        let visitor = await this.#visitorOf(project, read);
        if (visitor === null) {
          // Its schedule of salts was changed just now.
          this.#projects.delete(projectId);
          project = await this.#project(projectId);
          visitor = await this.#visitorOf(project, read);
        }
        if (visitor === null) throw new EventRefused(CLOSED);
        const said = { ...read.event, visitor };
        const id = read.id ?? (request ? repeatId(projectId, request, index, said) : randomId());
        const event: StoredEvent = { ...said, id };
        const key = RecentIds.key(project.row, event);
        if (inRequest.has(key) || this.#recent.has(key)) {
          result.duplicates += 1;
          continue;
        }
        inRequest.add(key);
        keys.push(key);
        lines.push(eventLine(projectId, event));
      } catch (err) {
        if (!(err instanceof EventRefused)) throw err;
        result.rejected.push({ index, error: err.message });
      }
    }
    if (lines.length > 0) await this.#append(Buffer.from(lines.join('')));
    for (const key of keys) this.#recent.add(key);
    result.accepted = lines.length;
    return result;
  }

  /** Seals all that was acknowledged. For tests, and before the process ends. */
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
  adopt(quietMs?: number): Promise<number> {
    return this.#adoption.run((id) => id === this.#lease.writer.id, quietMs);
  }

  /** Seals what is left and lets go of the log. What cannot be sealed now is taken over by another process, or the next. */
  async close(): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearInterval(timer);
    await this.#adopting;
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
      log.warn({ err }, 'the event log could not be sealed at the end; the next process does it');
    }
  }

  async #adoptQuietly(): Promise<void> {
    this.#isAdopting = true;
    try {
      await this.adopt();
    } catch (err) {
      this.#options.log.warn({ err }, 'logs that were left could not be taken over');
    } finally {
      this.#isAdopting = false;
    }
  }

  #start(): void {
    const check = setInterval(() => this.#tick(), SEAL_CHECK_MS);
    this.#timers = [check];
    const { adoptMs, leaseSeconds } = this.#options;
    if (adoptMs < Infinity) {
      const adopt = () => {
        if (!this.#isAdopting) this.#adopting = this.#adoptQuietly();
      };
      adopt();
      this.#timers.push(setInterval(adopt, Math.min(adoptMs, (leaseSeconds * 1_000) / 4)));
    }
    for (const timer of this.#timers) timer.unref();
  }

  #tick(): void {
    const { openedAt } = this.#segments;
    if (openedAt !== null && performance.now() - openedAt >= this.#options.sealAfterMs) void this.#segments.rotate();
    if (this.#closed.length > 0 && performance.now() >= this.#retryAt) void this.#seal();
    if (this.#lease.isLost) void this.#reopen();
  }

  /** In order: the manifest knows the last segment alone. Resolves also where sealing failed; it is tried again. */
  #seal(): Promise<void> {
    this.#sealing ??= (async () => {
      const { log } = this.#options;
      // Of one log: another one may be opened in the meantime, with segments of its own.
      const { writer } = this.#lease;
      const closed = this.#closed;
      try {
        for (let next = closed[0]; next; next = closed[0]) {
          await sealSegment(this.#options, writer, next);
          closed.shift();
        }
      } catch (err) {
        if (err instanceof FolderLost) {
          closed.length = 0;
          log.warn('the event log belongs to another process now, which seals it');
        } else {
          this.#retryAt = performance.now() + RETRY_SEAL_MS;
          log.warn({ err }, 'the event log could not be sealed; it is tried again');
        }
      } finally {
        this.#sealing = null;
      }
    })();
    return this.#sealing;
  }

  async #append(payload: Buffer): Promise<void> {
    const { lease, segments } = { lease: this.#lease, segments: this.#segments };
    if (!lease.isValid) {
      if (lease.isLost) await this.#reopen();
      if (!this.#lease.isValid) throw away();
      return this.#append(payload);
    }
    try {
      await segments.append(payload);
    } catch (err) {
      if (err instanceof AppError) throw err;
      if (isStorageFull(err)) {
        throw new AppError('storage_full', 'The disk of the server is full. Send the events again later.', {
          cause: err,
          retryAfterSeconds: 30,
        });
      }
      throw new AppError('unavailable', 'The event log cannot be written now. Send the events again later.', {
        cause: err,
        retryAfterSeconds: 5,
      });
    }
    // Whoever took the folder over may have read it before this was written.
    if (!(await lease.holds())) throw away();
  }

  /** A folder of our own again, after another process took ours over while this one was away. */
  #reopen(): Promise<void> {
    this.#reopening ??= (async () => {
      try {
        const before = this.#lease;
        const lease = await takeLease(this.#options);
        await this.#segments.rotate();
        this.#closed = [];
        this.#lease = lease;
        this.#segments = this.#openLog(lease);
        await before.close({ isDone: false });
      } catch (err) {
        this.#options.log.warn({ err }, 'no new event log could be opened');
      } finally {
        this.#reopening = null;
      }
    })();
    return this.#reopening;
  }

  #openLog(lease: Lease): SegmentLog {
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

  /** Null where the salt is destroyed, or the project's schedule is another one now. @throws EventRefused */
  async #visitorOf({ row, calendar }: KnownProject, { event, source }: ReadEvent): Promise<bigint | null> {
    const period = calendar.periodOf(dayOf(event.time));
    if (isClosed(period, dayOf(this.#options.now()))) throw new EventRefused(CLOSED);
    const salt = await this.#salts.of(row.projectId, period.key, row.settings.analyticsSalts);
    return salt && visitorOf(salt, source);
  }

  async #project(projectId: string): Promise<KnownProject> {
    const known = this.#projects.get(projectId);
    if (known && performance.now() - known.readAt < this.#options.projectCacheMs) return known;
    const row = await ensureAnalytics(this.#options.database.db, projectId);
    if (!row) {
      this.#salts.forget();
      this.#projects.delete(projectId);
      throw new AppError('project_not_found', `There is no project ${projectId}.`);
    }
    const read = { row, calendar: new SaltCalendar(row.settings.analyticsSalts), readAt: performance.now() };
    this.#projects.set(projectId, read);
    return read;
  }
}

async function takeLease({ database, folder, log, leaseSeconds, now }: Required<IngestorOptions>): Promise<Lease> {
  await folder.prove();
  const id = newId();
  const own = folder.writerFolder(id);
  // Before anybody knows of the writer: who finds one whose claim is free takes it for dead.
  const claim = claimFolder(own);
  try {
    const takenAt = performance.now();
    const writer = await createWriter(database.db, id, leaseSeconds);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await syncFolder(folder.walFolder);
    return new Lease(database.db, writer, { takenAt, seconds: leaseSeconds, log, claim, wallClock: now });
  } catch (err) {
    claim?.abandon();
    throw err;
  }
}

function away(): AppError {
  return new AppError('unavailable', 'The server has lost its event log for a moment. Send the events again.', {
    retryAfterSeconds: 2,
  });
}

function busy(): AppError {
  return new AppError('unavailable', 'More events came than the disk takes. Send them again in a moment.', {
    retryAfterSeconds: 2,
  });
}
