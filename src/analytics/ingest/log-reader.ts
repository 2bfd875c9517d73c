import { createHmac } from 'node:crypto';
import { canonicalAddress, type IpRange } from '@docent/base/net/ip-address';
import { ensureAnalytics, type AnalyticsProject } from '../../store/analytics/manifest.ts';
import type { Db } from '../../store/database.ts';
import { dayOf } from '../events/days.ts';
import type { EventBatch } from './event-batch.ts';
import { untimely } from '../events/event-time.ts';
import { ClientVisitors } from './client-visitors.ts';
import { loadAgentLists } from './agent-lists.ts';
import { rawPathOf, type SignedRequest } from '@docent/access-log/agents/signatures';
import { type ClaimChecks, LISTED_ONLY } from '@docent/access-log/agents/check-claim';
import { knownAgent, type KnownAgent } from '@docent/access-log/agents/user-agent';
import type { EventKind } from '@docent/access-log/event-kind';
import type { SharedValue } from '@docent/access-log/shared-value';
import { LineIdentity } from '@docent/access-log/lines/line-identity';
import type { LogText } from '@docent/access-log/lines/log-text';
import { LineReader, learnLayout, type LearnedLayout } from '@docent/access-log/lines/line-reader';
import { looksLike } from '@docent/access-log/lines/known-layouts';
import type { LogFormat } from '@docent/access-log/lines/log-format';
import { clientBehind, type ClientCounts } from '@docent/access-log/lines/log-clients';
import { endsOf } from '@docent/access-log/files/log-end';
import { fileBefore, isContinued } from '@docent/access-log/files/rotations';
import { NO_VIEWS, seenIn } from '@docent/access-log/lines/page-view';
import type { NoView, SeenPage } from '@docent/access-log/lines/target';
import { LINE_PROBLEMS, type LineProblem, type LogRecord } from '@docent/access-log/lines/record';
import type { LineVisitor, LogBlock } from '@docent/access-log/files/line-splitter';
import { referrerHost, type ReferrerHost } from '@docent/access-log/pages/referrer-host';
import { isClosed, SaltCalendar, type SaltPeriod } from '../events/salt-calendar.ts';
import { Salts } from '../events/salts.ts';
import { visitorOf } from '../events/visitor.ts';
import { Refused } from '@docent/base/refused';

export type Skipped = LineProblem | NoView | 'out_of_range' | 'closed' | 'erased';

/** The meaning of each reason, for people. */
export const SKIPPED: Record<Skipped, string> = {
  ...LINE_PROBLEMS,
  ...NO_VIEWS,
  out_of_range: 'The time is before the year 2000, in the future, or before the days that are kept.',
  closed:
    'The salt of that period was destroyed, so visitors cannot be identified. See the salt policy of the project.',
  erased: 'The visitor was erased after this request.',
};

export interface ImportProgress {
  lines: number;
  /** Page views and broken links, whether new or not. */
  events: number;
  /** The new ones among them. Counted on request, when their files are written. */
  newEvents: number;
  /** Why not all new ones could be counted, as a sentence; null if they were. */
  uncounted: string | null;
  /** The time of the newest event, in milliseconds since 1970. */
  lastTime: number | null;
  /** Lines that are requests, whether they count or not. */
  understood: number;
  /** The shape of the first line that is not a request; null for none. */
  looksLike: string | null;
  /** The parsed first lines of each source. */
  samples: { source: string; records: LogSample[] }[];
  /** The clients of all requests. */
  clients: ClientCounts;
  /**
   * By reason: the number, and the first positions as `source:line`. Never the lines themselves: they contain
   * addresses.
   */
  skipped: Map<Skipped, { count: number; examples: string[] }>;
}

/** One request as it was read, to be shown to the operator. */
export interface LogSample {
  /** The client's address without its end. */
  client: string;
  time: string;
  request: string;
  status: number;
  userAgent: string | null;
}

/** The operator's options for reading logs. */
export interface ReadOptions {
  /** The layout of all lines; absent: detected for each line. */
  format?: LogFormat;
  /** Proxies whose list of addresses is trusted. */
  trustedProxies?: readonly IpRange[];
  /** Default: no lookups. */
  claims?: ClaimChecks;
}

