import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DAY_MS } from '@docent/base/time';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { PinnedVersions } from '../../src/analytics/query/pinned-version.ts';
import { Queries } from '../../src/analytics/query/queries.ts';
import { deleteRemoved } from '../../src/analytics/maintenance/erase.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import { commit } from '../../src/analytics/storage/storage.ts';
import { EVENT_COLUMNS, ofFamily } from '../../src/analytics/storage/tables.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres } from '@docent/servers/postgres/cluster';
import { Reaper } from '@docent/servers/processes/reaper';
import { addUnmerged } from '../../src/store/analytics/manifest-changes.ts';
import { findAnalytics, readManifest } from '../../src/store/analytics/manifest.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/installation/migrate.ts';
import { projects } from '../../src/store/schema.ts';
import { took, type Took } from './process-usage.ts';
import { describeSet, eventsOfSet, LAST_DAY, type DataSet } from './data-set.ts';

/** DuckDB's memory: the minimum that Docent promises to work with. */
export const MEMORY_MB = 256;
/** Events that come in at once. */
export const CHUNK = 500_000;
export const PROJECT = 'bench';

/** Size of the separate batches at each of {@link STAGES}, {@link SMALL_TIMES} times. */
export const SMALL = 5_000;
const SMALL_TIMES = 5;
/**
 * Event counts after which merges of {@link SMALL}, and the first query after them, are measured; also at the
 * end.
 */
const STAGES = [2_000_000, 20_000_000, 50_000_000, 100_000_000, 150_000_000];

/** The cost of a few events on top of many. */
interface Stage {
  events: number;
  merges: Took[];
  questions: Took[];
}

/** How a set was ingested. */
export interface Built {
  /** Events that are in. */
  done: number;
  /** Of each merge of {@link CHUNK} events. */
  merges: Took[];
  /** Of each round of compaction that followed. */
  compactions: Took[];
  stages: Stage[];
  peakRssBytes: number;
  seconds: number;
}

