import { setTimeout as after } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AppError, Expected, isExpected } from '../../platform/errors.ts';
import { eventsTaken } from '../../platform/telemetry/instruments.ts';
import { ensureAnalytics, type AnalyticsProject } from '../../store/analytics/manifest.ts';
import { dayOf } from '../events/days.ts';
import type { StoredEvent } from '../events/event.ts';
import { loadAgentLists } from './agent-lists.ts';
import { eventLine } from './event-lines.ts';
import { type ClaimChecks, LISTED_ONLY } from '@docent/access-log/agents/check-claim';
import { randomId, readEvent, type ReadEvent } from '../events/read-event.ts';
import { isClosed, SaltCalendar } from '../events/salt-calendar.ts';
import { Salts } from '../events/salts.ts';
import { clientSource, visitorOf } from '../events/visitor.ts';
import { EventLog, type EventLogOptions } from './event-log.ts';
import type { SealDeps } from './seal.ts';
import { LEASE_SECONDS } from './wal/lease.ts';
import { hash } from 'node:crypto';

interface Settings extends EventLogOptions {
  /** How many ids are cached to recognize repeats immediately. */
  rememberedIds: number;
  /** How long known facts about a project are cached; 0 for not at all. */
  projectCacheMs: number;
  claims: ClaimChecks;
  /** How long a request waits for lookups of its clients; later results apply to their next events. */
  lookupsWithinMs: number;
}

export type IngestorOptions = SealDeps & Partial<Settings>;

/** The outcome for the events of one request. */
export interface Ingested {
  accepted: number;
  /** As far as this process remembers. Unrecognized repeats are still counted once. */
  duplicates: number;
  rejected: { index: number; error: string }[];
}

interface KnownProject {
  row: AnalyticsProject;
  calendar: SaltCalendar;
}

const CLOSED =
  '`timestamp` is in a period whose salt was destroyed, so visitors can no longer be identified. Send events within a week.';

const KNOWN_PROJECTS = 10_000;

/** Accepts events: parses them, detects repeats and visitors, and answers once they are logged. */
export class Ingestor {
  readonly #settings: Settings;
  readonly #log: EventLog;
  readonly #salts: Salts;
  readonly #recent: RecentIds;
  readonly #projects: LRUCache<string, KnownProject> | null;

  private constructor(settings: Settings, log: EventLog) {
    const { database, rememberedIds, projectCacheMs } = settings;
    this.#settings = settings;
    this.#log = log;
    this.#salts = new Salts(database.db);
    this.#recent = new RecentIds(rememberedIds);
    this.#projects = projectCacheMs > 0 ? new LRUCache({ max: KNOWN_PROJECTS, ttl: projectCacheMs }) : null;
  }

  /** @throws if the database or the folder cannot be used */
  static async open(options: IngestorOptions): Promise<Ingestor> {
    const settings: Settings = {
      sealAfterMs: 1_500,
      maxSegmentBytes: 32 * 1024 * 1024,
      maxBacklogBytes: 64 * 1024 * 1024,
      rememberedIds: 200_000,
      projectCacheMs: 1_000,
      claims: LISTED_ONLY,
      lookupsWithinMs: 1_000,
      leaseSeconds: LEASE_SECONDS,
      takeoverMs: 2_000,
      now: Date.now,
      ack: 'local',
      storedWithinMs: 15_000,
      ...options,
    };
    return new Ingestor(settings, await EventLog.open(settings));
  }

