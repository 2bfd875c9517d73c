import { Router } from '@koa/router';
import Koa, { type Context } from 'koa';
import { AppError } from '../platform/errors.ts';
import { codeOf } from '@docent/base/thrown';
import { operations, type Operation, type OperationId } from './contract/operations.ts';
import { answerCheckOf, validatorOf, type AnswerCheck } from './contract/validation.ts';
import { handlers } from './routes/routes.ts';
import { logAccess } from './middleware/access-log.ts';
import { Authenticator } from './middleware/authenticate.ts';
import { ClientAddresses } from './middleware/client-address.ts';
import { Cors } from './middleware/cors.ts';
import { deliver } from './middleware/deliver.ts';
import { failureOf } from './middleware/failure.ts';
import { HostCheck } from './middleware/host-check.ts';
import { lingerForRest } from './middleware/linger.ts';
import { rateLimitHeaders } from './middleware/rate-limit-headers.ts';
import { inRequestSpan } from './middleware/request-span.ts';
import { requestIdOf } from './middleware/request-id.ts';
import { errorAnswer, writeAnswer } from './middleware/respond.ts';
import { DocsSite } from './pages/docs-site.ts';
import { operationRoute } from './operation-route.ts';
import { RequestContext } from './request-context.ts';
import { createServices, type ApiDeps } from './services.ts';

export type { ApiDeps } from './services.ts';

export interface AppOptions {
  /** Compares every answer with the contract, and answers 500 if it differs. For tests. */
  validateResponses?: boolean;
}

interface RequestState {
  request: RequestContext;
}

/** RFC 6797. For this host only: subdomains may be reached without TLS. */
const ONE_YEAR_OF_HTTPS = 'max-age=31536000';

/** Emitted before the server stops. From then on, responses ask clients to close their connections. */
export const LEAVING = 'leaving';
/** Emitted on the app when its server stops taking requests: answers that wait are given now. */
export const DRAINING = 'draining';

/**
 * The HTTP application: the contract's operations, dashboard and docs.
 * @throws RangeError for invalid trusted proxies
 */
export function createApp(deps: ApiDeps, options: AppOptions = {}): Koa<RequestState> {
  const app = new Koa<RequestState>();
  const draining = new AbortController();
  let leaving = false;
  app.once(LEAVING, () => (leaving = true));
  app.once(DRAINING, () => draining.abort());
  const { log, config, database } = deps;
  const hosts = new HostCheck(deps.publicUrl, config.allowedHosts);
  const cors = new Cors(config.allowedOrigins);
  const addresses = new ClientAddresses(config.trustedProxies, log);
  const services = createServices(deps, { draining: draining.signal, isLeaving: () => leaving }, addresses);
  const authenticator = new Authenticator({
    db: database.db,
    log,
    isOperatorToken: services.isOperatorToken,
    limit: services.limits.failedSignIns,
    signIns: services.signIns,
  });
  const checkOf = (operation: Operation) => (options.validateResponses ? answerCheckOf(operation) : undefined);

  const router = new Router<RequestState>({ sensitive: true });
  function mount<Op extends OperationId>(operation: Operation<Op>): void {
    const route = operationRoute({
      operation,
      handler: handlers[operation.id],
      validator: validatorOf(operation),
      checkAnswer: checkOf(operation),
      authenticator,
      addresses,
      services,
    });
    router[operation.method](operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), (ctx) =>
      route(ctx, ctx.state.request, ctx.params),
    );
  }
  for (const operation of operations) mount(operation);

  app.use(inRequestSpan);
  app.use(async (ctx, next) => {
    const request = new RequestContext(requestIdOf(ctx.req.headers['x-request-id']), ctx, services);
    ctx.state.request = request;
    ctx.set('X-Request-Id', request.id);
    if (deps.publicUrl().startsWith('https:')) ctx.set('Strict-Transport-Security', ONE_YEAR_OF_HTTPS);
    // Before anything is sent: an answer may be a stream.
    cors.answer(ctx);
    try {
      hosts.check(ctx.req);
      addresses.watch(ctx.req);
      await next();
    } catch (thrown) {
      const error = failureOf(thrown, () => request.log);
      request.errorCode = error.code;
      request.quota = error.quota ?? null;
      const answer = errorAnswer(error, request);
      writeAnswer(ctx, answer, null);
      if (request.operation) reportUndocumented(checkOf(request.operation), answer, ctx, request);
    }
    if (request.quota && !ctx.headerSent) ctx.set(rateLimitHeaders(request.quota));
    await deliver(ctx, request.operation);
    if (leaving) ctx.set('Connection', 'close');
    // Again, for an answer that set `Vary` itself.
    if (!ctx.headerSent) cors.answer(ctx);
    services.audit.end(request, ctx, () => services.addressOf(ctx.req));
    lingerForRest(ctx);
    logAccess(log, ctx, request);
  });
  // Only Koa's own errors get here: a connection that broke during its answer.
  app.on('error', (err: unknown) => {
    // Readers of streams come and go.
    if (codeOf(err) === 'ERR_STREAM_PREMATURE_CLOSE') log.debug('a client closed a stream');
    else log.warn({ err }, 'a response could not be sent');
  });
  app.use(router.routes());
  app.use((ctx, next) => (deps.dashboard?.answer(ctx, services.pathOf) ? undefined : next()));
  const docs = new DocsSite(services.pathOf);
  app.use(async (ctx, next) => ((await docs.answer(ctx)) ? undefined : next()));
  app.use((ctx) => answerUnrouted(ctx as Context & { matched?: { methods: string[] }[] }, cors));
  return app;
}

/** No operation has this path, or not with this method. */
function answerUnrouted(ctx: Context & { matched?: { methods: string[] }[] }, cors: Cors): void {
  const methods = [...new Set((ctx.matched ?? []).flatMap((layer) => layer.methods))].toSorted();
  const isOptions = ctx.method === 'OPTIONS';
  if (methods.length === 0 && !(isOptions && ctx.path === '*')) {
    throw new AppError('not_found', 'Not found. GET /openapi.json lists every route.');
  }
  if (methods.length > 0) ctx.set('Allow', [...methods, 'OPTIONS'].join(', '));
  if (!isOptions) {
    throw new AppError('method_not_allowed', `Method not allowed. Allowed: ${[...methods, 'OPTIONS'].join(', ')}.`);
  }
  ctx.status = 204;
  cors.preflight(ctx, methods);
}

/** In tests, an error that the operation does not document is a failure, whatever the test expects. */
function reportUndocumented(
  check: AnswerCheck | undefined,
  answer: Parameters<AnswerCheck>[0],
  ctx: Context,
  request: RequestContext,
): void {
  try {
    check?.(answer, ctx.response.headers);
  } catch (err) {
    const fault = new AppError('internal', 'The response violates the contract.', { cause: err });
    request.log.error({ err }, 'an error response violates the contract');
    writeAnswer(ctx, errorAnswer(fault, request), null);
  }
}
