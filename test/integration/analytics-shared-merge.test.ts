import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { rebuildProject } from '../../src/analytics/counts/rebuild.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { readManifest } from '../../src/store/analytics-manifest.ts';
import { installationId } from '../../src/store/installation.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, fillProject } from '../support/analytics-load.ts';
import { expectExactly, knownUpTo } from '../support/counted-exactly.ts';
import { spawnRole, untilReady, type RoleProcess } from '../support/role-process.ts';
import { services } from '../support/run-services.ts';

const SHARDS = 16;
let bench: AnalyticsBench;
let connection: Connection;
let markers: string;
const workers: RoleProcess[] = [];

beforeAll(async () => {
  bench = await analyticsBench();
  markers = await mkdtemp(path.join(tmpdir(), 'docent-shards-'));
  connection = await Connection.connect({ address: services.temporalAddress });
});
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.kill();
});
afterAll(async () => {
  await connection.close();
  await bench.close();
  await rm(markers, { recursive: true, force: true });
});

/** Two workers with nothing in common but what all share. @param env of both */
async function startWorkers(env: Record<string, string> = {}): Promise<void> {
  for (const name of ['one', 'other']) {
    const worker = spawnRole('worker', {
      DATABASE_URL: bench.database.url,
      TEMPORAL_ADDRESS: services.temporalAddress,
      DOCENT_ANALYTICS_DIR: bench.folder.root,
      DOCENT_CACHE_DIR: path.join(markers, name),
      ...env,
    });
    workers.push(worker);
    await untilReady(worker, () => worker.output().includes('taking jobs'));
  }
}

/** A project with half of its eight batches merged in shards. */
async function shardedProject(): Promise<string> {
  const project = await fillProject(bench, { batches: 4, unmerged: 0 });
  await rebuildProject(bench, project, {}, SHARDS);
  const ingestor = await bench.ingestor({ rememberedIds: 0 });
  for (let no = 4; no < 8; no += 1) await ingestor.ingest(project, eventsOf(no));
  await ingestor.flush();
  return project;
}

async function maintain(): Promise<void> {
  const id = `docent-${await installationId(bench.database.db)}-analytics`;
  await new Client({ connection }).schedule.getHandle(id).trigger();
}

/** Workers that took up a shard, each once. */
async function whoMerged(): Promise<Set<string>> {
  const client = new Client({ connection });
  const who = new Set<string>();
  const prefix = `docent-${await installationId(bench.database.db)}-analytics`;
  for await (const { workflowId, runId } of client.workflow.list({ query: `WorkflowType = 'maintainAnalytics'` })) {
    if (!workflowId.startsWith(prefix)) continue;
    const { events = [] } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    const shards = new Set(
      events
        ?.filter(({ activityTaskScheduledEventAttributes: of }) => of?.activityType?.name === 'mergeShard')
        .map(({ eventId }) => String(eventId)),
    );
    for (const { activityTaskStartedEventAttributes: started } of events ?? []) {
      if (shards.has(String(started?.scheduledEventId))) who.add(started?.identity ?? '');
    }
  }
  return who;
}

const unmerged = async (project: string) =>
  ofFamily((await readManifest(bench.database.db, project)).files, 'unmerged').length;

test('workers share the shards of a merge, and no number changes', async () => {
  const project = await shardedProject();
  await startWorkers();
  await maintain();
  await expect.poll(() => unmerged(project), { timeout: 200_000 }).toBe(0);
  await expectExactly(bench, project, knownUpTo(8));
  await expect.poll(async () => (await whoMerged()).size).toBe(2);
});

test('a shard whose worker dies is merged by the other one', async () => {
  const project = await shardedProject();
  await startWorkers({ DOCENT_TEST_FAULT: `shard-written@${path.join(markers, 'died')}` });
  await maintain();
  await expect(Promise.race(workers.map(({ ended }) => ended))).resolves.toBe('SIGKILL');
  await expect.poll(() => unmerged(project), { timeout: 200_000 }).toBe(0);
  await expectExactly(bench, project, knownUpTo(8));
});
