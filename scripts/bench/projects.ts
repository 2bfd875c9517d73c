import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Ingestor } from '../../src/analytics/ingest/ingestor.ts';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { GRACE_MS, maintain } from '../../src/analytics/upkeep/maintain.ts';
import { startPostgres } from '../../src/main/start/postgres/cluster.ts';
import { createLogger } from '../../src/platform/log.ts';
import { Reaper } from '../../src/platform/processes/reaper.ts';
import { dueProjects } from '../../src/store/analytics-due.ts';
import { openDatabase } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { projects } from '../../src/store/schema.ts';
import { median, ms, type BenchRow } from './bench-row.ts';
import { MEMORY_MB } from './data-folder.ts';
import { took, type Took } from './process-usage.ts';

/** Times that page views come for all projects at once. */
const ROUNDS = 3;
/** Projects of which each is looked after apart. */
const MAINTAINED = 100;

/**
 * Measures what a project costs by itself, however few its page views are: taking one in, sealing what came for all of them together, looking
 * which are due, and looking after one.
 */
export async function benchProjects(count = 1_000): Promise<BenchRow[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'docent-bench-projects-'));
  const log = createLogger({ level: 'error', name: 'bench' });
  const reaper = new Reaper();
  reaper.deleteAfterDeath(root);
  const postgres = await startPostgres({ dir: path.join(root, 'postgres'), log, reaper });
  const database = openDatabase(postgres.url);
  const folder = new AnalyticsFolder(path.join(root, 'analytics'));
  const temporaryFolder = path.join(folder.temporaryFolder, 'duck');
  const duck = await Duck.open({ memoryMb: MEMORY_MB, threads: 2, connections: 4, temporaryFolder });
  const deps = { database, folder, duck, log };
  try {
    await migrate(database);
    const ids = Array.from({ length: count }, (_, no) => `site-${String(no).padStart(6, '0')}`);
    for (let from = 0; from < count; from += 1_000) {
      const some = ids.slice(from, from + 1_000);
      await database.db
        .insert(projects)
        .values(some.map((id) => ({ id, repository: '/nowhere', ref: 'main', model: 'builtin' })));
    }
    const ingestor = await Ingestor.open({ ...deps, sealAfterMs: 3_600_000, takeoverMs: Infinity });
    const sealed: Took[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [no, id] of ids.entries()) {
        await ingestor.ingest(id, [
          { id: `${round}`, timestamp: Date.now(), path: `/page-${no}`, visitorId: `v${no}` },
        ]);
      }
      sealed.push(await took(() => ingestor.flush()));
    }
    await ingestor.close();
    const looks: Took[] = [];
    for (let no = 0; no < 5; no += 1) {
      looks.push(await took(() => dueProjects(database.db, { after: '', limit: 1_000, graceMs: GRACE_MS })));
    }
    const look = async () => {
      const times: Took[] = [];
      for (const id of ids.slice(0, MAINTAINED)) {
        times.push(
          await took(() => maintain(deps, id, { retentionDays: null, clock: { now: (databaseNow) => databaseNow } })),
        );
      }
      return times;
    };
    const [busy, idle] = [await look(), await look()];
    const of = `${count.toLocaleString('en-US')} projects`;
    return [
      { name: `${of}: seal a page view of each, for one project`, measured: each(sealed, count) },
      { name: `${of}: look which are due, each two minutes`, measured: each(looks) },
      { name: `${of}: look after one, with ${ROUNDS} files to merge`, measured: each(busy) },
      { name: `${of}: look after one where nothing came, each hour`, measured: each(idle) },
    ];
  } finally {
    duck.close();
    await database.close();
    await postgres.stop();
    await reaper.close();
    await rm(root, { recursive: true, force: true });
  }
}

const each = (all: Took[], share = 1) =>
  `${ms(median(all.map(({ wallMs }) => wallMs / share)))}, ${ms(median(all.map(({ cpuMs }) => cpuMs / share)))} of processor time`;
