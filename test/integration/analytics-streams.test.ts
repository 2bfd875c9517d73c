import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ReadableStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGzip, constants } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { RawRequest } from '../support/raw-request.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

/** Sixty seconds in a real server. Above what a busy machine keeps a sender waiting. */
const SILENCE_MS = 6_000;
const BODY_MS = 2_000;

let running: AnalyticsApi;
let project: string;
const open: RawRequest[] = [];

beforeAll(async () => {
  running = await startAnalyticsApi({ config: { silenceMs: SILENCE_MS, bodyMs: BODY_MS } });
});
afterAll(() => running?.close());
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.destroy();
});

const line = (no: number, more: object = {}) =>
  `${JSON.stringify({ timestamp: Date.UTC(2026, 10, 18, 10) + no, path: '/p', visitorId: `v${no}`, ...more })}\n`;
const long = (no: number) => line(no, { userAgent: 'x'.repeat(60_000), class: 'human' });
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => line(from + i)).join('');

const eventsPath = (id = project) => `/v1/analytics/${id}/events`;
const headersOf = (token: string, more: Record<string, string> = {}) => ({
  Authorization: `Bearer ${token}`,
  'Content-Type': 'application/x-ndjson',
  ...more,
});

/** A stream of events whose body is still to come. */
function startStream(more: Record<string, string> = {}, token = running.api.operatorToken): RawRequest {
  const stream = new RawRequest(running.api.url);
  open.push(stream);
  return stream.begin(eventsPath(), headersOf(token, more));
}

async function views(id = project): Promise<number> {
  await running.analytics.ingestor.flush();
  return (await running.api.call(`/v1/analytics/${id}/views`)).json.totals.total;
}

/** The refused events, in a separate request. */
async function sendRest(body: string, more: Record<string, string> = {}): Promise<void> {
  const answer = await startStream(more).chunk(body).end().answer();
  expect(answer.status, JSON.stringify(answer.json)).toBe(202);
}

/** Waits until this many events are on disk, as the answer of a stream will say. */
async function untilCounted(n: number): Promise<void> {
  await expect.poll(() => views(), { interval: 200 }).toBe(n);
}

/** Lines without end. */
async function* endless(): AsyncGenerator<Uint8Array> {
  for (let no = 0; ; no += 1) {
    yield Buffer.from(line(no));
    await sleep(20);
  }
}

/** A key that is deleted a moment after the stream began. */
async function revokedKey(): Promise<string> {
  project = await running.api.addProject();
  const { json: key } = await running.api.call('/v1/keys', {
    body: { name: 'shipper', projectIds: [project], scopes: ['events'] },
  });
  setTimeout(() => void running.api.call(`/v1/keys/${key.id}`, { method: 'DELETE' }), 1_500);
  return key.key as string;
}

