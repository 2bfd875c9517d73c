import { afterAll, beforeAll, expect, test } from 'vitest';
import { compactProject } from '../../src/analytics/counts/compact.ts';
import { mergeProject } from '../../src/analytics/counts/merge.ts';
import { DAY_MS, dayOf } from '../../src/analytics/events/days.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import { commit } from '../../src/analytics/storage/storage.ts';
import { absolutePaths, ofFamily } from '../../src/analytics/storage/tables.ts';
import { verifyVersion } from '../../src/analytics/upkeep/verify.ts';
import { findAnalytics, readManifest } from '../../src/store/analytics-manifest.ts';
import { addUnmerged } from '../../src/store/analytics-manifest-changes.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';

const NOON = Date.UTC(2026, 10, 18, 12);
const ALL = { from: null, to: null };
const LONG = 'feedface-0123-4567-89ab-cdef01234567';
const SHORT = '00000000-0000-0000-feed-face01234567';

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

/** Writes page views with these ids, as files of a family hold them: of this release, or of one before. */
async function write(project: string, family: 'events' | 'unmerged', ids: readonly string[]) {
  const rows = ids.map(
    (id) =>
      `('${id}'::UUID, make_timestamp(${NOON * 1_000}), '/a', 1::UBIGINT, 'human', true, NULL, NULL, 'html', NULL, false, 1)`,
  );
  return (await bench.duck.use((session) =>
    writeParquet(
      session,
      bench.folder,
      { projectId: project, family },
      `(SELECT * FROM (VALUES ${rows.join(', ')}) t(id, time, path, visitor, class, class_given, user_agent, agent, format, referrer, not_found, classifier))`,
    ),
  ))!;
}

async function addUnmergedIds(project: string, ids: readonly string[]): Promise<void> {
  const file = await write(project, 'unmerged', ids);
  await bench.database.db.transaction((tx) => addUnmerged(tx, project, [file], file.id));
}

const views = (project: string) =>
  bench.versions.use(project, undefined, async (pinned) => {
    const { differences } = await verifyVersion(bench.folder, bench.duck, pinned, [ALL]);
    expect(differences).toEqual([]);
    return (await bench.queries.byPath(pinned, 'views', ALL, { limit: 10, offset: 0 })).totals.total;
  });

async function idsIn(project: string, family: 'events' | 'unmerged'): Promise<string[]> {
  const { files } = await readManifest(bench.database.db, project);
  const rows = await bench.duck.use((session) =>
    session.all<{ id: string }>('SELECT id::VARCHAR AS id FROM read_parquet($files) ORDER BY id', {
      files: absolutePaths(bench.folder, ofFamily(files, family)),
    }),
  );
  return rows.map(({ id }) => id);
}

test('a page view that a release before merged under all bits of its id is not counted again when it is sent again', async () => {
  const project = await bench.newProject();
  const other = '00000000-0000-0000-0000-000000000007';
  await addUnmergedIds(project, [other]);
  await mergeProject(bench, project);
  // The id of its file as that release left it.
  const head = await findAnalytics(bench.database.db, project);
  const { files } = await readManifest(bench.database.db, project);
  const remove = ofFamily(files, 'events').map((file) => file.id);
  const old = await write(project, 'events', [LONG]);
  await commit(bench.database, bench.folder, { projectId: project, fence: head!.fence, remove, add: [old] });
  expect(await views(project)).toBe(1);
  await addUnmergedIds(project, [SHORT]);
  expect(await views(project)).toBe(1);
  expect(await mergeProject(bench, project)).toMatchObject({ events: 0, repeats: 1 });
  expect(await views(project)).toBe(1);
});

test('files of both kinds that wait to be merged count a page view once, and what is put together later has short ids', async () => {
  const project = await bench.newProject();
  await addUnmergedIds(project, [LONG]);
  await addUnmergedIds(project, [SHORT]);
  expect(await views(project)).toBe(1);
  expect(await idsIn(project, 'unmerged')).toEqual([SHORT, LONG]);
  expect(await mergeProject(bench, project)).toMatchObject({ events: 1, repeats: 1 });
  expect(await idsIn(project, 'events')).toEqual([SHORT]);

  const head = await findAnalytics(bench.database.db, project);
  const old = await write(project, 'events', ['ffffffff-0000-0000-0000-000000000000']);
  await commit(bench.database, bench.folder, { projectId: project, fence: head!.fence, remove: [], add: [old] });
  await compactProject(bench, project, (dayOf(NOON) + 3) * DAY_MS);
  expect(await idsIn(project, 'events')).toEqual([SHORT, '00000000-0000-0000-ffff-ffff00000000']);
});
