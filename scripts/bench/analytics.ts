import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnalyticsFolder } from '../../src/analytics/analytics-folder.ts';
import { compactProject } from '../../src/analytics/compact.ts';
import { DAY_MS, type Range } from '../../src/analytics/days.ts';
import { Duck } from '../../src/analytics/duck.ts';
import { foldProject } from '../../src/analytics/fold.ts';
import { writeParquet } from '../../src/analytics/parquet-writer.ts';
import { Queries } from '../../src/analytics/query/queries.ts';
import { Snapshots, type Snapshot } from '../../src/analytics/query/snapshot.ts';
import { absolutePaths, EVENT_COLUMNS, ofFamily } from '../../src/analytics/tables.ts';
import { createLogger } from '../../src/log.ts';
import { startPostgres } from '../../src/main/postgres/cluster.ts';
import { Reaper } from '../../src/main/processes/reaper.ts';
import { addToInbox, readManifest } from '../../src/store/analytics-manifest.ts';
import { migrate, openDatabase, type Database } from '../../src/store/database.ts';
import { projects } from '../../src/store/schema.ts';
import { median, ms, percentile, type BenchRow } from './bench-row.ts';

export interface AnalyticsBenchOptions {
  /** Page views in all. */
  events: number;
  days: number;
  /** How visitors behave: heavy-tailed with favourite pages, or hardly ever seen twice. */
  readers: 'return' | 'rarely return';
}

const PATHS = 2_000;
const LAST_DAY = Date.UTC(2026, 10, 1) / DAY_MS;
const CHUNK = 500_000;
const PAGE = { limit: 50, offset: 0 };

interface Bench {
  database: Database;
  folder: AnalyticsFolder;
  duck: Duck;
}

/** Measures folding and the export beside three `COUNT(DISTINCT)` over the same Parquet files, and compares them row by row. */
export async function benchAnalytics(options: AnalyticsBenchOptions): Promise<BenchRow[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'docent-bench-analytics-'));
  await chmod(root, 0o711);
  const reaper = new Reaper();
  reaper.deleteAfterDeath(root);
  const log = createLogger({ level: 'error', name: 'bench' });
  const postgres = await startPostgres({ dir: path.join(root, 'postgres'), log, reaper });
  const database = openDatabase(postgres.url);
  const folder = new AnalyticsFolder(path.join(root, 'analytics'));
  const duck = await Duck.open({
    memoryMb: 256,
    threads: 2,
    connections: 8,
    temporaryFolder: path.join(folder.temporaryFolder, 'duck'),
  });
  try {
    await migrate(database);
    await database.db.insert(projects).values({ id: 'bench', repository: '/x', ref: 'main', model: 'builtin' });
    return await measure({ database, folder, duck }, { ...options }, log);
  } finally {
    duck.close();
    await database.close();
    await reaper.close();
    await rm(root, { recursive: true, force: true });
  }
}

async function measure(
  bench: Bench,
  options: AnalyticsBenchOptions,
  log: ReturnType<typeof createLogger>,
): Promise<BenchRow[]> {
  const { database, folder, duck } = bench;
  const storage = { ...bench, log };
  const rows: BenchRow[] = [];
  const folds: number[] = [];
  for (let done = 0; done < options.events; done += CHUNK) {
    await addChunk(bench, options, done, Math.min(CHUNK, options.events - done));
    const startedAt = performance.now();
    await foldProject(storage, 'bench');
    folds.push(performance.now() - startedAt);
    await compactProject(storage, 'bench', (LAST_DAY + 1) * DAY_MS);
  }
  const { files } = await readManifest(database.db, 'bench');
  const bytes = (family: 'events' | 'rollup' | 'cube' | 'views') =>
    ofFamily(files, family).reduce((sum, file) => sum + file.bytes, 0);
  const name = `${(options.events / 1e6).toFixed(1)}M events, ${options.days} days, readers ${options.readers}`;
  const share = bytes('cube') / bytes('events');
  rows.push({ name: `${name}: events`, measured: megabytes(bytes('events')) });
  rows.push({
    name: `${name}: cube`,
    measured: `${megabytes(bytes('cube'))} (${(share * 100).toFixed(2)} % of the events)`,
    goal: '≤ 1 % at 30 days',
    ...(options.days === 30 ? { met: share <= 0.01 } : {}),
  });
  rows.push({ name: `${name}: roll-up (state)`, measured: megabytes(bytes('rollup')) });
  rows.push({
    name: `${name}: fold of ${CHUNK / 1_000}k events`,
    measured: `median ${ms(median(folds))}, last ${ms(folds.at(-1) ?? 0)}`,
  });

  const snapshots = new Snapshots(database, folder, duck);
  const queries = new Queries(folder, duck);
  await snapshots.use('bench', undefined, async (snapshot) => {
    const end = (LAST_DAY + 1) * DAY_MS;
    for (const [days, goal] of [
      [options.days, 100],
      [7, 25],
    ] as const) {
      const range: Range = { from: end - days * DAY_MS, to: end };
      const times = await repeat(15, () => queries.byPath(snapshot, 'visitors', range, PAGE));
      const reference = await timed(() => countDistinct(bench, snapshot, range));
      const all = await queries.byPath(snapshot, 'visitors', range, { limit: 1_000_000, offset: 0 });
      const isEqual = JSON.stringify(all.rows) === JSON.stringify(reference.result);
      const ratio = reference.ms / median(times);
      rows.push({
        name: `${name}: export over ${days} days`,
        measured: `${ms(median(times))} beside ${ms(reference.ms)}, ${isEqual ? 'equal' : 'DIFFERENT'} in ${all.rows.length} rows`,
        ratio,
        goal: `≥ ${goal}, equal`,
        met: ratio >= goal && isEqual,
      });
    }
    const concurrent: number[] = [];
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const range: Range = { from: end - options.days * DAY_MS, to: end };
        concurrent.push(...(await repeat(25, () => queries.byPath(snapshot, 'visitors', range, PAGE))));
      }),
    );
    const p99 = percentile(concurrent, 99);
    rows.push({ name: `${name}: 8 clients, p99`, measured: ms(p99), goal: '≤ 100 ms', met: p99 <= 100 });
    const uneven: Range = { from: end - 29.4 * DAY_MS, to: end - 0.3 * DAY_MS };
    const times = await repeat(5, () => queries.byPath(snapshot, 'visitors', uneven, PAGE));
    rows.push({
      name: `${name}: a range with times of day`,
      measured: ms(median(times)),
      goal: '≤ 1 s',
      met: median(times) <= 1_000,
    });
  });
  await snapshots.close();
  rows.push({ name: `${name}: memory of the process`, measured: megabytes(process.memoryUsage().rss) });
  return rows;
}

