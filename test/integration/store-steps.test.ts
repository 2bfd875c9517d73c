import { array, assert, asyncProperty, boolean, constantFrom, option, record, uniqueArray } from 'fast-check';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TranscriptMemory } from '../../src/activities/step/transcript-memory.ts';
import { listEvents } from '../../src/store/jobs/job-events.ts';
import { acceptJob, acceptMessage } from '../../src/jobs/acceptance.ts';
import { findJobById } from '../../src/store/jobs/jobs.ts';
import { listCalls } from '../../src/store/jobs/model-calls.ts';
import { changeOverlay, listOverlay, overlayChanges, type StoredOverlayEntry } from '../../src/store/jobs/overlay.ts';
import { projects, transcript } from '../../src/store/schema.ts';
import { beginPart, recordAnswer, recordResults, type StepEvent } from '../../src/store/jobs/steps.ts';
import { findPart, readTranscript, recordCompaction } from '../../src/store/jobs/transcript.ts';
import { recordNow } from '../support/outcomes.ts';
import { assertAnswered, assertPublished } from '../../src/store/jobs/reached.ts';
import { claimTurn, updateClaimedTurn } from '../../src/store/jobs/turn-fence.ts';
import { endTurn, openTurn } from '../../src/jobs/turn-life.ts';
import { findTurn, takeMessages } from '../../src/store/jobs/turns.ts';
import { createTestDatabase, type TestDatabase } from '../support/stack.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await database.db.insert(projects).values({ id: 'acme', repository: '/tmp/nowhere', ref: 'main', model: 'builtin' });
});
afterAll(() => database.drop());

async function newJob(): Promise<string> {
  const job = {
    projectId: 'acme',
    prompt: 'Fix links',
    repositoryUrl: () => 'file:///tmp/x',
    limitPerHour: 100_000,
    slots: MANY_SLOTS,
  };
  const { id } = await database.db.transaction((tx) => acceptJob(tx, job));
  await database.db.transaction((tx) => openTurn(tx, id, 10, MANY_SLOTS));
  const claim = await claimTurn(database.db, id, 1);
  await updateClaimedTurn(database.db, claim, { branch: `docent/${id}`, baseCommit: 'c0', chainBaseCommit: 'c0' });
  return id;
}

const part = (jobId: string, stepNo: number, half: 'model' | 'tools' | 'note', entries: unknown[] = []) =>
  recordNow(database.db, { jobId, turnNo: 1, stepNo, part: half, entries });

/** The rows of the turn's first steps, up to this one. */
async function stepsDone(jobId: string, upTo: number): Promise<void> {
  for (let stepNo = 1; stepNo <= upTo; stepNo += 1) {
    await part(jobId, stepNo, 'model', [{ role: 'assistant', text: '', toolCalls: [{ id: 'a', name: 'list' }] }]);
    await part(jobId, stepNo, 'tools', [{ role: 'tool', results: [] }]);
  }
}

const begin = (jobId: string, stepNo: number, part: 'model' | 'tools' = 'model') =>
  beginPart(database.db, { jobId, turnNo: 1, stepNo, part });

async function begun(jobId: string, stepNo: number, part: 'model' | 'tools' = 'model') {
  const found = await begin(jobId, stepNo, part);
  if (found.recorded) throw new Error('recorded before');
  return found;
}

const READS: StepEvent = { type: 'step', text: 'read a.mdx', data: { step: 1, words: 'a\0b' } };

const answer = (jobId: string, stepNo: number, text: string, event: StepEvent = READS) => ({
  at: { jobId, turnNo: 1, stepNo, projectId: 'acme', model: 'builtin' },
  entries: [{ role: 'assistant', text }],
  usage: { inputTokens: 100, cachedInputTokens: 40, outputTokens: 10, costNanoUsd: null },
  activityMs: 12.4,
  event,
});

