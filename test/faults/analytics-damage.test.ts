import { readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Analytics } from '../../src/analytics/analytics.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import type { Range } from '../../src/analytics/events/days.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { createLogger } from '../../src/platform/log.ts';
import { damageOf, forgetDamage } from '../../src/store/analytics/damage.ts';
import { readManifest, type FileRow } from '../../src/store/analytics/manifest.ts';
import type { FileFamily } from '../../src/store/analytics/analytics-schema.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, copiesOf, eventsOf, fillProject, knownEventsOf } from '../support/analytics-load.ts';
import { bruteCount } from '../support/brute-count.ts';
import { expectSound } from '../support/counted-exactly.ts';

const ALL: Range = { from: null, to: null };
const PAGE = { limit: 250, offset: 0 };
const BATCHES = 8;

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** A server that has read nothing yet. */
async function withServer<T>(work: (server: Analytics) => Promise<T>): Promise<T> {
  const database: Database = openDatabase(bench.database.url);
  const log = createLogger({ level: 'fatal', name: 'test' });
  const server = await Analytics.open({ database, folder: new AnalyticsFolder(bench.folder.root), log, memoryMb: 256 });
  try {
    return await work(server);
  } finally {
    await server.close();
    await database.close();
  }
}

/** A project with three merges, and something that is not merged yet. */
const filled = copiesOf(
  () => bench,
  () => fillProject(bench, { batches: BATCHES, unmerged: 2 }),
);

const filesOf = async (project: string, family: FileFamily): Promise<FileRow[]> =>
  ofFamily((await readManifest(bench.database.db, project)).files, family);

const DAMAGES = {
  truncated: async (file: string) => truncate(file, Math.floor((await stat(file)).size * 0.6)),
  emptied: async (file: string) => truncate(file, 0),
  missing: async (file: string) => rm(file),
  'bit-flipped': async (file: string) => {
    const bytes = await readFile(file);
    // In the first column chunk, after the magic and the page's header.
    bytes[60] = (bytes[60] ?? 0) ^ 0x10;
    await writeFile(file, bytes);
  },
};

const known = Array.from({ length: BATCHES }, (_, no) => knownEventsOf(no)).flat();

describe('a damaged file', () => {
  const cases = [
    ...(['cube', 'views', 'presence', 'revisits', 'events', 'unmerged'] as const).flatMap((family) =>
      (['missing', 'bit-flipped'] as const).map((how) => [family, how] as const),
    ),
    // The files that counts are read from, and those that they can be rebuilt from.
    ['cube', 'truncated'],
    ['cube', 'emptied'],
    ['events', 'truncated'],
  ] as const;
  test.each(cases)('of the %s, %s: no question fails, and it is named and set aside', async (family, how) => {
    const project = await filled();
    const [file] = await filesOf(project, family);
    await DAMAGES[how](bench.folder.fileOf(file!.path));
    const lost = family === 'events' || family === 'unmerged' ? file!.rows : 0;

    await withServer(async (server) => {
      const ask = (measure: 'visitors' | 'views', range = ALL) =>
        server.ask(project, {}, (pinned) => server.queries.byPath(pinned, measure, range, PAGE));
      // The next check of all files finds damage in files that no query reads completely.
      const isReadWhole = family !== 'presence' && family !== 'events';
      if (how === 'bit-flipped' && !isReadWhole) await repairProject(bench, project, 0);
      const day = 86_400_000;
      const inside = { from: known[0]!.time - day / 3, to: known[0]!.time + day / 3 };
      const times = known.map((event) => event.time);
      const uneven = { from: Math.min(...times) + day / 3, to: Math.max(...times) };
      await Promise.all([
        ask('visitors'),
        ask('views'),
        ask('views', inside),
        ask('visitors', inside),
        ask('visitors', uneven),
      ]);
      await server.ask(project, {}, (pinned) => server.queries.timeseries(pinned, ALL).then((days) => ({ days })));
      if (how !== 'bit-flipped' && !isReadWhole) await repairProject(bench, project, 0);
      const { totals, rows } = await ask('views');
      expect(totals.total).toBe(BATCHES * BATCH - lost);
      if (lost === 0) {
        expect(rows).toEqual(bruteCount(known, 'views', ALL).filter((row) => row.path !== ''));
        const visitors = await ask('visitors');
        expect(visitors.rows).toEqual(bruteCount(known, 'visitors', ALL).filter((row) => row.path !== ''));
      }
      await expectSound(bench, project);
    });

    expect(await damageOf(bench.database.db, project)).toMatchObject([
      { id: file!.id, family, path: file!.path, rows: file!.rows },
    ]);
    const copy = path.join(bench.folder.setAsideFolder, 'damaged', project, family, path.basename(file!.path));
    if (how !== 'missing') expect((await stat(copy)).isFile()).toBe(true);

    expect(await forgetDamage(bench.database.db, project)).toBe(1);
    // How a file was damaged does not matter from here on.
    if (how !== 'bit-flipped') return;
    // Work on the files continues, and lost events count again once they are resent.
    const ingestor = await bench.ingestor({ rememberedIds: 0 });
    for (let no = 0; no < BATCHES; no += 1) await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    await mergeProject(bench, project);
    await compactProject(bench, project);
    await bench.versions.use(project, undefined, async (pinned) => {
      const { totals } = await bench.queries.byPath(pinned, 'views', ALL, PAGE);
      expect(totals.total).toBe(BATCHES * BATCH);
    });
    await expectSound(bench, project);
  });
});

