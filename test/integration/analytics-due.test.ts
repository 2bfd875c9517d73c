import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { GRACE_MS, maintain } from '../../src/analytics/maintenance/maintain.ts';
import { dueProjects } from '../../src/store/analytics/due.ts';
import { analyticsFiles, analyticsProjects } from '../../src/store/analytics/analytics-schema.ts';
import { newId } from '../../src/store/ids.ts';
import { updateProject } from '../../src/store/projects/projects.ts';
import { projects } from '../../src/store/schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf } from '../support/analytics-load.ts';

let bench: AnalyticsBench;
let project: string;

beforeAll(async () => {
  bench = await analyticsBench();
});
afterAll(() => bench.close());

const due = async (place = { after: '', limit: 1_000 }) =>
  dueProjects(bench.database.db, { ...place, graceMs: GRACE_MS });
const look = (clock: { now(dbNow: number): number | null } = { now: (dbNow) => dbNow }) =>
  maintain(bench, project, { retentionDays: null, clock });
const minutesAgo = (minutes: number) => sql<Date>`now() - make_interval(mins => ${minutes})`;
const maintainedAt = (id: string, minutes: number) =>
  bench.database.db
    .update(analyticsProjects)
    .set({ maintainedAt: minutesAgo(minutes) })
    .where(eq(analyticsProjects.projectId, id));
const olderProject = () => bench.database.db.update(projects).set({ updatedAt: minutesAgo(600) });

async function addEvents(no: number): Promise<void> {
  const ingestor = await bench.ingestor();
  await ingestor.ingest(project, eventsOf(no));
  await ingestor.flush();
  await ingestor.close();
}

beforeEach(async () => {
  await bench.database.db.delete(projects);
  project = await bench.newProject();
  await addEvents(1);
  await olderProject();
});

test('new events are merged, and then nothing is due until more arrive', async () => {
  expect(await due()).toEqual([project]);
  await look();
  expect(await due()).toEqual([]);
  await addEvents(2);
  expect(await due()).toEqual([project]);
  await look();
  expect(await due()).toEqual([]);
});

test('an idle project is maintained once an hour', async () => {
  await look();
  await maintainedAt(project, 59);
  expect(await due()).toEqual([]);
  await maintainedAt(project, 61);
  expect(await due()).toEqual([project]);
});

test.each<[string, () => Promise<unknown>]>([
  ['its counts were made anew', () => rebuildProject(bench, project, {})],
  [
    'its settings changed',
    () => updateProject(bench.database.db, project, { settings: { analyticsRetentionDays: 30 } }),
  ],
  [
    'files that were replaced are old enough to go',
    () => bench.database.db.update(analyticsFiles).set({ removedAt: minutesAgo(16) }),
  ],
])('there is something to do when %s', async (_, happens) => {
  await look();
  expect(await due()).toEqual([]);
  await happens();
  expect(await due()).toEqual([project]);
  await look();
  await olderProject();
  await compactProject(bench, project);
  expect(await due()).toEqual([]);
});

test("old events are not skipped for an hour because a machine's clock was changed", async () => {
  await look({ now: () => null });
  expect(await due()).toEqual([project]);
});

test('with very many small projects, those wait a quarter of an hour, or until they have many page views', async () => {
  await look();
  const others = Array.from({ length: 250 }, (_, no) => `other-${String(no).padStart(3, '0')}`);
  const { db } = bench.database;
  await db
    .insert(projects)
    .values(others.map((id) => ({ id, repository: '/nowhere', ref: 'main', model: 'builtin' as const })));
  await olderProject();
  await db
    .insert(analyticsProjects)
    .values(others.map((projectId) => ({ projectId, maintainedAt: new Date(), maintainedFence: 0 })));
  const file = {
    family: 'unmerged' as const,
    bytes: 1,
    sha256: Buffer.alloc(32),
    minDay: 0,
    maxDay: 0,
    addedVersion: 1,
  };
  const unmerged = (projectId: string, rows: number) => ({ ...file, id: newId(), path: newId(), projectId, rows });
  await db.insert(analyticsFiles).values(others.map((id) => unmerged(id, 10)));
  expect(await due()).toEqual([]);

  await db.insert(analyticsFiles).values(unmerged('other-007', 5_000));
  await db.insert(analyticsFiles).values(Array.from({ length: 50 }, () => unmerged('other-100', 1)));
  await maintainedAt('other-200', 16);
  expect(await due()).toEqual(['other-007', 'other-100', 'other-200']);
  expect(await due({ after: 'other-007', limit: 1 })).toEqual(['other-100']);

  // Fewer of them are merged at once.
  await db.delete(projects).where(sql`id > 'other-150'`);
  expect(await due()).toEqual(others.slice(0, 151));
});
