import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { eventsOfSet, LAST_DAY, type DataSet } from '../../scripts/bench/data-set.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import type { Range } from '../../src/analytics/events/days.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import { PinnedVersions } from '../../src/analytics/query/pinned-version.ts';
import { EVENT_COLUMNS } from '../../src/analytics/storage/tables.ts';
import { verifyVersion } from '../../src/analytics/maintenance/verify.ts';
import { addUnmerged } from '../../src/store/analytics/manifest-changes.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';

/** More at once than is computed in one slice, in 256 MB. */
const SET: DataSet = { events: 420_000, days: 4, paths: 60, readers: 'return' };

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

async function add(project: string, first: number, count: number): Promise<void> {
  const file = await bench.duck.use(async (session) => {
    await session.run(`CREATE TEMP TABLE made AS SELECT ${EVENT_COLUMNS} FROM ${eventsOfSet(SET, first, count)}`);
    const written = await writeParquet(session, bench.folder, { projectId: project, family: 'unmerged' }, 'made');
    await session.run('DROP TABLE made');
    return written;
  });
  await bench.database.db.transaction((tx) => addUnmerged(tx, project, [file!], `made/${first}`));
}

test(
  'a busy site is counted right: what is computed slice by slice adds up, merged or not',
  { timeout: 600_000 },
  async () => {
    const project = await bench.newProject();
    // Most of them first, so that every visitor's days are linked again when the earlier ones come.
    await add(project, 10_000, 410_000);
    await mergeProject(bench, project);
    await add(project, 0, 10_000);
    const end = (LAST_DAY + 1) * DAY_MS;
    const all = { from: null, to: null };
    const wholeDays = { from: end - 3 * DAY_MS, to: end - DAY_MS };
    const uneven = { from: end - 3.6 * DAY_MS, to: end - 0.3 * DAY_MS };
    // As on a small site; and as where the cube is too large for memory.
    const fromFiles = new PinnedVersions(bench.database, bench.folder, bench.duck, 0);
    // Each number costs a count over all events: every range once, and those that read other files again.
    const verify = async (versions: PinnedVersions, ...ranges: Range[]) =>
      versions.use(project, undefined, async (pinned) => {
        const { differences, comparisons } = await verifyVersion(bench.folder, bench.duck, pinned, ranges);
        expect(comparisons).toBeGreaterThan(300);
        expect(differences).toEqual([]);
      });
    await verify(bench.versions, uneven);
    await mergeProject(bench, project);
    await compactProject(bench, project, end + DAY_MS);
    await verify(bench.versions, all, wholeDays);
    await verify(fromFiles, uneven);
    await fromFiles.close();
  },
);