/** Adds the next events, in the order of time, as a sealed file. */
async function addChunk(
  { database, folder, duck }: Bench,
  options: AnalyticsBenchOptions,
  first: number,
  count: number,
) {
  const { events, days, readers } = options;
  const begin = (LAST_DAY + 1 - days) * DAY_MS;
  const visitors = readers === 'return' ? Math.ceil(events / 20) : events;
  const rank = readers === 'return' ? `pow(random(), 2.5)` : `random()`;
  const rows = `(
    SELECT md5('e' || n)::UUID AS id, make_timestamp((${begin} + n * ${days * DAY_MS} // ${events})::BIGINT * 1000) AS time,
      '/docs/page-' || page AS path, hash(who, 'v') AS visitor, class, false AS class_given,
      'Mozilla/5.0 (agent ' || (who % 300) || ') AppleWebKit/537.36 (KHTML, like Gecko) Safari/537.36' AS user_agent,
      CASE WHEN class = 'assistant' THEN 'Agent-' || (who % 12) END AS agent, 'html' AS format,
      CASE WHEN who % 5 = 0 THEN 'host-' || (who % 50) || '.example.com' END AS referrer, false AS not_found, 1 AS classifier
    FROM (
      SELECT n, who, CASE WHEN hash(who, 'c') % 10 < 2 THEN 'assistant' WHEN hash(who, 'c') % 10 = 2 THEN 'search' ELSE 'human' END AS class,
        -- Half of the time a reader is on one of three favourite pages; else anywhere, popular pages first.
        CASE WHEN r1 < 0.5 THEN hash(who, floor(r2 * 3)) % ${PATHS} ELSE floor(pow(r2, 2) * ${PATHS}) END::INTEGER AS page
      FROM (SELECT n, floor(${visitors} * ${rank})::BIGINT AS who, random() AS r1, random() AS r2 FROM range(${first}, ${first + count}) t(n))
    ))`;
  const file = await duck.use(async (session) => {
    await session.run(`CREATE TEMP TABLE made AS SELECT ${EVENT_COLUMNS} FROM ${rows}`);
    try {
      return await writeParquet(session, folder, { projectId: 'bench', family: 'inbox' }, 'made');
    } finally {
      await session.run('DROP TABLE made');
    }
  });
  if (file) await database.db.transaction((tx) => addToInbox(tx, 'bench', [file], `bench/${first}`));
}

/** The export as three COUNT(DISTINCT) over the events' files. */
async function countDistinct({ folder, duck }: Bench, { manifest }: Snapshot, range: Range): Promise<unknown[]> {
  const n = 'count(DISTINCT visitor) FILTER (WHERE class';
  return duck.use((session) =>
    session.all(
      `SELECT path, ${n} = 'human')::DOUBLE AS human, ${n} = 'assistant')::DOUBLE AS ai, ${n} IN ('human', 'assistant'))::DOUBLE AS total
       FROM read_parquet($files)
       WHERE time >= make_timestamp($from * 1000) AND time < make_timestamp($to * 1000) AND NOT not_found
       GROUP BY path ORDER BY total DESC, path`,
      { files: absolutePaths(folder, ofFamily(manifest.files, 'events')), from: range.from, to: range.to },
    ),
  );
}

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { ms: performance.now() - startedAt, result };
}

async function repeat(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const measured: number[] = [];
  for (let i = 0; i < times; i += 1) measured.push((await timed(work)).ms);
  return measured;
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

if (import.meta.main) {
  const { printRows } = await import('./bench-row.ts');
  const [events = '1000000', days = '30', readers = 'return'] = process.argv.slice(2);
  const rows = await benchAnalytics({
    events: Number(events),
    days: Number(days),
    readers: readers === 'return' ? 'return' : 'rarely return',
  });
  printRows(rows);
  process.exitCode = rows.some((row) => row.met === false) ? 1 : 0;
}
