import { execFile } from 'node:child_process';
import { truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { importLogs } from '../../src/analytics/ingest/log-import.ts';
import { readLogSource } from '@docent/access-log/files/read-log';
import { maintain } from '../../src/analytics/maintenance/maintain.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { SteadyClock } from '../../src/analytics/maintenance/steady-clock.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { damageOf } from '../../src/store/analytics/damage.ts';
import { analyticsFilePaths, readManifest } from '../../src/store/analytics/manifest.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { copiesOf, fillProject } from '../support/analytics-load.ts';
import { bruteCount } from '../support/brute-count.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { CLI } from '../support/processes.ts';

const ALL = { from: null, to: null };
const PAGE = { limit: 250, offset: 0 };
const BATCHES = 14;
/** Room for exactly this many small files, so that the work fails at another file each time. */
const ROOMS = [0, 1, 2, 3, 4].map((files) => files * 4_096);
const FULL = { code: 'storage_full', retryAfterSeconds: 30 };

const disk = mountSmallDisk('24m');
let bench: AnalyticsBench;
beforeAll(async () => {
  if (disk) bench = await analyticsBench({ root: path.join(disk.folder, 'analytics') });
});
afterEach(() => disk?.makeRoom());
afterAll(async () => {
  await bench?.close();
  disk?.remove();
});

const known = knownUpTo(BATCHES);
const expectedVisitors = bruteCount(known, 'visitors', ALL).filter((row) => row.path !== '');

/** Six merges, so that all families have files to be put together, and something that is not merged. */
const filled = copiesOf(
  () => bench,
  () => fillProject(bench, { batches: BATCHES, unmerged: 1 }),
);

/** Queries return the same as a brute-force count. */
const expectRight = (project: string) => expectExactly(bench, project, known);

/** The disk has exactly the files of the manifest. */
async function expectTidy(project: string): Promise<void> {
  const named = await analyticsFilePaths(bench.database.db, project);
  const there = await filesBelow(path.join(bench.folder.filesFolder, project));
  expect(there.toSorted()).toEqual(named.map((name) => bench.folder.fileOf(name)).toSorted());
  const temporary = await filesBelow(bench.folder.temporaryFolder);
  expect(temporary.filter((file) => file.endsWith('.parquet') || file.endsWith('.ndjson'))).toEqual([]);
}

const line = (no: number) =>
  `203.0.113.${no % 200} - - [18/Nov/2026:10:00:00 +0000] "GET /p${no % 50} HTTP/1.1" 200 5 "-" "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0"\n`;

const maintenance = (project: string) => maintain(bench, project, { retentionDays: null, clock: new SteadyClock() });

// A small disk needs the right to mount: run as root to test this.
describe.skipIf(!disk)('on a full disk', () => {
  test.each([
    ['a merge', (project: string) => mergeProject(bench, project)],
    ['a compaction', (project: string) => compactProject(bench, project)],
    ['a rebuild', (project: string) => rebuildProject(bench, project, {})],
    ['the maintenance of the schedule', maintenance],
  ])(
    '%s says so and leaves nothing behind; questions are answered; it succeeds once there is room',
    async (_, work) => {
      const project = await filled();
      const { version } = await readManifest(bench.database.db, project);
      let failed = 0;
      let verified = -1;
      for (const room of ROOMS) {
        disk!.fillUp(room);
        try {
          await work(project);
          break;
        } catch (err) {
          expect(err).toMatchObject(FULL);
          failed += 1;
        }
        await expectTidy(project);
        // The files of a version are never changed.
        const now = (await readManifest(bench.database.db, project)).version;
        if (now !== verified) await expectRight(project);
        verified = now;
      }
      expect(failed).toBeGreaterThan(1);
      disk!.makeRoom();
      await work(project);
      await maintenance(project);
      await expectTidy(project);
      await expectRight(project);
      const after = await readManifest(bench.database.db, project);
      expect(after.version).toBeGreaterThan(version);
      expect(ofFamily(after.files, 'unmerged')).toEqual([]);
    },
  );

  test.each(['cube', 'views', 'presence'] as const)(
    'a damaged file of the %s is not repaired by halves: whoever needs it is asked to wait, and is answered once there is room',
    async (family) => {
      const project = await filled();
      const other = await filled();
      const { database, log } = bench;
      const server = await Analytics.open({
        database,
        folder: new AnalyticsFolder(bench.folder.root),
        log,
        memoryMb: 256,
      });
      try {
        const [file] = ofFamily((await readManifest(database.db, project)).files, family);
        await truncate(bench.folder.fileOf(file!.path), 100);
        const ask = (of: string) =>
          server.ask(of, {}, (pinned) => server.queries.byPath(pinned, 'visitors', ALL, PAGE));
        // A repair writes the same files, whichever was damaged.
        for (const room of ROOMS.slice(0, family === 'cube' ? 4 : 2)) {
          disk!.fillUp(room);
          await expect(repairProject(bench, project, 0)).rejects.toMatchObject(FULL);
          if (family !== 'presence') {
            await expect(ask(project)).rejects.toMatchObject({ code: 'unavailable' });
          }
          await expectTidy(project);
          expect((await readManifest(database.db, project)).files).toContainEqual(file);
          expect((await ask(other)).rows).toEqual(expectedVisitors);
        }
        disk!.makeRoom();
        // By the query itself, or by the next run of the schedule.
        if (family === 'presence') await maintenance(project);
        expect((await ask(project)).rows).toEqual(expectedVisitors);
        expect(await damageOf(database.db, project)).toMatchObject([{ id: file!.id, family }]);
        await maintenance(project);
        await expectTidy(project);
        await expectRight(project);
      } finally {
        disk!.makeRoom();
        await server.close();
      }
    },
  );

  test('`docent analytics rebuild` ends with one sentence about what to do', async () => {
    const project = await filled();
    disk!.fillUp();
    try {
      const run = promisify(execFile)(process.execPath, [CLI, 'analytics', 'rebuild', '--project', project], {
        env: {
          ...BARE_ENV,
          DATABASE_URL: bench.database.url,
          DOCENT_ANALYTICS_DIR: bench.folder.root,
        },
      });
      await expect(run).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^The disk for page views is full\. .*Free some space.*\n$/),
      });
    } finally {
      disk!.makeRoom();
    }
    await expectTidy(project);
    await expectRight(project);
  });

  test('an import stops with that sentence, and counts each line once when it is repeated', async () => {
    const project = await bench.newProject();
    const log = path.join(disk!.folder, 'access.log');
    await writeFile(log, Array.from({ length: 2_000 }, (_, no) => line(no)).join(''));
    disk!.fillUp();
    await expect(importLogs(bench, project, readLogSource(log))).rejects.toMatchObject(FULL);
    await expectTidy(project);
    disk!.makeRoom();
    for (let time = 0; time < 2; time += 1) await importLogs(bench, project, readLogSource(log));
    await maintenance(project);
    await expectTidy(project);
    await bench.versions.use(project, undefined, async (pinned) => {
      const { totals } = await bench.queries.byPath(pinned, 'views', ALL, PAGE);
      expect(totals.total).toBe(2_000);
    });
  });
});
