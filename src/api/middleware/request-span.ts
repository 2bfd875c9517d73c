import type { Context, Next } from 'koa';
import { beginSpan, isTracing } from '../../platform/telemetry/spans.ts';
import type { RequestContext } from '../request-context.ts';

/** https://opentelemetry.io/docs/specs/semconv/http/http-spans/ without addresses, which may be secret. */
export function inRequestSpan(ctx: Context & { state: { request?: RequestContext } }, next: Next): Promise<unknown> {
  if (!isTracing()) return next();
  const method = METHODS.has(ctx.method) ? ctx.method : '_OTHER';
  const start = { name: method, kind: 'server', fields: { 'http.request.method': method } } as const;
  return beginSpan(start, ctx.get('traceparent') || undefined, async (span) => {
    try {
      await next();
    } finally {
      const { request } = ctx.state;
      const route = request?.operation?.path;
      if (route !== undefined) span.rename(`${method} ${route}`);
      span.set({
        'http.route': route,
        'http.response.status_code': ctx.status,
        'docent.operation': request?.operation?.id,
        'docent.request_id': request?.id,
      });
      if (ctx.status >= 500) span.fail();
    }
  });
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
