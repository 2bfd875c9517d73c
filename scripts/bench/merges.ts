import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withCountChanges, writeCountChanges } from '../../src/analytics/counts/count-changes.ts';
import { addedCube, presenceOf } from '../../src/analytics/counts/count-sql.ts';
import { buildIdIndex } from '../../src/analytics/counts/id-index/build.ts';
import { buildIndex } from '../../src/analytics/counts/presence-index/build.ts';
import { unpackUnmerged } from '../../src/analytics/counts/unmerged.ts';
import { CubeLayer } from '../../src/analytics/query/cube-layer.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { indexOf } from '../../src/analytics/storage/index-of.ts';
import { Duck, type DuckSession } from '../../src/analytics/storage/duck.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import { absolutePaths, dayExpression, EVENT_COLUMNS } from '../../src/analytics/storage/tables.ts';
import type { FileRow, Manifest, NewFile } from '../../src/store/analytics-manifest.ts';
import { DEFAULT_MAPPING } from '../../src/store/analytics-settings.ts';
import { median, megabytes, ms, type BenchRow } from './bench-row.ts';
import { CHUNK, MEMORY_MB, PROJECT, SMALL } from './data-folder.ts';
import { DATA_SETS, eventsOfSet, type DataSet } from './data-set.ts';

/** What building a past may use: not what is measured. */
const BUILD_MEMORY_MB = 5_000;

/** What lies behind new events. */
interface Past {
  presence: FileRow;
  /** Among which a merge looks for repeats. */
  events: readonly FileRow[];
}

/**
 * Measures what new events cost where there is a past: merges and the first question, without and with the indexes. Behind a past of many
 * days it is the index of presence; of the events before, those of the last days are left out, among which a merge would look for repeats. Behind
 * a busy day, a third of the events, it is the index of ids.
 */
export async function benchMerges(events = 20_000_000): Promise<BenchRow[]> {
  return [
    ...(await benchPast({ ...DATA_SETS.returning, events })),
    ...(await benchDay({ ...DATA_SETS.dense, events })),
  ];
}

const benchPast = (set: DataSet) =>
  inFolder(async (folder) => {
    const presence = await withDuck(folder, BUILD_MEMORY_MB, (session) => writePast(session, folder, set, set.events));
    return withDuck(folder, MEMORY_MB, async (session) => {
      const size = `${presence.rows.toLocaleString('en-US')} rows, ${megabytes(presence.bytes)}`;
      const past = { presence, events: [] };
      return [
        ...(await measure(session, folder, set, set.events, past, `after ${millions(set.events)} (${size})`)),
        await repeat('index', 1, () => buildIndex(session, folder, presence)),
        ...(await measure(
          session,
          folder,
          set,
          set.events,
          past,
          `with an index of ${await sizeOf(folder, [presence])}`,
        )),
      ];
    });
  });

/** The second day of a set, of which all but the last events are in, in files as merges of 500,000 and compaction leave them. */
const benchDay = (set: DataSet) =>
  inFolder(async (folder) => {
    const day = Math.ceil(set.events / set.days);
    const end = Math.floor(day * 1.92);
    const past = await withDuck(folder, BUILD_MEMORY_MB, async (session) => {
      const presence = await writePast(session, folder, set, end);
      await buildIndex(session, folder, presence);
      return { presence, events: await writeDay(session, folder, set, day, end) };
    });
    return withDuck(folder, MEMORY_MB, async (session) => {
      const large = past.events.filter(({ rows }) => rows >= CHUNK / 2);
      return [
        ...(await measure(session, folder, set, end, past, `behind ${millions(end - day)} of its day`)),
        await repeat(`indexes of ids of ${large.length} files`, 1, async () => {
          for (const file of large) await buildIdIndex(session, folder, file);
        }),
        ...(await measure(session, folder, set, end, past, `with indexes of ids of ${await sizeOf(folder, large)}`)),
      ];
    });
  });

async function measure(
  session: DuckSession,
  folder: AnalyticsFolder,
  set: DataSet,
  first: number,
  past: Past,
  how: string,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const count of [SMALL, CHUNK]) {
    const fresh = await makeUnmerged(session, folder, eventsOfSet(set, first, count));
    const times = count === SMALL ? 7 : 1;
    const name = `merge of ${count.toLocaleString('en-US')} events ${how}`;
    rows.push(await repeat(name, times, () => merge(session, folder, fresh, past)));
    if (count === SMALL)
      rows.push(await repeat(`first question ${how}`, times, () => ask(session, folder, fresh, past)));
  }
  return rows;
}

const millions = (events: number): string => `${(events / 1e6).toFixed(events < 1e7 ? 1 : 0)}M`;

async function sizeOf(folder: AnalyticsFolder, files: readonly FileRow[]): Promise<string> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(indexOf(folder.fileOf(file.path)))).size));
  return megabytes(sizes.reduce((sum, size) => sum + size, 0));
}

