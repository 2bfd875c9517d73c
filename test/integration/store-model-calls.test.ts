import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptJob } from '../../src/jobs/acceptance.ts';
import { findJobById } from '../../src/store/jobs/jobs.ts';
import { listCalls, releaseCalls, showProgress, usageByDay } from '../../src/store/jobs/model-calls.ts';
import { reserveCall } from '../../src/jobs/budgets.ts';
import { modelCalls, projects, type Budgets } from '../../src/store/schema.ts';
import { recordAnswer } from '../../src/store/jobs/steps.ts';
import { claimTurn } from '../../src/store/jobs/turn-fence.ts';
import { endTurn, openTurn } from '../../src/jobs/turn-life.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

let database: TestDatabase;
let projectId: string;
let projectNo = 0;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = `p${(projectNo += 1)}`;
  await database.db
    .insert(projects)
    .values({ id: projectId, repository: '/tmp/nowhere', ref: 'main', model: 'openai/x' });
});

async function newJob() {
  return database.db.transaction((tx) =>
    acceptJob(tx, {
      projectId,
      prompt: 'x',
      repositoryUrl: () => 'file:///tmp/x',
      limitPerHour: 99,
      slots: MANY_SLOTS,
    }),
  );
}

const at = (jobId: string, stepNo = 1) => ({ jobId, turnNo: 1, stepNo, projectId, model: 'openai/x' });
const usage = (inputTokens: number, costNanoUsd: number | null = inputTokens * 1_000) => ({
  inputTokens,
  cachedInputTokens: 0,
  outputTokens: 0,
  costNanoUsd,
});
const reserve = (jobId: string, expected: number, budgets: Budgets, step = 1) =>
  database.db.transaction((tx) => reserveCall(tx, at(jobId, step), usage(expected), budgets));
const record = (jobId: string, tokens: number, step = 1, cost?: number | null) =>
  database.db.transaction(async (tx) => {
    await openTurn(tx, jobId, 10, MANY_SLOTS);
    const claim = await claimTurn(tx, jobId, 1);
    const event = { type: 'answer' as const, text: 'Done.' };
    const answer = { at: at(jobId, step), entries: [], usage: usage(tokens, cost), activityMs: 0, event };
    await recordAnswer(tx, claim, answer);
  });

