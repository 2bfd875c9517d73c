import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { AppError } from '../../platform/errors.ts';
import { codeOf } from '@docent/base/thrown';
import { parseJson } from './parse-json.ts';

/**
 * Reads a whole body, maybe empty.
 * @throws AppError `unsupported_media_type`, `body_too_large`, `request_timeout`, `bad_request` for a
 * truncated one
 */
export async function readBody(
  req: IncomingMessage,
  mediaType: string,
  { maxBodyBytes, bodyMs }: { maxBodyBytes: number; bodyMs: number },
): Promise<Buffer> {
  const declared = req.headers['content-length'];
  if (req.headers['transfer-encoding'] === undefined && (declared === undefined || declared === '0')) {
    return Buffer.alloc(0);
  }
  refuseOtherTypes(req, mediaType);
  return readBytes(req, { maxBodyBytes, bodyMs });
}

/**
 * Reads a body of any type.
 * @throws AppError `unsupported_media_type` if compressed, `body_too_large`, `request_timeout`, `bad_request`
 * if truncated
 */
export async function readBytes(
  req: IncomingMessage,
  { maxBodyBytes, bodyMs }: { maxBodyBytes: number; bodyMs: number },
): Promise<Buffer> {
  refusePacked(req);
  const declared = req.headers['content-length'];
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(tooLate(bodyMs)), bodyMs);
  try {
    return await Promise.race([rawBody(req, { limit: maxBodyBytes, length: declared ?? null }), late.promise]);
  } catch (err) {
    throw bodyFailure(err, maxBodyBytes);
  } finally {
    clearTimeout(timer);
  }
}

/** Parses the body by its media type. @throws AppError `invalid_json`, `bad_request` */
export function parseBody(body: Buffer, mediaType: string): unknown {
  if (mediaType === 'application/json') return parseJson(body);
  const form: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(body.toString('utf8'))) form[name] = value;
  return form;
}

function refuseOtherTypes(req: IncomingMessage, mediaType: string): void {
  refusePacked(req);
  if (mediaTypeOf(req) !== mediaType) throw unsupported(`Send the body as "Content-Type: ${mediaType}".`);
}

function refusePacked(req: IncomingMessage): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('Send the body without Content-Encoding.');
  }
}

/** The body's media type in lower case, or ''. @throws AppError `unsupported_media_type` unless UTF-8 */
export function mediaTypeOf(req: IncomingMessage): string {
  const [type = '', ...parameters] = (req.headers['content-type'] ?? '').toLowerCase().split(';');
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim().replace(/^"(.*)"$/, '$1'));
    if (name === 'charset' && value !== 'utf-8' && value !== 'utf8') throw unsupported('Send the body as UTF-8.');
  }
  return type.trim();
}

function unsupported(message: string): AppError {
  return new AppError('unsupported_media_type', message);
}

function tooLate(bodyMs: number): AppError {
  const seconds = Math.ceil(bodyMs / 1_000);
  return new AppError('request_timeout', `The body did not arrive within ${seconds} seconds. Send it again.`);
}

function bodyFailure(err: unknown, maxBytes: number): unknown {
  const type = err instanceof Error && 'type' in err ? err.type : undefined;
  if (type === 'entity.too.large') {
    return new AppError('body_too_large', `The body is too large. Allowed: ${maxBytes.toLocaleString('en-US')} bytes.`);
  }
  const isBroken = codeOf(err)?.startsWith('HPE_');
  if (isBroken || type === 'request.aborted' || type === 'request.size.invalid') {
    return new AppError('bad_request', 'The body ended before its declared length.', { cause: err });
  }
  return err;
}
