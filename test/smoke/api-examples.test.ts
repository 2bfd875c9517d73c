import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isAudited } from '../../src/api/audit-trail.ts';
import { operations, type Operation } from '../../src/api/contract/operations.ts';
import { resolve, spec, type SpecOperation } from '../../src/api/contract/spec.ts';
import { answerCheckOf, validatorOf } from '../../src/api/contract/validation.ts';
import { auditLog } from '../../src/store/access/audit-schema.ts';
import {
  createHookSecret,
  createHostSecret,
  EXAMPLE_IDS,
  startExampleWorld,
  type ExampleWorld,
} from '../support/example-world.ts';

/**
 * The examples of `api-examples/`: every operation has them, they are what the contract says, and what is
 * sent really gets such an answer. With DOCENT_TEST_EXAMPLES=write, answers that are missing or have other
 * fields are written as they come: look at them before you commit them.
 */
const FOLDER = path.join(import.meta.dirname, '..', '..', 'api-examples');
/** Pages, scripts and streams are not examples to read. */
const SHOWN = ['application/json', 'text/csv', 'text/x-diff'];
/** The contract itself is too large to be in the contract. */
const NOT_SHOWN: readonly string[] = ['getOpenApiJson'];
/** Not for the operator, who has no key. */
const NEEDS_KEY: readonly string[] = ['createToken'];
/** No secret that was one is ever shown. */
const SECRET = /\b(docent(?:tok)?|whsec)_[0-9A-Za-z+/=]{30,}/g;
const isWriting = process.env.DOCENT_TEST_EXAMPLES === 'write';

interface Example {
  request?: { type?: string; query?: Record<string, string>; headers?: Record<string, string>; body?: unknown };
  answers?: Record<string, Record<string, unknown>>;
}

let world: ExampleWorld;
beforeAll(async () => {
  world = await startExampleWorld();
});
afterAll(() => world.close());

const ORDER = ['get', 'post', 'put', 'patch', 'delete'];
/** What takes the world away that the others need comes last. */
const inOrder = operations.toSorted((a, b) => rank(a) - rank(b));

function rank({ id, method }: Operation): number {
  return id === 'deleteProject' ? ORDER.length : ORDER.indexOf(method);
}

describe('the example of', () => {
  test.each(inOrder.map((operation) => [operation.id as string, operation] as const))('%s', async (id, operation) => {
    const file = path.join(FOLDER, `${id}.json`);
    const example: Example = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Example) : {};
    const body = bodyOf(operation);
    if (body?.required && example.request?.body === undefined) {
      expect.fail(
        `Write api-examples/${id}.json: { "request": { "body": … } } with a body for ${operation.method.toUpperCase()} ${operation.path} (see its schema in openapi.yaml), then run this test with DOCENT_TEST_EXAMPLES=write.`,
      );
    }
    if (isStreamed(operation)) return expect(validatorOf(operation).body(example.request?.body)).toBeDefined();
    const [status = ''] = Object.keys(operation.responses).filter((each) => each.startsWith('2'));
    const types = Object.keys(operation.responses[status]?.content ?? {}).filter(
      (type) => SHOWN.includes(type) && !NOT_SHOWN.includes(id),
    );
    for (const type of types.length > 0 ? types : [null]) {
      await world.prepare(id);
      const answer = await send(operation, example, type);
      expect(answer.status, answer.text).toBe(status === '' || answer.status === 303 ? answer.status : Number(status));
      if (isAudited(operation) && operation.method !== 'get')
        await expectAudited(operation, answer.headers.get('x-request-id'), answer.status);
      if (type === null) continue;
      const actual: unknown = type === 'application/json' ? answer.json : answer.text;
      const shown = example.answers?.[status]?.[type];
      if (isWriting && (shown === undefined || differences(shown, actual).length > 0)) {
        example.answers = { ...example.answers, [status]: { ...example.answers?.[status], [type]: actual } };
        writeFileSync(
          file,
          `${JSON.stringify(example, null, 2).replaceAll(SECRET, '$1_ExampleOfASecretThatOpensNothing00000000000')}\n`,
        );
      } else if (shown === undefined) {
        expect.fail(
          `api-examples/${id}.json has no answer ${status} as ${type}. Run this test with DOCENT_TEST_EXAMPLES=write, or write: { "answers": { "${status}": { "${type}": … } } }. The server answered ${JSON.stringify(actual)}`,
        );
      } else {
        checkShown(operation, Number(status), type, shown);
        expect(
          differences(shown, actual),
          `api-examples/${id}.json is not what the server answers (DOCENT_TEST_EXAMPLES=write writes it): ${answer.text}`,
        ).toEqual([]);
        if (!isWriting) expect(published(id, status, type), 'Run `npm run generate`.').toEqual(shown);
      }
    }
  });
});

/** No write without its row in the audit log, which has nothing of the body but the names of its fields. */
async function expectAudited({ id, isPage }: Operation, requestId: string | null, status: number): Promise<void> {
  // A form is answered with another page, which is read: that is the answer that came.
  const isMeant = isPage ? eq(auditLog.operation, id) : eq(auditLog.requestId, requestId ?? '');
  const rowsOf = () => world.api.database.db.select().from(auditLog).where(isMeant);
  const outcome = [id, isPage ? 303 : status];
  await expect.poll(async () => (await rowsOf()).map((row) => [row.operation, row.status])).toEqual([outcome]);
}

