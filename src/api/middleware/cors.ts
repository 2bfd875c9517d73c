import type { Context } from 'koa';

/** The request headers that pages may send. Browsers refuse others. */
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'X-Request-Id',
].join(', ');

/** The response headers that pages may read, besides the default ones. */
const ANSWER_HEADERS = [
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Policy',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Sunset',
  'X-Branch-Name',
  'X-Has-More',
  'X-Request-Id',
  'X-Session-Id',
  'X-Total-Count',
  'X-Version',
].join(', ');

/** As long as any browser keeps the answer to a preflight: Chromium's two hours. */
const MAX_AGE_SECONDS = 7_200;

/**
 * Allows pages of the operator's origins to read answers, including errors (CORS in the Fetch standard). An
 * origin must match exactly. Cookies are never allowed: they are for this server's own pages. Answers for
 * other origins have no CORS headers.
 *
 * Our own code, because the methods differ by path: libraries use one list for all, replace `OPTIONS`, and
 * add their headers to answers that existed before an error.
 */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  constructor(allowedOrigins: readonly string[]) {
    this.#origins = new Set(allowedOrigins);
  }

  /** Adds the headers for the current answer, of any kind. */
  answer(ctx: Context): void {
    if (this.#origins.size === 0) return;
    // Also for callers without an origin: a cache must not give a page their answer.
    ctx.vary('Origin');
    const origin = this.#originOf(ctx);
    if (origin === null) return;
    ctx.set('Access-Control-Allow-Origin', origin);
    ctx.set('Access-Control-Expose-Headers', ANSWER_HEADERS);
  }

  /** Answers a browser's preflight request. @param methods those of the path */
  preflight(ctx: Context, methods: readonly string[]): void {
    if (this.#originOf(ctx) === null || ctx.get('Access-Control-Request-Method') === '') return;
    ctx.vary('Access-Control-Request-Method, Access-Control-Request-Headers');
    ctx.set({
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': REQUEST_HEADERS,
      'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
    });
  }

  #originOf(ctx: Context): string | null {
    const { origin } = ctx.req.headers;
    return origin !== undefined && this.#origins.has(origin) ? origin : null;
  }
}
