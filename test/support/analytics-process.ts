/**
 * A process that takes events or works on files until it is killed, for tests. Its orders come as JSON in the
 * first argument; what was acknowledged goes to standard output, a line for each batch.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { openBucketFolder } from '../../src/analytics/storage/open-bucket.ts';
import { compactProject } from '../../src/analytics/maintenance/compact.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { eraseVisitor } from '../../src/analytics/maintenance/erase.ts';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { makeIndexes } from '../../src/analytics/counts/make-indexes.ts';
import { Ingestor } from '../../src/analytics/ingest/ingestor.ts';
import { readLogSource } from '@docent/access-log/files/read-log';
import { importLogs } from '../../src/analytics/ingest/log-import.ts';
import { repairProject } from '../../src/analytics/maintenance/repair.ts';
import { recoverProject } from '../../src/analytics/maintenance/recover.ts';
import { rebuildProject } from '../../src/analytics/maintenance/rebuild.ts';
import { armFault } from '../../src/platform/faults.ts';
import { createLogger } from '../../src/platform/log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { eventsOf, REBUILT_BY } from './analytics-load.ts';
import { bucketSettings } from './bucket-settings.ts';

export interface Orders {
  databaseUrl: string;
  folder: string;
  project: string;
  fault: string;
  do: 'ingest' | 'merge' | 'compact' | 'rebuild' | 'erase' | 'repair' | 'recover' | 'take over' | 'import';
  /** Where the files lie, where that is a bucket. */
  bucket?: { url: string; endpoint: string };
  ack?: 'local' | 'stored';
  /** What to import. */
  file?: string;
  /** Batches to send, from this number on. */
  first: number;
  batches: number;
}

/** Dozens of batches come before a seal, not hundreds: callers send each again. */
const BETWEEN_BATCHES_MS = 3;

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { project } = orders;
const database = openDatabase(orders.databaseUrl);
const log = createLogger({ level: 'fatal', name: 'test' });
const folder = orders.bucket
  ? await openBucketFolder(database, orders.folder, bucketSettings(orders.bucket), { log })
  : new AnalyticsFolder(orders.folder);
const duck = await Duck.open({
  memoryMb: 256,
  threads: 2,
  connections: 2,
  temporaryFolder: folder.temporaryFolder,
});
const storage = { database, folder, duck, log };
armFault(orders.fault);
switch (orders.do) {
  case 'ingest': {
    const options = { sealAfterMs: 100, rememberedIds: 0, takeoverMs: Infinity, ack: orders.ack ?? 'local' };
    const ingestor = await Ingestor.open({ ...storage, ...options });
    for (let no = orders.first; no < orders.first + orders.batches; no += 1) {
      await ingestor.ingest(project, eventsOf(no));
      process.stdout.write(`${no}\n`);
      await sleep(BETWEEN_BATCHES_MS);
    }
    await ingestor.close();
    break;
  }
  case 'take over':
    await (await Ingestor.open({ ...storage, takeoverMs: Infinity })).takeOver(0);
    break;
  case 'repair':
    await repairProject(storage, project, 0);
    break;
  case 'recover':
    await recoverProject(storage, project);
    break;
  case 'import':
    await importLogs(storage, project, readLogSource(orders.file ?? '', {}));
    break;
  case 'merge':
    await mergeProject(storage, project);
    break;
  case 'compact':
    await compactProject(storage, project);
    // As of files that are large, and of days that are not over.
    await makeIndexes(storage, project, 0, 1);
    break;
  case 'rebuild':
    await rebuildProject(storage, project, REBUILT_BY);
    break;
  case 'erase':
    await eraseVisitor(storage, project, { visitorId: 'v1' });
    break;
}
process.exit(0);
