import { cacheControlOf } from '../../../src/api/middleware/deliver.ts';
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations, type OperationId } from '../../../src/api/contract/operations.ts';
import document from '../../../src/api/generated/openapi.json' with { type: 'json' };
import { WEBHOOK_EVENTS } from '@docent/client';
import { spec, type JsonSchema } from '../../../src/api/contract/spec.ts';
import { answerCheckOf, validatorOf, type RequestValidator } from '../../../src/api/contract/validation.ts';
import { handlers } from '../../../src/api/routes/routes.ts';
import { AppError } from '../../../src/platform/errors.ts';
import { blocksOf } from '../../support/docs-blocks.ts';
import { times } from '../../support/how-often.ts';
import { anyCharacter } from '../../support/any-character.ts';

const validators = new Map(operations.map((operation) => [operation.id, validatorOf(operation)]));
const of = (id: OperationId): RequestValidator<OperationId> => {
  const validator = validators.get(id);
  if (!validator) throw new Error(`There is no operation ${id}.`);
  return validator;
};
const errorOf = (work: () => unknown): AppError => {
  try {
    work();
  } catch (err) {
    if (err instanceof AppError) return err;
    throw err;
  }
  throw new Error('Nothing was thrown.');
};

test.each(['getVisitors', 'getViews'] as const)('%s refuses a parameter that is only written otherwise', (id) => {
  expect(errorOf(() => of(id).query('datefrom=2026-11-01')).message).toContain('Did you mean `dateFrom`');
  expect(() => of(id).query('dateFrom=2026-11-01&utm_source=x')).not.toThrow();
});

test('operations that answer with pages document their errors as pages', () => {
  const pages = operations.filter(({ responses }) => responses['200']?.content?.['text/html']);
  expect(pages.map(({ id }) => id)).toContain('mergePullRequest');
  for (const { id, responses } of pages) {
    for (const [status, { content }] of Object.entries(responses))
      if (status !== '303') expect(Object.keys(content ?? {}), `${id} ${status}`).toContain('text/html');
  }
});

test('describes every message that webhooks receive', () => {
  expect(Object.keys(document.webhooks).toSorted()).toEqual([...WEBHOOK_EVENTS, 'ping'].toSorted());
  const ajv = new Ajv2020({ strict: false, logger: false, formats: { 'date-time': true } }).addSchema(
    document,
    'contract',
  );
  for (const [type, { post }] of Object.entries(document.webhooks)) {
    const name = post.requestBody.$ref.slice('#/components/requestBodies/'.length);
    const check = ajv.compile({
      $ref: `contract#/components/requestBodies/${name}/content/application~1json/schema`,
    });
    const message = (of: object, called = type) => ({
      type: called,
      timestamp: '2026-11-22T21:00:00.000Z',
      data: { projectId: 'acme-docs', ...of },
    });
    expect([type, check(message({}))]).toEqual([type, type === 'ping']);
    expect([type, check(message({}, 'else'))]).toEqual([type, false]);
  }
});

test('the payloads in the docs have fields and values of the contract', () => {
  const ajv = new Ajv2020({ strict: false, logger: false, allErrors: true, formats: { 'date-time': true } });
  ajv.addSchema(document, 'contract');
  const check = ajv.compile({ $ref: 'contract#/components/schemas/WebhookPayload' });
  const { Job, PullRequest } = spec.components.schemas;
  const examples = blocksOf('docs/guides/webhook-payloads.mdx').filter(({ language }) => language === 'json');
  expect(examples).toHaveLength(4);
  for (const { where, text } of examples) {
    const { data } = JSON.parse(text) as { data: Record<string, object> };
    check(JSON.parse(text));
    // Jobs are shortened: a field may be missing.
    const wrong = check.errors?.filter(
      ({ keyword, instancePath }) => keyword !== 'required' || !/job/.test(instancePath),
    );
    expect(wrong ?? [], where).toEqual([]);
    for (const [of, schema] of [
      [data.job, Job],
      [data.pullRequest, PullRequest],
    ] as const)
      expect(Object.keys(schema?.properties ?? {}), where).toEqual(expect.arrayContaining(Object.keys(of ?? {})));
  }
});

type Content = { content?: Record<string, { schema: JsonSchema }> };
const schemasOf = (bodies: Content[]): JsonSchema[] =>
  bodies.flatMap(({ content = {} }) => Object.values(content).map(({ schema }) => schema));

test('every schema of the contract is one by the JSON Schema of its draft, which no server checks again', () => {
  const { schemas, parameters, requestBodies, responses } = spec.components;
  const all = [
    ...Object.values(schemas),
    ...Object.values(parameters).map(({ schema }) => schema),
    ...schemasOf([...Object.values(requestBodies), ...Object.values(responses)]),
    ...operations.flatMap((operation) => [
      ...operation.parameters.map(({ schema }) => schema),
      ...(operation.body ? [operation.body.schema] : []),
      ...schemasOf(Object.values(operation.responses)),
    ]),
  ];
  expect(all.length).toBeGreaterThan(500);
  const ajv = new Ajv2020();
  for (const schema of all) {
    expect(ajv.validateSchema(schema), `${JSON.stringify(schema)}: ${ajv.errorsText()}`).toBe(true);
  }
  expect(ajv.validateSchema({ type: 'strin' })).toBe(false);
});

