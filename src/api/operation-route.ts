import type { Context } from 'koa';
import { AppError } from '../platform/errors.ts';
import { requireProject } from '../store/projects/projects.ts';
import { fieldNames } from './audit-trail.ts';
import type { AnyAnswer, Handler } from './contract/handler.ts';
import type { Operation, OperationId } from './contract/operations.ts';
import type { AnswerCheck, RequestValidator } from './contract/validation.ts';
import type { Authenticator } from './middleware/authenticate.ts';
import { authorize } from './middleware/authorize.ts';
import type { ClientAddresses } from './middleware/client-address.ts';
import { parseBody, readBody } from './middleware/read-body.ts';
import { writeAnswer } from './middleware/respond.ts';
import { pageHeaders } from './presenters/next-link.ts';
import type { RequestContext } from './request-context.ts';
import type { ApiServices } from './services.ts';

export interface RouteParts<Op extends OperationId> {
  operation: Operation<Op>;
  handler: Handler<Op>;
  validator: RequestValidator<Op>;
  /** Only where answers are compared with the contract. */
  checkAnswer: AnswerCheck | undefined;
  authenticator: Authenticator;
  addresses: ClientAddresses;
  services: ApiServices;
}

/** Authentication, resource name, authorization, query, body, audit log, handler, in this order. */
export function operationRoute<Op extends OperationId>(parts: RouteParts<Op>) {
  const { operation, handler, validator, checkAnswer, authenticator, addresses, services } = parts;
  const { access, body } = operation;
  const ignoresIfMatch = CHANGES.has(operation.method) && !operation.parameters.some(({ name }) => name === 'If-Match');

  return async (ctx: Context, request: RequestContext, params: Record<string, string>): Promise<void> => {
    request.operation = operation;
    request.audit.concerns = params;
    if (operation.deprecation) ctx.set(deprecationHeaders(operation.deprecation, services.pathOf));
    const authenticate = async () => {
      if (access.kind === 'public') return;
      request.principal = await authenticator.enter(ctx, request.bearer, services.addressOf(ctx.req));
    };
    const authorizeCaller = () => {
      if (!request.principal) return;
      authorize(request.principal, operation, request.path, { req: ctx.req, addresses });
    };
    request.identify = () => services.signIns.enter(ctx);
    await authenticate();
    const path = validator.path(params);
    request.path = params;
    authorizeCaller();
    request.authorizeAgain = async () => {
      if (access.kind === 'public') return;
      const address = services.addressOf(ctx.req);
      request.principal = await authenticator.again(ctx, request.principal, request.bearer, address);
      authorizeCaller();
    };
    const query = validator.query(ctx.querystring);
    validator.headers(ctx.req.headers);
    if (ignoresIfMatch && request.ifMatch !== undefined) throw withoutVersions();
    request.idempotencyKey = ctx.get('Idempotency-Key') || null;

    const sent = body ? await bodyOf(ctx, request, body) : undefined;
    const valid = validator.body(sent);
    request.audit.sentFields = fieldNames(sent);
    // The handler of a public operation finds the caller itself.
    if (access.kind !== 'public') await services.audit.begin(request, services.addressOf(ctx.req));

    const answer = await handler({ path, query, body: valid, request }, services).catch((err: unknown) =>
      refuseMissing(err, params.projectId, services),
    );
    request.audit.createdId = createdId(answer);
    if ('body' in answer) ctx.set(pageHeaders(operation, ctx.querystring, answer.body));
    writeAnswer(ctx, answer, operation);
    checkAnswer?.(answer, ctx.response.headers);
  };

  async function bodyOf(ctx: Context, request: RequestContext, expected: NonNullable<Operation['body']>) {
    request.rawBody = await readBody(ctx.req, expected.mediaType, services.config);
    if (request.rawBody.length === 0 && !expected.required) return undefined;
    return parseBody(request.rawBody, expected.mediaType);
  }
}

/** What is missing may be missing with its project. @throws what was thrown, or AppError `project_not_found` */
async function refuseMissing(err: unknown, projectId: string | undefined, { db }: ApiServices): Promise<never> {
  const isMissing = err instanceof AppError && err.code.endsWith('_not_found');
  if (isMissing && projectId !== undefined) await requireProject(db, projectId);
  throw err;
}

const CHANGES: ReadonlySet<string> = new Set(['patch', 'put', 'delete']);

/** A condition that is not checked must not look like one that holds (RFC 9110, section 13.1.1). */
const withoutVersions = (): AppError =>
  new AppError('bad_request', 'This operation takes no `If-Match`. Send the request without it.', {
    param: 'If-Match',
  });

/** RFC 9745, and RFC 8594 for the end. */
function deprecationHeaders(
  { since, until }: NonNullable<Operation['deprecation']>,
  pathOf: ApiServices['pathOf'],
): Record<string, string> {
  return {
    Deprecation: `@${since.getTime() / 1_000}`,
    Sunset: until.toUTCString(),
    Link: `<${pathOf('/docs/reference/api#versions')}>; rel="deprecation"; type="text/html"`,
  };
}

function createdId({ status, body }: AnyAnswer): string | null {
  if ((status !== 201 && status !== 202) || typeof body !== 'object' || body === null || !('id' in body)) return null;
  return typeof body.id === 'string' ? body.id : null;
}
