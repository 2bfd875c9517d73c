import type { Context } from 'koa';
import type { AppError } from '../../platform/errors.ts';
import { statusOf } from '../contract/error-status.ts';
import { errorBody, ERRORS_PAGE } from '../contract/error-body.ts';
import type { AnyAnswer } from '../contract/handler.ts';
import type { Operation } from '../contract/operations.ts';
import type { components } from '@docent/client';
import { PAGE_HEADERS, page } from '@docent/pages/layout';
import type { RequestContext } from '../request-context.ts';
import { cacheControlOf } from './deliver.ts';
import { markup } from '@docent/pages/html';

const TITLES: Record<number, string> = {
  400: 'Not understood',
  401: 'Not allowed',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Not found',
  409: 'Not possible now',
  503: 'Not available now',
};

/** @param homePath of this server's first page, as browsers see it */
function errorPage(error: AppError, requestId: string, homePath: string): string {
  const title = TITLES[statusOf(error)] ?? 'Error';
  return page(
    title,
    markup`<h1>${title}</h1>
<p class="banner bad">${error.message}</p>
${error.errors.slice(1).map(({ message }) => markup`<p class="banner bad">${message}</p>`)}
<p class="soft">Code <code>${error.code}</code>, request <code>${requestId}</code>. <a href="${homePath}">What runs here</a></p>`,
  );
}

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