test('every operation has a handler, an access rule and documented errors', () => {
  expect(operations.filter(({ id }) => typeof handlers[id] !== 'function')).toEqual([]);
  for (const { id, access, responses, body, parameters } of operations) {
    const statuses = Object.keys(responses);
    expect(statuses, id).toContain('500');
    // Any route may be called under a strange Host.
    expect(statuses, id).toContain('403');
    if (access.kind !== 'public') expect(statuses, id).toEqual(expect.arrayContaining(['401', '503']));
    if (body) expect(statuses, id).toEqual(expect.arrayContaining(['400', '413', '415']));
    if (parameters.some((parameter) => parameter.in !== 'path')) expect(statuses, id).toContain('400');
    if (parameters.some((parameter) => parameter.in === 'path')) expect(statuses, id).toContain('404');
    for (const [status, response] of Object.entries(responses)) {
      expect(Object.keys(response.headers ?? {}), `${id} ${status}`).toContain('X-Request-Id');
      if (Number(status) === 503 || Number(status) === 429)
        expect(Object.keys(response.headers ?? {})).toContain('Retry-After');
    }
  }
});

test('only operations with cacheable answers have 304 in the contract', () => {
  for (const operation of operations) {
    const { id, method, responses } = operation;
    const types = Object.keys(responses['200']?.content ?? {});
    const hasTag = method === 'get' && cacheControlOf(operation, 'GET', 200) !== 'no-store' && types.some(isText);
    expect('304' in responses, id).toBe(hasTag);
  }
});

test('jobs are read with read and changed with write; analytics have scopes of their own; projects and keys are the operator’s', () => {
  for (const { id, path, method, access } of operations) {
    const isRead = method === 'get';
    if (path === '/v1/sign-in' || /^(receive(Host)?Delivery|openShareLink)$/.test(id))
      expect(access, id).toEqual({ kind: 'public' });
    else if (path === '/v1/me') expect(access, id).toEqual({ kind: 'key', scopes: ['read', 'events', 'analytics'] });
    else if (path === '/v1/tokens')
      expect(access, id).toEqual({ kind: 'key', scopes: ['read', 'events', 'analytics'] });
    // What leaves Docent's own branches is the operator's: the same as on the page of a pull request.
    // So is the way into Temporal.
    else if (/\/pull-request\/(merge|close)$|\/workflow$/.test(path)) expect(access, id).toEqual({ kind: 'operator' });
    else if (/^\/v2\/|^\/v1\/agent\//.test(path))
      expect(access, id).toEqual({ kind: 'key', scopes: [isRead ? 'read' : 'write'] });
    else if (id === 'getProject') expect(access, id).toEqual({ kind: 'key', scopes: ['read', 'analytics'] });
    // Feedback has what readers wrote: keys that only send page views do not change it.
    else if (id === 'updateFeedback') expect(access, id).toEqual({ kind: 'key', scopes: ['write'] });
    // Notes of a team are not for keys that only send or read page views.
    else if (path.includes('/annotations'))
      expect(access, id).toEqual({ kind: 'key', scopes: [isRead ? 'read' : 'write'] });
    else if (path.startsWith('/v1/analytics/'))
      expect(access, id).toEqual({ kind: 'key', scopes: isRead ? ['read', 'analytics'] : ['write', 'events'] });
    else if (/^\/v1\/projects\/\{projectId\}\/(pull-requests(\/\{prId\}\/effect)?|suggestions)$/.test(path))
      expect(access, id).toEqual({ kind: 'key', scopes: ['read'] });
    // Addresses of webhooks may hold secrets: callers that only read do not see them. So may those of
    // automations, and who triggers one creates a job.
    else if (/\/webhooks|\/automations|\/automation-plan|\/secrets|\/workflow\//.test(path))
      expect(access, id).toEqual({ kind: 'key', scopes: ['write'] });
    else if (path.startsWith('/v1/')) expect(access, id).toEqual({ kind: 'operator' });
  }
});

test('whatever takes a key or the operator token takes a signed-in browser, too: what a person may do follows from the role', () => {
  for (const { id, access, path, method } of operations) {
    const { security } = spec.paths[path]?.[method] ?? {};
    const ways = (security ?? []).flatMap((way) => Object.keys(way));
    // Some that are for anyone look at who calls anyway.
    if (ways.length > 0) expect(ways, id).toEqual(expect.arrayContaining(['operatorToken', 'session']));
    else expect(access.kind, id).toBe('public');
  }
});

test('the specified operations and fields are there under their names', async () => {
  const spec = JSON.parse(await readFile('src/api/generated/openapi.json', 'utf8'));
  expect(Object.keys(spec.paths['/v2/agent/{projectId}/job'].post.responses)).toContain('201');
  expect(Object.keys(spec.paths['/v2/agent/{projectId}/job/{id}'].get.responses)).toContain('200');
  expect(Object.keys(spec.paths['/v2/agent/{projectId}/job/{id}/message'].post.responses)).toContain('200');
  const { Job } = spec.components.schemas;
  const specified = ['id', 'status', 'source', 'model', 'prLink', 'createdAt', 'archivedAt'];
  expect(Job.required).toEqual(expect.arrayContaining(specified));
  expect(Job.required).toEqual(expect.arrayContaining(Object.keys(Job.properties)));
});

describe('queries', () => {
  test('get their types and defaults', () => {
    expect(of('listJobs').query('')).toEqual({ limit: 20 });
    expect(of('listJobs').query('limit=7&status=failed&x=1')).toEqual({ limit: 7, status: ['failed'] });
    expect(of('listJobEvents').query('after=3')).toEqual({ after: 3, follow: false, limit: 100, waitSeconds: 0 });
  });

  test('take integers, also as clients write them that know only floats', () => {
    expect(of('listJobs').query('limit=50.0')).toEqual({ limit: 50 });
    for (const text of [
      '',
      ' 5',
      '5.',
      '5.5',
      '.0',
      '+5',
      '05',
      '5e0',
      '0x5',
      '٥',
      'NaN',
      'Infinity',
      '99999999999999999999',
    ]) {
      const { message, code } = errorOf(() => of('listJobs').query(`limit=${encodeURIComponent(text)}`));
      expect([code, message]).toEqual(['bad_request', expect.stringContaining('`limit`')]);
    }
  });

  test('never fail otherwise than with an error of the caller', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('listJobs', 'listKeys', 'listJobEvents'),
        fc.string({ unit: anyCharacter }),
        (id, query) => {
          for (const text of [query, `limit=${query}`, `cursor=${query}&status=${query}`]) {
            try {
              of(id).query(text);
            } catch (err) {
              expect(err).toBeInstanceOf(AppError);
            }
          }
        },
      ),
      { numRuns: times(40) },
    );
  });
});

