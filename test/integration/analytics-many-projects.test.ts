import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { absolutePaths } from '../../src/analytics/storage/tables.ts';
import { findAnalytics, readManifest } from '../../src/store/analytics/manifest.ts';
import { analyticsFiles } from '../../src/store/analytics/analytics-schema.ts';
import { deleteProject } from '../../src/store/projects/projects.ts';
import { projects } from '../../src/store/schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';

/** More than go into the manifest with one statement. */
const PROJECTS = 255;

const event = (no: number, id: string) => ({ id, timestamp: Date.now(), path: `/page-${no}`, visitorId: `v${no}` });

let bench: AnalyticsBench;
beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

test('page views of hundreds of projects that came together are counted, each for its own', async () => {
  const { db } = bench.database;
  const ids = Array.from({ length: PROJECTS }, (_, no) => `site-${String(no).padStart(4, '0')}`);
  await db.insert(projects).values(ids.map((id) => ({ id, repository: '/nowhere', ref: 'main', model: 'builtin' })));
  const ingestor = await bench.ingestor();
  for (const [no, id] of ids.entries()) await ingestor.ingest(id, [event(no, 'first'), event(no, 'second')]);
  await db.transaction((tx) => deleteProject(tx, 'site-0007'));
  await ingestor.flush();

  const rows = await db
    .select({ projectId: analyticsFiles.projectId, rows: analyticsFiles.rows, version: analyticsFiles.addedVersion })
    .from(analyticsFiles)
    .orderBy(sql`project_id COLLATE "C"`);
  const kept = ids.filter((id) => id !== 'site-0007');
  expect(rows).toEqual(kept.map((projectId) => ({ projectId, rows: 2, version: 1 })));
  expect(await findAnalytics(db, 'site-0007')).toBeNull();
  await bench.versions.use('site-0242', undefined, async (pinned) => {
    const page = await bench.queries.byPath(pinned, 'views', { from: null, to: null }, { limit: 10, offset: 0 });
    expect(page.rows).toEqual([{ path: '/page-242', human: 2, ai: 0, total: 2 }]);
  });

  // And again for some: each of their manifests advances by one.
  for (const [no, id] of kept.slice(0, 20).entries()) await ingestor.ingest(id, [event(no, 'third')]);
  await ingestor.flush();
  expect((await findAnalytics(db, 'site-0000'))?.version).toBe(2);
  expect((await findAnalytics(db, 'site-0021'))?.version).toBe(1);
  expect((await db.select().from(analyticsFiles).where(eq(analyticsFiles.rows, 1))).length).toBe(20);
});

test('reads the largest of several files first, and unmerged ones in the order in which they came', async () => {
  const { files } = await readManifest(bench.database.db, 'site-0000');
  const names = (of: typeof files) => absolutePaths(bench.folder, of).map((name) => name.split('/').at(-1));
  const [two, one] = files.map((file, no) => ({ ...file, path: `${no}.parquet`, family: 'presence' as const }));
  expect(names([one!, two!])).toEqual(['0.parquet', '1.parquet']);
  const late = [one!, two!].map((file) => ({ ...file, family: 'unmerged' as const }));
  expect(names(late)).toEqual(['1.parquet', '0.parquet']);
});