describe('a stream', () => {
  test('may last as long as it likes while something comes, and counts as it comes', async () => {
    project = await running.api.addProject();
    const stream = startStream();
    const until = performance.now() + 3 * Math.max(SILENCE_MS, BODY_MS);
    let sent = 0;
    let seen = 0;
    while (performance.now() < until) {
      stream.chunk(line(sent));
      sent += 1;
      await sleep(250);
      if (sent === 10) seen = await views();
    }
    expect(seen).toBeGreaterThan(0);
    const { status, json } = await stream.end().answer();
    expect(status).toBe(202);
    expect(json).toEqual({ accepted: sent, duplicates: 0, rejected: [], rejectedCount: 0 });
    expect(await views()).toBe(sent);
  });

  test('that stalls ends with the number of accepted events, and can be resumed', async () => {
    project = await running.api.addProject();
    const half = line(1_502).slice(0, 30);
    const stream = startStream().chunk(lines(0, 1_500)).chunk('no event\n\n').chunk(line(1_501)).chunk(half);
    const { status, headers, json } = await stream.answer();
    expect([status, json.code]).toEqual([408, 'request_timeout']);
    expect(json).toMatchObject({
      accepted: 1_501,
      duplicates: 0,
      rejectedCount: 1,
      rejected: [{ index: 1_500 }],
      next: 1_502,
    });
    expect(json.requestId).toEqual(expect.any(String));
    expect(headers).toMatch(/^connection: close$/im);
    expect(await views()).toBe(1_501);
    await sendRest(lines(1_502, 1_600));
    expect(await views()).toBe(1_501 + 98);
    // The sender has stopped: the connection does not stay open for its sake.
    await stream.closed();
  });

  test('that is packed and comes slowly, less than a line at a time, is not a silence', async () => {
    project = await running.api.addProject();
    const gzip = createGzip();
    const stream = startStream({ 'Content-Encoding': 'gzip' });
    gzip.on('data', (chunk: Buffer) => stream.chunk(chunk));
    const all = lines(0, 20);
    for (let at = 0; at < all.length; at += 60) {
      gzip.write(all.slice(at, at + 60));
      gzip.flush(constants.Z_SYNC_FLUSH);
      await sleep(250);
    }
    gzip.end();
    await once(gzip, 'end');
    expect(await stream.end().answer()).toMatchObject({ status: 202, json: { accepted: 20 } });
    const silent = startStream({ 'Content-Encoding': 'gzip' });
    silent.chunk(Buffer.from([0x1f, 0x8b, 8, 0]));
    expect(await silent.answer()).toMatchObject({ status: 408, json: { accepted: 0, next: 0 } });
  });

  test('of JSON may be slow too, and counts completely or not at all', async () => {
    project = await running.api.addProject();
    const body = JSON.stringify({ events: [{ timestamp: Date.now(), path: '/p', visitorId: 'v' }] });
    const slow = new RawRequest(running.api.url).begin(
      eventsPath(),
      headersOf(running.api.operatorToken, { 'Content-Type': 'application/json' }),
    );
    open.push(slow);
    for (const character of body.match(/.{1,4}/g) ?? []) {
      slow.chunk(character);
      await sleep(200);
    }
    expect(await slow.end().answer()).toMatchObject({ status: 202, json: { accepted: 1 } });
    const silent = new RawRequest(running.api.url).begin(
      eventsPath(),
      headersOf(running.api.operatorToken, { 'Content-Type': 'application/json' }),
    );
    open.push(silent.chunk(body));
    expect(await silent.answer()).toMatchObject({ status: 408, json: { accepted: 0, next: 0 } });
    expect(await views()).toBe(1);
  });
});

describe('however a stream ends, its sender learns what was accepted', () => {
  test('a body that is too large', async () => {
    project = await running.api.addProject();
    const stream = startStream();
    let sent = 0;
    for (; sent < 1_200; sent += 1) {
      stream.chunk(long(sent));
      if (sent % 50 === 0) await sleep(1);
    }
    const { status, json } = await stream.answer();
    expect([status, json.code]).toEqual([413, 'body_too_large']);
    const { accepted, next } = json as { accepted: number; next: number };
    expect(accepted).toBeGreaterThan(1_000);
    expect(next).toBe(accepted);
    await sendRest(lines(next, sent));
    expect(await views()).toBe(sent);
  });

  test('a key that is revoked', async () => {
    project = await running.api.addProject();
    const { json: key } = await running.api.call('/v1/keys', {
      body: { name: 'shipper', projectIds: [project], scopes: ['events'] },
    });
    const stream = startStream({}, key.key as string).chunk(lines(0, 5));
    await untilCounted(5);
    await running.api.call(`/v1/keys/${key.id}`, { method: 'DELETE' });
    stream.chunk('\n');
    await sleep(700);
    stream.chunk(lines(5, 10));
    const { status, json } = await stream.answer();
    expect([status, json.code]).toEqual([401, 'unauthorized']);
    expect(json).toMatchObject({ accepted: 5, next: 5 });
    await sendRest(lines(5, 10));
    expect(await views()).toBe(10);
  });

  test('a project that is deleted', async () => {
    project = await running.api.addProject();
    const stream = startStream().chunk(lines(0, 5));
    await untilCounted(5);
    await running.api.call(`/v1/projects/${project}`, { method: 'DELETE' });
    // Silence must not end it, however long counting took.
    stream.chunk('\n');
    await sleep(1_500);
    stream.chunk(lines(5, 10));
    expect(await stream.answer()).toMatchObject({
      status: 404,
      json: { code: 'project_not_found', accepted: 5, next: 5 },
    });
  });

  test('an invalid chunk, or a premature end', async () => {
    project = await running.api.addProject();
    const broken = startStream().chunk(lines(0, 5));
    broken.socket.write('this is no chunk\r\n');
    const { status, json } = await broken.answer();
    expect([status, json.code]).toEqual([400, 'bad_request']);
    expect(json).toMatchObject({ accepted: 5, next: 5 });
    const early = startStream().chunk(lines(5, 10)).chunk(line(11).slice(0, 20));
    early.socket.end();
    expect(await early.answer()).toMatchObject({ status: 400, json: { accepted: 5, next: 5 } });
    expect(await views()).toBe(10);
  });

  test('a sender that vanishes: complete lines count, and count once when all is sent again with the same key', async () => {
    project = await running.api.addProject();
    const stream = startStream({ 'Idempotency-Key': 'again' }).chunk(lines(0, 1_200)).chunk(line(1_201).slice(0, 20));
    await expect.poll(() => views()).toBeGreaterThanOrEqual(1_000);
    stream.socket.destroy();
    await untilCounted(1_200);
    await sendRest(lines(0, 1_300), { 'Idempotency-Key': 'again' });
    expect(await views()).toBe(1_300);
  });
});