describe('half a step', () => {
  test('is taken over by each attempt, has its job and project, or returns the recorded outcome', async () => {
    const id = await newJob();
    const first = await begun(id, 1);
    expect(first).toMatchObject({ job: { id }, project: { id: 'acme' }, hasMessages: true, answer: null });
    const second = await begun(id, 1);
    expect(second.claim.fence).not.toBe(first.claim.fence);
    const { fence } = await claimTurn(database.db, id, 1);
    const held = { jobId: id, no: 1, fence };
    await recordAnswer(database.db, held, answer(id, 1, 'Read.'));
    expect(await begin(id, 1)).toEqual({ recorded: [{ role: 'assistant', text: 'Read.' }] });
    // Recorded outcomes can be read without holding the turn.
    expect((await findTurn(database.db, id, 1))?.fence).toBe(fence);
    expect(await begun(id, 1, 'tools')).toMatchObject({ answer: [{ role: 'assistant', text: 'Read.' }] });
  });

  test('sees waiting messages and those of earlier attempts, and none of other steps', async () => {
    const id = await newJob();
    const take = (stepNo: number) =>
      database.db.transaction((tx) => takeMessages(tx, { jobId: id, turnNo: 1, stepNo }, 10));
    await stepsDone(id, 2);
    await database.db.delete(transcript).where(and(eq(transcript.jobId, id), eq(transcript.stepNo, 2)));
    expect((await begun(id, 2)).hasMessages).toBe(false);
    const more = { projectId: 'acme', jobId: id, prompt: 'More', limitPerHour: 100_000, slots: MANY_SLOTS };
    await database.db.transaction((tx) => acceptMessage(tx, more));
    expect((await begun(id, 2)).hasMessages).toBe(true);
    await take(2);
    expect((await begun(id, 2)).hasMessages).toBe(true);
    await stepsDone(id, 2);
    expect((await begun(id, 3)).hasMessages).toBe(false);
  });

  test('does not begin if the rows are behind the workflow: the database was restored', async () => {
    const id = await newJob();
    const behind = expect.objectContaining({
      retry: expect.objectContaining({ code: 'TurnSuperseded' }),
      message: expect.stringContaining('was restored'),
    });
    const fence = async () => (await findTurn(database.db, id, 1))?.fence;
    const before = await fence();
    await expect(begin(id, 1, 'tools')).rejects.toEqual(behind);
    await expect(begin(id, 2)).rejects.toEqual(behind);
    await part(id, 1, 'model', [{ role: 'assistant', text: 'Done', toolCalls: [] }]);
    await expect(begin(id, 2)).rejects.toEqual(behind);
    await expect(begin(id, 2, 'tools')).rejects.toEqual(behind);
    // A slow process takes nothing from a faster one.
    expect(await fence()).toBe(before);
    await part(id, 1, 'note', [{ role: 'notice', text: 'Mend this.' }]);
    await begun(id, 2);
    await part(id, 2, 'model', [
      { role: 'assistant', text: '', toolCalls: [] },
      { role: 'notice', text: 'Your last answer was empty.' },
    ]);
    await begun(id, 3);

    const unlocated = await newJob();
    await updateClaimedTurn(database.db, await claimTurn(database.db, unlocated, 1), { baseCommit: null });
    await expect(begin(unlocated, 1)).rejects.toEqual(behind);
  });

  test('of which the answer is recorded may be checked, published and ended; so may one at a limit, without an answer', async () => {
    const id = await newJob();
    const at = (stepNo: number) => ({ jobId: id, turnNo: 1, stepNo });
    const may = (stepNo: number, answered: boolean) =>
      assertAnswered(database.db, at(stepNo), answered).then(
        () => true,
        (err: unknown) => (String(err).includes('was restored') ? false : Promise.reject(err)),
      );
    await stepsDone(id, 2);
    expect([await may(2, true), await may(3, true), await may(4, true)]).toEqual([true, false, false]);
    expect([await may(3, false), await may(4, false)]).toEqual([true, false]);

    const ends = (outcome: 'published' | 'unchanged') => assertPublished(database.db, at(2), outcome);
    await expect(ends('published')).rejects.toThrow('was restored');
    await ends('unchanged');
    await changeOverlay(database.db, id, 1, { written: [{ path: 'a', content: 'x', blobId: null }], dropped: [] });
    await expect(ends('unchanged')).rejects.toThrow('was restored');
    await updateClaimedTurn(database.db, await claimTurn(database.db, id, 1), { commit: 'c1' });
    await ends('published');
  });

  test('is not begun for a turn that has ended', async () => {
    const id = await newJob();
    await database.db.transaction((tx) => endTurn(tx, id, 1, { state: 'unchanged', summary: null, error: null }));
    await expect(begin(id, 1)).rejects.toMatchObject({ retry: { code: 'TurnSuperseded' } });
    await expect(begin('no-such-job', 1)).rejects.toMatchObject({ retry: { code: 'TurnSuperseded' } });
  });
});

