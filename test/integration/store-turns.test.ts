import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acceptJob, acceptMessage } from '../../src/jobs/acceptance.ts';
import { archiveJob, oncePublished, requestCancel, unarchiveJob } from '../../src/jobs/stop.ts';
import type { Queryable } from '../../src/store/database.ts';
import { findJobById } from '../../src/store/jobs/jobs.ts';
import { addEvent, listEvents } from '../../src/store/jobs/job-events.ts';
import { changeOverlay, listOverlay } from '../../src/store/jobs/overlay.ts';
import { whilePublishing } from '../../src/jobs/publish-lease.ts';
import { jobs, projects, publishLeases, turns } from '../../src/store/schema.ts';
import { markWorkflowLost } from '../../src/jobs/workflow-lost.ts';
import { findPart, readTranscript } from '../../src/store/jobs/transcript.ts';
import { recordNow } from '../support/outcomes.ts';
import { claimTurn, updateClaimedTurn } from '../../src/store/jobs/turn-fence.ts';
import { endTurn, openTurn } from '../../src/jobs/turn-life.ts';
import { listTurnMessages, takeMessages } from '../../src/store/jobs/turns.ts';
import { until } from '../support/patience.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

let database: TestDatabase;
let projectNo = 0;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  projectId = `p${(projectNo += 1)}`;
  await database.db
    .insert(projects)
    .values({ id: projectId, repository: '/tmp/nowhere', ref: 'main', model: 'builtin' });
});

async function newJob(prompt = 'Fix broken links', limitPerHour = 100) {
  return database.db.transaction((q) =>
    acceptJob(q, {
      projectId,
      prompt,
      repositoryUrl: () => 'file:///tmp/nowhere',
      limitPerHour,
      slots: MANY_SLOTS,
    }),
  );
}

const say = (jobId: string, prompt: string, limitPerHour = 1_000) =>
  database.db.transaction((q) => acceptMessage(q, { projectId, jobId, prompt, limitPerHour, slots: MANY_SLOTS }));

async function runningTurn(jobId: string, messageLimit = 4) {
  const opened = await database.db.transaction((q) => openTurn(q, jobId, messageLimit, MANY_SLOTS));
  if (opened.kind !== 'turn') throw new Error(`no turn: ${opened.kind}`);
  return opened.turn;
}

describe('the end of a turn while an attempt writes', () => {
  const end = { state: 'unchanged', summary: null, error: null } as const;
  test.each<[string, (q: Queryable, jobId: string) => Promise<unknown>]>([
    ['an archive', (q, id) => archiveJob(q, projectId, id)],
    ['its own end', (q, id) => endTurn(q, id, 1, end)],
    ['a workflow that is lost', (q, id) => markWorkflowLost(q, id, new Date())],
  ])('waits for it, and neither is refused: %s', async (_what, stop) => {
    const { id } = await newJob();
    await runningTurn(id);
    const claim = await claimTurn(database.db, id, 1);
    let stopped: Promise<unknown> = Promise.resolve();
    await database.db.transaction(async (tx) => {
      await updateClaimedTurn(tx, claim, {});
      stopped = database.db.transaction((other) => stop(other, id));
      stopped.catch(() => {});
      await sleep(200);
      await addEvent(tx, { jobId: id, type: 'step', turnNo: 1, text: 'Read 3 pages.' });
    });
    await stopped;
    await expect(updateClaimedTurn(database.db, claim, {})).rejects.toMatchObject({
      retry: { code: 'TurnSuperseded' },
    });
    expect((await listEvents(database.db, id, { after: 0, limit: 10 })).map(({ text }) => text)).toContain(
      'Read 3 pages.',
    );
  });
});