describe('bodies', () => {
  test('get their defaults', () => {
    expect(of('createKey').body({ name: 'x', projectIds: null })).toEqual({
      name: 'x',
      projectIds: null,
      scopes: ['read'],
      expiresInDays: 90,
      allowedAddresses: null,
    });
  });

  test('keep their defaults to themselves', () => {
    const first: unknown = of('createKey').body({ name: 'x', projectIds: null });
    (first as { scopes: string[] }).scopes.push('write');
    expect(of('createKey').body({ name: 'x', projectIds: null })).toMatchObject({ scopes: ['read'] });
  });

  test('every prompt is taken or refused by its length and blankness alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (prompt) => {
        const isFine = /\S/u.test(prompt);
        if (isFine) expect(of('createJob').body({ prompt })).toEqual({ prompt });
        else expect(errorOf(() => of('createJob').body({ prompt })).code).toBe('bad_request');
      }),
    );
  });

  test('any JSON value is taken or is an error that names a field', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('createJob', 'createKey', 'createProject', 'updateProject'),
        fc.jsonValue(),
        (id, value) => {
          try {
            of(id).body(value);
          } catch (err) {
            expect(err).toBeInstanceOf(AppError);
            expect((err as AppError).message).toMatch(/^`.+`|JSON object/);
          }
        },
      ),
    );
  });

  test('a value is never repeated in its error', () => {
    const secret = 'do-not-repeat-me';
    for (const body of [
      { prompt: [secret] },
      { prompt: { [secret]: 1 } },
      { id: secret.toUpperCase(), repository: 5 },
    ]) {
      expect(errorOf(() => of(body.prompt ? 'createJob' : 'createProject').body(body)).message).not.toContain(secret);
    }
  });
});

describe('answers', () => {
  const check = answerCheckOf(operations.find(({ id }) => id === 'getJob')!);
  const headers = { 'x-request-id': 'x' };

  test('are compared with the contract', () => {
    expect(() => check({ status: 418, body: {} }, headers)).toThrow('getJob 418 is not documented');
    expect(() => check({ status: 200, body: { id: 'x' } }, headers)).toThrow('`status` is missing');
    expect(() => check({ status: 200, type: 'text/html', text: '' }, headers)).toThrow('not documented as text/html');
    expect(() =>
      check(
        {
          status: 404,
          body: { error: 'x', code: 'job_not_found', requestId: 'x', param: null, errors: [], docs: 'x' },
        },
        {},
      ),
    ).toThrow('lacks the header X-Request-Id');
    expect(() =>
      check(
        { status: 404, body: { error: 'x', code: 'odd', requestId: 'x', param: null, errors: [], docs: 'x' } },
        headers,
      ),
    ).toThrow('`code`');
    expect(() =>
      check(
        {
          status: 404,
          body: { error: 'x', code: 'job_not_found', requestId: 'x', param: null, errors: [], docs: 'x' },
        },
        headers,
      ),
    ).not.toThrow();
  });
});

function isText(type: string): boolean {
  return /^application\/(?:json|yaml)$|^text\/(?!html|event-stream)/.test(type);
}
