import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { acceptJob, acceptMessage } from '../../src/jobs/acceptance.ts';
import { archiveIdleJobs, jobRests } from '../../src/jobs/idle-jobs.ts';
import { unarchiveJob } from '../../src/jobs/stop.ts';
import { endTurn, openTurn } from '../../src/jobs/turn-life.ts';
import { listEvents } from '../../src/store/jobs/job-events.ts';
import { findJobById } from '../../src/store/jobs/jobs.ts';
import { projects } from '../../src/store/schema.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

const IDLE_MS = 30 * DAY_MS;

let database: TestDatabase;
let projectNo = 0;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => addProject());

async function addProject(settings: object = {}): Promise<void> {
  projectId = `p${(projectNo += 1)}`;
  await database.db
    .insert(projects)
    .values({ id: projectId, repository: '/tmp/nowhere', ref: 'main', model: 'builtin', settings });
}

/** A job whose turn ended this many days ago. */
async function restingJob(days: number, state: 'unchanged' | 'failed' = 'unchanged'): Promise<string> {
  const { db } = database;
  const { id } = await db.transaction((q) =>
    acceptJob(q, {
      projectId,
      prompt: 'Fix it',
      repositoryUrl: () => 'file:///tmp/nowhere',
      limitPerHour: 10_000,
      slots: MANY_SLOTS,
    }),
  );
  await db.transaction((q) => openTurn(q, id, 4, MANY_SLOTS));
  const error = state === 'failed' ? { code: 'internal', message: 'No.' } : null;
  await db.transaction((q) => endTurn(q, id, 1, { state, summary: null, error }));
  await makeOlder(id, days);
  return id;
}

async function makeOlder(id: string, days: number): Promise<void> {
  await database.pool.query(
    `UPDATE jobs SET created_at = created_at - make_interval(days => $2), updated_at = now() - make_interval(days => $2) WHERE id = $1`,
    [id, days],
  );
}

const statusOf = async (id: string) => (await findJobById(database.db, id))?.status;
const archive = () => archiveIdleJobs(database.db, IDLE_MS);

describe('jobs without new messages', () => {
  test("are archived after the installation's number of days, with events, whatever their outcome", async () => {
    const [old, failed, young] = [await restingJob(31), await restingJob(31, 'failed'), await restingJob(29)];
    expect(await archive()).toBe(2);
    expect(await Promise.all([old, failed, young].map(statusOf))).toEqual(['archived', 'archived', 'completed']);
    const events = await listEvents(database.db, old, { after: 0, limit: 100 });
    expect(events.at(-1)).toMatchObject({ type: 'archived', text: 'Archived after a long time without messages.' });
    expect(await findJobById(database.db, old)).toMatchObject({
      signalPending: true,
      statusBeforeArchive: 'completed',
    });
    expect(await archive()).toBe(0);
  });

  test("are archived after their own project's number of days", async () => {
    await addProject({ archiveAfterDays: 7 });
    const soon = await restingJob(8);
    await addProject({ archiveAfterDays: 365 });
    const late = await restingJob(40);
    expect(await archive()).toBe(1);
    expect([await statusOf(soon), await statusOf(late)]).toEqual(['archived', 'completed']);
  });

  test('stay after a message or an unarchive, however old they are', async () => {
    const [active, back] = [await restingJob(400), await restingJob(400)];
    await database.db.transaction((q) =>
      acceptMessage(q, { projectId, jobId: active, prompt: 'And now?', limitPerHour: 10_000, slots: MANY_SLOTS }),
    );
    await archive();
    await database.db.transaction((q) => unarchiveJob(q, projectId, back));
    expect(await archive()).toBe(0);
    expect([await statusOf(active), await statusOf(back)]).toEqual(['active', 'completed']);
    // Active without a message for long: it waits for a worker.
    await makeOlder(active, 400);
    expect(await archive()).toBe(0);
    expect([await jobRests(database.db, active), await jobRests(database.db, back)]).toEqual([false, true]);
  });

  test('are archived once each, however many workers do it, and a page after the other', async () => {
    const first = await restingJob(31);
    await database.pool.query(
      `INSERT INTO jobs (id, project_id, status, model, repository_url, base_ref, title, created_at, updated_at)
        SELECT 'many-' || i, project_id, status, model, repository_url, base_ref, title, created_at, updated_at
        FROM jobs, generate_series(1, 210) i WHERE id = $1`,
      [first],
    );
    const counts = await Promise.all([archive(), archive(), archive()]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(211);
    const { rows } = await database.pool.query(
      `SELECT count(*)::int AS n FROM job_events e JOIN jobs j ON j.id = e.job_id WHERE j.project_id = $1 AND type = 'archived'`,
      [projectId],
    );
    expect(rows[0].n).toBe(211);
  });
});
