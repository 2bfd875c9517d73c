import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { RowStream } from '../../src/analytics/storage/row-stream.ts';
import { deleteRemoved } from '../../src/analytics/maintenance/erase.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { startTestApi } from '../support/api-server.ts';
import { plainRequest } from '../support/plain-request.ts';

const DAY = Date.UTC(2026, 10, 18);
/** So many rows that no listing fits into a few chunks of DuckDB. */
const MANY = 9_000;
/** Broken links are so long that their listing does not fit into the buffers of a connection, some megabytes. */
const LONG = 'x'.repeat(1_000);
/** A host has at most 253 bytes, in labels of at most 63. */
const LABELS = Array.from({ length: 3 }, () => 'x'.repeat(60)).join('.');
const ROUTES = ['visitors', 'views', 'referrers', 'not-found'] as const;
/** As many as may be read at once. */
const AT_ONCE = 4;

let bench: AnalyticsApi;
let duck: Duck;
let deps: Parameters<typeof mergeProject>[0];
/** A project with very many pages, hosts and broken links, some merged and some not. */
let large: string;

beforeAll(async () => {
  // Under load, a slow reader must not count as stalled.
  bench = await startAnalyticsApi({ config: { stallMs: 3_600_000 } });
  const folder = new AnalyticsFolder(bench.folder);
  duck = await Duck.open({ memoryMb: 512, threads: 2, connections: 2, temporaryFolder: folder.temporaryFolder });
  const log = createLogger({ level: 'fatal', name: 'test' });
  deps = { database: bench.api.database, folder, duck, log };
  large = await bench.api.addProject();
  await send(large, 0, MANY - 500);
  await mergeProject(deps, large);
  await send(large, MANY - 500, MANY);
}, 300_000);
afterAll(async () => {
  duck.close();
  await bench.close();
});

/** Events number `from` to `to`, no two of one page. */
async function send(project: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += 5_000) {
    const events = Array.from({ length: Math.min(5_000, to - first) }, (_, i) => {
      const no = first + i;
      const event = {
        id: `e${no}`,
        timestamp: DAY + (no % 20) * 3_600_000,
        visitorId: `v${no % 977}`,
        referrer: `h${(no * 7919) % MANY}.${LABELS}.example.com`,
        class: no % 3 === 0 ? 'assistant' : 'human',
      };
      const again = { ...event, id: `again${no}`, visitorId: 'again' };
      const page = `/pages/${(no * 104_729) % MANY}-é-${LABELS}`;
      return [
        { ...event, path: page },
        ...(no % 11 === 0 ? [{ ...again, path: page }] : []),
        { ...event, id: `gone${no}`, path: `/gone/${no}-${LONG}`, notFound: true },
      ];
    }).flat();
    await bench.analytics.ingestor.ingest(project, events);
  }
  await bench.analytics.ingestor.flush();
}

const headers = (on = bench.api) => ({ authorization: `Bearer ${on.operatorToken}`, accept: 'text/csv' });
const ask = (route: string, query: string, more: Record<string, string> = {}, project = large) =>
  plainRequest(`${bench.api.url}/v1/analytics/${project}/${route}${query}`, { headers: { ...headers(), ...more } });

/** The answer for a reader that controls when it reads from the socket. */
async function slowly(route: string, on = bench.api, coding = '', project = large) {
  const { hostname, port } = new URL(on.url);
  const socket = connect(Number(port), hostname);
  const sent = { ...headers(on), host: `${hostname}:${port}`, 'accept-encoding': coding };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`);
  socket.write(`GET /v1/analytics/${project}/${route}?all=true HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  await new Promise((resolve) => socket.once('readable', resolve));
  return socket;
}

/**
 * Whole listings that are opened from now on give no more than their first rows until they are let continue:
 * however much the system's buffers take.
 */
function holdRows(): () => void {
  const { promise: letGo, resolve: goOn } = Promise.withResolvers<void>();
  const rows = RowStream.prototype.rows;
  const spy = vi.spyOn(RowStream.prototype, 'rows').mockImplementation(async function* (this: RowStream<unknown>) {
    for await (const some of rows.call(this)) {
      yield some;
      await letGo;
    }
  });
  const letThemGoOn = () => {
    spy.mockRestore();
    goOn();
  };
  onTestFinished(letThemGoOn);
  return letThemGoOn;
}

/** Counts the rows of the whole listings that are opened from now on, as they are made. */
function countRows() {
  const perListing = new Map<RowStream<unknown>, number>();
  const rows = RowStream.prototype.rows;
  const spy = vi.spyOn(RowStream.prototype, 'rows').mockImplementation(async function* (this: RowStream<unknown>) {
    for await (const some of rows.call(this)) {
      perListing.set(this, (perListing.get(this) ?? 0) + some.length);
      yield some;
    }
  });
  onTestFinished(() => {
    spy.mockRestore();
  });
  return { perListing, total: () => [...perListing.values()].reduce((sum, each) => sum + each, 0) };
}

