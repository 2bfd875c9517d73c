import { promisify } from 'node:util';
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import type { Operation } from '../contract/operations.ts';
import { codedTag, namesTag, tagOf } from './entity-tag.ts';

type Coding = 'br' | 'gzip';

/** Smaller answers would hardly get smaller. */
const LEAST_BYTES = 1_024;
const PACKED_TYPES = /^(?:application\/(?:json|yaml|javascript)|image\/svg|text\/(?!event-stream))/;
/** Answers about the caller or the current moment: never cached. */
const NEVER_KEPT =
  /^\/(?:healthz|readyz|v1\/(?:keys|me|tokens|people|audit|health|sign-in|sign-out)(?:\/|$)|v1\/analytics\/[^/]+\/live$)/;
/** Quality 4 packs as fast as gzip does, and better. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const pack = { br: promisify(brotliCompress), gzip: promisify(gzip) };
/** Shorter texts are compressed synchronously: another thread costs four times as much. */
const MOST_AT_ONCE = 16_384;
const packAtOnce = { br: (text: string) => brotliCompressSync(text, BROTLI), gzip: (text: string) => gzipSync(text) };
/** Compressed once for all callers: the contract, and the pages of the docs. */
const packedBefore = new LRUCache<string, Buffer>({ max: 128 });

/** How caches may store this operation's answers to reads: revalidated each time, or not at all. */
export function cacheControlOf(operation: Operation | null, method: string, status: number): string {
  const isKept =
    status === 200 && isRead(method) && operation !== null && !operation.isPage && !NEVER_KEPT.test(operation.path);
  if (!isKept) return 'no-store';
  return operation.access.kind === 'public' ? 'no-cache' : 'private, no-cache';
}

/** Adds `ETag`, 304 and compression to reads. Other answers may hold secrets (BREACH). */
export async function deliver(ctx: Context, operation: Operation | null): Promise<void> {
  if (!isRead(ctx.method) || ctx.status !== 200 || ctx.headerSent) return;
  for (const name of variesBy(operation)) ctx.vary(name);
  const { body } = ctx;
  const isPackable = PACKED_TYPES.test(ctx.type);
  if (isPackable) ctx.vary('Accept-Encoding');
  const isText = typeof body === 'string';
  const isLong = !isText || Buffer.byteLength(body) >= LEAST_BYTES;
  const coding = isPackable && isLong ? codingFor(ctx) : null;

  const given = ctx.response.get('ETag');
  const tag = given || (isText && ctx.response.get('Cache-Control') !== 'no-store' ? tagOf(body) : '');
  if (tag) {
    ctx.set('ETag', coding ? codedTag(tag, coding) : tag);
    const { 'if-none-match': held } = ctx.req.headers;
    const mayBeHeld = ctx.response.get('Cache-Control') !== 'no-store';
    if (mayBeHeld && held !== undefined && namesTag(held, tag)) {
      if (body instanceof Readable) body.destroy();
      ctx.status = 304;
      return;
    }
  }
  if (!coding) return;
  if (isText) ctx.body = await packed(body, coding, isForEverybody(ctx) ? tag : '');
  else if (body instanceof Readable) {
    const packer = coding === 'br' ? createBrotliCompress(BROTLI) : createGzip();
    // An error of the source also destroys the compressor, which ends the connection. Koa logs it.
    ctx.body = pipeline(body, packer, () => {});
  } else return;
  ctx.set('Content-Encoding', coding);
}

/** Whether shared caches may store the answer. */
function isForEverybody(ctx: Context): boolean {
  return !/private|no-store/.test(ctx.response.get('Cache-Control'));
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** The request headers on which the answer depends. */
function variesBy(operation: Operation | null): string[] {
  if (!operation) return [];
  const isSecured = operation.access.kind !== 'public';
  const types = Object.keys(operation.responses['200']?.content ?? {});
  // Without a key, browsers get their errors as pages.
  const hasForms = isSecured || operation.isPage || types.length > 1;
  return [...(hasForms ? ['Accept'] : []), ...(isSecured ? ['Authorization', 'Cookie'] : [])];
}

function codingFor(ctx: Context): Coding | null {
  const best = ctx.acceptsEncodings('br', 'gzip', 'identity');
  return best === 'br' || best === 'gzip' ? best : null;
}

async function packedNow(text: string, coding: Coding): Promise<Buffer> {
  if (text.length <= MOST_AT_ONCE) return packAtOnce[coding](text);
  return coding === 'br' ? pack.br(text, BROTLI) : pack.gzip(text);
}

async function packed(text: string, coding: Coding, publicTag: string): Promise<Buffer> {
  const key = `${coding} ${publicTag}`;
  const before = publicTag === '' ? undefined : packedBefore.get(key);
  if (before) return before;
  const bytes = await packedNow(text, coding);
  if (publicTag !== '') packedBefore.set(key, bytes);
  return bytes;
}