describe('a recorded outcome', () => {
  test('of a late attempt changes nothing', async () => {
    const id = await newJob();
    const late = await begun(id, 1);
    await begun(id, 1);
    const everything = async () => ({
      job: await findJobById(database.db, id),
      turn: await findTurn(database.db, id, 1),
      rows: await readTranscript(database.db, id),
      calls: await listCalls(database.db, id),
      events: await listEvents(database.db, id, { after: 0, limit: 100 }),
    });
    const before = await everything();
    await expect(recordAnswer(database.db, late.claim, answer(id, 1, 'Late'))).rejects.toMatchObject({
      retry: expect.objectContaining({ code: 'TurnSuperseded' }),
    });
    const results = { stepNo: 1, entries: [], activityMs: 1, event: { type: 'tools' as const, text: 'Carried out.' } };
    await expect(recordResults(database.db, late.claim, results)).rejects.toMatchObject({
      retry: expect.objectContaining({ code: 'TurnSuperseded' }),
    });
    expect(await everything()).toEqual(before);
  });

  test('counts once, with its usage and its event', async () => {
    const id = await newJob();
    const { claim } = await begun(id, 1);
    expect(await recordAnswer(database.db, claim, answer(id, 1, 'a\0b'))).toEqual({
      entries: [{ role: 'assistant', text: 'a\uFFFDb' }],
      first: true,
    });
    const again = await recordAnswer(database.db, claim, answer(id, 1, 'other'));
    expect(again).toEqual({ entries: [{ role: 'assistant', text: 'a\uFFFDb' }], first: false });
    await recordAnswer(database.db, claim, answer(id, 2, 'done', { type: 'answer', text: 'done' }));
    expect(await findJobById(database.db, id)).toMatchObject({
      modelCalls: 2,
      inputTokens: 200,
      cachedInputTokens: 80,
      outputTokens: 20,
      unpricedCalls: 2,
    });
    expect(await findTurn(database.db, id, 1)).toMatchObject({ steps: 2, activityMs: 36 });
    const events = await listEvents(database.db, id, { after: 0, limit: 100 });
    expect(events.map(({ no }) => no)).toEqual(events.map((_, i) => i + 1));
    expect(events.filter(({ type }) => type === 'step').map(({ text }) => text)).toEqual(['read a.mdx']);
    expect(events.find(({ type }) => type === 'step')?.data).toEqual({ step: 1, words: 'a\uFFFDb' });
  });

  test('of tools count once, with their line of the story in the same statement', async () => {
    const id = await newJob();
    await stepsDone(id, 0);
    const { claim } = await begun(id, 1);
    await recordAnswer(database.db, claim, answer(id, 1, 'a'));
    const tools = await begun(id, 1, 'tools');
    const event = { type: 'tools' as const, text: 'Carried out 1 call.', data: { step: 1, results: [] } };
    const results = { stepNo: 1, entries: [{ role: 'tool', results: [] }], activityMs: 1, event };
    expect(await recordResults(database.db, tools.claim, results)).toMatchObject({ first: true });
    expect(await recordResults(database.db, tools.claim, results)).toMatchObject({ first: false });
    const events = await listEvents(database.db, id, { after: 0, limit: 100 });
    expect(events.map(({ no }) => no)).toEqual(events.map((_, i) => i + 1));
    expect(events.filter(({ type }) => type === 'tools')).toMatchObject([
      { turnNo: 1, text: event.text, data: event.data },
    ]);
  });
});