describe('an answer that is given while the request is still being sent', () => {
  test('is read by fetch', async () => {
    const token = await revokedKey();
    const init = { method: 'POST', headers: headersOf(token), body: ReadableStream.from(endless()), duplex: 'half' };
    const answer = await fetch(running.api.url + eventsPath(), init as unknown as RequestInit);
    expect(answer.status).toBe(401);
    const { accepted, next } = (await answer.json()) as { accepted: number; next: number };
    expect(accepted).toBeGreaterThan(0);
    expect([next, await views()]).toEqual([accepted, accepted]);
  });

  test('is read by a plain client of Node', async () => {
    const token = await revokedKey();
    const client = httpRequest(running.api.url + eventsPath(), { method: 'POST', headers: headersOf(token) });
    client.on('error', () => {}); // It is closed while it sends.
    const sending = (async () => {
      for await (const chunk of endless()) {
        if (client.destroyed || client.closed) return;
        client.write(chunk);
      }
    })();
    const [answer] = await once(client, 'response');
    const json = JSON.parse(await text(answer)) as { accepted: number };
    client.destroy();
    await sending;
    expect(answer.statusCode).toBe(401);
    expect(json.accepted).toBeGreaterThan(0);
    expect(await views()).toBe(json.accepted);
  });

  test('is read by curl', async () => {
    const token = await revokedKey();
    const curl = spawn('curl', [
      '-sS',
      ...Object.entries(headersOf(token, { Expect: '' })).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      '-X',
      'POST',
      '-T',
      '-',
      '-w',
      '\n%{http_code}',
      running.api.url + eventsPath(),
    ]);
    curl.stdin.on('error', () => {}); // It stops to read when it has its answer.
    const sending = (async () => {
      for await (const chunk of endless()) {
        if (curl.exitCode !== null || curl.signalCode !== null || curl.stdin.destroyed) return;
        curl.stdin.write(chunk);
      }
    })();
    const output = await text(curl.stdout);
    await sending;
    const [body = '', status] = output.split('\n');
    expect(status).toBe('401');
    expect((JSON.parse(body) as { accepted: number }).accepted).toBe(await views());
  });
});

