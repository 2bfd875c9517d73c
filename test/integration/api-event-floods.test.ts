import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';

let server: AnalyticsApi;
let project: string;

beforeAll(async () => {
  server = await startAnalyticsApi({ config: { eventRequestsPerMinute: 20 } });
  project = await server.api.addProject();
});
afterAll(() => server?.close());

const valid = (no: number) =>
  JSON.stringify({ id: `e${no}`, timestamp: Date.now(), path: '/start', visitorId: `v${no}`, class: 'human' });
const lines = (count: number, line: (no: number) => string) =>
  Array.from({ length: count }, (_, no) => `${line(no)}\n`);

async function send(body: string | Buffer, headers: Record<string, string> = {}, token = server.api.operatorToken) {
  const response = await fetch(`${server.api.url}/v1/analytics/${project}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson', ...headers },
    body: new Uint8Array(Buffer.from(body)),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as Record<string, unknown>,
  };
}

test('a stream of mostly refused events is not read to its end, and reports what was accepted', async () => {
  const { status, body } = await send([...lines(10, valid), ...lines(200_000, () => 'x')].join(''));
  expect(status).toBe(400);
  expect(body).toMatchObject({ code: 'bad_request', accepted: 10, error: expect.stringMatching(/rejected/) });
  expect(body.rejectedCount).toBeLessThan(4_000);
  expect(body.next).toBeLessThan(4_000);
});

test('a stream of blank lines is not read to its end', async () => {
  const { status, body } = await send(`${valid(100)}\n${'\n'.repeat(500_000)}`);
  expect([status, body.code, body.accepted]).toEqual([400, 'bad_request', 1]);
  expect(body.error).toMatch(/blank lines/);
});

test('a body that packs like no real one is not unpacked to its end', async () => {
  const packed = gzipSync(`${' '.repeat(7 * 1024 * 1024)}{"events": [${valid(500)}]}`);
  expect(packed.length).toBeLessThan(10_000);
  const { status, body } = await send(packed, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
  expect([status, body.code]).toEqual([413, 'body_too_large']);
});

test('single mistakes, blank lines between events and well packed events are taken', async () => {
  const mixed = lines(3_000, (no) => (no % 2 === 0 ? `${valid(1_000 + no)}\n` : 'x'));
  expect(await send(mixed.join(''))).toMatchObject({ status: 202, body: { accepted: 1_500, rejectedCount: 1_500 } });
  const packed = gzipSync(lines(30_000, (no) => valid(10_000 + no)).join(''));
  const { status, body } = await send(packed, { 'content-encoding': 'gzip' });
  expect([status, body.accepted]).toEqual([202, 30_000]);
});

test('a key that sends too many requests waits, and other keys do not', async () => {
  const [one, other] = [
    await server.api.addKey({ scopes: ['events'] }),
    await server.api.addKey({ scopes: ['events'] }),
  ];
  for (let no = 0; no < 20; no += 1) expect((await send(valid(no), {}, one)).status).toBe(202);
  const refused = await send(valid(0), {}, one);
  expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await send(valid(0), {}, other)).status).toBe(202);
});
