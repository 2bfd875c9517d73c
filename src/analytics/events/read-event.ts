import { hash, randomBytes } from 'node:crypto';
import { VISITOR_CLASSES } from '@docent/access-log/event-kind';
import { utmHost } from '@docent/access-log/pages/channels';
import { parseInstant } from '@docent/base/instant';
import { VIEW_FORMATS, type ViewFormat } from '@docent/access-log/event-kind';
import type { StoredEvent } from './event.ts';
import { type Untimely, untimely } from './event-time.ts';
import { type NormalizedPath, normalizePath } from '@docent/access-log/pages/normalize-path';
import { hostOfReferrer } from '@docent/access-log/pages/referrer-host';
import { type ClaimChecks, LISTED_ONLY } from '@docent/access-log/agents/check-claim';
import { rawPathOf, type SignedRequest } from '@docent/access-log/agents/signatures';
import { knownAgent } from '@docent/access-log/agents/user-agent';
import { addressOf, clientSource, type VisitorSource } from './visitor.ts';
import { Expected, isExpected } from '../../platform/errors.ts';

export interface ReadEvent {
  /** Null if the sender gave none. */
  id: string | null;
  event: Omit<StoredEvent, 'id' | 'visitor'>;
  /** Resolves when a lookup has changed `event`; null if it takes none. */
  lookup: Promise<void> | null;
  source: VisitorSource;
}

const MAX_ID = 255;
const MAX_VISITOR = 255;

interface ReadContext {
  now: number;
  floorDay: number | null;
  /** Default: no lookups. */
  claims?: ClaimChecks;
}

/** Reads a client's event. @param input parsed, or why it could not be @throws Expected `event_refused` */
export function readEvent(input: unknown, context: ReadContext): ReadEvent {
  if (isExpected(input, 'event_refused')) throw input;
  if (!isFields(input)) refuse('An event must be an object.');
  const time = readTime(input.timestamp, context);
  const page = readPage(input);
  const agent = knownAgent(textIn(input, 'userAgent'));
  const ip = textIn(input, 'ip');
  const said = oneOf(input, 'format', VIEW_FORMATS) ?? page.format;
  // An llms.txt file is Markdown, and senders go by the type of its contents.
  const format = said === 'md' && page.format === 'llms.txt' ? page.format : said;
  const address = ip && addressOf(ip);
  const signed = readSignature(input, format);
  const checked = (context.claims ?? LISTED_ONLY).check({ agent, format, address, signed, at: time });
  const given = oneOf(input, 'class', VISITOR_CLASSES);
  const id = opaqueIn(input, 'id', MAX_ID);
  const referrer = textIn(input, 'referrer');
  const { value: kind } = checked instanceof Promise ? agent.kinds[format].unknown : checked;
  const event = {
    ...kind,
    time,
    path: page.path,
    class: given ?? kind.class,
    classGiven: given !== null,
    referrer: (referrer === null ? null : hostOfReferrer(referrer)) ?? page.source,
    notFound: readFlag(input, 'notFound'),
  };
  return {
    id: id ? hashId(id) : null,
    event,
    lookup:
      checked instanceof Promise
        ? checked.then(({ value }) => void Object.assign(event, value, { class: given ?? value.class }))
        : null,
    source: readVisitor(input, agent.userAgent),
  };
}

type Fields = Record<string, unknown>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The 128 bits under which an event's id is kept. */
const hashId = (id: string): string => hash('sha256', id, 'hex').slice(0, 32);

export const randomId = (): string => randomBytes(16).toString('hex');

const UNTIMELY: Record<Untimely, string> = {
  early: '`timestamp` is before the year 2000.',
  future: '`timestamp` is more than a day in the future.',
  dropped: '`timestamp` is before the days that are kept.',
};

function readTime(value: unknown, context: { now: number; floorDay: number | null }): number {
  const time =
    typeof value === 'string' ? parseInstant(value, Math.floor) : typeof value === 'number' ? Math.floor(value) : null;
  if (time === null || !Number.isFinite(time)) {
    refuse('`timestamp` must be an RFC 3339 date-time or milliseconds since 1970.');
  }
  const problem = untimely(time, context);
  if (problem) refuse(UNTIMELY[problem]);
  return time;
}

function readPage(fields: Fields): NormalizedPath & { source: string | null } {
  const given = textIn(fields, 'path') ?? textIn(fields, 'url');
  if (!given) refuse('`path` or `url` is missing.');
  const page = normalizePath(given) ?? refuse('`path` or `url` is not a page.');
  return { ...page, source: utmHost(given)?.value ?? null };
}

/** The parts of the request that its signature covers; null if the client did not sign. */
function readSignature(fields: Fields, format: ViewFormat): SignedRequest | null {
  const signature = textIn(fields, 'signature');
  const signatureInput = textIn(fields, 'signatureInput');
  if (!signature || !signatureInput) return null;
  const signatureAgent = textIn(fields, 'signatureAgent');
  const given = textIn(fields, 'path') ?? textIn(fields, 'url') ?? '';
  const authority = textIn(fields, 'authority') ?? URL.parse(given)?.host;
  if (!authority) return null;
  // Only GET and, for MCP, POST requests are page views.
  const method = format === 'mcp' ? 'POST' : 'GET';
  return { signature, signatureInput, signatureAgent, authority, method, path: rawPathOf(given) };
}

function readVisitor(fields: Fields, userAgent: string | null): VisitorSource {
  const visitorId = opaqueIn(fields, 'visitorId', MAX_VISITOR);
  if (visitorId) return { visitorId };
  const ip = textIn(fields, 'ip');
  if (!ip) refuse('`visitorId`, or `ip` with `userAgent`, is missing.');
  const source = clientSource(ip, userAgent ?? '');
  if (!source) refuse('`ip` is not an IP address.');
  if (userAgent === null) refuse('`userAgent` is required with `ip`.');
  return source;
}

function readFlag(fields: Fields, name: string): boolean {
  const value = fields[name] ?? false;
  if (typeof value !== 'boolean') refuse(`\`${name}\` must be true or false.`);
  return value;
}

function textIn(fields: Fields, name: string): string | null {
  const value = fields[name] ?? null;
  if (value !== null && typeof value !== 'string') refuse(`\`${name}\` must be a string.`);
  return value;
}

/** A text that is kept or compared as it is. */
function opaqueIn(fields: Fields, name: string, max: number): string | null {
  const value = textIn(fields, name);
  if (value === null) return null;
  if (value.length > max) refuse(`\`${name}\` has more than ${max.toLocaleString('en-US')} characters.`);
  if (value.includes('\0')) refuse(`\`${name}\` contains the character U+0000.`);
  if (!value.isWellFormed()) refuse(`\`${name}\` contains an unpaired surrogate.`);
  return value;
}

function oneOf<T extends string>(fields: Fields, name: string, values: readonly T[]): T | null {
  const value = fields[name] ?? null;
  if (value === null) return null;
  return values.find((each) => each === value) ?? refuse(`\`${name}\` must be one of ${values.join(', ')}.`);
}

function refuse(message: string): never {
  throw new Expected('event_refused', message);
}
