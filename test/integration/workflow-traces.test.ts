import { randomBytes, randomUUID } from 'node:crypto';
import { defaultPayloadConverter } from '@temporalio/common';
import { Client, type WorkflowClientInterceptor, type WorkflowHandle } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/config.ts';
import { WAKE_SIGNAL, type EndedTurn, type TurnLimits, TRACE_HEADER } from '../../src/workflows/contract.ts';
import { workflowBundle } from '../support/caches.ts';
import { temporalOfRun } from '../support/temporal-of-run.ts';
import { replay, Worker } from '../support/temporal-worker.ts';

const temporal = temporalOfRun();
const job = { projectId: 'demo', status: 'active', title: 'It', prLink: null, branch: null, reason: null };
const archived = { kind: 'archived', job: { ...job, status: 'archived' } };
const turnOf = (turn: number) => ({ kind: 'turn', turn, step: 1, job });
const published = { kind: 'ended', result: { kind: 'published', commit: 'c', prLink: null }, ms: 1 };

const place = () => `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`;
const traceOf = (traceparent: string) => traceparent.slice(3, 35);

/** What workers of other builds, or anyone, may send as the header. */
function sendingAs(header: unknown): Client {
  const payload = defaultPayloadConverter.toPayload(header);
  const added = { [TRACE_HEADER]: payload };
  const interceptor: WorkflowClientInterceptor = {
    startWithDetails: (input, next) => next({ ...input, headers: added }),
    signal: (input, next) => next({ ...input, headers: added }),
  };
  const { connection, options } = temporal.client;
  return new Client({ connection, namespace: options.namespace, interceptors: { workflow: [interceptor] } });
}

type Activities = Record<string, (input: never) => unknown>;

/**
 * A job whose activities are scripted: where each of them belongs to, and its turns as they are reported.
 * @param begun the header of what starts it
 * @param script the activities that do something of their own; is given the job's handle
 */
async function traced(
  begun: unknown,
  script: (handle: () => WorkflowHandle) => Activities,
  limits: Partial<TurnLimits> = {},
) {
  const taskQueue = `test-${randomUUID()}`;
  const turns: EndedTurn[] = [];
  const activities: [string, unknown][] = [];
  let handle: WorkflowHandle | undefined;
  const scripted: Activities = {
    callModel: () => ({ toolCalls: 0, calls: '', ms: 1 }),
    runTools: () => ({ errors: 0, ms: 1 }),
    checkDocs: () => ({ told: false, problems: 0, ms: 1 }),
    publishTurn: () => published,
    endTurn: () => ({ ms: 1 }),
    readStopRequest: () => ({ cancel: false, archived: false, ms: 1 }),
    ...script(() => handle!),
  };
  const seen: ActivityInterceptorsFactory = ({ info }) => ({
    inbound: {
      execute(input, next) {
        const payload = input.headers[TRACE_HEADER];
        activities.push([info.activityType, payload && defaultPayloadConverter.fromPayload(payload)]);
        return next(input);
      },
    },
  });
  const allLimits = { ...loadConfig({}).limits, ...limits };
  const worker = await Worker.create({
    connection: temporal.native,
    taskQueue,
    workflowBundle: await workflowBundle(),
    interceptors: { activity: [seen] },
    sinks: {
      traces: { turnEnded: { fn: (_info, turn: EndedTurn) => void turns.push(turn), callDuringReplay: false } },
    },
    activities: Object.fromEntries(
      Object.entries(scripted).map(([name, run]) => [
        name,
        async (input: never) => {
          const answer = await run(input);
          return name === 'openTurn' ? { limits: allLimits, spentMs: 0, ...(answer as object) } : answer;
        },
      ]),
    ),
  });
  await worker.runUntil(async () => {
    handle = await sendingAs(begun).workflow.start('agentJob', {
      workflowId: `job-${randomUUID()}`,
      taskQueue,
      args: [{ jobId: 'j', searchAttributes: false }],
    });
    await handle.result();
  });
  const history = await handle!.fetchHistory();
  // Ids of spans are made of what a replay makes again.
  await replay(history);
  const at = (name: string) => activities.filter(([other]) => other === name).map(([, carrier]) => carrier);
  return { turns, at };
}

