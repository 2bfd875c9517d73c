import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifySnapshot } from '../../src/analytics/verify.ts';
import { projects } from '../../src/store/schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { makeRepository } from '../support/repository.ts';

const CLI = path.join(import.meta.dirname, '..', '..', 'src', 'main', 'cli.ts');
const execute = promisify(execFile);
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

async function analytics(command: string, project: string, ...args: string[]) {
  const { stdout } = await execute(
    process.execPath,
    [CLI, 'analytics', command, '--project', project, '--json', ...args],
    {
      env: {
        PATH: process.env.PATH ?? '',
        DATABASE_URL: bench.database.url,
        DOCENT_ANALYTICS_DIR: bench.folder.root,
      },
    },
  );
  return JSON.parse(stdout);
}

const line = (ip: string, request: string, status: number, userAgent: string, time = '18/Nov/2026:10:00:00 +0000') =>
  `${ip} - - [${time}] "${request} HTTP/1.1" ${status} 512 "https://news.example.com/" "${userAgent}"\n`;

const LOG = [
  line('203.0.113.9', 'GET /start', 200, FIREFOX),
  line('203.0.113.9', 'GET /start', 200, FIREFOX),
  line('203.0.113.9', 'GET /guide/', 200, FIREFOX),
  line('203.0.113.10', 'GET /guide.md', 200, CHATGPT),
  line('203.0.113.9', 'GET /logo.svg', 200, FIREFOX),
  line('203.0.113.9', 'POST /start', 200, FIREFOX),
  line('203.0.113.9', 'GET /gone', 404, FIREFOX),
  line('203.0.113.9', 'GET /down', 500, FIREFOX),
  'binary \u0001 junk\n',
].join('');

async function totals(project: string, measure: 'visitors' | 'views') {
  return bench.snapshots.use(project, undefined, async (snapshot) => {
    const all = { from: null, to: null };
    return (await bench.queries.byPath(snapshot, measure, all, { limit: 10, offset: 0 })).totals;
  });
}

test('a log is imported once, however often, packed or rotated', async () => {
  const project = await bench.newProject();
  const plain = path.join(logs, 'access.log');
  const packed = path.join(logs, 'access.log.1.gz');
  await writeFile(plain, LOG);
  await writeFile(packed, gzipSync(LOG));
  const first = await analytics('import', project, plain);
  expect(first).toMatchObject({ lines: 9, events: 5 });
  expect(first.skipped.map((entry: { reason: string }) => entry.reason).toSorted()).toEqual([
    'asset',
    'error',
    'method',
    'not_a_log_line',
  ]);
  await analytics('import', project, plain, packed);
  expect(await totals(project, 'views')).toEqual({ human: 3, ai: 1, total: 4 });
  expect(await totals(project, 'visitors')).toEqual({ human: 1, ai: 1, total: 2 });
  await analytics('compact', project);
  await analytics('import', project, packed);
  expect(await totals(project, 'views')).toEqual({ human: 3, ai: 1, total: 4 });
  expect(await analytics('verify', project)).toMatchObject({ differences: [] });
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
  expect(await analytics('delete', project, '--ip', '::ffff:203.0.113.9', '--user-agent', FIREFOX)).toEqual({
    events: 4,
  });
  expect(await totals(project, 'visitors')).toEqual({ human: 0, ai: 1, total: 1 });
  await analytics('delete', project, '--before', '2026-11-19');
  expect(await totals(project, 'visitors')).toEqual({ human: 0, ai: 0, total: 0 });
});

test('pages count where the redirects of the docs lead, and broken links keep their address', async () => {
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
    circles: ['These pages move in a circle: /x → /y → /x.'],
  });
  await bench.snapshots.use(project, undefined, async (snapshot) => {
    const all = { from: null, to: null };
    const { rows } = await bench.queries.byPath(snapshot, 'views', all, { limit: 10, offset: 0 });
    expect(rows.map(({ path: page, total }) => [page, total])).toEqual([
      ['/manual', 2],
      ['/welcome', 2],
      ['/manual/b', 1],
      ['/x', 1],
    ]);
    const { rows: missing } = await bench.queries.notFound(snapshot, all, { limit: 10, offset: 0 });
    expect(missing.map(({ path: page }) => page)).toEqual(['/gone']);
    expect((await verifySnapshot(bench.folder, bench.duck, snapshot)).differences).toEqual([]);
  });
});

test('aliases that cannot be read or go in a circle are refused, and nothing is done', async () => {
  const project = await bench.newProject();
  for (const [args, message] of [
    [['--aliases-from', path.join(logs, 'nowhere')], /no file or folder/],
    [['--aliases-from', bench.folder.walFolder], /no docs\.json or mint\.json/],
    [['--aliases-from', 'project'], /\/nowhere cannot be read/],
    [['--alias', '/a=/b', '--alias', '/b=/a'], /Nothing was done.*circle/],
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
