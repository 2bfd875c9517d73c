import { createHmac } from 'node:crypto';
import { open, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { faultPoint } from '../faults.ts';
import { addToInbox, ensureAnalytics, type AnalyticsProject } from '../store/analytics-manifest.ts';
import type { Db } from '../store/database.ts';
import { newId } from '../store/ids.ts';
import { DAY_MS, dayOf } from './days.ts';
import { canonicalAddress } from './canonical-address.ts';
import { classify, type Classification } from './classify/classify.ts';
import { EVENT_LINES } from './event-lines.ts';
import { eventLine, type StoredEvent } from './event.ts';
import type { StorageDeps } from './storage.ts';
import { LineIdentity } from './ingest/line-identity.ts';
import { readLogLine } from './ingest/log-formats/log-line.ts';
import { NO_VIEWS, seenIn, type NoView } from './ingest/log-formats/page-view.ts';
import { LINE_PROBLEMS, type LineProblem, type LogRecord } from './ingest/log-formats/record.ts';
import type { LogBlock } from './ingest/log-lines.ts';
import { visitorCache } from './ingest/visitor-cache.ts';
import { writeParquet } from './parquet-writer.ts';
import { isClosed, SaltCalendar, type SaltPeriod } from './salt-calendar.ts';
import { Salts, visitorOf } from './visitor.ts';
import { withPauses } from './with-pauses.ts';

export type Skipped = LineProblem | NoView | 'out_of_range' | 'closed';

/** What each reason means, for people. */
export const SKIPPED: Record<Skipped, string> = {
  ...LINE_PROBLEMS,
  ...NO_VIEWS,
  out_of_range: 'The time lies before the year 2000, in the future, or in days that are not kept any more.',
  closed:
    'The salt of that time is destroyed, so its visitors get no ids any more: see the salt policy of the project.',
};

export interface ImportProgress {
  lines: number;
  /** Page views and broken links: what is counted, where it was not before. */
  events: number;
  /** By reason: how many, and the first places as `source:line`. Never the lines themselves: they hold addresses. */
  skipped: Map<Skipped, { count: number; examples: string[] }>;
}

const FILE_EVENTS = 250_000;
const EXAMPLES = 3;
/** How often an import looks at the project's settings. */
const REFRESH_MS = 10_000;
const CLIENTS = 200_000;
const MAX_USER_AGENT = 1_024;
const EARLIEST = Date.UTC(2000, 0, 1);

interface Parsed {
  record: LogRecord;
  page: { path: string; format: 'html' | 'md'; missing: boolean };
  period: SaltPeriod;
  no: number;
  line: { buffer: Buffer; start: number; end: number };
}

/** What is worked out once for a client and a period. */
interface Client {
  visitor: bigint;
  html: Classification;
  md: Classification;
}

/**
 * Brings the page views of access logs into a project, in files of some hundred thousand. Safe to repeat, also after a death in
 * between: the same line of the same log has the same id, and counts once.
 * @returns null for a project that does not exist
 */
export async function importLogs(
  deps: StorageDeps,
  projectId: string,
  blocks: AsyncIterable<LogBlock>,
  options: {
    onProgress?: (progress: ImportProgress, block: LogBlock | null) => void;
    now?: () => number;
    /** For logs that are followed: what came counts after so long, however little it is. */
    flushAfterMs?: number;
  } = {},
): Promise<ImportProgress | null> {
  const project = await ensureAnalytics(deps.database.db, projectId);
  if (!project) return null;
  const progress: ImportProgress = { lines: 0, events: 0, skipped: new Map() };
  const reader = new LogReader(deps, project, progress, options.now ?? Date.now);
  const sink = new EventSink(deps, projectId);
  try {
    const { flushAfterMs = Infinity } = options;
    for await (const block of withPauses(blocks, flushAfterMs)) {
      if (block) {
        await sink.write(await reader.read(block));
        options.onProgress?.(progress, block);
      }
      if (sink.age >= flushAfterMs) await sink.flush();
    }
    await sink.flush();
    options.onProgress?.(progress, null);
  } finally {
    await sink.close();
  }
  return progress;
}

interface Period {
  /** Keys the lines' identities. */
  key: Buffer;
  client: (ip: string, userAgent: string | null) => Client;
}

/** Turns blocks of log lines into lines of events. */
class LogReader {
  readonly #db: Db;
  #project: AnalyticsProject;
  #calendar: SaltCalendar;
  #readAt = performance.now();
  readonly #progress: ImportProgress;
  readonly #now: () => number;
  readonly #salts: Salts;
  readonly #identities = new Map<string, LineIdentity>();
  /** Null where the salt is destroyed. */
  readonly #periods = new Map<string, Period | null>();

  constructor({ database }: StorageDeps, project: AnalyticsProject, progress: ImportProgress, now: () => number) {
    this.#db = database.db;
    this.#project = project;
    this.#calendar = new SaltCalendar(project.settings.analyticsSalts);
    this.#progress = progress;
    this.#now = now;
    this.#salts = new Salts(database.db);
  }

  async read(block: LogBlock): Promise<{ text: string; events: number }> {
    if (performance.now() - this.#readAt > REFRESH_MS) await this.#refresh();
    const parsed: Parsed[] = [];
    const now = this.#now();
    block.forEachLine((buffer, start, end, no) => {
      this.#progress.lines += 1;
      const found = this.#parse(buffer, start, end, now);
      if (typeof found === 'string') this.#skip(found, `${block.source}:${no}`);
      else parsed.push({ ...found, no });
    });
    for (const key of new Set(parsed.map((each) => each.period.key))) await this.#openPeriod(key);
    let identity = this.#identities.get(block.source);
    if (!identity) this.#identities.set(block.source, (identity = new LineIdentity()));
    const lines: string[] = [];
    for (const each of parsed) {
      const period = this.#periods.get(each.period.key);
      if (period) lines.push(eventLine(this.#project.projectId, this.#eventOf(each, period, identity)));
      else this.#skip('closed', `${block.source}:${each.no}`);
    }
    this.#progress.events += lines.length;
    return { text: lines.join(''), events: lines.length };
  }

  #parse(buffer: Buffer, start: number, end: number, now: number): Omit<Parsed, 'no'> | Skipped {
    const record = readLogLine(buffer, start, end);
    if (typeof record === 'string') return record;
    const seen = seenIn(record);
    if (typeof seen === 'string') return seen;
    const { timestampMs } = record;
    const { floorDay } = this.#project;
    const day = dayOf(timestampMs);
    const isKept = floorDay === null || day >= floorDay;
    if (timestampMs < EARLIEST || timestampMs > now + DAY_MS || !isKept) return 'out_of_range';
    const period = this.#calendar.periodOf(day);
    if (isClosed(period, dayOf(now))) return 'closed';
    const page = { path: seen.path, format: seen.format, missing: seen.kind === 'not-found' };
    return { record, page, period, line: { buffer, start, end } };
  }

  #eventOf({ record, page, line }: Parsed, { key, client }: Period, identity: LineIdentity): StoredEvent {
    const userAgent = record.userAgent?.slice(0, MAX_USER_AGENT).toWellFormed().replaceAll('\0', '') ?? null;
    const known = client(record.ip, userAgent);
    const found = known[page.format];
    return {
      id: record.requestId
        ? identity.ofRequest(key, record.requestId)
        : identity.ofLine(key, line.buffer, line.start, line.end),
      time: Math.floor(record.timestampMs),
      path: page.path,
      visitor: known.visitor,
      class: found.class,
      classGiven: false,
      userAgent,
      agent: found.agent,
      format: page.format,
      referrer: record.referrer ? hostOf(record.referrer) : null,
      notFound: page.missing,
      classifier: found.version,
    };
  }

  async #openPeriod(period: string): Promise<void> {
    if (this.#periods.has(period)) return;
    const { projectId, settings } = this.#project;
    const salt = await this.#salts.of(projectId, period, settings.analyticsSalts);
    if (!salt) {
      await this.#refresh();
      const isSame = JSON.stringify(settings.analyticsSalts) === JSON.stringify(this.#project.settings.analyticsSalts);
      if (!isSame) throw new Error('The salt policy of the project was changed meanwhile. Import the log again.');
      this.#periods.set(period, null);
      return;
    }
    this.#periods.set(period, {
      key: createHmac('sha256', salt).update('log lines').digest(),
      client: visitorCache<Client>(CLIENTS, (ip, userAgent) => ({
        visitor: visitorOf(salt, {
          ip: canonicalAddress(ip) ?? ip,
          userAgent: userAgent ?? '',
        }),
        html: classify({ userAgent, format: 'html' }),
        md: classify({ userAgent, format: 'md' }),
      })),
    });
  }

  /** An import that follows a log runs for months: what was set meanwhile counts, and salts that are destroyed are let go of. */
  async #refresh(): Promise<void> {
    const project = await ensureAnalytics(this.#db, this.#project.projectId);
    if (!project) throw new Error('The project was deleted meanwhile.');
    this.#project = project;
    this.#calendar = new SaltCalendar(project.settings.analyticsSalts);
    this.#readAt = performance.now();
    const today = dayOf(this.#now());
    for (const key of this.#periods.keys()) {
      if (isClosed({ endDay: this.#calendar.endOf(key) }, today)) this.#periods.delete(key);
    }
    this.#salts.forgetOld();
  }

  #skip(reason: Skipped, place: string): void {
    const { skipped } = this.#progress;
    let entry = skipped.get(reason);
    if (!entry) skipped.set(reason, (entry = { count: 0, examples: [] }));
    entry.count += 1;
    if (entry.examples.length < EXAMPLES) entry.examples.push(place);
  }
}

/** Collects lines of events in a temporary file, and seals it when it is worth it. */
class EventSink {
  readonly #deps: StorageDeps;
  readonly #projectId: string;
  #file: { name: string; handle: FileHandle; events: number; openedAt: number } | null = null;

  constructor(deps: StorageDeps, projectId: string) {
    this.#deps = deps;
    this.#projectId = projectId;
  }

  /** How long the first of what was collected has been waiting, in milliseconds. */
  get age(): number {
    return this.#file ? performance.now() - this.#file.openedAt : 0;
  }

  async write({ text, events }: { text: string; events: number }): Promise<void> {
    if (events === 0) return;
    if (!this.#file) {
      const name = path.join(this.#deps.folder.temporaryFolder, `${newId()}.ndjson`);
      this.#file = { name, handle: await open(name, 'wx', 0o600), events: 0, openedAt: performance.now() };
    }
    await this.#file.handle.write(text);
    this.#file.events += events;
    if (this.#file.events >= FILE_EVENTS) await this.flush();
  }

  /** Puts what was collected into the project's inbox, durably. */
  async flush(): Promise<void> {
    const file = this.#file;
    if (!file) return;
    const { database, duck, folder } = this.#deps;
    await file.handle.close();
    const table = `import_${newId()}`;
    const sealed = await duck.use(async (session) => {
      await session.run(`CREATE TEMP TABLE ${table} AS ${EVENT_LINES}`, { file: file.name });
      try {
        return await writeParquet(session, folder, { projectId: this.#projectId, family: 'inbox' }, table);
      } finally {
        await session.run(`DROP TABLE ${table}`);
      }
    });
    this.#file = null;
    await rm(file.name, { force: true });
    if (!sealed) return;
    faultPoint('import-written');
    await database.db.transaction((tx) => addToInbox(tx, this.#projectId, [sealed], `import/${sealed.id}`));
  }

  /** Throws away what was not sealed. */
  async close(): Promise<void> {
    if (!this.#file) return;
    await this.#file.handle.close().catch(() => {}); // It may be closed already.
    await rm(this.#file.name, { force: true });
  }
}

const hosts = new Map<string, string | null>();

function hostOf(referrer: string): string | null {
  let host = hosts.get(referrer);
  if (host === undefined) {
    if (hosts.size > 50_000) hosts.clear();
    host =
      URL.parse(referrer)
        ?.hostname.toLowerCase()
        .replace(/^www\./, '')
        .slice(0, 253) || null;
    hosts.set(referrer, host);
  }
  return host;
}
