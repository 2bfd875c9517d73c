import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { endOnce } from '../../src/activities/publish/end-turn.ts';
import { createLogger } from '../../src/platform/log.ts';
import { withContext } from '@docent/recipes/prompt-context';
import { acceptJob, acceptMessage } from '../../src/jobs/acceptance.ts';
import { listUnsettledJobs, workflowsToStart, workflowToWake } from '../../src/jobs/outbox.ts';
import { findNextInQueue, positionsOf, readPositions, tryLockSlots, type SlotLimits } from '../../src/jobs/queue.ts';
import { archiveJob, requestCancel } from '../../src/jobs/stop.ts';
import { endTurn, openTurn, type Opened } from '../../src/jobs/turn-life.ts';
import { listEvents } from '../../src/store/jobs/job-events.ts';
import { findJobById, type JobRow } from '../../src/store/jobs/jobs.ts';
import { projects, turns } from '../../src/store/schema.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { isExpected } from '../../src/platform/errors.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const SLOTS: SlotLimits = { concurrentJobs: 3, projectConcurrentJobs: 2 };

async function addProject(id: string, concurrentJobs?: number): Promise<string> {
  const settings = concurrentJobs === undefined ? {} : { concurrentJobs };
  await database.db.insert(projects).values({ id, repository: '/nowhere', ref: 'main', model: 'builtin', settings });
  return id;
}

/** As automations write it. */
const PROMPT = withContext('Fix links', `A release: ${'notes '.repeat(500)}`);

function accept(projectId: string, slots = SLOTS): Promise<JobRow> {
  const job = { projectId, prompt: PROMPT, repositoryUrl: () => 'file:///nowhere', limitPerHour: 10_000, slots };
  return database.db.transaction((tx) => acceptJob(tx, job));
}

/** A job that has neither a slot nor a position in the queue, as between two turns. */
async function newJob(projectId: string): Promise<string> {
  const { id } = await accept(projectId, MANY_SLOTS);
  await database.pool.query('UPDATE jobs SET slot_reserved_at = NULL WHERE id = $1', [id]);
  return id;
}

async function open(id: string, slots: SlotLimits = SLOTS): Promise<Opened> {
  for (;;) {
    try {
      return await database.db.transaction((tx) => openTurn(tx, id, 10, slots));
    } catch (err) {
      if (!isExpected(err, 'slots_busy')) throw err;
    }
    await sleep(5);
  }
}
const kindOf = async (id: string, slots?: SlotLimits) => (await open(id, slots)).kind;
const end = (id: string) =>
  database.db.transaction((tx) => endTurn(tx, id, 1, { state: 'unchanged', summary: null, error: null }));
const next = async (slots = SLOTS) => (await findNextInQueue(database.db, slots)).map(({ id }) => id);
const position = async (id: string) => (await readPositions(database.db, [id])).get(id)?.position ?? null;