test('every error answer of the contract shows the errors that its description names', () => {
  const lacking: string[] = [];
  for (const operation of operations) {
    const { id, responses } = operation;
    for (const [status, { content, description = '' }] of Object.entries(responses)) {
      if (Number(status) < 400 || !content?.['application/json']) continue;
      const examples = Object.values(examplesOf(content['application/json']));
      if (examples.length === 0)
        lacking.push(`${id} ${status}: name its codes among backticks in "${description.trim()}"`);
      for (const body of examples) checkShown(operation, Number(status), 'application/json', body);
    }
  }
  expect(lacking).toEqual([]);
});

test('every error code has its example', () => {
  const shown = JSON.parse(readFileSync(path.join(FOLDER, 'errors.json'), 'utf8')) as Record<string, { code: string }>;
  const codes = (spec.components.schemas.ErrorCode as { enum: string[] }).enum;
  expect(Object.keys(shown).toSorted(), 'api-examples/errors.json').toEqual(codes.toSorted());
  expect(Object.entries(shown).filter(([name, { code }]) => name !== code)).toEqual([]);
});

/** Continues for as long as the job works: its body is compared with the contract, and not sent. */
function isStreamed({ method, responses }: Operation): boolean {
  const types = Object.keys(responses['200']?.content ?? {});
  return method === 'post' && types.length === 1 && types[0] === 'text/event-stream';
}

function operationOf({ method, path: route }: Operation): SpecOperation {
  return spec.paths[route]![method]!;
}

function bodyOf(operation: Operation) {
  const { requestBody } = operationOf(operation);
  return requestBody && resolve(spec.components.requestBodies, requestBody);
}

async function send(operation: Operation, { request = {} }: Example, accept: string | null) {
  const route = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const id = EXAMPLE_IDS[name];
    if (id === undefined)
      throw new Error(`test/support/example-world.ts does not know {${name}} of ${operation.path}.`);
    return id;
  });
  const type = request.type ?? Object.keys(bodyOf(operation)?.content ?? {})[0] ?? '';
  const isForm = type === 'application/x-www-form-urlencoded';
  const body = isForm ? new URLSearchParams(request.body as Record<string, string>).toString() : request.body;
  const isCollected = operation.id.startsWith('collect');
  return world.api.call(`${route}${request.query ? `?${new URLSearchParams(request.query)}` : ''}`, {
    method: operation.method.toUpperCase(),
    ...(body === undefined ? {} : { body }),
    token: await tokenFor(operation),
    headers: {
      ...(body === undefined ? {} : { 'content-type': type }),
      ...(accept === null ? {} : { accept }),
      // As a browser says it.
      ...(isCollected ? { origin: 'https://docs.example.com' } : {}),
      ...request.headers,
    },
  });
}

/** The operator's, but where none is looked at, and where a key is to be given. */
async function tokenFor({ id, access }: Operation): Promise<string | null> {
  if (NEEDS_KEY.includes(id)) return world.api.addKey();
  if (id === 'receiveDelivery') return createHookSecret(world.api);
  if (id === 'receiveHostDelivery') return createHostSecret(world.api);
  const isPageForm = id === 'mergePullRequest' || id === 'closePullRequest';
  return access.kind === 'public' && !isPageForm ? null : world.api.operatorToken;
}

/** An example is compared with the contract as an answer is. */
function checkShown(operation: Operation, status: number, type: string, shown: unknown): void {
  const anyHeader = new Proxy({}, { get: () => '' });
  const answer = type === 'application/json' ? { status, body: shown } : { status, type, text: String(shown) };
  answerCheckOf(operation)(answer, anyHeader);
}

function published(id: string, status: string, type: string): unknown {
  const media = operations.find((operation) => operation.id === id)?.responses[status]?.content?.[type];
  return media && examplesOf(media)[0];
}

function examplesOf(media: { examples?: Record<string, { value: unknown }> }): unknown[] {
  return Object.values(media.examples ?? {}).map(({ value }) => value);
}

/**
 * Where two values are not alike in form. A null is like anything, an empty list or object like a full one;
 * of CSV, the columns count.
 */
function differences(shown: unknown, actual: unknown, at = ''): string[] {
  if (shown === null || actual === null) return [];
  if (typeof shown !== typeof actual) return [`${at}: ${typeof shown} is ${typeof actual}`];
  if (typeof shown === 'string') {
    const isTable = at === '' && shown.split('\r\n')[0] !== String(actual).split('\r\n')[0];
    return isTable ? [`columns: ${String(actual).split('\r\n')[0]}`] : [];
  }
  if (Array.isArray(shown) && Array.isArray(actual)) {
    return actual.length === 0 ? [] : shown.flatMap((entry, i) => differences(entry, actual[0], `${at}[${i}]`));
  }
  if (typeof shown !== 'object') return [];
  const [left, right] = [shown as Record<string, unknown>, actual as Record<string, unknown>];
  if (Object.keys(left).length === 0 || Object.keys(right).length === 0) return [];
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) => {
    if (!(name in left)) return [`${at}.${name} is not in the example`];
    if (!(name in right)) return [`${at}.${name} is not in the answer`];
    return differences(left[name], right[name], `${at}.${name}`);
  });
}
