import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acceptJob } from '../../src/jobs/acceptance.ts';
import { PeriodicTask } from '../../src/jobs/periodic-task.ts';
import { createLogger } from '../../src/platform/log.ts';
import { claimTask } from '../../src/store/installation/periodic-tasks.ts';
import { projects } from '../../src/store/schema.ts';
import { webhookDeliveries, webhooks } from '../../src/store/webhooks/webhook-schema.ts';
import { OutboxDispatcher } from '../../src/temporal/outbox-dispatcher.ts';
import { Reconciler } from '../../src/temporal/reconciler.ts';
import type { JobWorkflows } from '../../src/workflows/contract.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

/** Long enough that no process misses a turn under load. */
const EVERY_MS = 1_500;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Records the holder of each round. */
function fiveOf(
  name: string,
  rounds: { by: number; isNew: boolean }[],
  work: (by: number) => Promise<void>,
): PeriodicTask[] {
  return Array.from(
    { length: 5 },
    (_, by) =>
      new PeriodicTask({
        db: database.db,
        name,
        everyMs: EVERY_MS,
        round: async (isNew) => {
          rounds.push({ by, isNew });
          await work(by);
        },
        failed: () => {},
      }),
  );
}

test('five processes poll as often as one, and always the same one polls', async () => {
  const rounds: { by: number; isNew: boolean }[] = [];
  const processes = fiveOf('as one', rounds, async () => {});
  for (const process of processes) process.start();
  await sleep(10 * EVERY_MS);
  await Promise.all(processes.map((process) => process.stop()));
  expect(rounds.length).toBeGreaterThanOrEqual(4);
  expect(rounds.length).toBeLessThanOrEqual(11);
  expect(new Set(rounds.map(({ by }) => by)).size).toBe(1);
  expect(rounds.filter(({ isNew }) => isNew)).toHaveLength(1);
});

test('a long round is not started by others, and a failing one does not stop them', async () => {
  const rounds: { by: number; isNew: boolean }[] = [];
  const processes = fiveOf('long', rounds, async () => {
    await sleep(5 * EVERY_MS);
    throw new Error('Away.');
  });
  for (const process of processes) process.start();
  await sleep(4 * EVERY_MS);
  expect(rounds).toHaveLength(1);
  await sleep(4 * EVERY_MS);
  expect(rounds).toHaveLength(2);
  await Promise.all(processes.map((process) => process.stop()));
});

test('a process that stops hands over to another, which knows that it is new', async () => {
  const rounds: { by: number; isNew: boolean }[] = [];
  const processes = fiveOf('left', rounds, async () => {});
  for (const process of processes) process.start();
  await sleep(2 * EVERY_MS);
  const first = rounds.at(-1)?.by ?? -1;
  await processes[first]?.stop();
  const before = rounds.length;
  await sleep(3 * EVERY_MS);
  expect(rounds[before]).toMatchObject({ isNew: true });
  expect(rounds.slice(before).map(({ by }) => by)).not.toContain(first);
  await Promise.all(processes.map((process) => process.stop()));
});

test('a round without work is left out, until a row shows work or it is time', async () => {
  await database.pool.query('CREATE TABLE work (id int)');
  const rounds: boolean[] = [];
  let isTime = false;
  const task = new PeriodicTask({
    db: database.db,
    name: 'with work',
    everyMs: 50,
    work: { queries: [sql`SELECT FROM work WHERE id < 0`, sql`SELECT FROM work`], isTime: () => isTime },
    round: async (isNew) => {
      rounds.push(isNew);
      isTime = false;
      await database.pool.query('DELETE FROM work');
    },
    failed: () => {},
  });
  task.start();
  try {
    await expect.poll(() => rounds).toEqual([true]);
    await sleep(500);
    expect(rounds).toEqual([true]);
    await database.pool.query('INSERT INTO work VALUES (1)');
    await expect.poll(() => rounds).toEqual([true, false]);
    isTime = true;
    await expect.poll(() => rounds).toEqual([true, false, false]);
    await sleep(500);
    expect(rounds).toHaveLength(3);
  } finally {
    await task.stop();
  }
});

