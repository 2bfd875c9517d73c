import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyVersion } from '../../src/analytics/maintenance/verify.ts';
import { projects } from '../../src/store/schema.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, knownEventsOf } from '../support/analytics-load.ts';
import { runProcess } from '../support/analytics-runs.ts';
import { runInside } from '../support/run-inside.ts';
import { makeRepository } from '../support/repository.ts';
import { CLI } from '../support/processes.ts';

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
const CHATGPT = 'Mozilla/5.0; compatible; ChatGPT-User/1.0; +https://openai.com/bot';

let bench: AnalyticsBench;
let logs: string;
beforeAll(async () => {
  bench = await analyticsBench();
  logs = await mkdtemp(path.join(tmpdir(), 'docent-logs-'));
});
afterAll(async () => {
  await bench.close();
  await rm(logs, { recursive: true, force: true });
});

const ENV = () => ({
  ...BARE_ENV,
  DATABASE_URL: bench.database.url,
  DOCENT_ANALYTICS_DIR: bench.folder.root,
});

/** @throws Error with what the command wrote when it fails */
async function analytics(command: string, project: string, ...args: string[]) {
  const ended = await runInside(['analytics', command, '--project', project, '--json', ...args], ENV());
  if (ended.code !== 0) throw Object.assign(new Error(ended.stderr), ended);
  return JSON.parse(ended.stdout);
}

const line = (ip: string, request: string, status: number, userAgent: string, time = '18/Nov/2026:10:00:00 +0000') =>
  `${ip} - - [${time}] "${request} HTTP/1.1" ${status} 512 "https://news.example.com/" "${userAgent}"\n`;

const LOG = [
  line('203.0.113.9', 'GET /start', 200, FIREFOX),
  line('203.0.113.9', 'GET /start', 200, FIREFOX),
  line('203.0.113.9', 'GET /guide/', 200, FIREFOX),
  line('104.208.184.193', 'GET /guide.md', 200, CHATGPT),
  line('203.0.113.9', 'GET /logo.svg', 200, FIREFOX),
  line('203.0.113.9', 'POST /start', 200, FIREFOX),
  line('203.0.113.9', 'GET /gone', 404, FIREFOX),
  line('203.0.113.9', 'GET /down', 500, FIREFOX),
  'binary \u0001 junk\n',
].join('');

async function totals(project: string, measure: 'visitors' | 'views') {
  return bench.versions.use(project, undefined, async (pinned) => {
    const all = { from: null, to: null };
    return (await bench.queries.byPath(pinned, measure, all, { limit: 10, offset: 0 })).totals;
  });
}

test('a log is imported once, however often, packed or rotated', async () => {
  const project = await bench.newProject();
  const plain = path.join(logs, 'access.log');
  const packed = path.join(logs, 'access.log.1.gz');
  await writeFile(plain, LOG);
  await writeFile(packed, gzipSync(LOG));
  const first = await analytics('import', project, plain);
  expect(first).toMatchObject({ lines: 9, events: 5, new: 5 });
  expect(first.skipped.map((entry: { reason: string }) => entry.reason).toSorted()).toEqual([
    'asset',
    'error',
    'method',
    'not_a_log_line',
  ]);
  // A second import is recognized: all its events already exist, merged or not.
  expect(await analytics('import', project, plain, packed)).toMatchObject({ lines: 18, events: 10, new: 0 });
  expect(await totals(project, 'views')).toEqual({ human: 3, ai: 1, total: 4 });
  expect(await totals(project, 'visitors')).toEqual({ human: 1, ai: 1, total: 2 });
  await analytics('compact', project);
  await writeFile(plain, LOG + line('203.0.113.9', 'GET /later', 200, FIREFOX, '19/Nov/2026:10:00:00 +0000'));
  const again = ['analytics', 'import', '--project', project, packed];
  const { stdout } = await runInside(again, ENV());
  expect(stdout).toMatch(/^9 lines read: nothing new\. All 5 page views and broken links were imported before\.$/m);
  expect(await totals(project, 'views')).toEqual({ human: 3, ai: 1, total: 4 });
  expect(await analytics('verify', project)).toMatchObject({ differences: [] });
});

test('a log is read from standard input', async () => {
  const project = await bench.newProject();
  const child = spawn(process.execPath, [CLI, 'analytics', 'import', '--project', project, '-'], { env: ENV() });
  child.stdin.end(gzipSync(LOG));
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(await totals(project, 'views')).toEqual({ human: 3, ai: 1, total: 4 });
});

