import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import type { LogBlock } from '@docent/access-log/files/line-splitter';
import { findLogSources, readLogSource } from '@docent/access-log/files/read-log';
import { importLogs } from '../../src/analytics/ingest/log-import.ts';
import { verifyVersion } from '../../src/analytics/maintenance/verify.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';

const ALL = { from: null, to: null };
const MB = 1024 * 1024;

let bench: AnalyticsBench;
let logs: string;
beforeAll(async () => {
  bench = await analyticsBench();
  logs = await mkdtemp(path.join(tmpdir(), 'docent-hostile-'));
});
afterAll(async () => {
  await bench.close();
  await rm(logs, { recursive: true, force: true });
});

const line = (page: string) =>
  `198.51.100.23 - - [18/Nov/2026:10:00:00 +0000] "GET ${page} HTTP/1.1" 200 5 "-" "Mozilla/5.0 (X11; Linux x86_64) Firefox/143.0"\n`;

async function imported(project: string, ...files: string[]) {
  async function* blocks(): AsyncGenerator<LogBlock> {
    for (const source of await findLogSources(files)) yield* readLogSource(source, {});
  }
  return importLogs(bench, project, blocks());
}

test('a log of binary junk has no page views, whatever it is called, and the lines after it count', async () => {
  const project = await bench.newProject();
  const junk = path.join(logs, 'junk.log');
  await writeFile(junk, Buffer.concat([randomBytes(4 * MB), Buffer.from(`\n${line('/after')}`), Buffer.alloc(2 * MB)]));
  const done = await imported(project, junk);
  expect(done!.events).toBe(1);
  expect([...done!.skipped.values()].reduce((sum, { count }) => sum + count, 0)).toBe(done!.lines - 1);
  // Packed files are recognized by their first bytes, not by their names.
  const misnamed = path.join(logs, 'misnamed.log.gz');
  await writeFile(misnamed, randomBytes(MB).fill('x', 0, 2));
  expect((await imported(project, misnamed))!.events).toBe(0);
  const unpackable = path.join(logs, 'junk.log.gz');
  await writeFile(unpackable, Buffer.concat([gzipSync('').subarray(0, 10), Buffer.alloc(MB, 0xff)]));
  await expect(imported(project, unpackable)).rejects.toThrow(/junk\.log\.gz/);
  const torn = path.join(logs, 'torn.log.gz');
  await writeFile(torn, gzipSync(line('/torn').repeat(50_000)).subarray(0, -500));
  await expect(imported(project, torn)).rejects.toThrow(/torn\.log\.gz/);
});

test('paths of a megabyte, with NUL, half characters and controls are skipped or made harmless', async () => {
  const project = await bench.newProject();
  const odd = path.join(logs, 'odd.log');
  const pages = [
    `/${'x'.repeat(MB)}`,
    '/a\0b',
    '/%00',
    '/%ed%a0%80',
    '/\u001b[31m',
    '/%F0%9F',
    '//',
    '/../../etc',
    '/ok',
  ];
  await writeFile(odd, pages.map(line).join(''));
  const done = await imported(project, odd);
  expect(done!.lines).toBe(pages.length);
  const rows = await bench.versions.use(project, undefined, async (pinned) => {
    expect((await verifyVersion(bench.folder, bench.duck, pinned)).differences).toEqual([]);
    return (await bench.queries.byPath(pinned, 'views', ALL, { limit: 250, offset: 0 })).rows;
  });
  expect(rows.map((row) => row.path)).toContain('/ok');
  for (const row of rows) {
    expect(row.path.isWellFormed()).toBe(true);
    expect(row.path).not.toContain('\0');
    expect(row.path.length).toBeLessThanOrEqual(2_048);
  }
});

test(
  'tens of thousands of distinct paths are counted, merged and paged through in bounded memory',
  { timeout: 200_000 },
  async () => {
    const project = await bench.newProject();
    const file = path.join(logs, 'many.log');
    const PATHS = 50_000;
    await writeFile(file, Array.from({ length: PATHS }, (_, i) => line(`/made-up/${i}`)).join(''));
    let peak = 0;
    const before = process.memoryUsage().rss;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - before)), 50);
    try {
      expect((await imported(project, file))!.events).toBe(PATHS);
      await mergeProject(bench, project);
      await compactProject(bench, project);
      await bench.versions.use(project, undefined, async (pinned) => {
        const page = await bench.queries.byPath(pinned, 'visitors', ALL, { limit: 250, offset: PATHS / 2 });
        expect(page).toMatchObject({ totals: { human: 1, ai: 0, total: 1 }, hasMore: true });
        expect(page.rows).toHaveLength(250);
        const end = await bench.queries.byPath(pinned, 'views', ALL, { limit: 250, offset: PATHS - 10 });
        expect([end.totals.total, end.rows.length, end.hasMore]).toEqual([PATHS, 10, false]);
      });
    } finally {
      clearInterval(watch);
    }
    // DuckDB may use 256 MB here.
    expect(peak / MB).toBeLessThan(450);
  },
);