describe('jobs above the limit of running jobs', () => {
  test('wait in order, show their position, and start when a turn ends', async () => {
    const project = await addProject('one', 1);
    const [first, second, third] = [await newJob(project), await newJob(project), await newJob(project)];
    expect(await kindOf(first)).toBe('turn');
    expect([await kindOf(second), await position(second)]).toEqual(['queued', 1]);
    expect([await kindOf(third), await position(third)]).toEqual(['queued', 2]);
    expect([await kindOf(second), await position(second)], 'looked at again').toEqual(['queued', 1]);
    expect(await next()).toEqual([]);
    const told = (await listEvents(database.db, third, { after: 0, limit: 10 })).map(({ type, text }) => [type, text]);
    expect(told.at(-1)).toEqual(['queued', 'Queued: 1 job of this project ahead.']);
    expect((await listEvents(database.db, second, { after: 0, limit: 10 })).map(({ type }) => type)).toEqual([
      'created',
      'queued',
    ]);

    await end(first);
    expect(await next()).toEqual([second]);
    // New jobs do not overtake waiting ones.
    const fourth = await newJob(project);
    expect([await kindOf(fourth), await position(fourth)]).toEqual(['queued', 3]);
    expect(await kindOf(third)).toBe('queued');
    expect(await kindOf(second)).toBe('turn');
    expect([await position(second), await position(third), await position(fourth)]).toEqual([null, 1, 2]);
    const row = await findJobById(database.db, second);
    expect(row?.queueNo).toBeNull();
  });

  test('keep their position with another message, and leave the queue when cancelled or archived', async () => {
    const project = await addProject('one', 1);
    const ids = [await newJob(project), await newJob(project), await newJob(project), await newJob(project)] as const;
    for (const id of ids) await open(id);
    await database.db.transaction((tx) =>
      acceptMessage(tx, { projectId: project, jobId: ids[2], prompt: 'More', limitPerHour: 10, slots: SLOTS }),
    );
    expect([await kindOf(ids[2]), await position(ids[2])]).toEqual(['queued', 2]);
    const cancelled = await database.db.transaction((tx) => requestCancel(tx, project, ids[1]));
    expect(cancelled).toMatchObject({ status: 'completed', queueNo: null });
    expect(await kindOf(ids[1])).toBe('idle');
    expect([await kindOf(ids[2]), await position(ids[2])]).toEqual(['queued', 1]);
    await database.db.transaction((tx) => archiveJob(tx, project, ids[2]));
    expect(await kindOf(ids[2])).toBe('archived');
    expect(await position(ids[3])).toBe(1);
    // The one at work, too: its slot is free in the same moment.
    await database.db.transaction((tx) => archiveJob(tx, project, ids[0]));
    expect(await next()).toEqual([ids[3]]);
  });

  test('are those of the noisy project, not those of the others', async () => {
    const [noisy, quiet] = [await addProject('noisy', 50), await addProject('quiet', 50)];
    const many: string[] = [];
    for (let n = 0; n < 8; n += 1) many.push(await newJob(noisy));
    for (const id of many) await open(id);
    const other = await newJob(quiet);
    expect(await kindOf(other)).toBe('queued');
    expect(await position(other), 'of its own project').toBe(1);
    await end(many[0] ?? '');
    expect(await next()).toEqual([other]);
    expect(await kindOf(many[3] ?? '')).toBe('queued');
    expect(await kindOf(other)).toBe('turn');
  });

  test('are exactly those above it, however many start at the same time', async () => {
    const limits = { small: 1, middle: 2, large: 10 };
    for (const [id, limit] of Object.entries(limits)) await addProject(id, limit);
    const ids: string[] = [];
    for (const project of Object.keys(limits)) for (let n = 0; n < 6; n += 1) ids.push(await newJob(project));
    const opened = await Promise.all(ids.map((id) => kindOf(id, { concurrentJobs: 7, projectConcurrentJobs: 2 })));
    expect(opened.filter((kind) => kind === 'turn')).toHaveLength(7);
    const running = await database.db.select().from(turns).where(eq(turns.state, 'running'));
    expect(running).toHaveLength(7);
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM turns t JOIN jobs j ON j.id = t.job_id WHERE j.project_id = 'small'`,
    );
    expect(rows[0].n).toBeLessThanOrEqual(1);
    const { rows: numbers } = await database.pool.query(
      'SELECT count(queue_no)::int AS n, count(DISTINCT queue_no)::int AS distinct_n FROM jobs',
    );
    expect(numbers).toEqual([{ n: 11, distinct_n: 11 }]);
  });

  test('go into the queue although another job is being given a slot, and no transaction waits for that', async () => {
    const project = await addProject('one', 1);
    const [first, second, third] = [await newJob(project), await newJob(project), await newJob(project)];
    await open(first);
    await database.db.transaction(async (tx) => {
      await tryLockSlots(tx);
      expect(await kindOf(second)).toBe('queued');
      // From its view, a slot is free.
      await end(first);
      await expect(database.db.transaction((other) => openTurn(other, second, 10, SLOTS))).rejects.toMatchObject({
        code: 'slots_busy',
      });
      expect(await kindOf(third)).toBe('queued');
    });
    expect(await kindOf(second)).toBe('turn');
  });

  test('are not looked at again and again while they wait', async () => {
    const project = await addProject('one', 1);
    const [first, second] = [await newJob(project), await newJob(project)];
    await open(first);
    await open(second);
    await database.pool.query(`UPDATE jobs SET updated_at = now() - interval '1 hour'`);
    const unsettled = async () => (await listUnsettledJobs(database.db, { quietMs: 0, limit: 10 })).map(({ id }) => id);
    expect(await unsettled()).toEqual([first]);
    await end(first);
    expect(await next()).toEqual([second]);
  });

  test('have a position only while they wait', async () => {
    const project = await addProject('one', 1);
    const [first, second] = [await newJob(project), await newJob(project)];
    await open(first);
    await open(second);
    const rows = await Promise.all([first, second].map(async (id) => (await findJobById(database.db, id)) ?? fail(id)));
    expect([...(await positionsOf(database.db, rows))]).toEqual([[second, { position: 1 }]]);
    await end(first);
    expect(await kindOf(second)).toBe('turn');
    expect(await position(second)).toBeNull();
  });
});

const wakes = async (job: JobRow, isNew = true, slots = SLOTS) =>
  (await workflowToWake(database.db, { job, isNew, prompt: 'Fix links' }, slots)) !== null;
const storyOf = async (id: string) =>
  (await listEvents(database.db, id, { after: 0, limit: 10 })).map(({ type, text }) => [type, text]);

describe('a job that is accepted while all slots are taken', () => {
  test('waits in the queue at once, and needs no workflow until it is next', async () => {
    const project = await addProject('one', 1);
    const first = await accept(project);
    expect([first.queueNo, await wakes(first)]).toEqual([null, true]);
    expect(await kindOf(first.id)).toBe('turn');
    const [second, third] = [await accept(project), await accept(project)];
    expect([await wakes(second), await wakes(third)]).toEqual([false, false]);
    expect([await position(second.id), await position(third.id)]).toEqual([1, 2]);
    expect((await findJobById(database.db, third.id))?.queueNo).toBe(third.queueNo);
    expect(await storyOf(third.id)).toEqual([
      ['created', 'Fix links'],
      ['queued', 'Queued: 1 job of this project ahead.'],
    ]);
    await database.pool.query(`UPDATE jobs SET updated_at = now() - interval '1 hour' WHERE queue_no IS NOT NULL`);
    expect(await listUnsettledJobs(database.db, { quietMs: 60_000, limit: 10 })).toEqual([]);

    // The slot becomes free before the API looks whether the job waits: it starts it, too.
    await end(first.id);
    expect(await next()).toEqual([second.id]);
    expect([await wakes(second), await wakes(third)]).toEqual([true, false]);
    const [started] = await workflowsToStart(database.db, SLOTS);
    expect(started, 'without the material of strangers').toMatchObject({ id: second.id, prompt: 'Fix links' });
    expect(await workflowsToStart(database.db, SLOTS), 'only one process starts it').toEqual([]);
    // If that process dies before it does, the reconciler does.
    const unsettled = async (quietMs: number) =>
      (await listUnsettledJobs(database.db, { quietMs, limit: 10 })).map(({ id }) => id);
    expect(await unsettled(60_000)).toEqual([]);
    await database.pool.query(`UPDATE jobs SET slot_reserved_at = now() - interval '5 s' WHERE id = $1`, [second.id]);
    expect(await unsettled(2_500)).toEqual([second.id]);
    expect(await kindOf(third.id)).toBe('queued');
    expect(await kindOf(second.id)).toBe('turn');
    expect((await storyOf(third.id)).map(([type]) => type)).toEqual(['created', 'queued']);
  });

  test('finds slots taken that others have reserved, for as long as their workflows may be starting', async () => {
    const project = await addProject('one', 2);
    const [first, second, third] = [await accept(project), await accept(project), await accept(project)];
    expect([await wakes(first), await wakes(second), await wakes(third)]).toEqual([true, true, false]);
    expect((await storyOf(third.id)).at(-1)).toEqual(['queued', 'Queued: next in this project.']);
    // Its workflow is quicker, and takes nothing from them.
    expect(await kindOf(third.id)).toBe('queued');
    expect([await kindOf(second.id), await kindOf(first.id)]).toEqual(['turn', 'turn']);
    await end(first.id);
    expect(await next()).toEqual([third.id]);
    expect(await kindOf(third.id)).toBe('turn');
    await end(second.id);

    const lost = await accept(project);
    expect((await accept(project)).queueNo).not.toBeNull();
    await database.pool.query(`UPDATE jobs SET slot_reserved_at = now() - interval '1 minute' WHERE id = $1`, [
      lost.id,
    ]);
    expect(await next()).toHaveLength(1);
    expect(await kindOf(lost.id), 'before those that came later').toBe('turn');
    expect(await next()).toEqual([]);
  });

  test('finds a slot that was reserved by a job that was cancelled', async () => {
    const project = await addProject('one', 1);
    const first = await accept(project);
    await database.db.transaction((tx) => requestCancel(tx, project, first.id));
    expect((await accept(project)).queueNo).toBeNull();
  });

  test('waits for its message as well, unless it is at work', async () => {
    const project = await addProject('one', 1);
    const say = (id: string) =>
      database.db.transaction((tx) =>
        acceptMessage(tx, { projectId: project, jobId: id, prompt: 'More', limitPerHour: 10, slots: SLOTS }),
      );
    const first = await accept(project);
    await open(first.id);
    await end(first.id);
    const second = await accept(project);
    await open(second.id);
    const [busy, asked] = [await say(second.id), await say(first.id)];
    expect([busy.queueNo, await wakes(busy, false)]).toEqual([null, true]);
    expect([await position(asked.id), await wakes(asked, false)]).toEqual([1, false]);
    await end(second.id);
    expect(await wakes(asked, false)).toBe(true);
    // The job with another message does not overtake it.
    expect(await kindOf(second.id)).toBe('queued');
    expect(await kindOf(first.id)).toBe('turn');
  });

  test('keeps its order among many that are accepted and opened at the same time', async () => {
    const project = await addProject('one', 1);
    await open((await accept(project)).id);
    const late = await Promise.all(Array.from({ length: 4 }, () => newJob(project)));
    const [accepted] = await Promise.all([
      Promise.all(Array.from({ length: 12 }, () => accept(project))),
      Promise.all(late.map((id) => open(id))),
    ]);
    const inOrder = accepted.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    const numbers = inOrder.map(({ queueNo }) => queueNo ?? 0);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const positions = await readPositions(database.db, [...late, ...accepted.map(({ id }) => id)]);
    expect([...positions.values()].map(({ position }) => position).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 16 }, (_, i) => i + 1),
    );
  });

  test('starts at once if only another project waits', async () => {
    const [noisy, quiet] = [await addProject('noisy', 1), await addProject('quiet', 1)];
    const busy = await accept(noisy);
    await open(busy.id);
    const waiting = await accept(noisy);
    const other = await accept(quiet);
    expect([await wakes(waiting), await wakes(other)]).toEqual([false, true]);
    expect(await kindOf(other.id)).toBe('turn');
    expect((await storyOf(other.id)).map(([type]) => type)).toEqual(['created', 'turn_started']);
    // The next slot belongs to the job that has waited longer.
    await open((await accept(await addProject('third', 1))).id);
    await end(busy.id);
    const late = await accept(await addProject('late', 1));
    expect([await wakes(waiting), await wakes(late)]).toEqual([true, false]);
    expect((await storyOf(late.id)).at(-1)).toEqual(['queued', 'Queued: next in this project.']);
  });
});

test('the worker that frees a slot starts the next job, without waiting for the reconciler', async () => {
  const project = await addProject('one', 1);
  const first = await accept(project);
  await open(first.id);
  const [second, third] = [await accept(project), await accept(project)];
  const started: string[] = [];
  const jobWorkflows = { signal: async ({ id }: { id: string }) => void started.push(id) };
  const deps = { db: database.db, settings: SLOTS, jobWorkflows } as unknown as Parameters<typeof endOnce>[0];
  await endOnce(
    deps,
    { jobId: first.id, turn: 1, outcome: 'cancelled' },
    createLogger({ level: 'silent', name: 'test' }),
  );
  expect([started, await position(third.id)]).toEqual([[second.id], 2]);
});

function fail(id: string): never {
  throw new Error(`no job ${id}`);
}
