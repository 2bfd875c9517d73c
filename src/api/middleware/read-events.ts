import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../errors.ts';
import { parseEventJson } from './parse-json.ts';

/** Events of one request that are taken together. */
export interface EventBatch {
  /** The place of the first one in the request. */
  first: number;
  events: readonly unknown[];
}

const MAX_JSON_BYTES = 8 * 1024 * 1024;
const MAX_STREAM_BYTES = 64 * 1024 * 1024;
const MAX_LINE_BYTES = 64 * 1024;
const MAX_BATCH = 1_000;
const NEWLINE = 10;

/** Stands for a line that is no JSON: the event of this line is refused, as every value that is no object. */
const NO_EVENT = null;

/**
 * Reads the events of a request: a JSON batch, or lines of NDJSON as they come in, packed with gzip or not. Never holds more than
 * the bounds say, unpacked.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `invalid_json`, `bad_request`
 */
export async function* readEventBatches(req: IncomingMessage): AsyncGenerator<EventBatch> {
  const type = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === 'application/json') {
    yield { first: 0, events: batchOf(await whole(unpacked(req, MAX_JSON_BYTES))) };
  } else if (type === 'application/x-ndjson' || type === 'application/ndjson' || type === 'application/jsonl') {
    yield* batchesOf(unpacked(req, MAX_STREAM_BYTES));
  } else {
    throw new AppError('unsupported_media_type', 415, 'Send events as application/json or application/x-ndjson.');
  }
}

function batchOf(body: Buffer): readonly unknown[] {
  const value = parseEventJson(body);
  const events = typeof value === 'object' && value !== null && 'events' in value ? value.events : undefined;
  if (!Array.isArray(events)) throw new AppError('bad_request', 400, '`events` must be a list of events.');
  if (events.length === 0 || events.length > MAX_BATCH) {
    throw new AppError('bad_request', 400, '`events` must hold 1 to 1,000 events. Send more as application/x-ndjson.');
  }
  return events;
}

async function* batchesOf(body: Readable): AsyncGenerator<EventBatch> {
  let first = 0;
  let events: unknown[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let tooLong = false;
  const take = (line: Buffer) => {
    if (!tooLong && isBlank(line)) return;
    events.push(tooLong ? NO_EVENT : parsedLine(line));
    tooLong = false;
  };
  for await (const chunk of chunksOf(body)) {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
      if (end > MAX_LINE_BYTES) tooLong = true;
      take(bytes.subarray(0, end));
      bytes = bytes.subarray(end + 1);
      if (events.length < MAX_BATCH) continue;
      yield { first, events };
      first += events.length;
      events = [];
    }
    if (bytes.length > MAX_LINE_BYTES) {
      // The rest of a line that is too long anyway is not kept.
      tooLong = true;
      bytes = Buffer.alloc(0);
    }
    rest = bytes;
  }
  if (rest.length > 0 || tooLong) take(rest);
  if (events.length > 0) yield { first, events };
}

function parsedLine(line: Buffer): unknown {
  try {
    return parseEventJson(line);
  } catch (err) {
    if (err instanceof AppError) return NO_EVENT;
    throw err;
  }
}

/** The body's bytes, unpacked, up to a bound. */
function unpacked(req: IncomingMessage, maxBytes: number): Readable {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  let seen = 0;
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      done(seen > maxBytes ? tooLarge(maxBytes) : null, chunk);
    },
  });
  if (encoding === 'identity') return chained(req, bound);
  if (encoding === 'gzip' || encoding === 'x-gzip') return chained(req, createGunzip(), bound);
  throw new AppError('unsupported_media_type', 415, 'Send the body plain, or with Content-Encoding: gzip.');
}

/**
 * As `stream.pipeline`, but the request itself is left alive when a later part fails: what it still sends is taken in by whoever
 * answers it, else the caller never sees the answer.
 */
function chained(req: IncomingMessage, ...parts: Transform[]): Readable {
  const last = parts.at(-1) as Transform;
  let source: Readable = req;
  for (const part of parts) {
    source.once('error', (err) => last.destroy(err));
    source.pipe(part);
    source = part;
  }
  req.once('close', () => req.complete || last.destroy(cutShort()));
  last.once('close', () => {
    req.unpipe();
    for (const part of parts) part.destroy();
  });
  return last;
}

async function whole(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(body)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body as AsyncIterable<Buffer>;
  } catch (err) {
    throw readFailure(err);
  }
}

function readFailure(err: unknown): unknown {
  const code = (err as { code?: unknown }).code;
  if (
    typeof code === 'string' &&
    (code.startsWith('Z_') || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET')
  ) {
    return cutShort(err);
  }
  return err;
}

function cutShort(cause?: unknown): AppError {
  return new AppError('bad_request', 400, 'The body is cut short, or is not the gzip that it says it is.', { cause });
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('body_too_large', 413, `The body has more than ${maxBytes.toLocaleString('en-US')} bytes.`);
}

const isBlank = (line: Buffer): boolean => line.length === 0 || (line.length === 1 && line[0] === 13);