describe('the budget of a day', () => {
  test('lets one job use the rest, makes the others wait, and then refuses', async () => {
    const [a, b] = [await newJob(), await newJob()];
    const budgets = { dayTokens: 1_000 };
    await record(a.id, 900);
    expect(await reserve(a.id, 500, budgets, 2)).toEqual({ kind: 'go' });
    expect(await reserve(b.id, 500, budgets)).toEqual({ kind: 'wait' });
    // The same step again, after a crash: its own reservation does not block it.
    expect(await reserve(a.id, 500, budgets, 2)).toEqual({ kind: 'go' });
    await record(a.id, 50, 2);
    expect(await reserve(b.id, 500, budgets)).toEqual({ kind: 'go' });
    await record(b.id, 60);
    for (const job of [a, b]) {
      expect(await reserve(job.id, 1, budgets, 3)).toEqual({ kind: 'spent', budget: 'dayTokens', limit: 1_000 });
    }
  });

  test('holds for ten simultaneous jobs: one of them continues', async () => {
    const jobs = await Promise.all(Array.from({ length: 10 }, newJob));
    const verdicts = await Promise.all(jobs.map((job) => reserve(job.id, 2_000, { dayUsd: 0.001 })));
    expect(verdicts.filter(({ kind }) => kind === 'go')).toHaveLength(1);
    expect(verdicts.filter(({ kind }) => kind === 'wait')).toHaveLength(9);
  });

  test('starts fresh on the next day, and is separate for each project', async () => {
    const job = await newJob();
    await record(job.id, 5_000);
    expect((await reserve(job.id, 1, { dayTokens: 1_000 }, 2)).kind).toBe('spent');
    await database.db.update(modelCalls).set({ createdAt: sql`date_trunc('day', now(), 'UTC') - interval '1 second'` });
    expect((await reserve(job.id, 1, { dayTokens: 1_000 }, 2)).kind).toBe('go');
    projectId = `p${(projectNo += 1)}`;
    await database.db.insert(projects).values({ id: projectId, repository: '/tmp/x', ref: 'main', model: 'openai/x' });
    expect((await reserve((await newJob()).id, 1, { dayTokens: 1_000 })).kind).toBe('go');
  });

  test('is not held up forever by an answer that never came', async () => {
    const [a, b] = [await newJob(), await newJob()];
    const budgets = { dayTokens: 1_000 };
    await reserve(a.id, 5_000, budgets);
    expect((await reserve(b.id, 1, budgets)).kind).toBe('wait');
    await database.db.transaction((tx) => releaseCalls(tx, a.id));
    expect((await reserve(b.id, 5_000, budgets)).kind).toBe('go');
    await database.db.update(modelCalls).set({ createdAt: sql`now() - interval '30 minutes'` });
    expect((await reserve(a.id, 1, budgets)).kind).toBe('go');
  });

  test("releases a turn's reservation when it ends, and shows no progress", async () => {
    const job = await newJob();
    await database.db.transaction((tx) => openTurn(tx, job.id, 4, MANY_SLOTS));
    const late = await claimTurn(database.db, job.id, 1);
    const claim = await claimTurn(database.db, job.id, 1);
    await reserve(job.id, 5_000, { dayTokens: 1_000 });
    await showProgress(database.db, claim, 'Step 1: writing');
    await showProgress(database.db, late, 'Step 1: from the dead');
    expect((await findJobById(database.db, job.id))?.progress).toBe('Step 1: writing');
    await database.db.transaction((tx) => endTurn(tx, job.id, 1, { state: 'failed', summary: null, error: null }));
    expect((await findJobById(database.db, job.id))?.progress).toBeNull();
    await showProgress(database.db, claim, 'Step 1: too late');
    expect((await findJobById(database.db, job.id))?.progress).toBeNull();
    expect((await reserve((await newJob()).id, 1, { dayTokens: 1_000 })).kind).toBe('go');
  });
});

describe('usage', () => {
  test('adds up by step, job and day, and has no cost if a price is unknown', async () => {
    const [a, b] = [await newJob(), await newJob()];
    await record(a.id, 1_000);
    await record(a.id, 2_000, 2);
    await record(b.id, 500, 1, null);
    await reserve(b.id, 9_999, { dayTokens: 1_000_000 }, 2);
    expect(await findJobById(database.db, a.id)).toMatchObject({
      modelCalls: 2,
      inputTokens: 3_000,
      costNanoUsd: 3_000_000,
      unpricedCalls: 0,
    });
    expect(await findJobById(database.db, b.id)).toMatchObject({ modelCalls: 1, inputTokens: 500, unpricedCalls: 1 });
    expect((await listCalls(database.db, a.id)).map(({ stepNo, inputTokens }) => [stepNo, inputTokens])).toEqual([
      [1, 1_000],
      [2, 2_000],
    ]);
    expect((await listCalls(database.db, b.id)).map(({ stepNo }) => stepNo)).toEqual([1]);
    await database.db.execute(
      sql`UPDATE model_calls SET created_at = '2026-01-31T23:59:59.999Z' WHERE job_id = ${a.id} AND step_no = 1`,
    );
    await database.db.execute(
      sql`UPDATE model_calls SET created_at = '2026-02-01T00:00:00Z' WHERE job_id = ${a.id} AND step_no = 2`,
    );
    const days = await usageByDay(database.db, projectId, null, new Date('2026-03-01T00:00:00Z'));
    expect(days).toMatchObject([
      { day: '2026-01-31', jobs: 1, modelCalls: 1, inputTokens: 1_000, costNanoUsd: 1_000_000 },
      { day: '2026-02-01', jobs: 1, modelCalls: 1, inputTokens: 2_000 },
    ]);
    const february = await usageByDay(database.db, projectId, new Date('2026-02-01T00:00:00Z'), null);
    expect(february.map(({ day }) => day)[0]).toBe('2026-02-01');
    expect(february.at(-1)).toMatchObject({ modelCalls: 1, unpricedCalls: 1 });
  });
});