test('of many claims for an abandoned task, one succeeds', async () => {
  const terms = { name: 'claimed', everyMs: 1_000, graceMs: 10 };
  const claimAll = () =>
    Promise.all(Array.from({ length: 8 }, (_, n) => claimTask(database.db, terms, `process ${n} ${Math.random()}`)));
  for (let n = 0; n < 3; n += 1) {
    expect((await claimAll()).filter(({ isMine }) => isMine)).toHaveLength(1);
    expect((await claimAll()).filter(({ isMine }) => isMine)).toHaveLength(0);
    await sleep(1_100);
  }
});

const log = createLogger({ level: 'silent', name: 'test' });
const grpcError = (code: number) => Object.assign(new Error('refused'), { code });
const withDeadline = <T>(_: number, work: () => Promise<T>): Promise<T> => work();

const delivery = (id: string) => ({
  id,
  webhookId: 'hook',
  type: 'ping' as const,
  data: {},
  target: 'example.com:443',
});

test('a delivery that Temporal refuses blocks neither other deliveries nor clean-up', async () => {
  const { db } = database;
  const project = { id: 'outgoing', repository: '/nowhere', ref: 'main', model: 'builtin' };
  await db.insert(projects).values(project);
  await db.insert(webhooks).values({ id: 'hook', projectId: project.id, url: 'https://example.com', events: [] });
  // There are more refused ones than are started at once.
  const refused = Array.from({ length: 120 }, (_, no) => delivery(`refused-${no}`));
  await db.insert(webhookDeliveries).values([...refused, delivery('good')]);
  await database.pool.query(`UPDATE webhook_deliveries SET start_at = now() - interval '1 minute'`);
  const old = { ...delivery('old'), state: 'delivered' as const, createdAt: new Date(0) };
  await db.insert(webhookDeliveries).values(old);
  const started: string[] = [];
  const client = {
    withDeadline,
    workflow: {
      start: async (_: string, { args }: { args: [{ deliveryId: string }] }) => {
        if (args[0].deliveryId.startsWith('refused')) throw grpcError(3);
        started.push(args[0].deliveryId);
      },
    },
  } as unknown as Client;
  const outgoing = new OutboxDispatcher({ db, client, installationId: 'test', log });
  outgoing.task.start();
  try {
    await expect.poll(() => started).toEqual(['good']);
    const ids = async () => (await db.select({ id: webhookDeliveries.id }).from(webhookDeliveries)).map(({ id }) => id);
    await expect.poll(ids).not.toContain('old');
  } finally {
    await outgoing.task.stop();
  }
});

test('a job whose workflow cannot be asked holds up no other, and one whose turn it is in the queue starts', async () => {
  const { db } = database;
  const project = { id: 'unanswered', repository: '/nowhere', ref: 'main', model: 'builtin' };
  await db.insert(projects).values(project);
  const accept = async (slots = MANY_SLOTS) => {
    const input = {
      projectId: project.id,
      prompt: 'Fix links',
      repositoryUrl: () => 'file:///nowhere',
      limitPerHour: 9,
      slots,
    };
    return (await db.transaction((tx) => acceptJob(tx, input))).id;
  };
  const [silent, other] = [await accept(), await accept()];
  const queued = await accept({ concurrentJobs: 0, projectConcurrentJobs: 0 });
  await database.pool.query(`UPDATE jobs SET updated_at = now() - interval '1 minute' WHERE id = $1`, [other]);
  await database.pool.query(`UPDATE jobs SET updated_at = now() - interval '1 hour' WHERE id = $1`, [silent]);
  const signalled: string[] = [];
  const client = {
    withDeadline,
    workflow: {
      getHandle: (workflowId: string) => ({
        describe: () => {
          if (workflowId.includes(silent)) throw grpcError(4);
          throw new WorkflowNotFoundError('none', workflowId, undefined);
        },
      }),
    },
  } as unknown as Client;
  const jobWorkflows = { signal: async ({ id }: { id: string }) => void signalled.push(id) } as unknown as JobWorkflows;
  const slots = { concurrentJobs: 10, projectConcurrentJobs: 10 };
  const reconciler = new Reconciler({ db, client, jobWorkflows, installationId: 'test', slots, log, everyMs: 60_000 });
  reconciler.task.start();
  try {
    // In the first round already.
    await expect.poll(() => signalled).toEqual([other, queued]);
  } finally {
    await reconciler.task.stop();
  }
});
