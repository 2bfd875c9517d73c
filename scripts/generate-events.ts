/**
 * Generates a docs site's traffic, the same for the same options, for the demo, the benchmarks and the tests.
 *
 *   node scripts/generate-events.ts --events 1000000 --days 30 --paths 2000 > events.ndjson
 *   node scripts/generate-events.ts --events 1000000 --format log --model rare > access.log
 */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { DAY_MS } from '@docent/base/time';
import { mix, randomFrom } from './random.ts';

export interface TrafficOptions {
  readonly events: number;
  readonly days: number;
  /** How many pages, or their names with the most read one first. */
  readonly paths: number | readonly string[];
  /** Default 1. */
  readonly seed?: number;
  /**
   * `returning` (the default): half of the visitors come once; of the others few come very often and most now
   * and then, over the whole time, each to its favorite pages. `rare`: nearly every visitor comes on one day
   * only.
   */
  readonly model?: 'returning' | 'rare';
  /** The first day's midnight, UTC, in milliseconds since 1970. */
  readonly start?: number;
}

export interface GeneratedEvent {
  readonly id: string;
  /** Milliseconds since 1970; never less than that of the event before. */
  readonly timestamp: number;
  readonly path: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly referrer: string | null;
  readonly format: 'html' | 'md';
  readonly notFound: boolean;
  /** The visitor's number, from 0, for exact counts. */
  readonly visitor: number;
}

const DEFAULT_START = Date.UTC(2026, 9, 1);
const VIEWS_PER_VISITOR = { returning: 24, rare: 4 };
/** Views of visitors who come to one page and never again: they make up half of all visitors. */
const SINGLE_VIEWS = 0.05;
/** The larger, the more of all views a few visitors make. */
const SKEW = 2.2;
const FAVORITES = 6;
const TABLE_BITS = 16;

const BROWSERS = [143, 142, 141, 140, 139, 138].flatMap((version) => [
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`,
  `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36 Edg/${version}.0.0.0`,
  `Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/${version}.0.0.0 Mobile/15E148 Safari/604.1`,
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Mobile Safari/537.36`,
]);
// Agents whose operators publish no addresses: made-up addresses would fail the check.
const ASSISTANTS = [
  'codex_cli_rs/0.56.0 (Ubuntu 24.4.0; x86_64)',
  'Claude-User (claude-code/2.1.83; +https://support.anthropic.com/)',
  'Cursor/2.0.43 (linux)',
  'GeminiCLI/0.9.0 (linux; x64)',
  'opencode/0.14.1',
];
const CRAWLERS = [
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Amazonbot/0.1; +https://developer.amazon.com/support/amazonbot)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
];
const REFERRERS = [
  'https://www.google.com/',
  'https://github.com/',
  'https://chatgpt.com/',
  'https://news.ycombinator.com/',
];
const SECTIONS = ['guides', 'reference', 'concepts', 'api', 'integrations', 'troubleshooting'];

/** The events in order of time, one at a time: 20 million take no more memory than a thousand. */
export function* generateEvents(options: TrafficOptions): Generator<GeneratedEvent> {
  const { events, days, seed = 1, model = 'returning', start = DEFAULT_START } = options;
  const names = typeof options.paths === 'number' ? pageNames(options.paths) : options.paths;
  const pages = popularity(names.length);
  const visitors = Math.max(1, Math.round(events / VIEWS_PER_VISITOR[model]));
  const random = randomFrom(mix(seed, 0x9e3779b9));
  const prefix = `g${seed.toString(36)}${model === 'rare' ? 'r' : ''}-`;
  for (let index = 0; index < events; index += 1) {
    const moment = (index + random()) / events;
    const visitor =
      model === 'rare' ? passingVisitor(moment, visitors, random) : returningVisitor(index, visitors, random);
    const traits = mix(visitor, seed);
    const page = pages[pageTicket(traits, random)]!;
    const kind = traits % 100;
    const notFound = random() < 0.002;
    yield {
      id: prefix + index.toString(36),
      timestamp: start + Math.floor(clockTime(moment * days) * DAY_MS),
      path: notFound ? `/old/page-${page}` : names[page]!,
      ip: addressOf(visitor),
      userAgent: userAgentOf(kind, traits >>> 8),
      referrer: random() < 0.3 ? REFERRERS[traits % REFERRERS.length]! : null,
      format: isAssistant(kind) && (traits & 1) === 1 ? 'md' : 'html',
      notFound,
      visitor,
    };
  }
}

/** An event as the API takes it. */
export function toEventInput(event: GeneratedEvent): Record<string, unknown> {
  const { id, timestamp, path, ip, userAgent, format, referrer, notFound } = event;
  return {
    id,
    timestamp,
    path,
    ip,
    userAgent,
    format,
    ...(referrer === null ? {} : { referrer }),
    ...(notFound ? { notFound } : {}),
  };
}

