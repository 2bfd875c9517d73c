import type { Context } from 'koa';
import type { Logger } from '../../platform/log.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * Writes one line about an answered request. Reads that succeed are `debug`: clients poll. The URL is left out, since a pull
 * request's is a secret; the operation says as much.
 */
export function logAccess(log: Logger, ctx: Context, request: RequestContext): void {
  const { status } = ctx;
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const level = status >= 500 ? 'error' : status < 400 && isRead ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const { principal, errorCode } = request;
  log[level](
    {
      ...request.logFields(),
      method: ctx.method,
      status,
      ms: Math.round(performance.now() - request.startedAt),
      ...(principal ? { caller: request.caller } : {}),
      ...(errorCode ? { code: errorCode } : {}),
    },
    'request',
  );
}