test('rebuild, export and delete', async () => {
  const project = await bench.newProject();
  const file = path.join(logs, 'other.log');
  await writeFile(file, LOG);
  await analytics('import', project, file);
  expect(await analytics('rebuild', project, '--alias', '/guide=/manual')).toMatchObject({
    events: 5,
    reclassified: 2,
  });
  const output = path.join(logs, 'events.parquet');
  expect(await analytics('export', project, '--output', output)).toMatchObject({ events: 5 });
  expect(
    await analytics('delete', project, '--yes', '--ip', '::ffff:203.0.113.9', '--user-agent', FIREFOX),
  ).toMatchObject({
    events: 4,
  });
  expect(await totals(project, 'visitors')).toEqual({ human: 0, ai: 1, total: 1 });
  // Scripts see the size of the change, and nothing is done.
  await expect(analytics('delete', project, '--before', '2026-11-19')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/This deletes 1 event of 1 day of .*, from 2026-11-18 until .* Pass --yes/),
  });
  expect(await totals(project, 'visitors')).toEqual({ human: 0, ai: 1, total: 1 });
  await analytics('delete', project, '--yes', '--before', '2026-11-19');
  expect(await totals(project, 'visitors')).toEqual({ human: 0, ai: 0, total: 0 });
});

test("pages count at the targets of the docs' redirects, and broken links keep their address", async () => {
  const repository = path.join(logs, 'site.git');
  const first = [
    { source: '/start', destination: '/begin' },
    { source: '/begin', destination: '/hello' },
    { source: '/gone', destination: '/hello' },
  ];
  const more = [
    { source: '/guide/:rest*', destination: '/manual/:rest*' },
    { source: '/guide', destination: '/manual' },
    { source: '/x', destination: '/y' },
    { source: '/y', destination: '/x' },
  ];
  const config = { name: 'A', navigation: { groups: [] } };
  await makeRepository(repository, {
    'site/docs.json': JSON.stringify({ ...config, redirects: { $ref: './redirects.json' } }),
    'site/redirects.json': JSON.stringify(first),
    'site/pages/a.mdx': 'A\n',
  });
  const project = await bench.newProject();
  await bench.database.db.update(projects).set({ repository, docsDir: 'site/pages' }).where(eq(projects.id, project));
  const file = path.join(logs, 'moves.log');
  await writeFile(
    file,
    LOG + line('203.0.113.9', 'GET /x', 200, FIREFOX) + line('203.0.113.9', 'GET /guide/b', 200, FIREFOX),
  );
  await analytics('import', project, file);
  expect(await analytics('rebuild', project, '--aliases-from', 'project')).toMatchObject({
    reclassified: 2,
    circles: [],
  });
  const other = path.join(logs, 'mint.json');
  await writeFile(other, JSON.stringify({ ...config, redirects: more }));
  expect(await analytics('rebuild', project, '--aliases-from', logs, '--alias', '/hello=/welcome')).toMatchObject({
    reclassified: 5,
    circles: ['These page moves form a loop: /x → /y → /x.'],
  });
  await bench.versions.use(project, undefined, async (pinned) => {
    const all = { from: null, to: null };
    const { rows } = await bench.queries.byPath(pinned, 'views', all, { limit: 10, offset: 0 });
    expect(rows.map(({ path: page, total }) => [page, total])).toEqual([
      ['/manual', 2],
      ['/welcome', 2],
      ['/manual/b', 1],
      ['/x', 1],
    ]);
    const { rows: missing } = await bench.queries.notFound(pinned, all, { limit: 10, offset: 0 });
    expect(missing.map(({ path: page }) => page)).toEqual(['/gone']);
    expect((await verifyVersion(bench.folder, bench.duck, pinned)).differences).toEqual([]);
  });
});

test('unreadable or circular aliases are refused, and nothing is done', async () => {
  const project = await bench.newProject();
  for (const [args, message] of [
    [['--aliases-from', path.join(logs, 'nowhere')], /nowhere does not exist/],
    [['--aliases-from', bench.folder.walFolder], /contains no docs\.json or mint\.json/],
    [['--aliases-from', 'project'], /\/nowhere cannot be read/],
    [['--alias', '/a=/b', '--alias', '/b=/a'], /Nothing was changed.*form a loop/],
  ] as const) {
    await expect(analytics('rebuild', project, ...args)).rejects.toThrow(message);
  }
});

