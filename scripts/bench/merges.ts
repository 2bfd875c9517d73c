import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { withCountChanges, writeCountChanges } from '../../src/analytics/counts/count-changes.ts';
import { addedCube, presenceOf } from '../../src/analytics/counts/count-sql.ts';
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
import { MEMORY_MB, PROJECT } from './data-folder.ts';
import { DATA_SETS, eventsOfSet } from './data-set.ts';

/** What building a past may use: not what is measured. */
const BUILD_MEMORY_MB = 5_000;

/**
 * Measures what new events cost where there is a past: merges and the first question, without and with the index of presence. The past is
 * one file of presence; of the events before, those of the last days are left out, among which a merge would look for repeats.
 */
export async function benchMerges(events = 20_000_000): Promise<BenchRow[]> {
  const set = { ...DATA_SETS.returning, events };
  const folder = new AnalyticsFolder(await mkdtemp(path.join(tmpdir(), 'docent-bench-merges-')));
  try {
    const presence = await withDuck(folder, BUILD_MEMORY_MB, (session) => writePast(session, folder, set));
    return await withDuck(folder, MEMORY_MB, async (session) => {
      const rows: BenchRow[] = [];
      const measure = async (how: string) => {
        for (const count of [5_000, 500_000]) {
          const fresh = await makeUnmerged(session, folder, eventsOfSet(set, events, count));
          const times = count === 5_000 ? 5 : 1;
          rows.push(
            await repeat(`merge of ${count.toLocaleString('en-US')} events ${how}`, times, () =>
              merge(session, folder, fresh, presence),
            ),
          );
          if (count === 5_000)
            rows.push(await repeat(`first question ${how}`, times, () => ask(session, folder, fresh, presence)));
        }
      };
      const size = `${presence.rows.toLocaleString('en-US')} rows, ${megabytes(presence.bytes)}`;
      await measure(`after ${(events / 1e6).toFixed(0)}M (${size})`);
      rows.push(await repeat('index', 1, () => buildIndex(session, folder, presence)));
      await measure(`with an index of ${megabytes((await stat(indexOf(folder.fileOf(presence.path)))).size)}`);
      return rows;
    });
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

async function writePast(
  session: DuckSession,
  folder: AnalyticsFolder,
  set: Parameters<typeof eventsOfSet>[0],
): Promise<FileRow> {
  const perDay = Math.ceil(set.events / set.days);
  await session.run(
    'CREATE TEMP TABLE past (visitor UBIGINT, path VARCHAR, class VARCHAR, agent VARCHAR, day INTEGER)',
  );
  for (let first = 0; first < set.events; first += perDay) {
    const day = eventsOfSet(set, first, Math.min(perDay, set.events - first));
    await session.run(`CREATE TEMP TABLE day_events AS SELECT *, ${dayExpression('time')} AS day FROM ${day}`);
    await session.run(
      `INSERT INTO past SELECT visitor, path, class, agent, day FROM ${presenceOf('day_events', DEFAULT_MAPPING)}`,
    );
    await session.run('DROP TABLE day_events');
    process.stderr.write(`\rpast: ${Math.round((first / set.events) * 100)} %  `);
  }
  process.stderr.write('\n');
  return rowOf(await writeParquet(session, folder, { projectId: PROJECT, family: 'presence' }, 'past'));
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
function merge(session: DuckSession, folder: AnalyticsFolder, fresh: FileRow, presence: FileRow): Promise<void> {
  return withFresh(session, folder, fresh, async (manifest) => {
    const into: NewFile[] = [];
    await writeParquet(session, folder, { projectId: PROJECT, family: 'events' }, 'fresh', {}, { into });
    await writeCountChanges(session, folder, manifest, { events: 'fresh', known: [presence] }, into);
    for (const file of into) await rm(folder.fileOf(file.path));
  });
}

/** What the first question does before it is answered as the next ones are. */
function ask(session: DuckSession, folder: AnalyticsFolder, fresh: FileRow, presence: FileRow): Promise<void> {
  return withFresh(session, folder, fresh, (manifest) =>
    withCountChanges(session, manifest, 'fresh', absolutePaths(folder, [presence]), async ({ cube }) => {
      await CubeLayer.load(session, `(FROM ${addedCube(cube)})`);
    }),
  );
}

async function withFresh(
  session: DuckSession,
  folder: AnalyticsFolder,
  fresh: FileRow,
  work: (manifest: Manifest) => Promise<void>,
) {
  const manifest: Manifest = {
    projectId: PROJECT,
    version: 1,
    floorDay: null,
    shards: 1,
    mapping: DEFAULT_MAPPING,
    newestFile: null,
    files: [fresh],
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
