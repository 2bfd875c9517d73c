import { cp } from 'node:fs/promises';
import path from 'node:path';
import { eq } from 'drizzle-orm';
import { DAY_MS } from '@docent/base/time';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { filesBelow } from '../../src/analytics/storage/files-below.ts';
import { analyticsFiles, analyticsProjects, analyticsSalts } from '../../src/store/analytics/analytics-schema.ts';
import { newId } from '../../src/store/ids.ts';
import type { AnalyticsBench } from './analytics.ts';
import type { KnownEvent } from './brute-count.ts';

const FIRST = Date.UTC(2026, 9, 1);
export const BATCH = 20;

/** Batch `no` of a stream of events that is always the same. */
export function knownEventsOf(no: number): KnownEvent[] {
  return Array.from({ length: BATCH }, (_, i) => {
    const n = no * BATCH + i;
    return {
      id: `e${n}`,
      time: FIRST + ((n * 7919) % 20) * DAY_MS + ((n * 104_729) % DAY_MS),
      path: `/p${(n * 31) % 7}`,
      visitor: `v${(n * 17) % 23}`,
      class: n % 3 === 0 ? 'assistant' : 'human',
    };
  });
}

/** The same, as a client sends them. */
export const eventsOf = (no: number): unknown[] =>
  knownEventsOf(no).map(({ time, visitor, ...rest }) => ({ ...rest, timestamp: time, visitorId: visitor }));

/** What a rebuild in a test changes. */
export const REBUILT_BY = {
  rules: { classify: () => ({ class: 'human' as const, agent: null, version: 2 }) },
  moves: (page: string) => (page === '/p1' ? '/p2' : page),
};

/** A new project with the first batches, merged two by two but for the last `unmerged` of them. */
export async function fillProject(
  bench: AnalyticsBench,
  { batches, unmerged }: { batches: number; unmerged: number },
): Promise<string> {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = 0; no < batches; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    if (no % 2 === 1 && no < batches - unmerged) await mergeProject(bench, project);
  }
  return project;
}

/**
 * Gives projects that are all alike: one is filled, and is what the others are copied from. A copy takes a
 * twentieth of the processor time that merges take. Not for tests of recovery: a file says of itself which
 * one it is, and a copy says what the first one says.
 */
export function copiesOf(bench: () => AnalyticsBench, fill: () => Promise<string>): () => Promise<string> {
  let model: Promise<string> | undefined;
  return async () => copyOf(bench(), await (model ??= fill()));
}

/** A new project with the events, files and versions of another one, whose files are in a folder. */
async function copyOf(bench: AnalyticsBench, model: string): Promise<string> {
  const projectId = await bench.newProject();
  const { db } = bench.database;
  const ofModel = { projects: eq(analyticsProjects.projectId, model), salts: eq(analyticsSalts.projectId, model) };
  const heads = await db.select().from(analyticsProjects).where(ofModel.projects);
  const salts = await db.select().from(analyticsSalts).where(ofModel.salts);
  const files = await db.select().from(analyticsFiles).where(eq(analyticsFiles.projectId, model));
  const newIds = new Map(files.map(({ id }) => [id, newId()]));
  const copied = (file: string) =>
    file.replace(`/${model}/`, `/${projectId}/`).replace(/[0-9a-z]{20}/, (id) => newIds.get(id) ?? id);
  const modelFolder = path.join(bench.folder.filesFolder, model);
  for (const file of await filesBelow(modelFolder))
    await cp(file, path.join(bench.folder.filesFolder, projectId, copied(path.relative(modelFolder, file))));
  await db.insert(analyticsProjects).values(heads.map((head) => ({ ...head, projectId })));
  if (salts.length > 0) await db.insert(analyticsSalts).values(salts.map((salt) => ({ ...salt, projectId })));
  await db
    .insert(analyticsFiles)
    .values(files.map((file) => ({ ...file, projectId, id: newIds.get(file.id)!, path: copied(file.path) })));
  return projectId;
}