export interface OpenData {
  root: string;
  databaseUrl: string;
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
  built: Built;
  /**
   * Adds unmerged events after the last of the set, or `after` others. The next call, or reopening the set,
   * removes them.
   */
  addUnmergedEvents(count: number, after?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a set in storage as the product writes it: generated events come in unmerged as those of a sealed log
 * do, and are merged and compacted. With `DOCENT_BENCH_DATA` the result is kept in that folder and used
 * again, as long as the code that wrote it is the same; an interrupted run is resumed.
 */
export async function openData(set: DataSet): Promise<OpenData> {
  const keep = process.env.DOCENT_BENCH_DATA;
  const root = keep
    ? path.join(keep, await fingerprint(set))
    : await mkdtemp(path.join(tmpdir(), 'docent-bench-analytics-'));
  const reaper = new Reaper();
  if (!keep) reaper.deleteAfterDeath(root);
  await mkdir(root, { recursive: true });
  for (const folder of keep ? [keep, root] : [root]) await chmod(folder, 0o711);
  const done = path.join(root, 'built.json');
  let built = await readBuilt(done);
  const isNew = !built;
  if (isNew) {
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { mode: 0o711 });
  }
  const log = createLogger({ level: 'error', name: 'bench' });
  const postgres = await startPostgres({ dir: path.join(root, 'postgres'), log, reaper });
  const database = openDatabase(postgres.url);
  const folder = new AnalyticsFolder(path.join(root, 'analytics'));
  const duck = await Duck.open({
    memoryMb: MEMORY_MB,
    threads: 2,
    connections: 8,
    temporaryFolder: path.join(folder.temporaryFolder, 'duck'),
  });
  const data = { root, databaseUrl: postgres.url, database, folder, duck };
  const close = async () => {
    duck.close();
    await database.close();
    await postgres.stop();
    await reaper.close();
    if (!keep) await rm(root, { recursive: true, force: true });
  };
  try {
    if (isNew) {
      await migrate(database);
      await database.db.insert(projects).values({ id: PROJECT, repository: '/x', ref: 'main', model: 'builtin' });
    }
    await dropUnmerged(data);
    built ??= { done: 0, merges: [], compactions: [], stages: [], peakRssBytes: 0, seconds: 0 };
    await build({ ...data, log }, set, built, () => writeFile(done, JSON.stringify(built)));
    return {
      ...data,
      built,
      async addUnmergedEvents(count, after = 0) {
        await dropUnmerged(data);
        if (count > 0) await addChunk(data, set, set.events + after, count);
      },
      close,
    };
  } catch (err) {
    await close();
    throw err;
  }
}

type BuildDeps = Pick<OpenData, 'database' | 'folder' | 'duck'> & { log: ReturnType<typeof createLogger> };

/** @param keep stores facts about the ingested events */
async function build(deps: BuildDeps, set: DataSet, built: Built, keep: () => Promise<void>): Promise<void> {
  const versions = new PinnedVersions(deps.database, deps.folder, deps.duck);
  try {
    while (built.done < set.events) {
      const startedAt = performance.now();
      const end = Math.min(built.done + CHUNK, set.events);
      const first = STAGES.includes(built.done) || end === set.events ? await stage(deps, set, versions, built) : 0;
      await addChunk(deps, set, built.done + first, end - built.done - first);
      built.merges.push(await took(() => mergeProject(deps, PROJECT)));
      built.compactions.push(await took(() => compactProject(deps, PROJECT, momentOf(set, end))));
      await deleteRemoved(deps, PROJECT, null);
      built.done = end;
      built.peakRssBytes = Math.max(built.peakRssBytes, process.resourceUsage().maxRSS * 1024);
      built.seconds += (performance.now() - startedAt) / 1_000;
      await keep();
      const last = built.merges.at(-1)!;
      process.stderr.write(
        `\r${describeSet(set)}: ${((end / set.events) * 100).toFixed(1)} %, the last merge ${(last.wallMs / 1_000).toFixed(1)} s  `,
      );
    }
  } finally {
    await versions.close();
  }
  process.stderr.write('\n');
}

/** When the first events of a set, up to this number, are in. */
const momentOf = ({ events, days }: DataSet, done: number): number =>
  (LAST_DAY + 1 - days + (done / events) * days) * DAY_MS;

/**
 * Measures ingesting a few events several times, and the first query before they are merged. @returns how
 * many were added
 */
async function stage(deps: BuildDeps, set: DataSet, versions: PinnedVersions, built: Built): Promise<number> {
  const queries = new Queries(deps.folder, deps.duck);
  const ask = () =>
    versions.use(PROJECT, undefined, (pinned) =>
      queries.byPath(pinned, 'visitors', { from: null, to: null }, { limit: 50, offset: 0 }),
    );
  const measured: Stage = { events: built.done, merges: [], questions: [] };
  for (let no = 0; no < SMALL_TIMES; no += 1) {
    if (built.done > 0) await ask(); // Reads the cube.
    await addChunk(deps, set, built.done + no * SMALL, SMALL);
    measured.questions.push(await took(ask));
    measured.merges.push(await took(() => mergeProject(deps, PROJECT)));
  }
  built.stages.push(measured);
  return SMALL_TIMES * SMALL;
}

/** Adds events as a sealed file. */
async function addChunk(
  { database, folder, duck }: Pick<OpenData, 'database' | 'folder' | 'duck'>,
  set: DataSet,
  first: number,
  count: number,
): Promise<void> {
  const file = await duck.use(async (session) => {
    await session.run(`CREATE TEMP TABLE made AS SELECT ${EVENT_COLUMNS} FROM ${eventsOfSet(set, first, count)}`);
    try {
      return await writeParquet(session, folder, { projectId: PROJECT, family: 'unmerged' }, 'made');
    } finally {
      await session.run('DROP TABLE made');
    }
  });
  if (file) await database.db.transaction((tx) => addUnmerged(tx, PROJECT, [file], `bench/${file.id}`));
}

async function dropUnmerged({ database, folder }: Pick<OpenData, 'database' | 'folder'>): Promise<void> {
  const head = await findAnalytics(database.db, PROJECT);
  const { files } = await readManifest(database.db, PROJECT);
  const unmerged = ofFamily(files, 'unmerged').map((file) => file.id);
  if (!head || unmerged.length === 0) return;
  await commit(database, folder, { projectId: PROJECT, fence: head.fence, remove: unmerged, add: [] });
}

async function readBuilt(file: string): Promise<Built | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Built;
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw err;
  }
}

/** Names a set and the code that decides the form of its files. */
export async function fingerprint(set: DataSet): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(set));
  const source = path.join(import.meta.dirname, '..', '..', 'src');
  const filesOf = async (folder: string, ending: string) =>
    (await readdir(path.join(source, folder)))
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map((name) => `${folder}/${name}`);
  const files = [
    ...(await filesOf('analytics/counts', '.ts')),
    ...(await filesOf('analytics/counts/presence-index', '.ts')),
    ...(await filesOf('analytics/counts/id-index', '.ts')),
    ...(await filesOf('store/migrations', '.sql')),
    'analytics/events/kinds.ts',
    'analytics/storage/parquet-writer.ts',
    'analytics/storage/sorted-copy.ts',
    'analytics/storage/tables.ts',
    '../scripts/bench/data-set.ts',
  ];
  for (const file of files) hash.update(await readFile(path.join(source, file)));
  return hash.digest('hex').slice(0, 16);
}
