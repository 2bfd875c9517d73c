import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EventSource } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addEvent } from '../../src/store/jobs/job-events.ts';
import { updateJob } from '../../src/store/jobs/jobs.ts';
import { keepWatched, showLiveText } from '../../src/store/jobs/live-text.ts';
import { recordAnswer } from '../../src/store/jobs/steps.ts';
import { claimTurn, type TurnClaim } from '../../src/store/jobs/turn-fence.ts';
import { openTurn } from '../../src/jobs/turn-life.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { cookieOf, signInWithLink } from '../support/browsers.ts';
import { openStream, type OpenStream } from '../support/event-stream.ts';
import { until } from '../support/patience.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

let api: TestApi;
let project: string;
let key: string;
const opened: OpenStream[] = [];

beforeAll(async () => {
  api = await startTestApi({
    config: {
      jobsPerHour: 1_000,
      streamsPerCaller: 5,
      streams: 8,
      heartbeatMs: 1_000,
      authorizeMs: 300,
      stallMs: 1_000,
    },
  });
  project = await api.addProject();
  key = await api.addKey({ projectIds: [project], scopes: ['read'] });
});
afterEach(async () => {
  for (const stream of opened.splice(0)) stream.close();
  await sleep(50);
});
afterAll(() => api.close());

const pathOf = (id: string, rest = '') => `/v2/agent/${project}/job/${id}/events${rest}`;

async function open(
  id: string,
  rest = '',
  options: { token?: string; lastEventId?: string } = {},
): Promise<OpenStream> {
  const stream = await openStream(api.url + pathOf(id, rest), { token: key, ...options });
  opened.push(stream);
  return stream;
}

const say = (jobId: string, text: string) => addEvent(api.database.db, { jobId, type: 'step', turnNo: 1, text });
const finish = (jobId: string) => updateJob(api.database.db, jobId, { status: 'completed' });
const numbers = (stream: OpenStream) => stream.events.flatMap(({ id }) => (id === undefined ? [] : [Number(id)]));

async function running(): Promise<{ id: string; claim: TurnClaim }> {
  const id = await createJob(api, project);
  await api.database.db.transaction((tx) => openTurn(tx, id, 10, MANY_SLOTS));
  return { id, claim: await claimTurn(api.database.db, id, 1) };
}

