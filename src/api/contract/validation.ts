import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import { describeErrors, fieldErrors } from './field-errors.ts';
import type { AnyAnswer, BodyOf, PathOf, QueryOf } from './handler.ts';
import type { Operation, OperationId } from './operations.ts';
import { coerce, parameterSchema } from './parameters.ts';
import { resolve, spec, type JsonSchema } from './spec.ts';

/** The caller cannot distinguish an unknown id from an invalid one. */
const NOT_FOUND: Record<string, { code: ErrorCode; what: string }> = {
  projectId: { code: 'project_not_found', what: 'project' },
  id: { code: 'job_not_found', what: 'job' },
  keyId: { code: 'key_not_found', what: 'key' },
  provider: { code: 'not_found', what: 'provider' },
  hostId: { code: 'host_not_found', what: 'code host' },
  no: { code: 'message_not_found', what: 'message' },
  attachmentId: { code: 'attachment_not_found', what: 'attachment' },
  prId: { code: 'pull_request_not_found', what: 'pull request' },
  sourceName: { code: 'source_not_found', what: 'source' },
  secretName: { code: 'secret_not_found', what: 'secret' },
  webhookId: { code: 'webhook_not_found', what: 'webhook' },
  automationId: { code: 'automation_not_found', what: 'automation' },
  workflowSchemaId: { code: 'automation_not_found', what: 'automation' },
  personId: { code: 'person_not_found', what: 'person' },
  signInId: { code: 'not_found', what: 'session' },
  annotationId: { code: 'annotation_not_found', what: 'annotation' },
  feedbackId: { code: 'feedback_not_found', what: 'feedback' },
  deliveryId: { code: 'delivery_not_found', what: 'delivery' },
};

/** The request checks of one operation, compiled on first use: most are never used. */
export interface RequestValidator<Op extends OperationId> {
  /** @throws AppError 404 for an invalid id */
  path(raw: Record<string, string>): PathOf<Op>;
  /** Coerces, fills in defaults. @throws AppError `bad_request` */
  query(querystring: string): QueryOf<Op>;
  /** @throws AppError `bad_request` */
  headers(raw: Record<string, string | string[] | undefined>): void;
  /** Fills in defaults, in place. Undefined means no body. @throws AppError `bad_request` */
  body(value: unknown): BodyOf<Op>;
}

/** Throws an Error that explains how an answer breaks the contract. For tests. */
export type AnswerCheck = (answer: AnyAnswer, headers: Record<string, unknown>) => void;

/** The schemas, which the checks of all operations share. */
const schemas = {
  quick: lazily(() => createAjv({ useDefaults: true })),
  // Made when the first request is refused.
  thorough: lazily(() => createAjv({ useDefaults: true, allErrors: true })),
  answers: lazily(() => createAjv({ useDefaults: false })),
};
const validators = new Map<OperationId, unknown>();
const answerChecks = new Map<OperationId, AnswerCheck>();

/**
 * One for each operation and process, however many apps there are: compiling is most of what a check costs.
 */
export function validatorOf<Op extends OperationId>(operation: Operation<Op>): RequestValidator<Op> {
  return madeOnce(validators, operation.id, () => createValidator(operation)) as RequestValidator<Op>;
}

/**
 * Compares answers with the contract: status, media type, required headers, body. Shared as `validatorOf`.
 */
export function answerCheckOf(operation: Operation): AnswerCheck {
  return madeOnce(answerChecks, operation.id, () => createAnswerCheck(operation));
}

function madeOnce<T>(made: Map<OperationId, T>, id: OperationId, make: () => T): T {
  const one = made.get(id) ?? make();
  made.set(id, one);
  return one;
}

function createValidator<Op extends OperationId>(operation: Operation<Op>): RequestValidator<Op> {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const inHeader = operation.parameters.filter((parameter) => parameter.in === 'header');
  const checks = (ajv: () => Ajv2020) => ({
    path: lazily(() => compile<PathOf<Op>>(ajv(), parameterSchema(inPath))),
    query: lazily(() => compile<QueryOf<Op>>(ajv(), parameterSchema(inQuery))),
    headers: lazily(() => compile(ajv(), parameterSchema(inHeader))),
    body: lazily(() => operation.body && compile(ajv(), operation.body.schema)),
  });
  const quick = checks(schemas.quick);
  const thorough = checks(schemas.thorough);
  const isRequired = operation.body?.required ?? false;
  const isBody = (value: unknown): value is BodyOf<Op> =>
    value === undefined ? !isRequired : (quick.body()?.(value) ?? false);

  return {
    path(raw) {
      const checkPath = quick.path();
      if (checkPath(raw)) return raw;
      const name = checkPath.errors?.[0]?.instancePath.slice(1) ?? '';
      const { code, what } = NOT_FOUND[name] ?? { code: 'not_found' as const, what: 'page' };
      throw new AppError(code, `There is no such ${what}.`);
    },
    query(querystring) {
      const values = coerce(inQuery, querystring);
      const checkQuery = quick.query();
      if (!checkQuery(values)) throw badRequest(checkQuery, thorough.query, values, unnumbered);
      return values;
    },
    headers(raw) {
      if (inHeader.length === 0) return;
      const values = Object.fromEntries(
        inHeader.flatMap(({ name }) => {
          const value = raw[name.toLowerCase()];
          return value === undefined ? [] : [[name, value]];
        }),
      );
      const checkHeaders = quick.headers();
      if (!checkHeaders(values)) throw badRequest(checkHeaders, thorough.headers, values);
    },
    body(value) {
      if (!isBody(value)) throw badRequest(quick.body(), thorough.body, value);
      return value;
    },
  };
}

