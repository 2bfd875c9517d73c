import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { acceptJob, acceptMessage } from '../../src/jobs/acceptance.ts';
import { listUnsettledJobs } from '../../src/jobs/outbox.ts';
import { findNextInQueue, placesOf, readPlaces, tryLockPlaces, type Places } from '../../src/jobs/queue.ts';
import { archiveJob, requestCancel } from '../../src/jobs/stop.ts';
import { endTurn, openTurn, type Opened } from '../../src/jobs/turn-life.ts';
import { listEvents } from '../../src/store/jobs/job-events.ts';
import { findJobById } from '../../src/store/jobs/jobs.ts';
import { projects, turns } from '../../src/store/schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { isExpected } from '../../src/platform/errors.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const PLACES: Places = { concurrentJobs: 3, projectConcurrentJobs: 2 };

async function addProject(id: string, concurrentJobs?: number): Promise<string> {
  const settings = concurrentJobs === undefined ? {} : { concurrentJobs };
  await database.db.insert(projects).values({ id, repository: '/nowhere', ref: 'main', model: 'builtin', settings });
  return id;
}

async function newJob(projectId: string): Promise<string> {
  const job = await database.db.transaction((tx) =>
    acceptJob(tx, { projectId, prompt: 'Fix links', repositoryUrl: () => 'file:///nowhere', limitPerHour: 10_000 }),
  );
  return job.id;
}

async function open(id: string, places: Places = PLACES): Promise<Opened> {
  for (;;) {
    try {
      return await database.db.transaction((tx) => openTurn(tx, id, 10, places));
    } catch (err) {
      if (!isExpected(err, 'places_busy')) throw err;
    }
    await sleep(5);
  }
}
const kindOf = async (id: string, places?: Places) => (await open(id, places)).kind;
const end = (id: string) =>
  database.db.transaction((tx) => endTurn(tx, id, 1, { state: 'unchanged', summary: null, error: null }));
const next = async (places = PLACES) => (await findNextInQueue(database.db, places)).map(({ id }) => id);
const position = async (id: string) => (await readPlaces(database.db, [id])).get(id)?.position ?? null;

describe('jobs above the limit of running jobs', () => {
  test('wait in order, show their position, and start when a turn ends', async () => {
    const project = await addProject('one', 1);
    const [first, second, third] = [await newJob(project), await newJob(project), await newJob(project)];
    expect(await kindOf(first)).toBe('turn');
    expect(await open(second)).toMatchObject({ kind: 'queued', position: 1 });
    expect(await open(third)).toMatchObject({ kind: 'queued', position: 2 });
    expect(await open(second), 'looked at again').toMatchObject({ kind: 'queued', position: 1 });
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
    expect(await open(fourth)).toMatchObject({ kind: 'queued', position: 3 });
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
      acceptMessage(tx, { projectId: project, jobId: ids[2], prompt: 'More', limitPerHour: 10 }),
    );
    expect(await open(ids[2])).toMatchObject({ kind: 'queued', position: 2 });
    const cancelled = await database.db.transaction((tx) => requestCancel(tx, project, ids[1]));
    expect(cancelled).toMatchObject({ status: 'completed', queueNo: null });
    expect(await kindOf(ids[1])).toBe('idle');
    expect(await open(ids[2])).toMatchObject({ kind: 'queued', position: 1 });
    await database.db.transaction((tx) => archiveJob(tx, project, ids[2]));
    expect(await kindOf(ids[2])).toBe('archived');
    expect(await position(ids[3])).toBe(1);
    // The one at work, too: its place is free in the same moment.
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

  test('go into the queue although another job is being given a place, and no transaction waits for that', async () => {
    const project = await addProject('one', 1);
    const [first, second, third] = [await newJob(project), await newJob(project), await newJob(project)];
    await open(first);
    await database.db.transaction(async (tx) => {
      await tryLockPlaces(tx);
      expect(await kindOf(second)).toBe('queued');
      // From its view, a slot is free.
      await end(first);
      await expect(database.db.transaction((other) => openTurn(other, second, 10, PLACES))).rejects.toMatchObject({
        code: 'places_busy',
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

  test('have a place of theirs only while they wait', async () => {
    const project = await addProject('one', 1);
    const [first, second] = [await newJob(project), await newJob(project)];
    await open(first);
    await open(second);
    const rows = await Promise.all([first, second].map(async (id) => (await findJobById(database.db, id)) ?? fail(id)));
    expect([...(await placesOf(database.db, rows))]).toEqual([[second, { position: 1 }]]);
    await end(first);
    expect(await kindOf(second)).toBe('turn');
    expect(await position(second)).toBeNull();
  });
});

function fail(id: string): never {
  throw new Error(`no job ${id}`);
}