const EXAMPLES = 3;
/** Lines from which the layout of a log is learned. */
const LEARNED = 1_000;
/** Lines that identify a copy of a log. */
const HEAD_LINES = 5;
/** How often an import reads the project's settings. */
const REFRESH_MS = 10_000;
const CLIENTS = 1 << 18;

/** A line with an event. */
interface PageLine extends Line {
  readonly record: LogRecord;
  readonly page: SeenPage;
  readonly agent: KnownAgent;
  readonly kind: SharedValue<EventKind> | Promise<SharedValue<EventKind>>;
  readonly period: SaltPeriod;
}

/** The state of lines that share a salt. */
interface Period {
  /** A number that is unique in this reader, from 1. */
  readonly no: number;
  readonly salt: Buffer;
  /** Keys the lines' identities. */
  readonly key: Buffer;
}

/** Turns blocks of log lines into events. */
export class LogReader {
  readonly #db: Db;
  #project: AnalyticsProject;
  #calendar: SaltCalendar;
  #readAt = performance.now();
  readonly #progress: ImportProgress;
  readonly #now: () => number;
  readonly #salts: Salts;
  readonly #visitors = new ClientVisitors(CLIENTS);
  /** One entry per log that is being read. */
  readonly #logs = new WeakMap<object, OpenLog>();
  #last: OpenLog | null = null;
  readonly #options: ReadOptions;
  /** Null if the salt is destroyed. */
  readonly #periods = new Map<string, Period | null>();
  #opened = 0;

  constructor(
    db: Db,
    project: AnalyticsProject,
    progress: ImportProgress,
    now: () => number,
    options: ReadOptions = {},
  ) {
    this.#options = options;
    this.#db = db;
    this.#project = project;
    this.#calendar = new SaltCalendar(project.settings.analyticsSalts);
    this.#progress = progress;
    this.#now = now;
    this.#salts = new Salts(db);
  }

