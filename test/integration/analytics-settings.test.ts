import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { dateText, type Range } from '../../src/analytics/events/days.ts';
import { eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { importLogs } from '../../src/analytics/ingest/log-import.ts';
import { readLogSource } from '@docent/access-log/files/read-log';
import type { Ingestor } from '../../src/analytics/ingest/ingestor.ts';
import { maintain } from '../../src/analytics/maintenance/maintain.ts';
import { verifyVersion } from '../../src/analytics/maintenance/verify.ts';
import { saltsOf } from '../../src/store/analytics/salts.ts';
import { updateProject } from '../../src/store/projects/projects.ts';
import type { SettingsChange } from '../../src/store/projects/project-settings.ts';
import { erasedVisitors } from '../../src/store/analytics/erased.ts';
import { analyticsErased } from '../../src/store/analytics/analytics-schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DAY_MS } from '@docent/base/time';

/** Noon of a day in the middle of a month. */
const START = Date.UTC(2026, 9, 14, 12);
const day = (offset: number) => Math.floor(START / DAY_MS) + offset;
const at = (offset: number) => START + offset * DAY_MS;
const ALL: Range = { from: null, to: null };

let bench: AnalyticsBench;
let ingestor: Ingestor;
let now = START;
beforeAll(async () => {
  bench = await analyticsBench();
  ingestor = await bench.ingestor({ now: () => now, projectCacheMs: 0 });
});
afterAll(() => bench.close());

const set = (project: string, settings: SettingsChange) =>
  bench.database.db.transaction((tx) => updateProject(tx, project, { settings }, { now }));

async function send(project: string, ...views: { time: number; visitorId: string; class?: string }[]) {
  const sent = await ingestor.ingest(
    project,
    views.map(({ time, ...view }) => ({ timestamp: time, path: '/', ...view })),
  );
  await ingestor.flush();
  return sent;
}

/** Projects that a test counted, with the ranges. */
const counted = new Map<string, Range[]>();
/** Whatever was done, their files agree. What is between is a matter of `analytics-exact.test.ts`. */
afterEach(async () => {
  for (const [project, ranges] of counted) {
    await bench.versions.use(project, undefined, async (pinned) => {
      expect((await verifyVersion(bench.folder, bench.duck, pinned, ranges)).differences).toEqual([]);
    });
  }
  counted.clear();
});

async function count(project: string, range = ALL) {
  return bench.versions.use(project, undefined, async (pinned) => {
    counted.set(project, [...new Set([...(counted.get(project) ?? [ALL]), range])]);
    const { totals } = await bench.queries.byPath(pinned, 'visitors', range, { limit: 10, offset: 0 });
    return totals;
  });
}

const maintenance = (project: string, options = { retentionDays: null as number | null }) =>
  maintain(bench, project, { ...options, clock: { now: () => now } });

describe('the salt policy', () => {
  test('daily: a visitor counts again each day, from the stated day on', async () => {
    now = START;
    const project = await bench.newProject();
    const views = [-1, 0, 1, 2, 3].map((offset) => ({ time: at(offset), visitorId: 'ada' }));
    await send(project, ...views.slice(0, 2));
    const { settings } = await set(project, { analyticsSaltPolicy: 'daily' });
    expect(settings.analyticsSalts).toEqual([
      { policy: 'fixed', fromDay: null },
      { policy: 'daily', fromDay: day(2) },
    ]);
    now = at(3);
    await send(project, ...views.slice(2));
    expect((await count(project)).human).toBe(3);
    expect((await count(project, { from: null, to: day(2) * DAY_MS })).human).toBe(1);
    await mergeProject(bench, project);
    expect((await count(project)).human).toBe(3);
  });

  test('monthly: the same visitor within a month of UTC, and another in the next', async () => {
    now = Date.UTC(2024, 2, 1, 0, 30);
    const project = await bench.newProject();
    await set(project, { analyticsSaltPolicy: 'monthly' });
    await send(
      project,
      { time: Date.UTC(2024, 1, 28, 12), visitorId: 'ada' },
      { time: Date.UTC(2024, 1, 29, 23, 59, 59, 999), visitorId: 'ada' },
    );
    expect((await count(project)).human).toBe(1);
    await send(project, { time: Date.UTC(2024, 2, 1), visitorId: 'ada' });
    expect((await count(project)).human).toBe(2);
  });

  test('a week after its end a period is closed: its salt is destroyed, and late events are refused', async () => {
    now = START;
    const project = await bench.newProject();
    await set(project, { analyticsSaltPolicy: 'daily' });
    await send(project, { time: at(0), visitorId: 'ada' });
    now = at(7);
    await maintenance(project);
    expect((await send(project, { time: at(0) + 1, visitorId: 'ada' })).accepted).toBe(1);
    expect((await count(project)).human).toBe(1);
    now = at(8);
    const late = await send(project, { time: at(0) + 2, visitorId: 'ada' }, { time: at(1), visitorId: 'ada' });
    expect(late).toMatchObject({
      accepted: 1,
      rejected: [{ index: 0, error: expect.stringMatching(/salt was destroyed/) }],
    });
    await maintenance(project);
    expect([...(await saltsOf(bench.database.db, project)).keys()]).toEqual([dateText(day(1))]);
    expect((await count(project)).human).toBe(2);
    await eraseVisitor(bench, project, { visitorId: 'ada' });
    expect((await count(project)).human).toBe(1);
  });

  test('never re-creates a destroyed salt, even in a process with a slow clock', async () => {
    now = at(20);
    const project = await bench.newProject();
    await set(project, { analyticsSaltPolicy: 'daily' });
    await send(project, { time: at(20), visitorId: 'ada' });
    now = at(40);
    await maintenance(project);
    now = at(20);
    const slow = await bench.ingestor({ now: () => now });
    const refused = await slow.ingest(project, [{ timestamp: at(20) + 5, path: '/', visitorId: 'ada' }]);
    expect(refused.rejected).toEqual([{ index: 0, error: expect.stringMatching(/salt was destroyed/) }]);
    const log = path.join(bench.folder.temporaryFolder, 'late.log');
    const date = '03/Nov/2026:12:00:00 +0000';
    await writeFile(
      log,
      `203.0.113.9 - - [${date}] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0 (X11; rv:143.0) Firefox/143.0"\n`,
    );
    const imported = await importLogs(bench, project, readLogSource(log), { now: () => now });
    expect([imported?.events, [...(imported?.skipped.keys() ?? [])]]).toEqual([0, ['closed']]);
  });

  test('a replaced fixed salt is destroyed, too, and none while it is in use', async () => {
    now = at(50);
    const project = await bench.newProject();
    await send(project, { time: at(50), visitorId: 'ada' });
    await set(project, { analyticsSaltPolicy: 'monthly' });
    now = at(52 + 6);
    await maintenance(project);
    expect((await saltsOf(bench.database.db, project)).has('')).toBe(true);
    now = at(52 + 7);
    await maintenance(project);
    expect((await saltsOf(bench.database.db, project)).has('')).toBe(false);
    expect((await send(project, { time: at(51), visitorId: 'ada' })).rejected).toHaveLength(1);
    expect((await send(project, { time: at(52), visitorId: 'ada' })).accepted).toBe(1);
  });
});

describe('retention', () => {
  test('a project keeps its own number of days; a visitor of days that went is new to those that stay', async () => {
    now = at(0);
    const project = await bench.newProject();
    await send(project, { time: at(-40), visitorId: 'ada' }, { time: at(-2), visitorId: 'ada' });
    await mergeProject(bench, project);
    await set(project, { analyticsRetentionDays: 30 });
    await maintenance(project, { retentionDays: 365 });
    expect(await count(project)).toEqual({ human: 1, ai: 0, total: 1 });
    const late = await send(project, { time: at(-31), visitorId: 'bob' }, { time: at(-30), visitorId: 'bob' });
    expect(late.rejected).toEqual([{ index: 0, error: expect.stringMatching(/days that are kept/) }]);
    expect((await count(project)).human).toBe(2);
  });

  test('without its own number the installation’s counts, and 0 is forever', async () => {
    now = at(0);
    for (const [analyticsRetentionDays, kept] of [
      [null, 1],
      [0, 2],
    ] as const) {
      const project = await bench.newProject();
      await send(project, { time: at(-40), visitorId: 'ada' }, { time: at(-2), visitorId: 'bob' });
      await set(project, { analyticsRetentionDays });
      await maintenance(project, { retentionDays: 30 });
      expect((await count(project)).human).toBe(kept);
    }
  });
});

describe('the mapping to human and AI', () => {
  test('a change applies from the version of its maintenance on, and older versions keep their counts', async () => {
    now = at(0);
    const project = await bench.newProject();
    const views = ['human', 'assistant', 'search', 'training'].map((name) => ({
      time: at(-1),
      visitorId: name === 'search' ? 'human' : name,
      class: name,
    }));
    await send(project, ...views);
    await maintenance(project);
    await send(project, { time: at(0), visitorId: 'eve', class: 'search' });
    const before = { human: 1, ai: 1, total: 2 };
    expect(await count(project)).toEqual(before);
    const old = await bench.versions.use(project, undefined, async ({ manifest }) => manifest);
    await set(project, { analyticsAiClasses: ['assistant', 'search'] });
    expect(await count(project)).toEqual(before);
    await maintenance(project);
    expect(await count(project)).toEqual({ human: 1, ai: 3, total: 3 });
    await send(project, { time: at(0), visitorId: 'zoe', class: 'search' });
    expect(await count(project)).toEqual({ human: 1, ai: 4, total: 4 });
    await bench.versions.use(project, old.version, async (pinned) => {
      expect(pinned.manifest.mapping).toEqual({ human: ['human'], ai: ['assistant'] });
      const { totals } = await bench.queries.byPath(pinned, 'visitors', ALL, { limit: 1, offset: 0 });
      expect(totals).toEqual(before);
    });
    // Nothing is rebuilt twice.
    await maintenance(project);
    await maintenance(project);
    const { version } = await bench.versions.use(project, undefined, async ({ manifest }) => manifest);
    await maintenance(project);
    const again = await bench.versions.use(project, undefined, async ({ manifest }) => manifest);
    expect(again.version).toBe(version);
    await set(project, { analyticsHumanClasses: [], analyticsAiClasses: null });
    await maintenance(project);
    expect(await count(project)).toEqual({ human: 0, ai: 1, total: 1 });
  });

  test('no class can be both', async () => {
    const project = await bench.newProject();
    await expect(set(project, { analyticsAiClasses: ['human'] })).rejects.toThrow(/both human and AI/);
  });
});

const importFile = async (project: string, file: string) =>
  (await importLogs(bench, project, readLogSource(file), { now: () => now, countsNew: true }))!;

const folderOf = () => mkdtemp(path.join(bench.folder.temporaryFolder, 'logs-'));

describe('logs that are imported file by file', () => {
  const FIREFOX_15 = 'Mozilla/5.0 (X11; rv:143.0) Gecko/20100101 Firefox/143.0';
  const line = (ip: string, second: number, page: string) =>
    `${ip} - - [14/Oct/2026:12:00:${String(second).padStart(2, '0')} +0000] "GET ${page} HTTP/1.1" 200 5 "-" "${FIREFOX_15}"\n`;

  test('count two equal requests on both sides of a rotation, and none of them again', async () => {
    now = at(1);
    const project = await bench.newProject();
    const log = path.join(await folderOf(), 'access.log');
    const first = line('203.0.113.9', 0, '/start') + line('203.0.113.9', 5, '/z');
    const second = line('203.0.113.9', 5, '/z') + line('203.0.113.9', 9, '/end');
    await writeFile(`${log}.1`, first);
    await writeFile(log, second);
    expect((await importFile(project, log)).newEvents).toBe(2);
    expect((await importFile(project, `${log}.1`)).newEvents).toBe(2);
    // The next rotation: the same lines have other names, and the older one is packed.
    await writeFile(`${log}.2.gz`, gzipSync(first));
    await writeFile(`${log}.1`, second);
    await writeFile(log, line('203.0.113.9', 30, '/new'));
    for (const [name, news] of [
      [`${log}.2.gz`, 0],
      [`${log}.1`, 0],
      [log, 1],
    ] as const) {
      expect((await importFile(project, name)).newEvents).toBe(news);
    }
    // A copy of a log is not a rotation of it, and a damaged one does not exclude events.
    await writeFile(`${log}.3`, second);
    await writeFile(`${log}.4.gz`, gzipSync(first).subarray(0, 30));
    expect((await importFile(project, `${log}.3`)).newEvents).toBe(0);
  });

  test('do not restore an erased visitor, except for later visits', async () => {
    now = at(1);
    const project = await bench.newProject();
    const log = path.join(await folderOf(), 'access.log');
    await writeFile(log, line('203.0.113.9', 0, '/a') + line('203.0.113.9', 1, '/b') + line('203.0.113.8', 2, '/b'));
    expect((await importFile(project, log)).events).toBe(3);
    await eraseVisitor(bench, project, { ip: '203.0.113.9', userAgent: FIREFOX_15 });
    expect((await count(project)).human).toBe(1);
    const again = await importFile(project, log);
    expect([again.events, again.newEvents, again.skipped.get('erased')?.count]).toEqual([1, 0, 2]);
    await maintenance(project);
    expect((await count(project)).human).toBe(1);
    // Erased twice is erased once, and what comes after the erasure counts.
    await eraseVisitor(bench, project, { ip: '203.0.113.9', userAgent: FIREFOX_15 });
    await bench.database.db.update(analyticsErased).set({ erasedAt: new Date(START + 500) });
    expect((await importFile(project, log)).newEvents).toBe(1);
    expect((await count(project)).human).toBe(2);
  });

  test('forget an erasure once no log is that old', async () => {
    now = at(1);
    const project = await bench.newProject();
    await send(project, { time: at(0), visitorId: 'ada' });
    await eraseVisitor(bench, project, { visitorId: 'ada' });
    await maintenance(project);
    expect(await erasedVisitors(bench.database.db, project)).toHaveLength(1);
    await bench.database.db.update(analyticsErased).set({ erasedAt: new Date(Date.now() - 401 * DAY_MS) });
    await maintenance(project);
    expect(await erasedVisitors(bench.database.db, project)).toEqual([]);
  });
});
