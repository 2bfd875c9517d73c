import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AnalyticsFolder } from '../../src/analytics/storage/analytics-folder.ts';
import { Duck } from '../../src/analytics/storage/duck.ts';
import { Ingestor, type IngestorOptions } from '../../src/analytics/ingest/ingestor.ts';
import { Queries } from '../../src/analytics/query/queries.ts';
import { PinnedVersions } from '../../src/analytics/query/pinned-version.ts';
import { createLogger, type Logger } from '../../src/platform/log.ts';
import { projects } from '../../src/store/schema.ts';
import { createTestDatabase, type TestDatabase } from './stack.ts';

export interface AnalyticsBench {
  database: TestDatabase;
  folder: AnalyticsFolder;
  duck: Duck;
  log: Logger;
  versions: PinnedVersions;
  queries: Queries;
  newProject(): Promise<string>;
  ingestor(options?: Partial<IngestorOptions>): Promise<Ingestor>;
  close(): Promise<void>;
}

/** The storage half of analytics on a database and its own folder. */
export async function analyticsBench(
  options: {
    root?: string;
    database?: TestDatabase;
    /** Opens the folder in another way. */
    open?: (database: TestDatabase, root: string) => Promise<AnalyticsFolder>;
  } = {},
): Promise<AnalyticsBench> {
  const database = options.database ?? (await createTestDatabase());
  const root = options.root ?? (await mkdtemp(path.join(tmpdir(), 'docent-analytics-')));
  const folder = (await options.open?.(database, root)) ?? new AnalyticsFolder(root);
  const log = createLogger({ level: process.env.DOCENT_TEST_LOG_LEVEL ?? 'fatal', name: 'test' });
  const duck = await Duck.open({
    memoryMb: 256,
    threads: 2,
    connections: 4,
    temporaryFolder: path.join(folder.temporaryFolder, 'duck'),
  });
  const ingestors: Ingestor[] = [];
  let made = 0;
  return {
    database,
    folder,
    duck,
    log,
    versions: new PinnedVersions(database, folder, duck),
    queries: new Queries(folder, duck),
    async newProject() {
      made += 1;
      const id = `site-${made}`;
      await database.db
        .insert(projects)
        .values({ id, repository: '/nowhere', ref: 'main', model: 'builtin' })
        .onConflictDoNothing();
      return id;
    },
    async ingestor(more = {}) {
      const ingestor = await Ingestor.open({
        database,
        folder,
        duck,
        log,
        sealAfterMs: 3_600_000,
        // Tests say when a log is taken over.
        takeoverMs: Infinity,
        ...more,
      });
      ingestors.push(ingestor);
      return ingestor;
    },
    async close() {
      for (const ingestor of ingestors) await ingestor.close();
      duck.close();
      await folder.close();
      if (!options.database) await database.drop();
      await rm(root, { recursive: true, force: true });
    },
  };
}
