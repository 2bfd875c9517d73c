import type { Context } from 'koa';
import type { Logger } from '../../platform/log.ts';
import { requestAnswered } from '../../platform/telemetry/instruments.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * Logs an answered request in one line: the operation, as the URL may be secret. Reads as `debug`, and so is
 * "not ready", for which load balancers ask every few seconds: its changes are logged elsewhere.
 */
export function logAccess(log: Logger, ctx: Context, request: RequestContext): void {
  const { status } = ctx;
  const ms = performance.now() - request.startedAt;
  requestAnswered(request.operation?.id, ctx.method, status, ms);
  const isRead = ctx.method === 'GET' || ctx.method === 'HEAD';
  const isNotReady = status === 503 && request.operation?.id === 'getReadiness';
  const level = isNotReady || (status < 400 && isRead) ? 'debug' : status >= 500 ? 'error' : 'info';
  if (!log.isLevelEnabled(level)) return;
  const { principal, errorCode } = request;
  log[level](
    {
      ...request.logFields(),
      method: ctx.method,
      status,
      ms: Math.round(ms),
      ...(principal ? { caller: request.caller } : {}),
      ...(errorCode ? { code: errorCode } : {}),
    },
    'request',
  );
}