describe('messages', () => {
  test('keeps the order of 200 messages, 50 accepted at the same time', async () => {
    const job = await newJob();
    for (let block = 0; block < 4; block += 1) {
      await Promise.all(Array.from({ length: 50 }, (_, i) => say(job.id, `message ${block}-${i}`)));
    }
    const turn = await runningTurn(job.id);
    const taken = await database.db.transaction((q) =>
      takeMessages(q, { jobId: job.id, turnNo: turn.no, stepNo: 1 }, 1_000),
    );
    expect(taken.map(({ no }) => no)).toEqual(Array.from({ length: 201 }, (_, i) => i + 1));
  });

  test('gives a repeated step the same messages, and a turn no more than its limit', async () => {
    const job = await newJob();
    for (let i = 0; i < 5; i += 1) await say(job.id, `m${i}`);
    const turn = await runningTurn(job.id);
    const take = (stepNo: number) =>
      database.db.transaction((q) => takeMessages(q, { jobId: job.id, turnNo: turn.no, stepNo }, 4));
    expect((await take(1)).map(({ no }) => no)).toEqual([1, 2, 3, 4]);
    expect((await take(1)).map(({ no }) => no)).toEqual([1, 2, 3, 4]);
    expect(await take(2)).toEqual([]);
    const ended = await database.db.transaction((q) =>
      endTurn(q, job.id, turn.no, { state: 'unchanged', summary: null, error: null }),
    );
    expect(ended).toMatchObject({ moreWaiting: true, job: { status: 'active' } });
  });

  test('refuses messages above the hourly limit with the time to wait, exactly also in parallel', async () => {
    const job = await newJob();
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => say(job.id, `m${i}`, 5)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
    const refused = results.find((result) => result.status === 'rejected');
    expect(refused?.reason).toMatchObject({ code: 'rate_limited' });
    expect(refused?.reason.retryAfterSeconds).toBeGreaterThan(3_500);
    await expect(newJob('second', 1)).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('answers 409 to a message for an archived job, and accepts it after unarchiving', async () => {
    const job = await newJob();
    await database.db.transaction((q) => archiveJob(q, projectId, job.id));
    await expect(say(job.id, 'late')).rejects.toMatchObject({ code: 'job_archived' });
    await database.db.transaction((q) => unarchiveJob(q, projectId, job.id));
    expect((await say(job.id, 'again')).status).toBe('active');
  });
});

describe('turns', () => {
  test('opens one turn for any number of requests, and no turn for an idle, archived or missing job', async () => {
    const job = await newJob();
    const [a, b] = await Promise.all([runningTurn(job.id), runningTurn(job.id)]);
    expect([a.no, b.no]).toEqual([1, 1]);
    await database.db.transaction((q) => takeMessages(q, { jobId: job.id, turnNo: 1, stepNo: 1 }, 10));
    await database.db.transaction((q) => endTurn(q, job.id, 1, { state: 'published', summary: 'Done', error: null }));
    expect((await database.db.transaction((q) => openTurn(q, job.id, 10, MANY_SLOTS))).kind).toBe('idle');
    await database.db.transaction((q) => archiveJob(q, projectId, job.id));
    expect((await database.db.transaction((q) => openTurn(q, job.id, 10, MANY_SLOTS))).kind).toBe('archived');
    expect((await database.db.transaction((q) => openTurn(q, 'nosuchjob', 10, MANY_SLOTS))).kind).toBe('gone');
  });

  test('refuses every write of an attempt that another one has overtaken', async () => {
    const job = await newJob();
    const { no } = await runningTurn(job.id);
    const late = await claimTurn(database.db, job.id, no);
    const current = await claimTurn(database.db, job.id, no);
    await expect(
      database.db.transaction(async (q) => {
        await changeOverlay(q, job.id, no, { written: [{ path: 'a.md', content: 'late', blobId: null }], dropped: [] });
        await updateClaimedTurn(q, late, {});
      }),
    ).rejects.toMatchObject({ retry: { code: 'TurnSuperseded' } });
    expect(await listOverlay(database.db, job.id)).toEqual([]);
    await expect(updateClaimedTurn(database.db, current, { steps: 1 })).resolves.toMatchObject({ steps: 1 });
    await expect(whilePublishing(database.db, late, new AbortController().signal, async () => 1)).rejects.toMatchObject(
      { retry: { code: 'TurnSuperseded' } },
    );
  });

  test('refuses a late attempt from before the database was restored, however often the turn was claimed since', async () => {
    const job = await newJob();
    const { no, fence } = await runningTurn(job.id);
    const late = await claimTurn(database.db, job.id, no);
    await database.db.update(turns).set({ fence }).where(eq(turns.jobId, job.id));
    for (let claims = 0; claims < 3; claims += 1) {
      await expect(updateClaimedTurn(database.db, late, {})).rejects.toMatchObject({
        retry: { code: 'TurnSuperseded' },
      });
      await claimTurn(database.db, job.id, no);
    }
    await expect(updateClaimedTurn(database.db, late, {})).rejects.toMatchObject({ retry: { code: 'TurnSuperseded' } });
  });

  test('leaves no job active without work', async () => {
    const job = await newJob();
    await runningTurn(job.id);
    const error = { code: 'limit_steps', message: 'Too many.' };
    await database.db.transaction((q) => endTurn(q, job.id, 1, { state: 'failed', summary: null, error }));
    await database.db.update(jobs).set({ status: 'active', errorCode: null }).where(eq(jobs.id, job.id));
    const opened = await database.db.transaction((q) => openTurn(q, job.id, 10, MANY_SLOTS));
    expect(opened).toMatchObject({ kind: 'idle', job: { status: 'failed', errorCode: 'limit_steps' } });
  });

  test('keeps the first recorded outcome of a step, with NUL and lone surrogates made storable', async () => {
    const job = await newJob();
    const { no } = await runningTurn(job.id);
    const row = { jobId: job.id, turnNo: no, stepNo: 1, part: 'model' as const };
    const first = await recordNow(database.db, { ...row, entries: [{ text: 'a\0b\ud800' }] });
    const second = await recordNow(database.db, { ...row, entries: [{ text: 'other' }] });
    expect(first).toEqual({ entries: [{ text: 'a\ufffdb\ufffd' }], first: true });
    expect(second).toEqual({ entries: [{ text: 'a\ufffdb\ufffd' }], first: false });
    expect(await findPart(database.db, job.id, no, 1, 'tools')).toBeNull();
    expect(await readTranscript(database.db, job.id)).toHaveLength(1);
  });

  test('ends once: a second outcome changes nothing', async () => {
    const job = await newJob();
    await runningTurn(job.id);
    await database.db.transaction((q) => takeMessages(q, { jobId: job.id, turnNo: 1, stepNo: 1 }, 10));
    const end = (state: 'failed' | 'published') =>
      database.db.transaction((q) =>
        endTurn(q, job.id, 1, {
          state,
          summary: null,
          error: state === 'failed' ? { code: 'limit_steps', message: 'Too many.' } : null,
        }),
      );
    expect((await end('failed')).job).toMatchObject({ status: 'failed', errorCode: 'limit_steps' });
    expect((await end('published')).job).toMatchObject({ status: 'failed', errorCode: 'limit_steps' });
  });

  test('forgets the work of a cancelled turn and keeps that of a failed one', async () => {
    for (const [state, kept] of [
      ['cancelled', 0],
      ['failed', 1],
    ] as const) {
      const job = await newJob();
      await runningTurn(job.id);
      await changeOverlay(database.db, job.id, 1, {
        written: [{ path: 'a.md', content: 'x', blobId: null }],
        dropped: [],
      });
      await database.db.transaction((q) => endTurn(q, job.id, 1, { state, summary: null, error: null }));
      expect(await listOverlay(database.db, job.id)).toHaveLength(kept);
    }
  });
});

describe('a request to stop', () => {
  test('cancels unstarted work immediately, and drops what waits behind a running turn', async () => {
    const unbegun = await newJob();
    const cancelled = await database.db.transaction((q) => requestCancel(q, projectId, unbegun.id));
    expect(cancelled.status).toBe('completed');
    await expect(database.db.transaction((q) => requestCancel(q, projectId, unbegun.id))).rejects.toMatchObject({
      code: 'job_not_active',
    });

    const job = await newJob();
    await runningTurn(job.id);
    await database.db.transaction((q) => takeMessages(q, { jobId: job.id, turnNo: 1, stepNo: 1 }, 10));
    await say(job.id, 'behind');
    const asked = await database.db.transaction((q) => requestCancel(q, projectId, job.id));
    expect(asked).toMatchObject({ status: 'active', signalPending: true });
    await say(job.id, 'after the cancel');
    const { job: ended, moreWaiting } = await database.db.transaction((q) =>
      endTurn(q, job.id, 1, { state: 'cancelled', summary: 'Cancelled.', error: null }),
    );
    expect([ended.status, moreWaiting]).toEqual(['active', true]);
    await runningTurn(job.id);
    const taken = await database.db.transaction((q) => takeMessages(q, { jobId: job.id, turnNo: 2, stepNo: 1 }, 10));
    expect(taken.map(({ prompt }) => prompt)).toEqual(['after the cancel']);
  });

  test('lets archiving wait for a push under way, and stops every later one', async () => {
    const job = await newJob();
    await runningTurn(job.id);
    const claim = await claimTurn(database.db, job.id, 1);
    const order: string[] = [];
    const pushed = Promise.withResolvers<void>();
    const push = whilePublishing(database.db, claim, new AbortController().signal, async () => {
      await pushed.promise;
      order.push('pushed');
    });
    await until('it has the lease', async () => (await database.db.select().from(publishLeases)).length === 1);
    // More than there are connections: none is held while they wait.
    const archives = Array.from({ length: 30 }, () =>
      oncePublished(() => database.db.transaction((q) => archiveJob(q, projectId, job.id))),
    );
    // Else this would get none before the archives have given up.
    for (let n = 0; n < 20; n += 1) await database.pool.query('SELECT 1');
    pushed.resolve();
    await Promise.all([push, ...archives.map((archived) => archived.then(() => order.push('archived')))]);
    expect(order[0]).toBe('pushed');
    await expect(claimTurn(database.db, job.id, 1)).rejects.toMatchObject({ retry: { code: 'TurnSuperseded' } });
    expect((await listTurnMessages(database.db, job.id, 1)).map(({ state }) => state)).toEqual(['dropped']);
  });

  test('archives a job whose worker died during a push, and ends a paused push', async () => {
    const job = await newJob();
    await runningTurn(job.id);
    const claim = await claimTurn(database.db, job.id, 1);
    const resumed = Promise.withResolvers<void>();
    const paused = whilePublishing(database.db, claim, new AbortController().signal, async (_, confirm) => {
      await resumed.promise;
      await confirm();
    });
    await until('it has the lease', async () => (await database.db.select().from(publishLeases)).length === 1);
    // As if no one had renewed it for long.
    await database.db.update(publishLeases).set({ until: new Date(Date.now() - 1_000) });
    const archived = await database.db.transaction((q) => archiveJob(q, projectId, job.id));
    expect(archived.status).toBe('archived');
    resumed.resolve();
    await expect(paused).rejects.toMatchObject({ retry: { code: 'TurnSuperseded' } });
    expect(await database.db.select().from(publishLeases)).toEqual([]);
  });

  test('lets one attempt push at a time: the next one waits until the lease is given back', async () => {
    const job = await newJob();
    await runningTurn(job.id);
    const order: string[] = [];
    const { signal } = new AbortController();
    const first = await claimTurn(database.db, job.id, 1);
    const running = whilePublishing(database.db, first, signal, async (_, confirm) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      order.push('first');
      await confirm();
    });
    await until('it has the lease', async () => (await database.db.select().from(publishLeases)).length === 1);
    const second = await claimTurn(database.db, job.id, 1);
    const next = whilePublishing(database.db, second, signal, async (_, confirm) => {
      await confirm();
      order.push('second');
    });
    await expect(running).rejects.toMatchObject({ retry: { code: 'TurnSuperseded' } });
    await next;
    expect(order).toEqual(['first', 'second']);
  });

  test('distinguishes a lost workflow from one that a later message has revived', async () => {
    const job = await newJob();
    await runningTurn(job.id);
    await database.db.transaction((q) => takeMessages(q, { jobId: job.id, turnNo: 1, stepNo: 1 }, 10));
    expect(await database.db.transaction((q) => markWorkflowLost(q, job.id, new Date()))).toBe(true);
    expect(await findJobById(database.db, job.id)).toMatchObject({ status: 'failed', errorCode: 'workflow_lost' });

    const revived = await newJob();
    await runningTurn(revived.id);
    await database.db.transaction((q) => takeMessages(q, { jobId: revived.id, turnNo: 1, stepNo: 1 }, 10));
    const closedAt = new Date();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await say(revived.id, 'go on');
    expect(await database.db.transaction((q) => markWorkflowLost(q, revived.id, closedAt))).toBe(false);
    expect(await findJobById(database.db, revived.id)).toMatchObject({ status: 'active', errorCode: null });
  });

  test('numbers events without gaps under concurrency', async () => {
    const job = await newJob();
    await Promise.all(Array.from({ length: 20 }, (_, i) => say(job.id, `m${i}`)));
    const events = await listEvents(database.db, job.id, { after: 0, limit: 100 });
    expect(events.map(({ no }) => no)).toEqual(Array.from({ length: 21 }, (_, i) => i + 1));
  });
});