test('no address of a log reaches a file', async () => {
  const found: string[] = [];
  for (const entry of await readdir(bench.folder.root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const bytes = await readFile(path.join(entry.parentPath, entry.name));
    if (bytes.includes('203.0.113.')) found.push(entry.name);
  }
  expect(found).toEqual([]);
});

test('a recent visitor is erased as well, from the logs of a living and of a dead server', async () => {
  const project = await bench.newProject();
  const server = await bench.ingestor({ sealAfterMs: 1_500 });
  await server.ingest(project, eventsOf(0));
  const { acknowledged, signal } = await runProcess(bench, {
    do: 'ingest',
    project,
    fault: 'seal-written',
    batches: 1e6,
  });
  expect([signal, acknowledged.length > 1]).toEqual(['SIGKILL', true]);
  const { events } = await analytics('delete', project, '--yes', '--visitor', 'v1');
  expect(events).toBeGreaterThan(1);
  await server.flush();
  const visitors = new Set(acknowledged.concat(0).flatMap((no) => knownEventsOf(no).map(({ visitor }) => visitor)));
  expect((await totals(project, 'visitors')).total).toBe(visitors.size - 1);
  expect(await analytics('delete', project, '--yes', '--visitor', 'v1')).toMatchObject({ events: 0 });
  await server.close();
});

/** `docent analytics import --follow` until it is asked to stop. */
function follow(project: string, file: string, databaseUrl = bench.database.url) {
  const child = spawn(
    process.execPath,
    [CLI, 'analytics', 'import', '--project', project, '--json', '--follow', file],
    {
      env: { ...ENV(), DATABASE_URL: databaseUrl },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const ended = once(child, 'exit');
  void ended.then(([code, signal]) => (told += `\nended with ${signal ?? code}`));
  return {
    /** Its progress messages. */
    told: () => told,
    async stop(signal: NodeJS.Signals) {
      child.kill(signal);
      return (await ended) as [number | null, string | null];
    },
  };
}

test('a live log is followed: new lines count once within seconds, through rotation, truncation and kills', async () => {
  const project = await bench.newProject();
  const file = path.join(logs, 'live.log');
  let no = 0;
  const lines = (count: number) =>
    Array.from({ length: count }, () => {
      no += 1;
      const time = new Date(Date.UTC(2026, 10, 18, 10) + no * 1_000).toISOString().slice(11, 19);
      return line('203.0.113.9', `GET /live-${no % 5}`, 200, FIREFOX, `18/Nov/2026:${time} +0000`);
    }).join('');
  const views = async () => (await totals(project, 'views')).total;
  await writeFile(file, lines(10));
  let following = follow(project, file);
  const counted = (count: number) =>
    expect
      .poll(views, { interval: 250 })
      .toBe(count)
      .catch((err: unknown) => {
        throw new Error(`It said: ${following.told()}`, { cause: err });
      });
  await counted(10);
  expect(following.told()).toMatch(/^Following .*live\.log\. Press Ctrl-C to stop/);
  await expect.poll(following.told).toMatch(/\nwaiting for lines: 10 lines, 10 events, \d+ new/);
  // A partial line does not count until it is complete.
  const [half] = [lines(1)];
  await appendFile(file, lines(3) + half.slice(0, 40));
  await counted(13);
  await appendFile(file, half.slice(40));
  await counted(14);
  // Rotated: the old file by name, a new one in its place.
  await rename(file, `${file}.1`);
  await appendFile(`${file}.1`, lines(2));
  await writeFile(file, lines(4));
  await counted(20);
  // Killed between reading and counting, and begun again from the beginning of the file.
  await appendFile(file, lines(5));
  await sleep(500);
  await following.stop('SIGKILL');
  await appendFile(file, lines(5));
  following = follow(project, file);
  await counted(30);
  // Emptied in place, as copytruncate does.
  await truncate(file, 0);
  await sleep(600);
  await appendFile(file, lines(6));
  await counted(36);
  await appendFile(file, lines(1));
  await sleep(400);
  expect(await following.stop('SIGINT')).toEqual([0, null]);
  expect(await views()).toBe(37);
  // The rotated one imported as well, as after an outage: every line is known.
  await analytics('import', project, file, `${file}.1`);
  expect(await views()).toBe(37);
});

test('Ctrl-C ends an import at once that still waits for its database', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const connected = once(silent, 'connection');
  const { port } = silent.address() as AddressInfo;
  const following = follow('any', path.join(logs, 'any.log'), `postgresql://docent@127.0.0.1:${port}/docent`);
  await connected;
  expect(await following.stop('SIGINT')).toEqual([null, 'SIGINT']);
  silent.close();
});

test('damage is reported to operators, and restored from a backup', async () => {
  const project = await bench.newProject();
  const file = path.join(logs, 'damaged.log');
  await writeFile(file, LOG);
  await analytics('import', project, file);
  await analytics('compact', project);
  const before = await totals(project, 'views');
  const [events] = ofFamily((await readManifest(bench.database.db, project)).files, 'events');
  const name = bench.folder.fileOf(events!.path);
  const bytes = await readFile(name);
  await writeFile(name, bytes.with(50, (bytes[50] ?? 0) ^ 4));
  const verify = await analytics('verify', project).catch((err: { stdout: string; stderr: string }) => err);
  expect(verify.stderr).toContain('5 events were lost with damaged files');
  expect(JSON.parse(verify.stdout)).toMatchObject({
    differences: [],
    damage: [{ path: events!.path, eventsLost: 5, reason: 'holds other bytes than were written' }],
  });
  expect((await totals(project, 'views')).total).toBe(0);
  await writeFile(name, bytes);
  expect(await analytics('recover', project)).toMatchObject({ files: 1, events: 5, unreadable: [], hasSalts: true });
  expect(await totals(project, 'views')).toEqual(before);
  // The file is restored, which is detected automatically.
  expect(await analytics('verify', project)).toMatchObject({ differences: [], damage: [] });
});
