import { hash, randomBytes } from 'node:crypto';
import { canonicalAddress } from '../../platform/net/ip-address.ts';
import { VISITOR_CLASSES, type VisitorClass } from '../../store/analytics-settings.ts';
import { DAY_MS, dayOf, parseInstant } from './days.ts';
import { hostOfReferrer } from './referrer-host.ts';

export const PAGE_FORMATS = ['html', 'md'] as const;
export type PageFormat = (typeof PAGE_FORMATS)[number];

/** An event as it is kept. */
export interface StoredEvent {
  /** 128 bits in hex. */
  id: string;
  time: number;
  path: string;
  /** 64 bits. */
  visitor: bigint;
  class: VisitorClass;
  /** Whether the sender said the class: a reclassification then leaves it alone. */
  classGiven: boolean;
  userAgent: string | null;
  agent: string | null;
  format: PageFormat;
  referrer: string | null;
  notFound: boolean;
  classifier: number;
}

/** What an event's text means. */
export interface EventRules {
  /** The page of a path or URL: no query, fragment, final slash, `index`; `.md` is the same page as Markdown. Null for none. */
  normalisePath(pathOrUrl: string): { path: string; format: PageFormat } | null;
  classify(input: { userAgent: string | null; format: PageFormat }): {
    class: VisitorClass;
    agent: string | null;
    version: number;
  };
}

/** What is known of a visitor before its id is made. */
export type VisitorSource = { visitorId: string } | { ip: string; userAgent: string };

export interface ReadEvent {
  /** Null where the sender gave none. */
  id: string | null;
  event: Omit<StoredEvent, 'id' | 'visitor'>;
  source: VisitorSource;
}

/** An event cannot be taken. The message is for its sender and holds nothing of what was sent. */
export class EventRefused extends Error {}

const MAX_PATH = 2_048;
const MAX_ID = 255;
const MAX_VISITOR = 255;
const MAX_USER_AGENT = 1_024;
const EARLIEST = Date.UTC(2000, 0, 1);

/** Reads one event of a client. @throws EventRefused */
export function readEvent(
  input: unknown,
  rules: EventRules,
  context: { now: number; floorDay: number | null },
): ReadEvent {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) refuse('An event must be an object.');
  const fields = input as Record<string, unknown>;
  const time = readTime(fields.timestamp, context);
  const page = readPage(fields, rules);
  const userAgent = optionalText(fields, 'userAgent', Infinity)?.slice(0, MAX_USER_AGENT).toWellFormed() ?? null;
  const format = oneOf(fields, 'format', PAGE_FORMATS) ?? page.format;
  const given = oneOf(fields, 'class', VISITOR_CLASSES);
  const found = rules.classify({ userAgent, format });
  const id = optionalText(fields, 'id', MAX_ID);
  return {
    id: id ? hashId(id) : null,
    event: {
      time,
      path: page.path,
      class: given ?? found.class,
      classGiven: given !== null,
      userAgent,
      agent: found.agent,
      format,
      referrer: readReferrer(fields),
      notFound: readFlag(fields, 'notFound'),
      classifier: found.version,
    },
    source: readVisitor(fields, userAgent),
  };
}

/** The 128 bits under which an event's id is kept. */
export const hashId = (id: string): string => hash('sha256', id, 'hex').slice(0, 32);

export const randomId = (): string => randomBytes(16).toString('hex');

/** The event as one line of JSON. By hand: JSON.stringify cannot write 64-bit numbers, and this is the hot path. */
export function eventLine(projectId: string, event: StoredEvent): string {
  return (
    `{"p":"${projectId}","i":"${event.id}","t":${event.time},"u":${text(event.path)},"v":${event.visitor},"c":"${event.class}",` +
    `"g":${event.classGiven},"a":${text(event.userAgent)},"n":${text(event.agent)},"f":"${event.format}",` +
    `"r":${text(event.referrer)},"m":${event.notFound},"k":${event.classifier}}\n`
  );
}

const text = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value));

function readTime(value: unknown, { now, floorDay }: { now: number; floorDay: number | null }): number {
  const time = typeof value === 'string' ? parseInstant(value) : typeof value === 'number' ? Math.floor(value) : null;
  if (time === null || !Number.isFinite(time)) {
    refuse('`timestamp` must be a date-time of RFC 3339, or milliseconds since 1970.');
  }
  if (time < EARLIEST) refuse('`timestamp` lies before the year 2000.');
  if (time > now + DAY_MS) refuse('`timestamp` lies more than a day in the future.');
  if (floorDay !== null && dayOf(time) < floorDay) refuse('`timestamp` lies before the days that are kept.');
  return time;
}

function readPage(fields: Record<string, unknown>, rules: EventRules): { path: string; format: PageFormat } {
  const given = optionalText(fields, 'path', MAX_PATH) ?? optionalText(fields, 'url', MAX_PATH);
  if (!given) refuse('`path` or `url` is missing.');
  const page = rules.normalisePath(given);
  if (!page || page.path.length > MAX_PATH) refuse('`path` or `url` names no page.');
  return { ...page, path: page.path.toWellFormed() };
}

function readVisitor(fields: Record<string, unknown>, userAgent: string | null): VisitorSource {
  const visitorId = optionalText(fields, 'visitorId', MAX_VISITOR);
  if (visitorId) return { visitorId };
  const ip = optionalText(fields, 'ip', 100);
  if (!ip) refuse('`visitorId`, or `ip` with `userAgent`, is missing.');
  const address = canonicalAddress(ip);
  if (address === null) refuse('`ip` is no IP address.');
  if (userAgent === null) refuse('`userAgent` is missing beside `ip`.');
  return { ip: address, userAgent };
}

function readReferrer(fields: Record<string, unknown>): string | null {
  const given = optionalText(fields, 'referrer', Infinity);
  return given === null ? null : hostOfReferrer(given);
}

function readFlag(fields: Record<string, unknown>, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') refuse(`\`${name}\` must be true or false.`);
  return value;
}

function optionalText(fields: Record<string, unknown>, name: string, max: number): string | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  if (typeof value !== 'string') refuse(`\`${name}\` must be a string.`);
  if (value.length > max) refuse(`\`${name}\` has more than ${max.toLocaleString('en-US')} characters.`);
  if (value.includes('\0')) refuse(`\`${name}\` holds the character U+0000.`);
  if (!value.isWellFormed()) refuse(`\`${name}\` holds an unpaired surrogate.`);
  return value;
}

function oneOf<T extends string>(fields: Record<string, unknown>, name: string, values: readonly T[]): T | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  if (!values.includes(value as T)) refuse(`\`${name}\` must be one of ${values.join(', ')}.`);
  return value as T;
}

function refuse(message: string): never {
  throw new EventRefused(message);
}