describe('changed files', () => {
  test("match the last step's in the end", async () => {
    const content = option(constantFrom('x', 'y'), { nil: null });
    const entry = record({ path: constantFrom('a', 'b', 'c', 'd'), content, blobId: constantFrom(null, '1') });
    const overlay = uniqueArray(entry, { selector: ({ path }) => path });
    await assert(
      asyncProperty(array(overlay, { minLength: 1, maxLength: 4 }), async (states) => {
        const id = await newJob();
        for (const after of states) {
          const changes = overlayChanges(await listOverlay(database.db, id), after);
          if (changes) await changeOverlay(database.db, id, 1, changes);
          const sorted = after.toSorted((a, b) => (a.path < b.path ? -1 : 1)) satisfies StoredOverlayEntry[];
          expect(await listOverlay(database.db, id)).toEqual(sorted);
        }
      }),
      { numRuns: 15 },
    );
  });
});

/** By a reader that remembers nothing. */
const readAnew = (jobId: string) => new TranscriptMemory().read(database.db, jobId);
const said = (text: string) => ({ role: 'assistant', text, toolCalls: [] });

describe('a remembered transcript', () => {
  test("equals the database's, whichever worker did the steps", async () => {
    const worker = constantFrom(0, 1);
    const step = record({ worker, compacts: boolean(), tools: boolean(), reads: array(worker) });
    await assert(
      asyncProperty(array(step, { maxLength: 8 }), async (steps) => {
        // One worker has room for next to nothing.
        const memories = [new TranscriptMemory(), new TranscriptMemory(30)];
        const jobs = [await newJob(), await newJob()];
        for (const [i, { compacts, tools, reads, ...by }] of steps.entries()) {
          for (const jobId of jobs) {
            const at = { jobId, turnNo: 1, stepNo: i + 1 };
            for (const reader of [by.worker, ...reads]) {
              expect(await memories[reader]?.read(database.db, jobId)).toEqual(await readAnew(jobId));
              // A later decision for the same step takes the place of an earlier one.
              if (compacts) {
                await recordCompaction(database.db, at, { role: 'compaction', turn: reader, step: i, form: 'trimmed' });
              }
            }
            await recordNow(database.db, { ...at, part: 'model', entries: [said(`${i}`)] });
            if (tools) await recordNow(database.db, { ...at, part: 'tools', entries: [{ role: 'tool', results: [] }] });
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is read again if the database differs from the cache', async () => {
    const id = await newJob();
    const memory = new TranscriptMemory();
    for (const stepNo of [1, 2, 3]) {
      await recordNow(database.db, { jobId: id, turnNo: 1, stepNo, part: 'model', entries: [said(`${stepNo}`)] });
    }
    expect(await memory.read(database.db, id)).toHaveLength(3);
    await database.pool.query('DELETE FROM transcript WHERE job_id = $1 AND step_no = 1', [id]);
    expect(await memory.read(database.db, id)).toEqual(await readAnew(id));
    // As many as before, but others: the database was restored, and the job has gone on from there.
    await database.pool.query('DELETE FROM transcript WHERE job_id = $1 AND step_no > 2', [id]);
    const again = (stepNo: number, word: string) => part(id, stepNo, 'model', [said(word)]);
    await again(3, 'before');
    await again(4, 'before');
    await memory.read(database.db, id);
    await database.pool.query('DELETE FROM transcript WHERE job_id = $1 AND step_no > 2', [id]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await again(3, 'after');
    await again(4, 'after');
    expect(await memory.read(database.db, id)).toEqual(await readAnew(id));
    await database.db.delete(transcript);
    expect(await memory.read(database.db, id)).toEqual([]);
    expect(await findPart(database.db, id, 1, 1, 'model')).toBeNull();
  });
});
