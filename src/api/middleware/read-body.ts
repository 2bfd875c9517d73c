import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { AppError } from '../../errors.ts';
import { parseJson } from './parse-json.ts';

/** How long the rest of a refused body is taken in, so that the caller gets to read the answer. */
const DRAIN_MS = 5_000;

/**
 * Reads a body whole.
 * @returns no bytes where the request has no body
 * @throws AppError `unsupported_media_type`, `body_too_large` (also where no length was declared), `bad_request` for one cut short
 */
export async function readBody(req: IncomingMessage, mediaType: string, maxBytes: number): Promise<Buffer> {
  const declared = req.headers['content-length'];
  if (req.headers['transfer-encoding'] === undefined && (declared === undefined || declared === '0')) {
    return Buffer.alloc(0);
  }
  refuseOtherTypes(req, mediaType);
  try {
    return await rawBody(req, { limit: maxBytes, length: declared ?? null });
  } catch (err) {
    throw bodyFailure(err, maxBytes);
  }
}

/** The body as the value that its media type says. @throws AppError `invalid_json`, `bad_request` */
export function parseBody(body: Buffer, mediaType: string): unknown {
  if (mediaType === 'application/json') return parseJson(body);
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) form[name] = value;
  return form;
}

/**
 * Ends what a refused request still sends: it is taken in for a few seconds (a caller that is reset while sending never sees the
 * answer), then the connection is closed.
 */
export function drainRest(req: IncomingMessage): void {
  if (req.complete) return;
  req.resume();
  const timer = setTimeout(() => req.complete || req.socket?.destroy(), DRAIN_MS);
  timer.unref();
  req.once('close', () => clearTimeout(timer));
}

function refuseOtherTypes(req: IncomingMessage, mediaType: string): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Send the body without Content-Encoding.');
  }
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  if (type.trim() !== mediaType) throw unsupported(`Send the body as "Content-Type: ${mediaType}".`);
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
    if (name === 'charset' && value !== 'utf-8' && value !== 'utf8') throw unsupported('Send the body as UTF-8.');
  }
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', 415, message);
}

function bodyFailure(err: unknown, maxBytes: number): unknown {
  const type = (err as { type?: unknown }).type;
  if (type === 'entity.too.large') {
    return new AppError('body_too_large', 413, `The body has more than ${maxBytes.toLocaleString('en-US')} bytes.`);
  }
  if (type === 'request.aborted' || type === 'request.size.invalid') {
    return new AppError('bad_request', 400, 'The body ended before its declared length.', { cause: err });
  }
  return err;
}