  /**
   * Accepts events of one project. When this resolves, accepted events are on disk and will be counted
   * whatever dies next; the others are named. With `ack` `stored` they are also sealed, and in the bucket if
   * there is one.
   * @param request if it may be repeated: its events without an id are recognized then, see {@link repeatId}
   * @throws AppError `project_not_found`, `storage_full` (507), `unavailable` (503)
   */
  async ingest(projectId: string, inputs: readonly unknown[], request?: RepeatableRequest): Promise<Ingested> {
    this.#settings.folder.assertMounted();
    this.#log.requireRoom();
    let project = await this.#project(projectId);
    const result: Ingested = { accepted: 0, duplicates: 0, rejected: [] };
    const lines: string[] = [];
    const keys: string[] = [];
    const inRequest = new Set<string>();
    const { claims } = this.#settings;
    const context = { now: this.#settings.now(), floorDay: project.row.floorDay, claims };
    const reads = inputs.map((input) => readOrRefused(input, context));
    await this.#lookedUp(reads);
    for (const [index, read] of reads.entries()) {
      try {
        if (isExpected(read, 'event_refused')) throw read;
        let visitor = await this.#visitorOf(project, read);
        if (visitor === null) {
          // Its schedule of salts was changed just now.
          this.#projects?.delete(projectId);
          project = await this.#project(projectId);
          visitor = await this.#visitorOf(project, read);
        }
        if (visitor === null) throw new Expected('event_refused', CLOSED);
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
        if (!isExpected(err, 'event_refused')) throw err;
        result.rejected.push({ index, error: err.message });
      }
    }
    if (lines.length > 0) await this.#log.append(Buffer.from(lines.join('')));
    for (const key of keys) this.#recent.add(key);
    result.accepted = lines.length;
    eventsTaken(result);
    return result;
  }

  /**
   * The id that a visitor has now, as in events of this moment.
   * @throws AppError `project_not_found`, `unavailable` while the project's salts are being changed
   */
  async visitorNow(projectId: string, address: string, userAgent: string): Promise<bigint> {
    const source = clientSource(address, userAgent);
    if (!source) throw new TypeError('A visitor has an address.');
    for (let attempt = 0; attempt < 2; attempt++) {
      const { row, calendar } = await this.#project(projectId);
      const period = calendar.periodOf(dayOf(this.#settings.now()));
      const salt = await this.#salts.of(row.projectId, period.key, row.settings.analyticsSalts);
      if (salt) return visitorOf(salt, source);
      // Its schedule of salts was changed just now.
      this.#projects?.delete(projectId);
    }
    throw new AppError('unavailable', 'The settings of this project are being changed. Try again in a moment.', {
      retryAfterSeconds: 1,
    });
  }

  /** Seals all that was acknowledged. For tests. */
  flush(): Promise<void> {
    return this.#log.flush();
  }

  /** Takes over what processes left that are gone. @returns how many logs */
  takeOver(quietMs?: number): Promise<number> {
    return this.#log.takeOver(quietMs);
  }

  /** Seals the rest and releases the log. Another process, or the next, takes over what remains. */
  close(): Promise<void> {
    return this.#log.close();
  }

  /** Before the addresses are gone, but not for long: the sender waits. */
  async #lookedUp(reads: readonly (ReadEvent | Expected)[]): Promise<void> {
    const lookups = reads.flatMap((read) => ('lookup' in read && read.lookup ? [read.lookup] : []));
    if (lookups.length === 0) return;
    const done = new AbortController();
    const tooLate = after(this.#settings.lookupsWithinMs, undefined, { signal: done.signal }).catch(() => {});
    await Promise.race([Promise.all(lookups), tooLate]);
    done.abort();
  }

  /**
   * Null if the salt is destroyed, or the project's schedule has changed.
   * @throws Expected `event_refused`
   */
  async #visitorOf({ row, calendar }: KnownProject, { event, source }: ReadEvent): Promise<bigint | null> {
    const period = calendar.periodOf(dayOf(event.time));
    if (isClosed(period, dayOf(this.#settings.now()))) throw new Expected('event_refused', CLOSED);
    const salt = await this.#salts.of(row.projectId, period.key, row.settings.analyticsSalts);
    return salt && visitorOf(salt, source);
  }

  async #project(projectId: string): Promise<KnownProject> {
    const known = this.#projects?.get(projectId);
    if (known) return known;
    const { db } = this.#settings.database;
    await loadAgentLists(db);
    const row = await ensureAnalytics(db, projectId);
    if (!row) {
      this.#salts.forget();
      this.#projects?.delete(projectId);
      throw new AppError('project_not_found', `Project ${projectId} does not exist.`);
    }
    const read = { row, calendar: new SaltCalendar(row.settings.analyticsSalts) };
    this.#projects?.set(projectId, read);
    return read;
  }
}

function readOrRefused(...args: Parameters<typeof readEvent>): ReadEvent | Expected {
  try {
    return readEvent(...args);
  } catch (err) {
    if (isExpected(err, 'event_refused')) return err;
    throw err;
  }
}

/** A request that its client may send again. */
interface RepeatableRequest {
  /** The same for the same request. */
  key: string;
  /** The place in the request of the first event that is passed. */
  first: number;
}

/**
 * The id, 128 bits in hex, of an event without one in a request with a key. It depends on the key, the
 * event's position in the request and its content, so it is the same when the request is repeated: at another
 * process, split elsewhere, with more lines, or in another encoding. Events with other content never get it.
 * The visitor is included as its keyed hash: no address can be guessed from an id.
 */
export function repeatId(
  projectId: string,
  { key, first }: RepeatableRequest,
  index: number,
  event: Omit<StoredEvent, 'id'>,
): string {
  const { time, path, format, visitor, userAgent, referrer, notFound } = event;
  // Only a class that the sender set: another version may classify differently.
  const said = [time, path, format, String(visitor), event.classGiven && event.class, userAgent, referrer, notFound];
  return hash('sha256', JSON.stringify([projectId, key, first + index, ...said]), 'hex').slice(0, 32);
}

/** The ids of this process's last events, to recognize repeats immediately. */
export class RecentIds {
  readonly #ids: LRUCache<string, true> | null;

  /** Caches the last `max`; none for 0. */
  constructor(max: number) {
    // By size, because `max` allocates memory for all entries immediately.
    this.#ids = max > 0 ? new LRUCache({ maxSize: max, sizeCalculation: () => 1 }) : null;
  }

  /**
   * An id counts for one project and one UTC day, and no longer than the events that were counted with it.
   * The key is a flat string: a concatenated one keeps its parts, and a part the text that it was cut from,
   * in three times the memory.
   */
  static key(project: { projectId: string; epoch: string }, event: { id: string; time: number }): string {
    return Buffer.from(`${project.projectId}/${project.epoch}/${dayOf(event.time)}/${event.id}`).toString();
  }

  has(key: string): boolean {
    return this.#ids?.has(key) ?? false;
  }

  add(key: string): void {
    this.#ids?.set(key, true);
  }
}
