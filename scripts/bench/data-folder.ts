import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { compactProject } from '../../src/analytics/counts/compact.ts';
import { DAY_MS } from '../../src/analytics/events/days.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { mergeProject } from '../../src/analytics/counts/merge.ts';
import { deleteRemoved } from '../../src/analytics/upkeep/erase.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import { commit } from '../../src/analytics/storage/storage.ts';
import { EVENT_COLUMNS, ofFamily } from '../../src/analytics/storage/tables.ts';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres } from '../../src/main/start/postgres/cluster.ts';
import { Reaper } from '../../src/platform/processes/reaper.ts';
import { addUnmerged } from '../../src/store/analytics-manifest-changes.ts';
import { findAnalytics, readManifest } from '../../src/store/analytics-manifest.ts';
import { openDatabase, type Database } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { projects } from '../../src/store/schema.ts';
import { describeSet, eventsOfSet, LAST_DAY, type DataSet } from './data-set.ts';

/** What DuckDB may use: the least that Docent promises to work with. */
export const MEMORY_MB = 256;
/** Events that come in at once. */
const CHUNK = 500_000;
export const PROJECT = 'bench';

/** How a set came in. */
export interface Built {
  /** Milliseconds of each merge of {@link CHUNK} events, and of the processor time that it took. */
  merges: { wallMs: number; cpuMs: number }[];
  /** Of each round of compaction that followed. */
  compactions: number[];
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
  /** Adds events behind the last of the set, or `after` others, unmerged; they go again with the next call, or when the set is opened again. */
  addUnmergedEvents(count: number, after?: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a set in storage as the product writes it: generated events come in unmerged as those of a sealed log do, and are merged and compacted.
 * With `DOCENT_BENCH_DATA` the result is kept in that folder and used again, as long as the code that wrote it is the same.
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
  if (!built) {
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
    if (!built) {
      await migrate(database);
      await database.db.insert(projects).values({ id: PROJECT, repository: '/x', ref: 'main', model: 'builtin' });
      built = await build({ ...data, log }, set);
      await writeFile(done, JSON.stringify(built));
    }
    await dropUnmerged(data);
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

async function build(
  data: { database: Database; folder: AnalyticsFolder; duck: Duck; log: ReturnType<typeof createLogger> },
  set: DataSet,
): Promise<Built> {
  const startedAt = performance.now();
  const built: Built = { merges: [], compactions: [], peakRssBytes: 0, seconds: 0 };
  for (let done = 0; done < set.events; done += CHUNK) {
    await addChunk(data, set, done, Math.min(CHUNK, set.events - done));
    const cpu = process.cpuUsage();
    const wallMs = await timed(() => mergeProject(data, PROJECT));
    const { user, system } = process.cpuUsage(cpu);
    built.merges.push({ wallMs, cpuMs: (user + system) / 1_000 });
    built.compactions.push(await timed(() => compactProject(data, PROJECT, (LAST_DAY + 1) * DAY_MS)));
    await deleteRemoved(data, PROJECT, null);
    const share = (done + CHUNK) / set.events;
    process.stderr.write(`\r${describeSet(set)}: ${Math.min(100, Math.round(share * 100))} %  `);
  }
  process.stderr.write('\n');
  built.peakRssBytes = process.resourceUsage().maxRSS * 1024;
  built.seconds = (performance.now() - startedAt) / 1_000;
  return built;
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

/** Names a set and the code that decides what its files look like. */
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
    ...(await filesOf('store/migrations', '.sql')),
    'analytics/events/kinds.ts',
    'analytics/storage/parquet-writer.ts',
    'analytics/storage/tables.ts',
    '../scripts/bench/data-set.ts',
  ];
  for (const file of files) hash.update(await readFile(path.join(source, file)));
  return hash.digest('hex').slice(0, 16);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