/** How many answers were closed. */
const closings = () => bench.api.logged().split('a whole listing was closed').length;

/** The rest of a chunked answer, and whether its last chunk came, which means that it is complete. */
async function drained(socket: Socket): Promise<{ text: string; isWhole: boolean }> {
  const parts: Buffer[] = [];
  try {
    for await (const part of socket) {
      parts.push(part as Buffer);
      if (Buffer.concat(parts.slice(-2)).subarray(-7).toString() === '\r\n0\r\n\r\n') break;
    }
  } catch {
    // Broken off.
  }
  const text = Buffer.concat(parts).toString();
  return { text, isWhole: text.endsWith('\r\n0\r\n\r\n') };
}

function unchunked(answer: string): string {
  const bytes = Buffer.from(answer);
  let at = bytes.indexOf('\r\n\r\n') + 4;
  const parts: Buffer[] = [];
  for (;;) {
    const end = bytes.indexOf('\r\n', at);
    const length = Number.parseInt(bytes.subarray(at, end).toString(), 16);
    if (length === 0) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 4 + length;
  }
}

describe('a complete listing', () => {
  test.each(ROUTES)('of %s has the rows of all its pages, in their order', async (route) => {
    const whole = await ask(route, '?all=true&dateFrom=2026-11-18T02:30:00Z&dateTo=2026-11-18T18:00:00Z');
    expect(whole.status).toBe(200);
    const { 'x-version': version, 'x-total-count': count } = whole.headers;
    expect(whole.headers['x-has-more']).toBe('false');
    const [head, ...rows] = whole.bytes.toString().trimEnd().split('\r\n');
    expect(rows).toHaveLength(Number(count));
    expect(rows.length).toBeGreaterThan(6_000);
    // Pages at both ends and in the middle: to read them all takes long, which is why there is a whole.
    for (const offset of [0, 3_250, rows.length - 251, rows.length - 100]) {
      const page = await ask(
        route,
        `?limit=250&offset=${offset}&version=${version}&dateFrom=2026-11-18T02:30:00Z&dateTo=2026-11-18T18:00:00Z`,
      );
      expect(page.status, page.bytes.toString().slice(0, 300)).toBe(200);
      expect(page.bytes.toString()).toBe(`${[head, ...rows.slice(offset, offset + 250)].join('\r\n')}\r\n`);
      expect(page.headers).toMatchObject({ 'x-total-count': count, 'x-version': version });
      expect(page.headers['x-has-more']).toBe(String(offset + 250 < rows.length));
    }
    const beyond = await ask(
      route,
      `?offset=${MANY * 3}&version=${version}&dateFrom=2026-11-18T02:30:00Z&dateTo=2026-11-18T18:00:00Z`,
    );
    expect([beyond.bytes.toString(), beyond.headers['x-total-count']]).toEqual([`${head}\r\n`, count]);
  });

  test('has the requested version, whatever was added since', async () => {
    const project = await bench.api.addProject();
    await send(project, 0, 30);
    const before = await ask('visitors', '?all=true', {}, project);
    await send(project, 30, 60);
    const after = await ask('visitors', '?all=true', {}, project);
    expect([before.headers['x-total-count'], after.headers['x-total-count']]).toEqual(['30', '60']);
    const again = await ask('visitors', `?all=true&version=${before.headers['x-version']}`, {}, project);
    expect(again.bytes.toString()).toBe(before.bytes.toString());
  });

  test('of nothing is a table without rows', async () => {
    const project = await bench.api.addProject();
    for (const route of ROUTES) {
      const { status, bytes, headers: said } = await ask(route, '?all=true', {}, project);
      expect([status, bytes.toString().split('\r\n').length, said['x-total-count']]).toEqual([200, 2, '0']);
    }
  });

  test('is compressed if the reader accepts that, and described to HEAD by its headers', async () => {
    const packed = await ask('views', '?all=true', { 'accept-encoding': 'gzip' });
    expect(packed.headers['content-encoding']).toBe('gzip');
    const plain = await ask('views', `?all=true&version=${packed.headers['x-version']}`);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    const head = await plainRequest(`${bench.api.url}/v1/analytics/${large}/views?all=true`, {
      method: 'HEAD',
      headers: headers(),
    });
    expect([head.status, head.headers['x-total-count'], head.bytes.length]).toEqual([200, String(MANY), 0]);
  });

  test.each([
    ['?all=true', 'application/json'],
    ['?all=true&limit=50', 'text/csv'],
    ['?all=true&offset=0', 'text/csv'],
    ['?all=yes', 'text/csv'],
  ])('is refused as %s of %s', async (query, accept) => {
    const answer = await ask('visitors', query, { accept });
    expect([answer.status, JSON.parse(answer.bytes.toString()).param]).toEqual([400, 'all']);
  });

  test('is produced no faster than its reader reads, and does not delay others', async () => {
    const made = countRows();
    const sockets = await Promise.all(Array.from({ length: AT_ONCE }, () => slowly('not-found')));
    const json = await bench.api.call(`/v1/analytics/${large}/visitors?limit=1`);
    expect(json.status).toBe(200);
    const fifth = await ask('visitors', '?all=true');
    expect([fifth.status, JSON.parse(fifth.bytes.toString()).code]).toEqual([429, 'rate_limited']);
    // Until every buffer is full.
    let before = -1;
    await expect
      .poll(() => [before, (before = made.total())], { interval: 1_000 })
      .toSatisfy(([earlier, now]) => earlier === now);
    expect(made.perListing.size).toBe(AT_ONCE);
    for (const rows of made.perListing.values()) expect(rows).toBeLessThan(MANY * 0.9);
    const last = made.total();
    for await (const _ of sockets[3]!) if (made.total() > last) break;
    expect(made.total(), 'and goes on when it is read').toBeGreaterThan(last);
    for (const socket of sockets) socket.destroy();
  });
});