describe('a stream of a job', () => {
  test('sends past events, then new ones, and reports completeness when the job is idle', async () => {
    const id = await createJob(api, project, 'Fix broken links');
    await say(id, 'Read 3 pages.');
    const stream = await open(id);
    expect(stream.response.statusCode).toBe(200);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
      vary: 'Accept, Authorization, Cookie',
    });
    await stream.until('two events', (events) => events.length === 2);
    expect(stream.raw()).toMatch(/^retry: 1000\n\n/);
    await say(id, 'Later.');
    await stream.until('the third', (events) => events.length === 3);
    await finish(id);
    expect(await stream.ended).toEqual({ whole: true });
    const pages = (await api.call(pathOf(id))).json.events;
    expect(stream.events.slice(0, 3).map(({ data }) => data)).toEqual(pages);
    expect(stream.events.map(({ id: no, type }) => [no, type])).toEqual([
      ['1', 'created'],
      ['2', 'step'],
      ['3', 'step'],
      [undefined, 'end'],
    ]);
    expect(stream.events.at(-1)?.data).toEqual({ type: 'end', reason: 'rest', status: 'completed', error: null });
    // Replayed later, it is the same.
    const again = await open(id);
    await again.ended;
    expect(again.events.map(({ data }) => data)).toEqual(stream.events.map(({ data }) => data));
  });

  test("resumes after the reader's last event, and reports when there is nothing more", async () => {
    const id = await createJob(api, project);
    for (const text of ['a', 'b', 'c']) await say(id, text);
    const first = await open(id, '?after=2');
    await first.until('the rest', (events) => events.length === 2);
    expect(numbers(first)).toEqual([3, 4]);
    const second = await open(id, '?after=1', { lastEventId: '3' });
    await second.until('the last', (events) => events.length === 1);
    expect(numbers(second)).toEqual([4]);
    await finish(id);
    const done = await open(id, '', { lastEventId: '4' });
    expect(done.response.statusCode).toBe(204);
    const bad = await open(id, '', { lastEventId: 'x' });
    expect(bad.response.statusCode).toBe(400);
  });

  test('with follow=true continues while the job is idle, until it is archived', async () => {
    const id = await createJob(api, project);
    await finish(id);
    const stream = await open(id, '?follow=true');
    await stream.until('the first', (events) => events.length === 1);
    await sleep(300);
    await say(id, 'More.');
    await stream.until('more', (events) => events.length === 2);
    await api.call(`/v2/agent/${project}/job/${id}/archive`, { method: 'POST' });
    expect(await stream.ended).toEqual({ whole: true });
    expect(stream.events.at(-1)?.data).toMatchObject({ type: 'end', reason: 'archived' });
  });

  test('sends each event once to readers that join while others read', async () => {
    const id = await createJob(api, project);
    const streams = [await open(id)];
    for (let no = 2; no <= 40; no++) {
      await say(id, String(no));
      if (no % 10 === 0) streams.push(await open(id));
      if (no % 4 === 0) await sleep(30);
    }
    await finish(id);
    for (const stream of streams) {
      await stream.ended;
      expect(numbers(stream)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    }
  });

  test('sends events after a restore, although their numbers were sent before', async () => {
    const id = await createJob(api, project);
    for (const text of ['a', 'b', 'lost']) await say(id, text);
    const stream = await open(id);
    await stream.until('all', (events) => events.length === 4);
    // Columns that an earlier backup lacks.
    const { pool } = api.database;
    await pool.query('DELETE FROM job_events WHERE job_id = $1 AND no > 2', [id]);
    await pool.query('UPDATE jobs SET last_event_no = 2 WHERE id = $1', [id]);
    // Some polls of the reader, which find fewer events than it sent.
    await sleep(2_000);
    await say(id, 'After the restore.');
    await stream.until('the new third', (events) => events.length === 5);
    expect([numbers(stream), stream.events.at(-1)?.data]).toMatchObject([
      [1, 2, 3, 4, 3],
      { text: 'After the restore.' },
    ]);
    await finish(id);
    expect(await stream.ended).toEqual({ whole: true });
  });

  test('keeps hostile text in its data', async () => {
    const id = await createJob(api, project);
    const hostile = 'a\nevent: end\ndata: {}\n\nid: 99\r\rdata: x\u2028\u2029\0\uFEFF\uD800';
    await say(id, hostile);
    const stream = await open(id);
    await stream.until('both', (events) => events.length === 2);
    expect(stream.events[1]).toMatchObject({
      id: '2',
      type: 'step',
      data: { text: hostile.replaceAll(/\0|\uD800/g, '\uFFFD') },
    });
  });

  test('only sends heartbeats while nothing happens', async () => {
    const stream = await open(await createJob(api, project));
    await until('it said so twice', () => stream.comments.length >= 2);
    expect(stream.events).toHaveLength(1);
  });

  test('is read by an EventSource, which opens it again after a break and stops at its end', async () => {
    const id = await createJob(api, project);
    const source = new EventSource(api.url + pathOf(id, '?after=0'), {
      node: {
        dispatcher: new (await import('undici')).Agent().compose(
          (dispatch) => (options, handler) => dispatch({ ...options, headers: withKey(options.headers) }, handler),
        ),
      },
    });
    const seen: string[] = [];
    for (const type of ['created', 'step', 'end'])
      source.addEventListener(type, (event) => seen.push(`${type} ${(event as MessageEvent).lastEventId}`));
    await expect.poll(() => seen).toEqual(['created 1']);
    await say(id, 'x');
    await finish(id);
    await expect.poll(() => seen).toEqual(['created 1', 'step 2', 'end 2']);
    // It opens it again, and learns that there is no more.
    await expect.poll(() => source.readyState).toBe(2);
    expect(seen).toHaveLength(3);
  });
});

function withKey(headers: unknown): Record<string, string> {
  return { ...(headers as Record<string, string>), authorization: `Bearer ${key}` };
}