const signalAs = (handle: WorkflowHandle, traceparent: string) =>
  sendingAs({ traceparent }).workflow.getHandle(handle.workflowId).signal(WAKE_SIGNAL, { reason: 'message' });

test('a turn is a span below the request for its job, and its activities are below the turn', async () => {
  const begun = place();
  const opened = [turnOf(1), archived];
  const { turns, at } = await traced({ traceparent: begun }, () => ({ openTurn: () => opened.shift() }));
  expect(turns).toEqual([
    expect.objectContaining({ parent: begun, links: [], turn: 1, endedAt: expect.any(Number) as number }),
  ]);
  const [turn] = turns;
  expect(turn!.traceparent).toMatch(new RegExp(`^00-${traceOf(begun)}-[0-9a-f]{16}-01$`));
  expect(turn!.traceparent).not.toBe(begun);
  expect(turn!.endedAt).toBeGreaterThanOrEqual(turn!.startedAt);
  expect(at('callModel')).toEqual([{ traceparent: turn!.traceparent }]);
  expect(at('publishTurn')).toEqual([{ traceparent: turn!.traceparent }]);
  expect(at('openTurn')[0], 'before the turn').toEqual({ traceparent: begun });
});

test('a message that comes while a turn runs is a link of it, and the next turn belongs to that message', async () => {
  const [begun, came] = [place(), place()];
  const opened = [turnOf(1), turnOf(2), archived];
  const { turns } = await traced({ traceparent: begun }, (handle) => ({
    openTurn: () => opened.shift(),
    callModel: async ({ turn }: { turn: number }) => {
      // Told twice, as by the reconciler, it is one.
      if (turn === 1) for (let i = 0; i < 2; i += 1) await signalAs(handle(), came);
      return { toolCalls: 0, calls: '', ms: 1 };
    },
  }));
  expect(turns.map(({ turn, parent, links }) => [turn, parent, links])).toEqual([
    [1, begun, [came]],
    [2, came, []],
  ]);
});

test('an answered message is not linked after an idle phase', async () => {
  const [begun, answered, later] = [place(), place(), place()];
  const opened = [turnOf(1), { kind: 'idle', job }, turnOf(2), archived];
  const { turns } = await traced({ traceparent: begun }, (handle) => ({
    openTurn: () => {
      const [next] = opened.splice(0, 1);
      if (next?.kind === 'idle') setTimeout(() => void signalAs(handle(), later), 300);
      return next;
    },
    callModel: async ({ turn }: { turn: number }) => {
      if (turn === 1) await signalAs(handle(), answered);
      return { toolCalls: 0, calls: '', ms: 1 };
    },
  }));
  expect(turns.map(({ parent, links }) => [parent, links])).toEqual([
    [begun, [answered]],
    [later, []],
  ]);
});

test('messages that wait for a turn share it: the oldest one’s trace, with links to the others', async () => {
  const [begun, second] = [place(), place()];
  let looks = 0;
  const { turns } = await traced({ traceparent: begun }, (handle) => ({
    openTurn: async () => {
      looks += 1;
      if (looks > 1) return archived;
      await signalAs(handle(), second);
      return turnOf(1);
    },
  }));
  expect(turns.map(({ parent, links }) => [parent, links])).toEqual([[begun, [second]]]);
});

test('a turn that continues in another run keeps its trace', async () => {
  const begun = place();
  let looks = 0;
  const { turns } = await traced(
    { traceparent: begun },
    () => ({
      openTurn: () => ((looks += 1) < 3 ? { ...turnOf(1), step: looks * 10 } : archived),
      callModel: ({ step }: { step: number }) => ({ toolCalls: step < 15 ? 1 : 0, calls: 'edit', ms: 1 }),
    }),
    { historyEvents: 12 },
  );
  expect(turns.map(({ parent }) => parent)).toEqual([begun, begun]);
});

test.each([
  ['no object', 'x'],
  ['no traceparent', {}],
  ['a traceparent that is none', { traceparent: '00-x' }],
  ['a number', { traceparent: 7 }],
])('a header that holds %s harms no one', async (_what, header) => {
  const opened = [turnOf(1), archived];
  const { turns, at } = await traced(header, () => ({ openTurn: () => opened.shift() }));
  expect(turns).toEqual([]);
  expect(at('callModel')).toEqual([undefined]);
});