describe('a server that stops', () => {
  test('answers its streams with the accepted events, and another server counts the rest', async () => {
    const stopping = await startAnalyticsApi({ config: { silenceMs: 60_000 } });
    try {
      const id = await stopping.api.addProject();
      const stream = new RawRequest(stopping.api.url).begin(eventsPath(id), headersOf(stopping.api.operatorToken));
      open.push(stream);
      let sent = 0;
      const sending = setInterval(() => {
        stream.chunk(line(sent));
        sent += 1;
      }, 50);
      try {
        await expect.poll(() => sent).toBeGreaterThan(25);
        const closed = stopping.api.server.close({ deadlineMs: 10_000 });
        const { status, headers, json } = await stream.answer();
        expect([status, json.code]).toEqual([503, 'unavailable']);
        expect(headers).toMatch(/^connection: close$/im);
        expect(headers).toMatch(/^retry-after: \d+$/im);
        const { accepted, next } = json as { accepted: number; next: number };
        expect(accepted).toBeGreaterThan(10);
        expect(next).toBe(accepted);
        clearInterval(sending);
        stream.end();
        await closed;
        await stopping.analytics.ingestor.flush();
        const other = await stopping.openAnother();
        const asked = await other.ask(id, {}, (pinned) =>
          other.queries.byPath(pinned, 'views', { from: null, to: null }, { limit: 1, offset: 0 }),
        );
        expect(asked.totals.total).toBe(accepted);
      } finally {
        clearInterval(sending);
      }
    } finally {
      await stopping.close();
    }
  });
});

describe('a client that keeps a connection busy with almost nothing is disconnected', () => {
  test('while it sends a body of another route', async () => {
    project = await running.api.addProject();
    for (const target of [`/v2/agent/${project}/job`, '/v1/projects']) {
      const slow = new RawRequest(running.api.url).begin(
        target,
        headersOf(running.api.operatorToken, { 'Content-Type': 'application/json' }),
      );
      open.push(slow);
      const sending = setInterval(() => slow.chunk(' '), 100);
      const { status, json } = await slow.answer().finally(() => clearInterval(sending));
      expect([status, json.code]).toEqual([408, 'request_timeout']);
      expect(json).not.toHaveProperty('accepted');
    }
  });

  test('while it sends a view of the page script', async () => {
    await running.api.call(`/v1/projects/${project}`, {
      method: 'PATCH',
      body: { analyticsOrigins: ['https://docs.example.com'] },
    });
    const slow = new RawRequest(running.api.url).begin(`/${project}/collect`, {
      'Content-Type': 'text/plain',
      Origin: 'https://docs.example.com',
    });
    open.push(slow);
    const sending = setInterval(() => slow.chunk(' '), 100);
    const { status, json } = await slow.answer().finally(() => clearInterval(sending));
    expect([status, json.code]).toEqual([408, 'request_timeout']);
  });

  test('while it sends a body that no operation reads, before and after the answer', async () => {
    const slow = new RawRequest(running.api.url);
    open.push(slow);
    slow.socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n');
    const sending = setInterval(() => slow.chunk(' '), 100);
    try {
      expect((await slow.answer()).status).toBe(200);
      await slow.closed();
    } finally {
      clearInterval(sending);
    }
  });
});

const disk = mountSmallDisk('24m');

// A small disk needs the right to mount: run as root to test this.
test.skipIf(!disk)(
  'a disk that is full in the middle of a stream: what was taken is reported, and the rest can be sent later',
  async () => {
    const small = await startAnalyticsApi({ root: path.join(disk!.folder, 'analytics') });
    try {
      project = await small.api.addProject();
      const begin = () => {
        const stream = new RawRequest(small.api.url).begin(eventsPath(), headersOf(small.api.operatorToken));
        open.push(stream);
        return stream;
      };
      const total = async () => {
        await small.analytics.ingestor.flush();
        return (await small.api.call(`/v1/analytics/${project}/views`)).json.totals.total as number;
      };
      const stream = begin().chunk(lines(0, 50));
      await expect.poll(total).toBe(50);
      disk!.fillUp();
      stream.chunk(lines(50, 2_000));
      const { status, headers, json } = await stream.answer();
      expect([status, json.code]).toEqual([507, 'storage_full']);
      expect(headers).toMatch(/^retry-after: 30$/im);
      const { accepted, next } = json as { accepted: number; next: number };
      expect([accepted >= 50, next]).toEqual([true, accepted]);
      disk!.makeRoom();
      expect(await begin().chunk(lines(next, 2_000)).end().answer()).toMatchObject({ status: 202 });
      expect(await total()).toBe(2_000);
    } finally {
      await small.close();
      disk!.remove();
    }
  },
);
