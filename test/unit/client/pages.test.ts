import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createDocentClient, items, PageRefused, pages, type Job, type Key, type PagedRoute } from '@docent/client';
import { expect, expectTypeOf, test } from 'vitest';
import { parse } from 'yaml';

/** A client whose server gives these answers, one after the other; what it was asked is in `asked`. */
function scripted(answers: readonly { status?: number; body: unknown }[]) {
  const asked: string[] = [];
  const fetch = (request: Request) => {
    const { status = 200, body } = answers[asked.length] ?? { status: 500, body: {} };
    asked.push(new URL(request.url).search);
    return Promise.resolve(Response.json(body, { status }));
  };
  return { asked, docent: createDocentClient({ baseUrl: 'http://docent.test', fetch }) };
}

const PROJECT = { projectId: 'demo' };

test('reads all entries of a list by its cursor, and keeps the filters', async () => {
  const { asked, docent } = scripted([
    { body: { jobs: [{ id: 'a' }, { id: 'b' }], nextCursor: 'c 1' } },
    { body: { jobs: [], nextCursor: 'c2' } },
    { body: { jobs: [{ id: 'c' }], nextCursor: null } },
  ]);
  const query = { status: 'active' as const, limit: 2 };
  const jobs = items(docent, '/v2/agent/{projectId}/jobs', { params: { path: PROJECT, query } });
  expectTypeOf(jobs).toEqualTypeOf<AsyncGenerator<Job, void, undefined>>();
  expect((await Array.fromAsync(jobs)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(asked).toEqual([
    '?status=active&limit=2',
    '?status=active&limit=2&cursor=c%201',
    '?status=active&limit=2&cursor=c2',
  ]);
});

test('reads tables of the analytics by offset, all of one version', async () => {
  const { asked, docent } = scripted([
    { body: { visitors: [{ path: '/a' }, { path: '/b' }], hasMore: true, version: '7', totals: {} } },
    { body: { visitors: [{ path: '/c' }], hasMore: false, version: '7', totals: {} } },
  ]);
  const query = { limit: 2, offset: 10 };
  const read = pages(docent, '/v1/analytics/{projectId}/visitors', { params: { path: PROJECT, query } });
  expect((await Array.fromAsync(read)).map((page) => page.visitors.length)).toEqual([2, 1]);
  expect(asked).toEqual(['?limit=2&offset=10', '?limit=2&offset=12&version=7']);
});

test('asks for no page that is not needed', async () => {
  const { asked, docent } = scripted([{ body: { keys: [{ id: 'k1' }, { id: 'k2' }], nextCursor: 'more' } }]);
  for await (const key of items(docent, '/v1/keys')) {
    expectTypeOf(key).toEqualTypeOf<Key>();
    if (key.id === 'k2') break;
  }
  expect(asked).toHaveLength(1);
});

test('throws the error of a page, after the entries of the pages before it', async () => {
  const error = { error: 'Try again later.', code: 'unavailable' };
  const { docent } = scripted([{ body: { keys: [{ id: 'k1' }], nextCursor: 'more' } }, { status: 503, body: error }]);
  const read = items(docent, '/v1/keys');
  expect((await read.next()).value).toEqual({ id: 'k1' });
  const refused = await read.next().catch((err: unknown) => err);
  expect(refused).toBeInstanceOf(PageRefused);
  expect(refused).toMatchObject({ message: 'Try again later.', status: 503, body: error });
});

test('takes no route that has no pages', () => {
  expectTypeOf<'/v1/keys'>().toExtend<PagedRoute>();
  expectTypeOf<'/v1/analytics/{projectId}/visitors'>().toExtend<PagedRoute>();
  expectTypeOf<'/v1/health'>().not.toExtend<PagedRoute>();
  expectTypeOf<'/v1/analytics/{projectId}/feedback/by-page'>().not.toExtend<PagedRoute>();
});

interface Schema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
}
interface Operation {
  parameters?: (Schema & { in?: string; name?: string })[];
  responses: Record<string, Schema & { content?: Record<string, { schema: Schema }> }>;
}

test('every list with pages has one list in an answer, which is what the entries are taken from', () => {
  const contract = parse(readFileSync(path.join(import.meta.dirname, '../../../openapi.yaml'), 'utf8')) as {
    paths: Record<string, { get?: Operation }>;
  };
  const whole = <T extends Schema>(part: T): T =>
    part.$ref === undefined
      ? part
      : ((part.$ref.slice(2).split('/') as (keyof object)[]).reduce<object>((at, key) => at[key], contract) as T);
  const lists = Object.entries(contract.paths).flatMap(([route, { get }]) => {
    const names = (get?.parameters ?? []).map((parameter) => whole(parameter).name);
    if (!get || !names.some((name) => name === 'cursor' || name === 'offset')) return [];
    const schema = whole(whole(get.responses[200] ?? {}).content?.['application/json']?.schema ?? {});
    const arrays = Object.values(schema.properties ?? {}).filter((property) => whole(property).type === 'array');
    return [[route, arrays.length]];
  });
  expect(lists.length).toBeGreaterThan(10);
  expect(lists.filter(([, count]) => count !== 1)).toEqual([]);
});
