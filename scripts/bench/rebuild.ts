import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { recomputeCounts } from '../../src/analytics/counts/recompute.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { writeParquet } from '../../src/analytics/storage/parquet-writer.ts';
import { EVENT_COLUMNS } from '../../src/analytics/storage/tables.ts';
import { createLogger } from '../../src/platform/log.ts';
import type { FileRow, Manifest } from '../../src/store/analytics-manifest.ts';
import { DEFAULT_MAPPING } from '../../src/store/analytics-settings.ts';
import { openDatabase } from '../../src/store/database.ts';
import { ms, type BenchRow } from './bench-row.ts';
import { MEMORY_MB, PROJECT } from './data-folder.ts';
import { DATA_SETS, describeSet, eventsOfSet, type DataSet } from './data-set.ts';
import { took } from './process-usage.ts';

/** Beside what this many take. */
const FEW = 2_000_000;
const FILE_ROWS = 500_000;
const MOST_GROWTH = 1.3;

/** Measures what it takes to count all events of a project anew, for each of them: of few and of many, and in shards. */
export async function benchRebuild(events = 20_000_000): Promise<BenchRow[]> {
  const few = await rebuild({ ...DATA_SETS.returning, events: FEW }, 1);
  const rows: BenchRow[] = [few.row, (await rebuild({ ...DATA_SETS.returning, events: FEW }, 16)).row];
  if (events <= FEW) return rows;
  const many = await rebuild({ ...DATA_SETS.returning, events }, 1);
  const ratio = many.each / few.each;
  rows.push({
    ...many.row,
    ratio,
    goal: `an event at most ${MOST_GROWTH} × what it takes of ${FEW / 1e6}M`,
    met: ratio <= MOST_GROWTH,
  });
  return rows;
}

async function rebuild(set: DataSet, shards: number): Promise<{ row: BenchRow; each: number }> {
  const folder = new AnalyticsFolder(await mkdtemp(path.join(tmpdir(), 'docent-bench-rebuild-')));
  const temporaryFolder = path.join(folder.temporaryFolder, 'duck');
  const duck = await Duck.open({ memoryMb: MEMORY_MB, threads: 2, connections: 1, temporaryFolder });
  // Nothing is asked of it.
  const database = openDatabase('postgresql://nobody@127.0.0.1:1/none');
  try {
    const files = await writeEvents(duck, folder, set);
    const manifest: Manifest = {
      projectId: PROJECT,
      version: 1,
      floorDay: null,
      shards,
      mapping: DEFAULT_MAPPING,
      newestFile: null,
      files,
    };
    const log = createLogger({ level: 'error', name: 'bench' });
    const onProgress = (done: number) =>
      process.stderr.write(`\rrebuild: ${Math.round((done / set.events) * 100)} %  `);
    let written = 0;
    const { cpuMs, wallMs } = await took(async () => {
      const { add } = await recomputeCounts({ database, folder, duck, log }, manifest, { onProgress });
      written = add.length;
    });
    process.stderr.write('\n');
    const each = (cpuMs * 1_000) / set.events;
    const name = `${describeSet(set)}: rebuild in ${shards} shard${shards === 1 ? '' : 's'}`;
    const peak = Math.round((process.resourceUsage().maxRSS * 1024) / 1e6);
    const measured = `${each.toFixed(1)} µs of processor time an event (${ms(wallMs)} by the clock), ${written} files, at most ${peak} MB`;
    return { row: { name, measured }, each };
  } finally {
    duck.close();
    await database.close();
    await rm(folder.root, { recursive: true, force: true });
  }
}

/** As they lie behind merges and compaction: each file of one day, where days are that busy. */
async function writeEvents(duck: Duck, folder: AnalyticsFolder, set: DataSet): Promise<FileRow[]> {
  const files: FileRow[] = [];
  for (let first = 0; first < set.events; first += FILE_ROWS) {
    const rows = `(SELECT ${EVENT_COLUMNS} FROM ${eventsOfSet(set, first, Math.min(FILE_ROWS, set.events - first))})`;
    const file = await duck.use((session) =>
      writeParquet(session, folder, { projectId: PROJECT, family: 'events' }, rows),
    );
    if (file)
      files.push({ ...file, projectId: PROJECT, source: null, addedVersion: 1, removedVersion: null, removedAt: null });
    process.stderr.write(`\revents: ${Math.round((first / set.events) * 100)} %  `);
  }
  return files;
}