  /**
   * Adds the events of a block to a batch.
   * @throws Refused if the first lines of a log do not agree on their layout
   */
  async read(block: LogBlock, batch: EventBatch): Promise<void> {
    if (performance.now() - this.#readAt > REFRESH_MS) await this.#refresh();
    const context = { now: this.#now(), floorDay: this.#project.floorDay };
    const today = dayOf(context.now);
    const { lines, log } = this.#logOf(block);
    if (lines) await this.#countBefore(log);
    // Lines are counted in order, so all wait behind one that needs a salt or a lookup.
    const waiting: PageLine[] = [];
    const { trustedProxies: trusted = [], claims = LISTED_ONLY } = this.#options;
    const { identity } = log;
    const visit: LineVisitor = (buffer, start, end, no) => {
      this.#progress.lines += 1;
      const read = log.reader.read(buffer, start, end);
      if (typeof read === 'string') {
        if (read !== 'comment')
          this.#progress.looksLike ??= looksLike(buffer.toString('utf8', start, end).slice(0, 8_000));
        return this.#skip(read, block, no);
      }
      const record = trusted.length > 0 && read.forwardedFor ? { ...read, ip: clientBehind(read, trusted) } : read;
      this.#progress.understood += 1;
      this.#progress.clients.add(record);
      log.lastTime = record.timestampMs;
      const page = seenIn(record);
      if (typeof page === 'string') return this.#skip(page, block, no);
      const { timestampMs } = record;
      if (untimely(timestampMs, context)) return this.#skip('out_of_range', block, no);
      const period = this.#calendar.periodOf(dayOf(timestampMs));
      if (isClosed(period, today)) return this.#skip('closed', block, no);
      const open = waiting.length === 0 ? this.#periods.get(period.key) : undefined;
      const { userAgent } = record;
      const agent = userAgent === null ? knownAgent(null) : (userAgent.known ??= knownAgent(userAgent.text));
      const format = record.isMarkdown && page.format === 'html' ? 'md' : page.format;
      const { ip: address, timestampMs: at } = record;
      const kind = claims.check({ agent, format, address, signed: signedIn(record), at });
      const line = { record, page, agent, kind, period, buffer, start, end, no };
      if (open && !(kind instanceof Promise)) this.#add(batch, line, kind, open, identity);
      else waiting.push(line);
    };
    if (lines) for (const { buffer, start, end, no } of lines) visit(buffer, start, end, no);
    else block.forEachLine(visit);
    for (const key of new Set(waiting.map((each) => each.period.key))) await this.#open(key);
    for (const line of waiting) {
      const kind = await line.kind;
      const open = this.#periods.get(line.period.key);
      if (open) this.#add(batch, line, kind, open, identity);
      else this.#skip('closed', block, line.no);
    }
  }

  #add(
    batch: EventBatch,
    { record, page, agent, buffer, start, end }: PageLine,
    kind: SharedValue<EventKind>,
    { no, salt, key }: Period,
    identity: LineIdentity,
  ): void {
    const { ip, requestId, referrer } = record;
    const visitors = this.#visitors;
    visitors.find(no, agent.no, ip, () =>
      visitorOf(salt, { ip: canonicalAddress(ip) ?? ip, userAgent: agent.userAgent ?? '' }),
    );
    if (requestId) identity.ofRequest(key, requestId);
    else identity.ofLine(key, buffer, start, end);
    this.#progress.events += 1;
    this.#progress.lastTime = Math.max(this.#progress.lastTime ?? 0, record.timestampMs);
    batch.add({
      id: identity.id,
      time: record.timestampMs,
      path: page.path,
      visitorHigh: visitors.high,
      visitorLow: visitors.low,
      kind,
      referrer: (referrer === null ? null : hostOf(referrer)) ?? page.source,
      notFound: page.kind === 'not-found',
    });
  }

  /** The log of a block; for the first one also its lines, from which the layout is learned. */
  #logOf(block: LogBlock): { log: OpenLog; lines: Line[] | null } {
    const known = this.#logs.get(block.log);
    if (known) return { log: known, lines: null };
    const lines: Line[] = [];
    block.forEachLine((buffer, start, end, no) => lines.push({ buffer, start, end, no }));
    const reader = new LineReader(this.#options.format);
    const layout = learnLayout(lines.slice(0, LEARNED));
    if (layout.isUnclear && !this.#options.format) {
      throw new Refused(
        `The lines of ${block.source} have no consistent user agent field. Set the format with --format.`,
      );
    }
    reader.use(layout);
    const records = sampled(lines, layout, this.#options.format);
    const head = lines.slice(0, HEAD_LINES).map(({ buffer, start, end }) => buffer.toString('latin1', start, end));
    const identity = this.#identityFor(block.source, head, records[0]);
    const log: OpenLog = {
      source: block.source,
      reader,
      lastTime: null,
      head,
      identity: identity ?? new LineIdentity(),
      beginsAt: identity ? null : (records[0]?.timestampMs ?? null),
    };
    this.#progress.samples.push({ source: block.source, records: records.slice(0, EXAMPLES).map(shown) });
    this.#logs.set(block.log, log);
    this.#last = log;
    return { log, lines };
  }

  /**
   * A file that continues the previous one is the same log: two equal requests, one in each, are two. A copy
   * of that file, which begins as it does, is the same log again.
   */
  #identityFor(source: string, head: readonly string[], first: LogRecord | undefined): LineIdentity | null {
    const last = this.#last;
    if (!last || !first || last.lastTime === null || !isContinued(last.source, source)) return null;
    const isCopy = last.head.length > 1 && head.every((line, i) => line === last.head[i]);
    return !isCopy && first.timestampMs >= last.lastTime ? last.identity : null;
  }

  /**
   * The same if the previous file is not part of this import, but still beside the log: its requests in the
   * first second of the log came before.
   */
  async #countBefore({ source, head, beginsAt, reader, identity }: OpenLog): Promise<void> {
    if (beginsAt === null || source === '-') return;
    const before = await fileBefore(source);
    if (before === null) return;
    const ends = await endsOf(before, HEAD_LINES);
    const isCopy = head.length > 1 && head.every((line, i) => ends?.head[i]?.toString('latin1') === line);
    if (!ends || isCopy) return;
    for (const line of ends.tail) {
      const record = reader.read(line, 0, line.length);
      if (typeof record === 'string' || record.requestId || record.timestampMs < beginsAt) continue;
      const { key } = this.#calendar.periodOf(dayOf(record.timestampMs));
      await this.#open(key);
      const open = this.#periods.get(key);
      if (open) identity.ofLine(open.key, line, 0, line.length);
    }
  }