describe('while a complete listing is read', () => {
  test('its files may be merged, compacted and deleted', async () => {
    const project = await bench.api.addProject();
    await send(project, 0, 2_400);
    await mergeProject(deps, project);
    await send(project, 2_400, 3_000);
    const expected = await Promise.all(ROUTES.map((route) => ask(route, '?all=true', {}, project)));
    const goOn = holdRows();
    const sockets = await Promise.all(ROUTES.map((route) => slowly(route, bench.api, '', project)));
    const folder = path.join(bench.folder, 'files', project);
    const files = async () => (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.parquet'));
    const before = await files();
    expect(before.length).toBeGreaterThan(0);
    await send(project, 3_000, 3_300);
    await mergeProject(deps, project);
    await compactProject(deps, project);
    await rebuildProject(deps, project, {});
    await deleteRemoved(deps, project, 0);
    expect((await files()).filter((file) => before.includes(file))).toEqual([]);
    goOn();
    for (const [i, socket] of sockets.entries()) {
      const { text, isWhole } = await drained(socket);
      expect(isWhole, ROUTES[i]).toBe(true);
      expect(unchunked(text), ROUTES[i]).toBe(expected[i]!.bytes.toString());
    }
  });

  test('a reader that leaves frees its slot and all memory', async () => {
    // With what is left by those before, the memory of DuckDB would soon be too little.
    for (let round = 0; round < 3; round += 1) {
      const closed = closings();
      const sockets = await Promise.all(ROUTES.map((route) => slowly(route)));
      for (const socket of sockets) {
        expect(String(socket.read(12))).toBe('HTTP/1.1 200');
        socket.destroy();
      }
      await expect.poll(closings).toBe(closed + ROUTES.length);
    }
  });

  test.each([
    ['plain', ''],
    ['packed', 'gzip'],
  ])(
    'what ends before its last row breaks the connection off: no part looks like the whole (%s)',
    async (_, coding) => {
      const analytics = await bench.openAnother();
      const own = await startTestApi({ deps: { database: bench.api.database, analytics } });
      const goOn = holdRows();
      const socket = await slowly('not-found', own, coding);
      await analytics.close();
      goOn();
      const { text, isWhole } = await drained(socket);
      expect(text).toContain('HTTP/1.1 200');
      expect(isWhole).toBe(false);
      await own.close();
    },
  );

  test('a reader that reads nothing is disconnected', async () => {
    const analytics = await bench.openAnother();
    const own = await startTestApi({ config: { stallMs: 300 }, deps: { database: bench.api.database, analytics } });
    const socket = await slowly('not-found', own);
    await expect.poll(() => own.logged()).toContain('stalled');
    expect((await drained(socket)).isWhole).toBe(false);
    await own.close();
  });
});

test('a query without a waiting caller is stopped', async () => {
  const gone = new AbortController();
  setTimeout(() => gone.abort(), 300);
  const startedAt = performance.now();
  const never = {
    sql: 'SELECT count(*) AS n FROM range(1000000) a, range(1000000) b WHERE (a.range * b.range) % 7 = 3',
    values: {},
  };
  await expect(duck.stream(async () => never, gone.signal)).rejects.toMatchObject({ code: 'unavailable' });
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
