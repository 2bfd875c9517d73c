import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { AppError, type ErrorCode } from '../../platform/errors.ts';
import { describeErrors } from './field-errors.ts';
import type { AnyAnswer } from './handler.ts';
import type { Operation } from './operations.ts';
import { coerce, parameterSchema } from './parameters.ts';
import { resolve, spec, type JsonSchema, type SpecHeader } from './spec.ts';

/** An unknown id and one that can be no id are the same to the caller. */
const NOT_FOUND: Record<string, { code: ErrorCode; what: string }> = {
  projectId: { code: 'project_not_found', what: 'project' },
  id: { code: 'job_not_found', what: 'job' },
  keyId: { code: 'key_not_found', what: 'key' },
  hostId: { code: 'host_not_found', what: 'code host' },
  prId: { code: 'pull_request_not_found', what: 'pull request' },
};

/** The checks of one operation's requests, compiled once at start. */
export interface RequestValidator {
  /** @throws AppError 404 for an id that can be none */
  path(raw: Record<string, string>): Record<string, string>;
  /** Coerces, fills in defaults. @throws AppError `bad_request` */
  query(querystring: string): Record<string, unknown>;
  /** @throws AppError `bad_request` */
  headers(raw: Record<string, string | string[] | undefined>): void;
  /** Fills in defaults, in place. @throws AppError `bad_request` */
  body(value: unknown): unknown;
}

/** Throws an Error that says how an answer breaks the contract. For tests. */
export type AnswerCheck = (answer: AnyAnswer, headers: Record<string, unknown>) => void;

export function compileRequests(operations: readonly Operation[]): Map<string, RequestValidator> {
  const ajv = createAjv({ useDefaults: true });
  return new Map(operations.map((operation) => [operation.id, requestValidator(ajv, operation)]));
}

function requestValidator(ajv: Ajv2020, operation: Operation): RequestValidator {
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = operation.parameters.filter((parameter) => parameter.in === 'query');
  const inHeader = operation.parameters.filter((parameter) => parameter.in === 'header');
  const checks = inPath.map((parameter) => ({ name: parameter.name, check: compile(ajv, parameter.schema) }));
  const checkQuery = compile(ajv, parameterSchema(inQuery));
  const checkHeaders = compile(ajv, parameterSchema(inHeader));
  const checkBody = operation.body && compile(ajv, operation.body.schema);

  return {
    path(raw) {
      for (const { name, check } of checks) {
        if (check(raw[name])) continue;
        const { code, what } = NOT_FOUND[name] ?? { code: 'not_found' as const, what: 'page' };
        throw new AppError(code, `There is no such ${what}.`);
      }
      return raw;
    },
    query(querystring) {
      const values = coerce(inQuery, querystring);
      if (!checkQuery(values)) throw badRequest(checkQuery);
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
      if (!checkHeaders(values)) throw badRequest(checkHeaders);
    },
    body(value) {
      if (checkBody && !checkBody(value)) throw badRequest(checkBody);
      return value;
    },
  };
}

/** Checks that compare answers with the contract: status, media type, required headers, body. */
export function compileAnswers(operations: readonly Operation[]): Map<string, AnswerCheck> {
  const ajv = createAjv({ useDefaults: false });
  return new Map(operations.map((operation) => [operation.id, answerCheck(ajv, operation)]));
}

function answerCheck(ajv: Ajv2020, operation: Operation): AnswerCheck {
  const checks = new Map<string, ValidateFunction>();
  for (const [status, response] of Object.entries(operation.responses)) {
    const json = response.content?.['application/json'];
    if (json) checks.set(status, compile(ajv, json.schema));
  }
  return (answer, headers) => {
    const name = `${operation.id} ${answer.status}`;
    const response = operation.responses[String(answer.status)];
    if (!response) throw new Error(`${name} is not documented.`);
    const type = answer.body === undefined ? answer.type : 'application/json';
    if (type === undefined ? response.content : !response.content?.[type]) {
      throw new Error(`${name} is not documented as ${type ?? 'empty'}.`);
    }
    for (const [header, value] of Object.entries(response.headers ?? {})) {
      if (resolve<SpecHeader>(value).required && headers[header.toLowerCase()] === undefined) {
        throw new Error(`${name} lacks the header ${header}.`);
      }
    }
    const check = checks.get(String(answer.status));
    if (answer.body !== undefined && check && !check(answer.body)) {
      throw new Error(`${name} breaks the contract: ${describeErrors(check.errors)}`);
    }
  };
}

function createAjv(options: { useDefaults: boolean }): Ajv2020 {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    verbose: true,
    // Stop at the first error: collecting all of them is work that a hostile body could ask for.
    allErrors: false,
    ...options,
  });
  formats.default(ajv);
  for (const [name, schema] of Object.entries(spec.components.schemas)) ajv.addSchema(withLocalRefs(schema), name);
  return ajv;
}

function compile(ajv: Ajv2020, schema: JsonSchema): ValidateFunction {
  return ajv.compile(withLocalRefs(schema));
}

/** `#/components/schemas/Job` of the document is the schema `Job` of the validator. */
function withLocalRefs(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
    key === '$ref' && typeof value === 'string' ? value.replace('#/components/schemas/', '') : value,
  ) as JsonSchema;
}

function badRequest(check: ValidateFunction): AppError {
  return new AppError('bad_request', describeErrors(check.errors));
}
