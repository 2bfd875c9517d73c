import { truncate } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { analyticsFilePaths } from '../../src/store/analytics/manifest.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';

let running: AnalyticsApi;
let project: string;

beforeAll(async () => {
  running = await startAnalyticsApi();
});
afterAll(() => running?.close());

const view = (visitorId: string, page: string, more: object = {}) => ({
  timestamp: '2026-11-18T10:00:00.000Z',
  path: page,
  visitorId,
  ...more,
});
const lines = (events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');

async function send(events: readonly object[], key?: string) {
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key };
  const answer = await running.api.call(`/v1/analytics/${project}/events`, { body: { events }, headers });
  expect(answer.status, answer.text).toBe(202);
  return answer.json as { accepted: number; duplicates: number };
}

async function stream(body: string | Buffer, key: string) {
  const answer = await fetch(`${running.api.url}/v1/analytics/${project}/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${running.api.operatorToken}`,
      'content-type': 'application/x-ndjson',
      'idempotency-key': key,
      ...(typeof body === 'string' ? {} : { 'content-encoding': 'gzip' }),
    },
    body: body as never,
  });
  expect(answer.status).toBe(202);
  return (await answer.json()) as { accepted: number; duplicates: number };
}

async function views(): Promise<number> {
  await running.analytics.ingestor.flush();
  return (await running.api.call(`/v1/analytics/${project}/views`)).json.totals.total;
}

describe('a request with an Idempotency-Key', () => {
  test('loses no event to one before that had the same key', async () => {
    project = await running.api.addProject();
    expect(await send([view('a', '/a')], 'k')).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await send([view('a', '/b')], 'k')).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await send([view('b', '/b')], 'k')).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await send([view('b', '/b', { notFound: true })], 'k')).toMatchObject({ accepted: 1 });
    expect(await send([view('b', '/b', { timestamp: '2026-11-18T10:00:00.001Z' })], 'k')).toMatchObject({
      accepted: 1,
    });
    expect(await views()).toBe(4);
  });

  test('counts once when it is sent again: as JSON or NDJSON, packed, in other bytes, with more events', async () => {
    project = await running.api.addProject();
    const events = [view('a', '/'), view('a', '/'), view('b', '/guide')];
    expect(await send(events, 'k')).toMatchObject({ accepted: 3, duplicates: 0 });
    expect(await send(events, 'k')).toMatchObject({ accepted: 0, duplicates: 3 });
    expect(await stream(lines(events), 'k')).toMatchObject({ accepted: 0, duplicates: 3 });
    expect(await stream(gzipSync(lines(events)), 'k')).toMatchObject({ accepted: 0, duplicates: 3 });
    // Equal in meaning: other order of fields, another form of the time, fields without a value.
    const rewritten = events.map(({ timestamp, path: page, visitorId }) => ({
      referrer: null,
      visitorId,
      path: `${page}#top`,
      timestamp: Date.parse(timestamp),
    }));
    expect(await send(rewritten, 'k')).toMatchObject({ accepted: 0, duplicates: 3 });
    expect(await stream(lines([...events, view('c', '/')]), 'k')).toMatchObject({ accepted: 1, duplicates: 3 });
    expect(await views()).toBe(4);
  });

  test('counts once also if another process gets the repeat', async () => {
    project = await running.api.addProject();
    const events = [view('a', '/'), view('b', '/')];
    await send(events, 'k');
    const other = await running.openAnother();
    expect(await other.ingestor.ingest(project, events, { key: 'k', first: 0 })).toMatchObject({ accepted: 2 });
    await other.ingestor.flush();
    expect(await views()).toBe(2);
  });

  test('distinguishes people by their addresses', async () => {
    project = await running.api.addProject();
    const seen = {
      timestamp: '2026-11-18T10:00:00.000Z',
      path: '/',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0',
    };
    const [one, two] = ['198.51.100.1', '198.51.100.2'].map((ip) => ({ ...seen, ip }));
    expect(await send([one!], 'k')).toMatchObject({ accepted: 1 });
    expect(await send([two!], 'k')).toMatchObject({ accepted: 1 });
    expect(await send([two!], 'k')).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await views()).toBe(2);
  });
});

describe('an event with its own id', () => {
  test('counts once on its day, whatever its other fields, and the repeat is reported', async () => {
    project = await running.api.addProject();
    const one = view('a', '/a', { id: 'one' });
    expect(await send([one, view('b', '/b', { id: 'one' })])).toMatchObject({ accepted: 1, duplicates: 1 });
    expect(await send([view('c', '/c', { id: 'one' })])).toMatchObject({ accepted: 0, duplicates: 1 });
    expect(await stream(lines([one, one]), 'k')).toMatchObject({ accepted: 0, duplicates: 2 });
    expect(await send([{ ...one, timestamp: '2026-11-17T10:00:00Z' }])).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await views()).toBe(2);
    const { json } = await running.api.call(`/v1/analytics/${project}/views`);
    expect(json.views).toEqual([{ path: '/a', human: 2, ai: 0, total: 2 }]);
  });

  test('without id and key, the same event counts as often as it is sent', async () => {
    project = await running.api.addProject();
    expect(await send([view('a', '/'), view('a', '/')])).toMatchObject({ accepted: 2, duplicates: 0 });
    expect(await send([view('a', '/')])).toMatchObject({ accepted: 1, duplicates: 0 });
    expect(await views()).toBe(3);
  });
});

describe('lost events count again when they are sent again', () => {
  test('in a project that was deleted and recreated', async () => {
    project = await running.api.addProject('made-anew');
    const events = [view('a', '/', { id: 'one' }), view('b', '/', { id: 'two' })];
    expect(await send(events)).toMatchObject({ accepted: 2 });
    expect(await views()).toBe(2);
    expect((await running.api.call(`/v1/projects/${project}`, { method: 'DELETE' })).status).toBe(204);
    await running.api.addProject('made-anew');
    // Facts about a project are cached for a second.
    await expect.poll(() => send(events), { interval: 500 }).toMatchObject({ accepted: 2 });
    expect(await views()).toBe(2);
  });

  test('after its file was damaged', async () => {
    project = await running.api.addProject();
    const events = [view('a', '/', { id: 'one' }), view('b', '/', { id: 'two' })];
    await send(events);
    expect(await views()).toBe(2);
    const [file] = await analyticsFilePaths(running.api.database.db, project);
    await truncate(path.join(running.folder, file!), 10);
    // Another process, which has not read the file yet, finds the damage.
    const other = await running.openAnother();
    const asked = async () =>
      other.ask(project, {}, (pinned) =>
        other.queries.byPath(pinned, 'views', { from: null, to: null }, { limit: 1, offset: 0 }),
      );
    expect((await asked()).totals.total).toBe(0);
    await expect.poll(() => send(events), { interval: 500 }).toMatchObject({ accepted: 2 });
    expect(await views()).toBe(2);
  });
});
