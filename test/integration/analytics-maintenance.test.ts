import { Client, Connection } from '@temporalio/client';
import { and, eq, isNull } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import { analyticsFiles, analyticsProjects } from '../../src/store/analytics/analytics-schema.ts';
import { installationId } from '../../src/store/installation/installation.ts';
import { projects } from '../../src/store/schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf } from '../support/analytics-load.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import { spawnRole, untilReady, type RoleProcess } from '../support/role-process.ts';
import { services } from '../support/run-services.ts';

let bench: AnalyticsBench;
let worker: RoleProcess;
let connection: Connection;

beforeAll(async () => {
  bench = await analyticsBench();
  worker = spawnRole('worker', {
    DATABASE_URL: bench.database.url,
    TEMPORAL_ADDRESS: services.temporalAddress,
    DOCENT_ANALYTICS_DIR: bench.folder.root,
    DOCENT_CACHE_DIR: `${bench.folder.root}/cache`,
  });
  connection = await Connection.connect({ address: services.temporalAddress });
});
afterAll(async () => {
  await worker.kill();
  await connection.close();
  await bench.close();
});

test('the schedule merges new events and compacts files without changing a number', async () => {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor();
  for (let no = 0; no < 4; no += 1) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
  }
  await untilReady(worker, () => worker.output().includes('ready for jobs'));
  const schedule = new Client({ connection }).schedule.getHandle(
    `docent-${await installationId(bench.database.db)}-analytics`,
  );
  // The worker makes it in the background.
  await expect.poll(() => schedule.trigger().then(() => 'triggered', String)).toBe('triggered');
  const unmerged = async () => ofFamily((await readManifest(bench.database.db, project)).files, 'unmerged').length;
  await expect.poll(unmerged).toBe(0);
  await expectExactly(bench, project, knownUpTo(4));
});

test('of many projects, several are looked after at once, and one that cannot be holds up no other', async () => {
  const { db } = bench.database;
  const ids = Array.from({ length: 52 }, (_, no) => `many-${String(no).padStart(2, '0')}`);
  await db.insert(projects).values(ids.map((id) => ({ id, repository: '/nowhere', ref: 'main', model: 'builtin' })));
  await db.insert(analyticsProjects).values(ids.map((projectId) => ({ projectId })));
  const withEvents = ids.filter((_, no) => no % 10 === 0);
  const ingestor = await bench.ingestor();
  for (const id of withEvents) await ingestor.ingest(id, eventsOf(1).slice(0, 1));
  await ingestor.flush();
  // As a newer version of Docent would lay out its files.
  await db.update(analyticsProjects).set({ layout: 1_000 }).where(eq(analyticsProjects.projectId, 'many-30'));
  const client = new Client({ connection });
  const installation = await installationId(db);
  await untilReady(worker, () => worker.output().includes('ready for jobs'));
  const unmerged = async () => {
    const rows = await db
      .selectDistinct({ id: analyticsFiles.projectId })
      .from(analyticsFiles)
      .where(and(eq(analyticsFiles.family, 'unmerged'), isNull(analyticsFiles.removedVersion)));
    return rows.map(({ id }) => id);
  };
  await client.schedule.getHandle(`docent-${installation}-analytics`).trigger();
  await expect.poll(unmerged).toEqual(['many-30']);
  const ended = async () => {
    const query = `WorkflowType = 'maintainAnalytics' AND WorkflowId STARTS_WITH 'docent-${installation}-analytics' AND ExecutionStatus = 'Completed'`;
    for await (const { workflowId, runId } of client.workflow.list({ query })) {
      const result = (await client.workflow.getHandle(workflowId, runId).result()) as { failed: string[] };
      if (result.failed.length > 0) return result.failed;
    }
    return [];
  };
  await expect.poll(ended).toEqual(['many-30']);
  const waiting = await db
    .select({ id: analyticsProjects.projectId })
    .from(analyticsProjects)
    .where(isNull(analyticsProjects.maintainedAt));
  expect(waiting).toEqual([{ id: 'many-30' }]);
});
