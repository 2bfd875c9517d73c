import type { IncomingMessage } from 'node:http';
import { AppError, Expected } from '../../platform/errors.ts';
import { readEventBody, type EventBodyOptions } from './event-body.ts';
import { parseEventJson } from './parse-json.ts';
import { mediaTypeOf } from './read-body.ts';

/** Events of one request that are taken together. */
export interface EventSlice {
  /** The position of the first one in the request. */
  first: number;
  events: readonly unknown[];
}

const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024;
const MAX_EVENTS = 1_000;
/** The longest wait, in milliseconds, before the events of a slow stream are stored, however few they are. */
const TAKE_MS = 1_000;
const NEWLINE = 10;
/** Blank lines that a request may have beyond one for each event. */
const MOST_BLANK = 10_000;

/** Replaces a line that is not read: its event is refused with the reason. */
const LINE_TOO_LONG = new Expected(
  'event_refused',
  `The line has more than ${MAX_LINE_BYTES.toLocaleString('en-US')} bytes.`,
);

/**
 * Reads the events of a request: a JSON batch, or lines of NDJSON as they arrive, optionally gzipped. Never
 * holds more than the limits, unpacked. Complete lines are yielded before the error that ends a stream.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_json`, `bad_request`,
 *   `request_timeout`, `unavailable`
 */
export async function* readEventSlices(req: IncomingMessage, options: EventBodyOptions): AsyncGenerator<EventSlice> {
  const type = mediaTypeOf(req);
  if (type === 'application/json') {
    yield { first: 0, events: eventsIn(await whole(readEventBody(req, MAX_JSON_BYTES, options))) };
  } else if (type === 'application/x-ndjson' || type === 'application/ndjson' || type === 'application/jsonl') {
    yield* slicesOf(readEventBody(req, MAX_STREAM_BYTES, options));
  } else {
    throw new AppError('unsupported_media_type', 'Send events as application/json or application/x-ndjson.');
  }
}

function eventsIn(body: Buffer): readonly unknown[] {
  const value = parseEventJson(body);
  const events = typeof value === 'object' && value !== null && 'events' in value ? value.events : undefined;
  if (!Array.isArray(events)) throw new AppError('bad_request', '`events` must be a list of events.');
  if (events.length === 0 || events.length > MAX_EVENTS) {
    throw new AppError('bad_request', '`events` must hold 1 to 1,000 events. Send more as application/x-ndjson.');
  }
  return events;
}

/** @param chunks null in a pause: pending lines are yielded then */
async function* slicesOf(chunks: AsyncIterable<Buffer | null>): AsyncGenerator<EventSlice> {
  const lines = new EventLines();
  let first = 0;
  /** When the first event came of those that wait: a slow stream counts as it comes. */
  let since = 0;
  const taken = () => {
    const slice = { first, events: lines.take() };
    first += slice.events.length;
    return slice;
  };
  let failure: { err: unknown } | null = null;
  try {
    for await (const chunk of chunks) {
      if (lines.waiting === 0) since = performance.now();
      if (chunk) for (const _ of lines.add(chunk)) yield taken();
      const isTime = chunk === null || performance.now() - since >= TAKE_MS;
      if (lines.waiting > 0 && isTime) yield taken();
    }
    lines.end();
  } catch (err) {
    failure = { err };
  }
  if (lines.waiting > 0) yield taken();
  if (failure) throw failure.err;
}

/** Collects the events of lines. */
class EventLines {
  #events: unknown[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #isTooLong = false;
  /** Blank lines minus other lines: those cost no more than their events. */
  #blank = 0;

  get waiting(): number {
    return this.#events.length;
  }

  take(): unknown[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** Yields whenever enough events wait. */
  *add(chunk: Buffer): Generator<void> {
    let bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
      if (end > MAX_LINE_BYTES) this.#isTooLong = true;
      this.#line(bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
      if (this.#events.length >= MAX_EVENTS) yield;
    }
    if (bytes.length > MAX_LINE_BYTES) {
      // The rest of a line that is already too long is dropped.
      this.#isTooLong = true;
      bytes = Buffer.alloc(0);
    }
    this.#rest = bytes;
  }

  /** The last line may lack its end. */
  end(): void {
    if (this.#rest.length > 0 || this.#isTooLong) this.#line(this.#rest);
  }

  /** @throws AppError `bad_request` */
  #line(line: Buffer): void {
    if (!this.#isTooLong && isBlank(line)) {
      this.#blank += 1;
      if (this.#blank > MOST_BLANK)
        throw new AppError('bad_request', 'The body consists mostly of blank lines. Send one event per line.');
      return;
    }
    this.#blank -= 1;
    this.#events.push(this.#isTooLong ? LINE_TOO_LONG : parsedLine(line));
    this.#isTooLong = false;
  }
}

function parsedLine(line: Buffer): unknown {
  try {
    return parseEventJson(line);
  } catch (err) {
    // A body gets the same message.
    if (err instanceof AppError) return new Expected('event_refused', err.message.replace(/^The body/, 'The line'));
    throw err;
  }
}

async function whole(chunks: AsyncIterable<Buffer | null>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const chunk of chunks) if (chunk) parts.push(chunk);
  return Buffer.concat(parts);
}

const isBlank = (line: Buffer): boolean => line.length === 0 || (line.length === 1 && line[0] === 13);