  async #open(period: string): Promise<void> {
    if (this.#periods.has(period)) return;
    const { projectId, settings } = this.#project;
    const salt = await this.#salts.of(projectId, period, settings.analyticsSalts);
    if (!salt) {
      await this.#refresh();
      const isSame = JSON.stringify(settings.analyticsSalts) === JSON.stringify(this.#project.settings.analyticsSalts);
      if (!isSame) throw new Error('The salt policy of the project changed during the import. Import the log again.');
      this.#periods.set(period, null);
      return;
    }
    this.#opened += 1;
    this.#periods.set(period, {
      no: this.#opened,
      salt,
      key: createHmac('sha256', salt).update('log lines').digest(),
    });
  }

  /** An import that follows a log runs for months: it applies new settings, and drops destroyed salts. */
  async #refresh(): Promise<void> {
    await loadAgentLists(this.#db);
    const project = await ensureAnalytics(this.#db, this.#project.projectId);
    if (!project) throw new Error('The project was deleted during the import.');
    this.#project = project;
    this.#calendar = new SaltCalendar(project.settings.analyticsSalts);
    this.#readAt = performance.now();
    const today = dayOf(this.#now());
    for (const key of this.#periods.keys()) {
      if (!isClosed({ endDay: this.#calendar.endOf(key) }, today)) continue;
      this.#periods.delete(key);
      this.#visitors.forget();
    }
  }

  #skip(reason: Skipped, { source }: LogBlock, no: number): void {
    const { skipped } = this.#progress;
    let entry = skipped.get(reason);
    if (!entry) skipped.set(reason, (entry = { count: 0, examples: [] }));
    entry.count += 1;
    if (entry.examples.length < EXAMPLES) entry.examples.push(`${source}:${no}`);
  }
}

/** A log that is being read. */
interface OpenLog {
  readonly source: string;
  readonly reader: LineReader;
  /** Its first lines. */
  readonly head: readonly string[];
  readonly identity: LineIdentity;
  /** The time of its first request, if no file of this import comes before it; else null. */
  readonly beginsAt: number | null;
  /** The time of its last request so far. */
  lastTime: number | null;
}

interface Line {
  buffer: Buffer;
  start: number;
  end: number;
  no: number;
}

/** The first requests of a log. */
function sampled(lines: readonly Line[], layout: LearnedLayout, format?: LogFormat): LogRecord[] {
  const reader = new LineReader(format);
  reader.use(layout);
  const records: LogRecord[] = [];
  for (const { buffer, start, end } of lines.slice(0, LEARNED)) {
    const record = reader.read(buffer, start, end);
    if (typeof record !== 'string') records.push(record);
    if (records.length >= EXAMPLES) break;
  }
  return records;
}

function shown({ ip, timestampMs, method, pathOrUrl, status, userAgent }: LogRecord): LogSample {
  return {
    client: withoutEnd(ip),
    time: new Date(timestampMs).toISOString(),
    request: `${method} ${pathOrUrl.text}`,
    status,
    userAgent: userAgent && userAgent.text,
  };
}

/** Enough of an address to recognize it as one. Whole addresses are never shown. */
function withoutEnd(address: string): string {
  const shown = address.includes(':') ? /^(?:[^:]*:){1,3}/.exec(address)?.[0] : /^.*\./.exec(address)?.[0];
  return `${shown ?? address.slice(0, 1)}…`;
}

function signedIn({ signed, method, pathOrUrl }: LogRecord): SignedRequest | null {
  return signed === undefined ? null : { ...signed, method, path: rawPathOf(pathOrUrl.text) };
}

function hostOf(referrer: LogText<ReferrerHost>): ReferrerHost {
  if (referrer.known === undefined) referrer.known = referrerHost(referrer.text);
  return referrer.known;
}