function createAnswerCheck(operation: Operation): AnswerCheck {
  const checks = new Map<string, () => ValidateFunction>();
  for (const [status, response] of Object.entries(operation.responses)) {
    const json = response.content?.['application/json'];
    if (json)
      checks.set(
        status,
        lazily(() => compile(schemas.answers(), json.schema)),
      );
  }
  return (answer, headers) => {
    const name = `${operation.id} ${answer.status}`;
    const response = operation.responses[String(answer.status)];
    if (!response) throw new Error(`${name} is not documented.`);
    const type = answer.type ?? (answer.body === undefined ? undefined : 'application/json');
    if (type === undefined ? response.content : !response.content?.[type]) {
      throw new Error(`${name} is not documented as ${type ?? 'empty'}.`);
    }
    for (const [header, value] of Object.entries(response.headers ?? {})) {
      if (resolve(spec.components.headers, value).required && headers[header.toLowerCase()] === undefined) {
        throw new Error(`${name} lacks the header ${header}.`);
      }
    }
    const check = answer.body === undefined ? undefined : checks.get(String(answer.status))?.();
    if (check && !check(answer.body)) {
      throw new Error(`${name} breaks the contract: ${describeErrors(check.errors)}`);
    }
  };
}

function createAjv(options: { useDefaults: boolean; allErrors?: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    // A test checks our contract against the meta-schema. Here that would take 80 ms of the first request.
    validateSchema: false,
    allowUnionTypes: true,
    verbose: true,
    // Stop at the first error: a hostile body could make collecting all of them expensive (see isSmall).
    allErrors: false,
    ...options,
  });
  formats.default(ajv);
  for (const [name, schema] of Object.entries(spec.components.schemas)) ajv.addSchema(withLocalRefs(schema), name);
  return ajv;
}

function compile<T>(ajv: Ajv2020, schema: JsonSchema): ValidateFunction<T> {
  return ajv.compile<T>(withLocalRefs(schema));
}

/** `#/components/schemas/Job` of the document is the schema `Job` of the validator. */
function withLocalRefs(schema: JsonSchema): JsonSchema {
  const copy: JsonSchema = JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/components/schemas/', '') : value,
  );
  return copy;
}

/** For bodies with more values, only the first error is reported. */
const MAX_VALUES = 1_000;

/** Checking stops at the first error; the others are looked for in small requests only. */
function badRequest(
  check: ValidateFunction | null,
  thorough: () => ValidateFunction | null,
  value: unknown,
  named: (error: ErrorObject) => ErrorObject = (error) => error,
): AppError {
  const [first, ...rest] = fieldErrors(check?.errors?.map(named));
  if (!first) return new AppError('bad_request', describeErrors(null));
  let errors = [first, ...rest];
  if (value !== undefined && isSmall(value)) {
    const checkAll = thorough();
    checkAll?.(value);
    const others = fieldErrors(checkAll?.errors?.map(named)).filter(({ param }) => param !== first.param);
    errors = [first, ...others];
  }
  return new AppError('bad_request', first.message, { param: first.param, errors });
}

/** In a query, a list is a repeated or comma-separated parameter, so its items have no numbers. */
function unnumbered(error: ErrorObject): ErrorObject {
  return { ...error, instancePath: error.instancePath.replace(/\/\d+$/, '') };
}

/** Visits at most this many values. */
function isSmall(value: unknown): boolean {
  const waiting = [value];
  for (let seen = 0; waiting.length > 0; seen += 1) {
    if (seen + waiting.length > MAX_VALUES) return false;
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null) {
      const values: unknown[] = Object.values(next);
      if (values.length > MAX_VALUES) return false;
      waiting.push(...values);
    }
  }
  return true;
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
