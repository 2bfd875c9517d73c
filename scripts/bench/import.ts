import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { importLogs } from '../../src/analytics/ingest/log-import.ts';
import { readLogLine } from '@docent/access-log/lines/line-reader';
import { seenIn } from '@docent/access-log/lines/page-view';
import { readLogSource } from '@docent/access-log/files/read-log';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres } from '@docent/servers/postgres/cluster';
import { Reaper } from '@docent/servers/processes/reaper';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/installation/migrate.ts';
import { projects } from '../../src/store/schema.ts';
import { CLIENTS, writeAccessLog } from './access-log.ts';
import { megabytes, type BenchRow } from './bench-row.ts';

const LINES = 2_000_000;

/**
 * Measures the import of an access log, to the sealed Parquet files, and the parser alone. Rates are per
 * second of processor time, of all threads together: the speed of one core, even on a larger or busy machine.
 */
export async function benchImport(): Promise<BenchRow[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'docent-bench-import-'));
  await chmod(root, 0o711);
  const reaper = new Reaper();
  reaper.deleteAfterDeath(root);
  const log = createLogger({ level: 'error', name: 'bench' });
  const postgres = await startPostgres({ dir: path.join(root, 'postgres'), log, reaper });
  const database = openDatabase(postgres.url);
  const folder = new AnalyticsFolder(path.join(root, 'analytics'));
  const duck = await Duck.open({
    memoryMb: 256,
    threads: 1,
    connections: 2,
    temporaryFolder: path.join(folder.temporaryFolder, 'duck'),
  });
  try {
    await migrate(database);
    await database.db.insert(projects).values({ id: 'bench', repository: '/x', ref: 'main', model: 'builtin' });
    const file = path.join(root, 'access.log');
    const bytes = await writeAccessLog(file, LINES);
    const parser = await measured(async () => {
      let views = 0;
      for await (const block of readLogSource(file)) {
        block.forEachLine((buffer, start, end) => {
          const record = readLogLine(buffer, start, end);
          if (typeof record !== 'string' && typeof seenIn(record) !== 'string') views += 1;
        });
      }
      return views;
    });
    const whole = await measured(() => importLogs({ database, folder, duck, log }, 'bench', readLogSource(file)));
    if (whole.result?.lines !== LINES) throw new Error(`${whole.result?.lines} lines were read instead of ${LINES}.`);
    const rate = LINES / whole.cpuSeconds;
    return [
      {
        name: `log import, combined format, ${LINES.toLocaleString('en-US')} lines (${megabytes(bytes)}), ${CLIENTS.toLocaleString('en-US')} clients`,
        measured: `${perSecond(rate)} of one core; ${perSecond(LINES / whole.wallSeconds)} by the clock; ${whole.result.events.toLocaleString('en-US')} events`,
        goal: '≥ 100,000 lines/s on one core',
        met: rate >= 100_000,
      },
      { name: 'the log parser alone', measured: `${perSecond(LINES / parser.cpuSeconds)} of one core` },
    ];
  } finally {
    duck.close();
    await database.close();
    await postgres.stop();
    await reaper.close();
    await rm(root, { recursive: true, force: true });
  }
}

const perSecond = (value: number) => `${Math.round(value).toLocaleString('en-US')} lines/s`;

async function measured<T>(work: () => Promise<T>): Promise<{ result: T; cpuSeconds: number; wallSeconds: number }> {
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const result = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { result, cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - startedAt) / 1_000 };
}