test('damaged files are never combined with others: compaction only reads checked files', async () => {
  const project = await filled();
  await mergeProject(bench, project);
  const [cube] = await filesOf(project, 'cube');
  await DAMAGES['bit-flipped'](bench.folder.fileOf(cube!.path));
  // Another process, which has not seen the previous file.
  const fresh = await analyticsBench({ root: bench.folder.root, database: bench.database });
  expect((await compactProject(fresh, project))!.rounds).toBeGreaterThan(0);
  expect(await damageOf(bench.database.db, project)).toMatchObject([{ id: cube!.id }]);
  await expectSound(bench, project);
  fresh.duck.close();
});

test('an old version with damaged files is gone, and the newest still answers', async () => {
  const project = await filled();
  await withServer(async (server) => {
    const { version } = await readManifest(bench.database.db, project);
    const [cube] = await filesOf(project, 'cube');
    await mergeProject(bench, project);
    await compactProject(bench, project);
    await rm(bench.folder.fileOf(cube!.path));
    const ask = (asked?: number) =>
      server.ask(project, { version: asked }, (pinned) => server.queries.byPath(pinned, 'views', ALL, PAGE));
    const isReplaced = !(await filesOf(project, 'cube')).some(({ id }) => id === cube!.id);
    await expect(ask(version)).rejects.toMatchObject({ code: 'version_gone' });
    expect((await ask()).totals.total).toBe(BATCHES * BATCH);
    expect(await damageOf(bench.database.db, project)).toHaveLength(isReplaced ? 0 : 1);
  });
});

test('an unmounted folder does not count as damage: nothing is removed, and queries work once it is back', async () => {
  const project = await filled();
  const { rename } = await import('node:fs/promises');
  const files = path.join(bench.folder.filesFolder, project);
  await rename(files, `${files}-away`);
  await withServer(async (server) => {
    const ask = () => server.ask(project, {}, (pinned) => server.queries.byPath(pinned, 'views', ALL, PAGE));
    await expect(ask()).rejects.toMatchObject({ code: 'unavailable' });
    await rename(`${files}-away`, files);
    expect((await ask()).totals.total).toBe(BATCHES * BATCH);
  });
  expect(await damageOf(bench.database.db, project)).toEqual([]);
});