/** An event as a line of the combined log, without a line break. */
export function toAccessLogLine(event: GeneratedEvent): string {
  const path = event.format === 'md' ? `${event.path === '/' ? '/index' : event.path}.md` : event.path;
  const status = event.notFound ? 404 : 200;
  return `${event.ip} - - [${clfTime(event.timestamp)}] "GET ${path} HTTP/1.1" ${status} ${1_000 + (event.visitor % 9_000)} "${event.referrer ?? '-'}" "${event.userAgent}"`;
}

function pageNames(count: number): string[] {
  return Array.from({ length: count }, (_, n) => {
    const section = SECTIONS[n % SECTIONS.length]!;
    return n === 0 ? '/' : `/${section}/topic-${Math.floor(n / 24)}/page-${n}`;
  });
}

/** 65,536 tickets for pages, the n-th page holding as many as Zipf's law gives it. */
function popularity(count: number): Uint32Array {
  const weights = Array.from({ length: count }, (_, n) => 1 / (n + 1) ** 0.9);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const tickets = new Uint32Array(1 << TABLE_BITS);
  let page = 0;
  let reached = weights[0]! / sum;
  for (let ticket = 0; ticket < tickets.length; ticket += 1) {
    while (page < count - 1 && (ticket + 0.5) / tickets.length > reached) {
      page += 1;
      reached += weights[page]! / sum;
    }
    tickets[ticket] = page;
  }
  return tickets;
}

function pageTicket(traits: number, random: () => number): number {
  if (random() < 0.3) return Math.floor(random() * (1 << TABLE_BITS));
  const favorite = Math.floor(random() ** 2 * FAVORITES);
  return mix(traits, favorite) & ((1 << TABLE_BITS) - 1);
}

function returningVisitor(index: number, visitors: number, random: () => number): number {
  if (random() < SINGLE_VIEWS) return visitors + Math.floor(index * SINGLE_VIEWS);
  return Math.floor(random() ** SKEW * visitors);
}

/** Visitors come in the order of their numbers; one view in twenty is of an earlier visitor. */
function passingVisitor(moment: number, visitors: number, random: () => number): number {
  const now = Math.floor(moment * visitors);
  if (random() < 0.05) return Math.floor(random() * (now + 1));
  return Math.max(0, now - Math.floor(random() * Math.min(40, visitors / 20)));
}

function isAssistant(kind: number): boolean {
  return kind >= 84 && kind < 94;
}

function userAgentOf(kind: number, pick: number): string {
  const list = isAssistant(kind) ? ASSISTANTS : kind < 94 ? BROWSERS : CRAWLERS;
  return list[pick % list.length]!;
}

/** Reserved addresses: 100.64.0.0/10 (RFC 6598), then 2001:db8::/32 (RFC 3849). */
function addressOf(visitor: number): string {
  if (visitor >= 1 << 22) return `2001:db8::${(visitor >>> 16).toString(16)}:${(visitor & 0xffff).toString(16)}`;
  return `100.${64 + (visitor >>> 16)}.${(visitor >>> 8) & 255}.${visitor & 255}`;
}

/** Days with a fraction, bent so that nights are quiet; never goes back. */
function clockTime(day: number): number {
  return day - 0.1 * Math.sin(2 * Math.PI * day);
}

let lastSecond = Number.NaN;
let lastText = '';

function clfTime(timestamp: number): string {
  const second = Math.floor(timestamp / 1_000);
  if (second !== lastSecond) {
    lastSecond = second;
    const [, day, month, year, time] = new Date(timestamp).toUTCString().split(' ');
    lastText = `${day}/${month}/${year}:${time} +0000`;
  }
  return lastText;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '100000' },
      days: { type: 'string', default: '30' },
      paths: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '1' },
      model: { type: 'string', default: 'returning' },
      format: { type: 'string', default: 'ndjson' },
      start: { type: 'string', default: new Date(DEFAULT_START).toISOString().slice(0, 10) },
    },
  });
  const line =
    values.format === 'log' ? toAccessLogLine : (event: GeneratedEvent) => JSON.stringify(toEventInput(event));
  let chunk = '';
  for (const event of generateEvents({
    events: wholeNumber('events', values.events),
    days: wholeNumber('days', values.days),
    paths: wholeNumber('paths', values.paths),
    seed: wholeNumber('seed', values.seed),
    model: values.model === 'rare' ? 'rare' : 'returning',
    start: Date.parse(`${values.start}T00:00:00Z`),
  })) {
    chunk += `${line(event)}\n`;
    if (chunk.length < 1 << 16) continue;
    if (!process.stdout.write(chunk)) await once(process.stdout, 'drain');
    chunk = '';
  }
  process.stdout.write(chunk);
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`--${name} must be a whole number above 0.`);
  return value;
}

if (import.meta.main) await main();