describe('the words of a model', () => {
  test("arrive while the model writes, once each, and are complete in the step's row", async () => {
    const { id, claim } = await running();
    const stream = await open(id);
    await expect.poll(() => showLiveText(api.database.db, claim, { step: 1, attempt: 1, text: 'One' })).toBe(true);
    await stream.until('the first words', (events) => events.some(({ type }) => type === 'words'));
    const shownAt = performance.now();
    await showLiveText(api.database.db, claim, { step: 1, attempt: 1, text: 'One two' });
    await stream.until('more words', (events) => events.filter(({ type }) => type === 'words').length === 2);
    expect(performance.now() - shownAt).toBeLessThan(3_000);
    await recordAnswer(api.database.db, claim, {
      at: { jobId: id, turnNo: 1, stepNo: 1, projectId: project, model: 'builtin' },
      entries: [{ role: 'assistant', text: 'One two three', toolCalls: [] }],
      usage: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, costNanoUsd: null },
      activityMs: 1,
      event: { type: 'answer', text: 'One two three', data: { step: 1, words: 'One two three' } },
    });
    await stream.until('the row', (events) => events.some(({ type }) => type === 'answer'));
    // Late text of a recorded step is not shown.
    await showLiveText(api.database.db, claim, { step: 1, attempt: 1, text: 'One two late' });
    await sleep(500);
    await finish(id);
    await stream.ended;
    expect(stream.events.slice(2).map(({ data }) => data)).toMatchObject([
      { type: 'words', turn: 1, step: 1, attempt: 1, offset: 0, text: 'One' },
      { type: 'words', turn: 1, step: 1, attempt: 1, offset: 3, text: ' two' },
      { type: 'answer', data: { step: 1, words: 'One two three' } },
      { type: 'end' },
    ]);
  });

  test('start again if the model had to be asked again', async () => {
    const { id, claim } = await running();
    const stream = await open(id);
    const show = (attempt: number, text: string) => showLiveText(api.database.db, claim, { step: 1, attempt, text });
    await expect.poll(() => show(1, 'Half an answ')).toBe(true);
    await stream.until('words', (events) => events.some(({ type }) => type === 'words'));
    await show(2, '');
    await stream.until('a new beginning', (events) => events.filter(({ type }) => type === 'words').length === 2);
    await show(2, 'Half of it');
    await stream.until('the rest', (events) => events.filter(({ type }) => type === 'words').length === 3);
    expect(stream.events.filter(({ type }) => type === 'words').map(({ data }) => data)).toMatchObject([
      { attempt: 1, offset: 0, text: 'Half an answ' },
      { attempt: 2, offset: 0, text: '' },
      { attempt: 2, offset: 0, text: 'Half of it' },
    ]);
  });

  test('are not written without watchers, nor by an attempt that lost its turn', async () => {
    const { id, claim } = await running();
    expect(await showLiveText(api.database.db, claim, { step: 1, attempt: 1, text: 'x' })).toBe(false);
    await keepWatched(api.database.db, [id, id], 30);
    expect(await showLiveText(api.database.db, claim, { step: 1, attempt: 1, text: 'x' })).toBe(true);
    await claimTurn(api.database.db, id, 1);
    expect(await showLiveText(api.database.db, claim, { step: 1, attempt: 1, text: 'late' })).toBe(false);
  });
});