async function inFolder<T>(work: (folder: AnalyticsFolder) => Promise<T>): Promise<T> {
  const folder = new AnalyticsFolder(await mkdtemp(path.join(tmpdir(), 'docent-bench-merges-')));
  try {
    return await work(folder);
  } finally {
    await rm(folder.root, { recursive: true, force: true });
  }
}

async function withDuck<T>(
  folder: AnalyticsFolder,
  memoryMb: number,
  work: (session: DuckSession) => Promise<T>,
): Promise<T> {
  const temporaryFolder = path.join(folder.temporaryFolder, 'duck');
  const duck = await Duck.open({ memoryMb, threads: 2, connections: 1, temporaryFolder });
  try {
    return await duck.use(work);
  } finally {
    duck.close();
  }
}

/** The presence of the first so many events. */
async function writePast(session: DuckSession, folder: AnalyticsFolder, set: DataSet, end: number): Promise<FileRow> {
  const perDay = Math.ceil(set.events / set.days);
  await session.run(
    'CREATE TEMP TABLE past (visitor UBIGINT, path VARCHAR, class VARCHAR, agent VARCHAR, day INTEGER)',
  );
  for (let first = 0; first < end; first += perDay) {
    const day = eventsOfSet(set, first, Math.min(perDay, end - first));
    await session.run(`CREATE TEMP TABLE day_events AS SELECT *, ${dayExpression('time')} AS day FROM ${day}`);
    await session.run(
      `INSERT INTO past SELECT visitor, path, class, agent, day FROM ${presenceOf('day_events', DEFAULT_MAPPING)}`,
    );
    await session.run('DROP TABLE day_events');
    process.stderr.write(`\rpast: ${Math.round((first / end) * 100)} %  `);
  }
  process.stderr.write('\n');
  return rowOf(await writeParquet(session, folder, { projectId: PROJECT, family: 'presence' }, 'past'));
}

async function writeDay(
  session: DuckSession,
  folder: AnalyticsFolder,
  set: DataSet,
  first: number,
  end: number,
): Promise<FileRow[]> {
  const files: FileRow[] = [];
  for (let at = first; at < end;) {
    const count = end - at >= CHUNK * 4 ? CHUNK * 4 : Math.min(CHUNK, end - at);
    await session.run(`CREATE TEMP TABLE day_part AS SELECT ${EVENT_COLUMNS} FROM ${eventsOfSet(set, at, count)}`);
    files.push(rowOf(await writeParquet(session, folder, { projectId: PROJECT, family: 'events' }, 'day_part')));
    await session.run('DROP TABLE day_part');
    at += count;
  }
  return files;
}

async function makeUnmerged(session: DuckSession, folder: AnalyticsFolder, events: string): Promise<FileRow> {
  return rowOf(
    await writeParquet(
      session,
      folder,
      { projectId: PROJECT, family: 'unmerged' },
      `(SELECT ${EVENT_COLUMNS} FROM ${events})`,
    ),
  );
}

/** As a merge does it, but for the commit. */
function merge(session: DuckSession, folder: AnalyticsFolder, fresh: FileRow, past: Past): Promise<void> {
  return withFresh(session, folder, fresh, past, async (manifest) => {
    const into: NewFile[] = [];
    await writeParquet(session, folder, { projectId: PROJECT, family: 'events' }, 'fresh', {}, { into });
    await writeCountChanges(session, folder, manifest, { events: 'fresh', known: [past.presence] }, into);
    for (const file of into) await rm(folder.fileOf(file.path));
  });
}

/** What the first question does before it is answered as the next ones are. */
function ask(session: DuckSession, folder: AnalyticsFolder, fresh: FileRow, past: Past): Promise<void> {
  return withFresh(session, folder, fresh, past, (manifest) =>
    withCountChanges(session, manifest, 'fresh', absolutePaths(folder, [past.presence]), async ({ cube }) => {
      await CubeLayer.load(session, `(FROM ${addedCube(cube)})`);
    }),
  );
}

async function withFresh(
  session: DuckSession,
  folder: AnalyticsFolder,
  fresh: FileRow,
  { events }: Past,
  work: (manifest: Manifest) => Promise<void>,
) {
  const manifest: Manifest = {
    projectId: PROJECT,
    version: 1,
    floorDay: null,
    mapping: DEFAULT_MAPPING,
    newestFile: null,
    files: [...events, fresh],
  };
  await unpackUnmerged(session, folder, manifest, [fresh], 'fresh', { temporary: true });
  try {
    await work(manifest);
  } finally {
    await session.run('DROP TABLE fresh');
  }
}

function rowOf(file: NewFile | null): FileRow {
  if (!file) throw new Error('The set has no events.');
  return { ...file, projectId: PROJECT, source: null, addedVersion: 1, removedVersion: null, removedAt: null };
}

async function repeat(name: string, times: number, work: () => Promise<unknown>): Promise<BenchRow> {
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const [cpu, startedAt] = [process.cpuUsage(), performance.now()];
    await work();
    const { user, system } = process.cpuUsage(cpu);
    walls.push(performance.now() - startedAt);
    cpus.push((user + system) / 1_000);
  }
  return { name, measured: `${ms(median(walls))}, ${ms(median(cpus))} of processor time` };
}
