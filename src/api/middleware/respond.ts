import type { Context } from 'koa';
import type { AppError } from '../../platform/errors.ts';
import { statusOf } from '../contract/error-status.ts';
import { errorBody, ERRORS_PAGE } from '../contract/error-body.ts';
import type { AnyAnswer } from '../contract/handler.ts';
import type { Operation } from '../contract/operations.ts';
import type { components } from '../generated/openapi.ts';
import { errorPage } from '../pages/error-page.ts';
import { PAGE_HEADERS } from '../pages/layout.ts';
import type { RequestContext } from '../request-context.ts';
import { cacheControlOf } from './deliver.ts';

/** Writes an answer. Caches must revalidate it, and browsers must not guess its type. */
export function writeAnswer(ctx: Context, answer: AnyAnswer, operation: Operation | null): void {
  ctx.status = answer.status;
  if (answer.headers) ctx.set(answer.headers);
  // A cookie is one browser's.
  if (ctx.response.get('Set-Cookie')) ctx.set('Cache-Control', 'no-store');
  else if (answer.headers?.['Cache-Control'] === undefined)
    ctx.set('Cache-Control', cacheControlOf(operation, ctx.method, answer.status));
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (answer.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
  if (answer.text !== undefined) {
    if (answer.type === 'text/html') ctx.set(PAGE_HEADERS);
    ctx.type = `${answer.type}; charset=utf-8`;
    ctx.body = answer.text;
  } else if (answer.stream !== undefined) {
    const { stream } = answer;
    // The head is already sent, so an error can only be shown by closing before the announced length.
    stream?.once('error', () => ctx.res.destroy());
    ctx.body = stream ?? '';
    const type = answer.type ?? 'application/octet-stream';
    ctx.type = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
    const length = answer.headers?.['Content-Length'];
    if (length !== undefined) ctx.set('Content-Length', length);
  } else if (answer.body !== undefined) {
    ctx.type = `${answer.type ?? 'application/json'}; charset=utf-8`;
    ctx.body = JSON.stringify(answer.body);
  }
}

/** The answer to an error: the envelope, the same as a problem of RFC 9457, or a page for people. */
export function errorAnswer(error: AppError, request: RequestContext): AnyAnswer {
  const status = statusOf(error);
  const headers: Record<string, string> = {};
  if (error.retryAfterSeconds !== undefined) headers['Retry-After'] = String(error.retryAfterSeconds);
  if (request.wantsHtml)
    return { status, headers, type: 'text/html', text: errorPage(error, request.id, request.homePath) };
  const body = { ...errorBody(error, request.id, request.homePath), ...request.errorFields() };
  if (!request.wantsProblem) return { status, headers, body };
  const type = request.urlOf(`/${ERRORS_PAGE}#${error.code}`);
  const title = error.code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const problem: components['schemas']['Problem'] = { type, title, status, detail: error.message, ...body };
  return { status, headers, type: 'application/problem+json', body: problem };
}