describe('a stream ends', () => {
  test('within seconds of its key', async () => {
    const id = await createJob(api, project);
    const token = await api.addKey({ projectIds: [project], scopes: ['read'] });
    const stream = await open(id, '', { token });
    await stream.until('the first', (events) => events.length === 1);
    const keys = (await api.call('/v1/keys')).json.keys as { id: string; createdAt: string }[];
    const newest = keys.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
    await api.call(`/v1/keys/${newest?.id}`, { method: 'DELETE' });
    await stream.ended;
    expect(stream.events.at(-1)?.data).toMatchObject({
      type: 'end',
      reason: 'refused',
      error: { code: 'unauthorized' },
    });
  });

  test('for a reader that reads nothing, whose unread events take no memory', async () => {
    const id = await createJob(api, project);
    const big = 'x'.repeat(20_000);
    await api.database.pool.query(
      `INSERT INTO job_events (job_id, no, type, turn_no, text, data)
       SELECT $1, n, 'step', 1, 'x', jsonb_build_object('step', n, 'words', $2::text) FROM generate_series(2, 3000) n`,
      [id, big],
    );
    await api.database.pool.query('UPDATE jobs SET last_event_no = 3000 WHERE id = $1', [id]);
    const before = process.memoryUsage().rss;
    const socket = connect({ port: api.server.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write(
      `GET ${pathOf(id)} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${key}\r\n\r\n`,
    );
    socket.pause();
    await sleep(700);
    // 60 MB wait to be read.
    expect(process.memoryUsage().rss - before).toBeLessThan(40e6);
    await until('it is given up', () => api.logged().includes('stalled'));
    let bytes = 0;
    socket.on('data', (chunk: Buffer) => (bytes += chunk.length));
    socket.resume();
    await once(socket, 'close');
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(30e6);
  });

  test('immediately when the server stops, with a final line', async () => {
    const other = await startTestApi();
    try {
      const own = await other.addProject();
      const id = await createJob(other, own);
      const stream = await openStream(`${other.url}/v2/agent/${own}/job/${id}/events`, { token: other.operatorToken });
      await stream.until('the first', (events) => events.length === 1);
      const began = performance.now();
      await other.server.close({ deadlineMs: 20_000 });
      expect(performance.now() - began).toBeLessThan(4_000);
      expect(await stream.ended).toEqual({ whole: true });
      expect(stream.comments).toEqual(['this server stops: open the stream again']);
      expect(stream.events.map(({ type }) => type)).toEqual(['created']);
    } finally {
      await other.close();
    }
  });
});

describe('limits of streams', () => {
  test('hold for a caller and for a server, and places are given back', async () => {
    const id = await createJob(api, project);
    const own = await Promise.all(Array.from({ length: 5 }, () => open(id)));
    expect(own.map(({ response }) => response.statusCode)).toEqual([200, 200, 200, 200, 200]);
    const more = await open(id);
    expect(more.response.statusCode).toBe(429);
    expect(more.response.headers['retry-after']).toBe('5');
    const others = await Promise.all([1, 2, 3].map(() => open(id, '', { token: api.operatorToken })));
    expect(others.map(({ response }) => response.statusCode)).toEqual([200, 200, 200]);
    const last = await open(id, '', { token: api.operatorToken });
    expect(last.response.statusCode).toBe(503);
    await last.ended;
    expect(JSON.parse(last.raw())).toMatchObject({ code: 'unavailable' });
    own[0]?.close();
    await expect.poll(async () => (await open(id)).response.statusCode).toBe(200);
  });

  test('apply to each browser of the operator separately', async () => {
    const id = await createJob(api, project);
    const openIn = async (cookie: string) => {
      const stream = await openStream(api.url + pathOf(id), { token: null, headers: { cookie } });
      opened.push(stream);
      return stream.response.statusCode;
    };
    const [one, other] = [cookieOf(await signInWithLink(api)), cookieOf(await signInWithLink(api))];
    const own = await Promise.all(Array.from({ length: 5 }, () => openIn(one)));
    expect([...own, await openIn(one)]).toEqual([200, 200, 200, 200, 200, 429]);
    expect(await openIn(other)).toBe(200);
    expect((await open(id, '', { token: api.operatorToken })).response.statusCode).toBe(200);
  });
});

describe('other request forms', () => {
  test('HEAD returns the headers and opens nothing', async () => {
    const id = await createJob(api, project);
    for (let i = 0; i < 10; i++) {
      const answer = await api.call(pathOf(id), { method: 'HEAD', headers: { accept: 'text/event-stream' } });
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toContain('text/event-stream');
    }
  });

  test('HTTP/1.0 is answered until the connection ends', async () => {
    const id = await createJob(api, project);
    await finish(id);
    const socket = connect({ port: api.server.port, host: '127.0.0.1' });
    socket.write(
      `GET ${pathOf(id)} HTTP/1.0\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${key}\r\nHost: 127.0.0.1\r\n\r\n`,
    );
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await once(socket, 'close');
    expect(text).not.toContain('chunked');
    expect(text).toContain('\n\nevent: end\ndata: {');
  });

  test('all other clients get JSON', async () => {
    const id = await createJob(api, project);
    for (const accept of ['*/*', 'application/json', 'application/json, text/event-stream']) {
      const answer = await api.call(pathOf(id), { headers: { accept } });
      expect(answer.json.events).toHaveLength(1);
    }
  });

  test('without a key, for another project, for no job: the errors of every route', async () => {
    const id = await createJob(api, project);
    const statuses = await Promise.all(
      [
        [pathOf(id), null],
        [pathOf('0'.repeat(20)), key],
        [`/v2/agent/nope/job/${id}/events`, key],
      ].map(async ([path, token]) => {
        const answer = await api.call(path as string, {
          token: token as string | null,
          headers: { accept: 'text/event-stream' },
        });
        return [answer.status, answer.json.code];
      }),
    );
    expect(statuses).toEqual([
      [401, 'unauthorized'],
      [404, 'job_not_found'],
      [404, 'project_not_found'],
    ]);
  });
});
