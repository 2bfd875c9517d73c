import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../platform/errors.ts';
import { codeOf } from '@docent/base/thrown';
import { withPauses } from '../../platform/with-pauses.ts';

/** How a body of events is read. */
export interface EventBodyOptions {
  /** How long nothing may come, in milliseconds, while someone waits for it. */
  silenceMs: number;
  /** Aborts when the server stops. A body that has not ended shortly after is abandoned. */
  draining: AbortSignal;
}

/** Events as JSON pack 10 to 40 to 1: whatever packs better was made to keep a server busy. */
const MOST_RATIO = 100;
/** Bytes of an unpacked body up to which the compression ratio does not matter. */
const FREE_BYTES = 1024 * 1024;

/** When nothing came for so long, that is a pause. */
const PAUSE_MS = 1_000;
/** How long a body may continue when the server stops: less than the server waits for its last answers. */
const LAST_MS = 2_000;

/**
 * The unpacked bytes of a body as they arrive, and null in each pause. Limits the length, but not the time.
 * @param maxBytes of the unpacked body
 * @throws AppError `unsupported_media_type`, `body_too_large` (also above a compression ratio of 100 to 1),
 *   `request_timeout`, `unavailable` when the server stops, `bad_request` for a truncated or wrongly
 *   compressed body
 */
export async function* readEventBody(
  req: IncomingMessage,
  maxBytes: number,
  { silenceMs, draining }: EventBodyOptions,
): AsyncGenerator<Buffer | null> {
  let heardAt = performance.now();
  let drainingSince: number | null = null;
  const hear = () => (heardAt = performance.now());
  const body = unpacked(req, maxBytes);
  req.on('data', hear);
  const chunks = withPauses(body as AsyncIterable<Buffer>, Math.min(PAUSE_MS, silenceMs / 4));
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const now = performance.now();
      if (draining.aborted) drainingSince ??= now;
      if (drainingSince !== null && now - drainingSince >= LAST_MS) throw stopping();
      if (next.value === null && now - heardAt >= silenceMs) throw silent(silenceMs);
      yield next.value;
      // The time that its reader took is not the sender's.
      if (next.value !== null) hear();
    }
  } catch (err) {
    throw readFailure(err);
  } finally {
    req.off('data', hear);
    // Before the answer resumes the request: a later unpipe would pause it again.
    req.unpipe();
    // Before releasing its reader, which would wait for bytes that may never arrive.
    body.destroy();
    await chunks.return(undefined);
  }
}

/** The body's bytes, unpacked, up to a bound. */
function unpacked(req: IncomingMessage, maxBytes: number): Readable {
  const encoding = req.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const gunzip = encoding === 'gzip' || encoding === 'x-gzip' ? createGunzip() : null;
  let seen = 0;
  const problem = (): AppError | null => {
    if (seen > maxBytes) return tooLarge(maxBytes);
    return gunzip && seen > FREE_BYTES && seen > gunzip.bytesWritten * MOST_RATIO ? packedTooWell() : null;
  };
  const bound = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      done(problem(), chunk);
    },
  });
  if (gunzip) return chained(req, bound, gunzip);
  if (encoding === 'identity') return chained(req, bound);
  throw new AppError(
    'unsupported_media_type',
    'Unsupported Content-Encoding. Send the body uncompressed or with gzip.',
  );
}

/** Like `stream.pipeline`, but keeps the request open after a failure, so that the caller sees the answer. */
function chained(req: IncomingMessage, last: Transform, ...before: Transform[]): Readable {
  const parts = [...before, last];
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

function readFailure(err: unknown): unknown {
  const code = codeOf(err);
  const isCut =
    code !== undefined && (/^(Z|HPE)_/.test(code) || ['ERR_STREAM_PREMATURE_CLOSE', 'ECONNRESET'].includes(code));
  return isCut ? cutShort(err) : err;
}

function cutShort(cause?: unknown): AppError {
  return new AppError('bad_request', 'The body is cut off or not valid gzip.', { cause });
}

function packedTooWell(): AppError {
  return new AppError(
    'body_too_large',
    `The body's compression ratio is above ${MOST_RATIO} to 1. Send it uncompressed, or in smaller requests.`,
  );
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('body_too_large', `The body is too large. Allowed: ${maxBytes.toLocaleString('en-US')} bytes.`);
}

function silent(silenceMs: number): AppError {
  const seconds = Math.ceil(silenceMs / 1_000);
  return new AppError(
    'request_timeout',
    `No data was received for ${seconds} seconds. Send the events that were not accepted.`,
  );
}

function stopping(): AppError {
  return new AppError('unavailable', 'The server is shutting down. Send the events that were not accepted.', {
    retryAfterSeconds: 5,
  });
}
