import { randomUUID } from 'node:crypto';
import { ApplicationFailure, Context } from '@temporalio/activity';
import { WorkflowFailedError, type WorkflowHandle } from '@temporalio/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TurnActivities } from '../../src/activities/turn-activities.ts';
import { loadConfig } from '../../src/config/config.ts';
import { workflowBundle } from '../support/caches.ts';
import { saveHistories } from '../support/histories.ts';
import { until } from '../support/patience.ts';
import { temporalOfRun } from '../support/temporal-of-run.ts';
import { Worker } from '../support/temporal-worker.ts';
import { WAKE_SIGNAL, SEARCH_ATTRIBUTES, type TurnLimits } from '../../src/workflows/contract.ts';

/** The workflow alone: its activities are scripted here, everything else is real. */
type Script = { [Name in keyof TurnActivities]: (input: never) => unknown };

const temporal = temporalOfRun();

const job = { projectId: 'demo', status: 'active', title: 'Fix *it*', prLink: null, branch: null, reason: null };

/** A job of one message that needs `steps` steps; what is called is written down. */
function script(calls: string[], changes: Partial<Script> = {}): Script {
  let waiting = 1;
  return {
    openTurn: async () =>
      waiting-- > 0
        ? { kind: 'turn', turn: 1, step: 1, job }
        : { kind: 'archived', job: { ...job, status: 'archived' } },
    callModel: async ({ step }: { step: number }) => ({ toolCalls: step < 3 ? 1 : 0, calls: 'edit a.mdx', ms: 1 }),
    runTools: async () => ({ errors: 0, ms: 1 }),
    checkDocs: async () => ({ told: false, problems: 0, ms: 1 }),
    publishTurn: publishing(calls),
    endTurn: async ({ outcome, error }: { outcome: string; error?: { code: string } }) => {
      calls.push(`end:${outcome}${error ? `:${error.code}` : ''}`);
      return { ms: 1 };
    },
    readStopRequest: async () => ({ cancel: false, archived: false, ms: 1 }),
    checkRest: async () => ({ rests: true }),
    ...changes,
  };
}

/**
 * Like the real one: publishes and ends the turn.
 * @param conflicts how often others have changed the same files before
 */
function publishing(calls: string[], { kind = 'published', conflicts = 0, next }: Publishing = {}) {
  let left = conflicts;
  return async ({ limit }: { limit: { code: string } | null }) => {
    if (left-- > 0) return { kind: 'conflict', files: ['a.mdx'], ms: 1 };
    calls.push(`end:${kind}${limit ? `:${limit.code}` : ''}`);
    return { kind: 'ended', result: { kind }, ms: 1, ...(next && { next: next() }) };
  };
}

interface Publishing {
  kind?: string;
  conflicts?: number;
  next?: () => unknown;
}

type Activity = (input: { step?: number }) => Promise<unknown>;

function recorded(scripted: Script, calls: string[], limits: TurnLimits): Record<string, Activity> {
  const activity =
    (name: string, run: (input: never) => unknown): Activity =>
    async (input) => {
      if (name !== 'endTurn') calls.push(input.step ? `${name}:${input.step}` : name);
      const answer = await run(input as never);
      return name === 'openTurn' ? { limits, spentMs: 0, ...(answer as object) } : answer;
    };
  return Object.fromEntries(Object.entries(scripted).map(([name, run]) => [name, activity(name, run)]));
}

/** Of each job of this file, what its activities do. */
const scripts = new Map<string, Record<string, Activity>>();
const taskQueue = `test-${randomUUID()}`;
let stop: () => Promise<void>;

beforeAll(async () => {
  const worker = await Worker.create({
    connection: temporal.native,
    taskQueue,
    workflowBundle: await workflowBundle(),
    activities: Object.fromEntries(
      Object.keys(script([])).map((name) => [
        name,
        (input: object) => scripts.get(Context.current().info.workflowExecution!.workflowId)![name]!(input),
      ]),
    ),
    maxHeartbeatThrottleInterval: 100,
    defaultHeartbeatThrottleInterval: 100,
  });
  const running = worker.run();
  stop = () => (worker.shutdown(), running);
});
afterAll(() => stop());

async function withJob(
  scripted: Script,
  calls: string[],
  limits: Partial<TurnLimits>,
  drive: (handle: WorkflowHandle) => Promise<void>,
): Promise<void> {
  const workflowId = `job-${randomUUID()}`;
  scripts.set(workflowId, recorded(scripted, calls, { ...loadConfig({}).limits, ...limits }));
  const args = [{ jobId: 'j', searchAttributes: true }];
  const handle = await temporal.client.workflow.start('agentJob', { workflowId, taskQueue, args });
  await drive(handle);
  await saveHistories(temporal.client, workflowId, expect.getState().currentTestName ?? '');
}

const finished = async (handle: WorkflowHandle) => {
  await handle.result();
};

type Limit = { code: string; message: string };

/** Does as the real one: the record of the last words has the limit. */
const answers = async ({ limit }: { limit?: Limit }) =>
  limit ? { toolCalls: 0, calls: '', ms: 1, limit } : { toolCalls: 1, calls: 'edit a.mdx', ms: 1 };
const afterLimit = (calls: string[]) => calls.slice(calls.lastIndexOf('runTools:2') + 1, -1).join(' ');

/** What an operator sees of a job whose workflow ended so. */
const shown = async (opened: object) => {
  let seen = { status: '', details: '' };
  await withJob(script([], { openTurn: async () => opened }), [], {}, async (handle) => {
    await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const { typedSearchAttributes } = await handle.describe();
    const all = typedSearchAttributes.getAll();
    const status = String(all.find(({ key }) => key.name === SEARCH_ATTRIBUTES.status)?.value);
    seen = { status, details: currentDetails };
  });
  return seen;
};

describe('a turn', () => {
  test('asks, acts, checks, publishes and records, in this order', async () => {
    const calls: string[] = [];
    await withJob(script(calls), calls, {}, async (handle) => {
      await handle.result();
      const { typedSearchAttributes } = await handle.describe();
      expect(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value])).toContainEqual([
        SEARCH_ATTRIBUTES.status,
        'archived',
      ]);
    });
    expect(calls).toEqual(
      'openTurn callModel:1 runTools:1 callModel:2 runTools:2 callModel:3 checkDocs:3 publishTurn:3 end:published openTurn'.split(
        ' ',
      ),
    );
  });

  test('that ended is shown in the Web UI as it ended: failed with the reason, cancelled, or deleted with its project', async () => {
    const ended = (more: object) => shown({ kind: 'archived', job: { ...job, ...more } });
    const failed = await ended({ status: 'failed', reason: 'push_refused: The branch [x](y) is protected.' });
    expect(failed.status).toBe('failed');
    expect(failed.details).toContain(
      '- Reason: push\\_refused: The branch \\[x\\](y) is protected.'.replace('(y)', '\\(y\\)'),
    );
    expect(await ended({ status: 'cancelled' })).toMatchObject({
      status: 'cancelled',
      details: expect.stringContaining('**cancelled**'),
    });
    const gone = await shown({ kind: 'gone', why: 'Its project was deleted.' });
    expect(gone).toEqual({ status: 'deleted', details: '**deleted** – Its project was deleted.' });
  });

  test('goes back to the agent with problems and with conflicts', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      callModel: async () => ({ toolCalls: 0, calls: '', ms: 1 }),
      checkDocs: async ({ step, mayTell }: { step: number; mayTell: boolean }) => ({
        told: mayTell && step === 1,
        problems: 1,
        ms: 1,
      }),
      publishTurn: publishing(calls, { conflicts: 1 }),
    });
    await withJob(scripted, calls, {}, finished);
    expect(calls.filter((call) => /checkDocs|publish|end/.test(call))).toEqual(
      'checkDocs:1 checkDocs:2 publishTurn:2 checkDocs:3 publishTurn:3 end:published'.split(' '),
    );
  });

  test('reports problems of the docs checks to the agent in at most three rounds', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      callModel: async () => ({ toolCalls: 0, calls: '', ms: 1 }),
      checkDocs: async ({ mayTell }: { mayTell: boolean }) => ({ told: mayTell, problems: 1, ms: 1 }),
    });
    await withJob(scripted, calls, { checkRounds: 3 }, finished);
    expect(calls.slice(-4).join(' ')).toBe('checkDocs:4 publishTurn:4 end:published openTurn');
  });

  test.each([
    [
      'lost pushes',
      { publishRounds: 1 },
      { publishTurn: async () => ({ kind: 'conflict', files: ['a.mdx'], ms: 1 }) },
      'conflict_unresolved',
    ],
    [
      'a final error',
      {},
      {
        callModel: async () => {
          throw ApplicationFailure.nonRetryable('There is no repository at /x.', 'repository_missing');
        },
      },
      'repository_missing',
    ],
  ] as const)('ends failed, with a code, at the limit of %s', async (_name, limits, changes, code) => {
    const calls: string[] = [];
    await withJob(script(calls, changes), calls, limits, finished);
    expect(calls.filter((call) => call.startsWith('end'))).toEqual([`end:failed:${code}`]);
  });

  test.each([
    ['steps', { steps: 2 }, {}, 'limit_steps'],
    [
      'time',
      { activityMs: 10 },
      { runTools: async ({ step }: { step: number }) => ({ errors: 0, ms: step === 2 ? 11 : 0 }) },
      'limit_time',
    ],
  ] as const)(
    'has the agent sum up and publishes what it did, at the limit of %s',
    async (_name, limits, changes, code) => {
      const calls: string[] = [];
      const scripted = script(calls, {
        callModel: answers,
        checkDocs: async ({ mayTell }: { mayTell: boolean }) => ({ told: mayTell, problems: 1, ms: 1 }),
        ...(changes as Partial<Script>),
      });
      await withJob(scripted, calls, limits, finished);
      expect(afterLimit(calls)).toBe(`callModel:3 checkDocs:3 publishTurn:3 end:published:${code}`);
    },
  );

  test('ends in the same way if the agent was stopped because it repeated itself', async () => {
    const calls: string[] = [];
    const limit = { code: 'limit_repeated_calls', message: 'Five times the same.' };
    const callModel = async ({ step }: { step: number }) => answers(step === 3 ? { limit } : {});
    await withJob(script(calls, { callModel }), calls, {}, finished);
    expect(afterLimit(calls)).toBe('callModel:3 checkDocs:3 publishTurn:3 end:published:limit_repeated_calls');
  });

  test('publishes finished work even if the model cannot be asked for closing words', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      callModel: async ({ limit }: { limit?: Limit }) => {
        if (limit) throw ApplicationFailure.nonRetryable('The model is gone.', 'model_unavailable');
        return answers({});
      },
      publishTurn: async (input: { limit: Limit; answered: boolean }) => {
        expect(input).toMatchObject({ answered: false, limit: { message: 'The agent reached the limit of 2 steps.' } });
        return publishing(calls)(input);
      },
    });
    await withJob(scripted, calls, { steps: 2 }, finished);
    expect(afterLimit(calls)).toBe('callModel:3 checkDocs:3 publishTurn:3 end:published:limit_steps');
  });

  test('applies remaining work to a moved tip when it ends at a limit', async () => {
    const calls: string[] = [];
    const publishTurn = publishing(calls, { conflicts: 1 });
    await withJob(script(calls, { callModel: answers, publishTurn }), calls, { steps: 2 }, finished);
    expect(afterLimit(calls)).toBe(
      'callModel:3 checkDocs:3 publishTurn:3 checkDocs:4 publishTurn:4 end:published:limit_steps',
    );
  });

  test('counts the time of earlier runs', async () => {
    const calls: string[] = [];
    let waiting = 1;
    const openTurn = async () =>
      waiting-- > 0
        ? { kind: 'turn', turn: 1, step: 1, job, spentMs: 5_000 }
        : { kind: 'archived', job: { ...job, status: 'archived' } };
    await withJob(script(calls, { openTurn, callModel: answers }), calls, { activityMs: 4_000 }, finished);
    expect(calls).toContain('end:published:limit_time');
    expect(calls.filter((call) => call.startsWith('callModel'))).toEqual(['callModel:1']);
  });

  test('leaves a turn alone that someone else has ended', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      callModel: async () => {
        throw ApplicationFailure.nonRetryable('over', 'TurnSuperseded');
      },
    });
    await withJob(scripted, calls, {}, finished);
    expect(calls.filter((call) => call.startsWith('end'))).toEqual([]);
  });
});

/** A model that thinks until it is cancelled. */
const thinking = async () => {
  for (;;) {
    Context.current().heartbeat();
    await Context.current().sleep(50);
  }
};

const untilCalled = (calls: string[], call: string) => until(`${call} is called`, () => calls.includes(call));

describe('a request to stop', () => {
  test.each([
    ['cancel', { cancel: true, archived: false }, ['end:cancelled']],
    ['archive', { cancel: false, archived: true }, []],
  ] as const)('%s ends a running turn within seconds, and nothing is pushed', async (reason, found, ends) => {
    const calls: string[] = [];
    const scripted = script(calls, { callModel: thinking, readStopRequest: async () => ({ ...found, ms: 1 }) });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'callModel:1');
      await handle.signal(WAKE_SIGNAL, { reason });
      const startedAt = Date.now();
      await handle.result();
      expect(Date.now() - startedAt).toBeLessThan(5_000);
    });
    expect(calls.filter((call) => call.startsWith('end'))).toEqual(ends);
    expect(calls.some((call) => call.startsWith('publish'))).toBe(false);
  });

  test('finishes a publication that has begun, whatever is asked in the meantime', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      callModel: async () => ({ toolCalls: 0, calls: '', ms: 1 }),
      publishTurn: async (input: { limit: null }) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return publishing(calls)(input);
      },
      readStopRequest: async () => ({ cancel: true, archived: false, ms: 1 }),
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'publishTurn:1');
      await handle.signal(WAKE_SIGNAL, { reason: 'cancel' });
      await handle.result();
    });
    expect(calls.filter((call) => call.startsWith('end'))).toEqual(['end:published']);
  });

  test('treats forged and malformed signals as a reason to read the rows', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      callModel: async ({ step }: { step: number }) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return { toolCalls: step < 2 ? 1 : 0, calls: 'x'.repeat(5_000), ms: 1 };
      },
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'callModel:1');
      for (const payload of [
        undefined,
        null,
        7,
        { reason: { deep: [] } },
        { reason: 'archive', preview: 'x'.repeat(10_000) },
      ]) {
        await handle.signal(WAKE_SIGNAL, payload);
      }
      await handle.result();
    });
    expect(calls).toContain('readStopRequest');
    expect(calls.filter((call) => call.startsWith('end'))).toEqual(['end:published']);
  });

  test('records the job as lost when the workflow itself is cancelled', async () => {
    const calls: string[] = [];
    await withJob(script(calls, { callModel: thinking }), calls, {}, async (handle) => {
      await untilCalled(calls, 'callModel:1');
      await handle.cancel();
      await expect(handle.result()).rejects.toBeInstanceOf(WorkflowFailedError);
    });
    expect(calls.filter((call) => call.startsWith('end'))).toEqual(['end:failed:workflow_lost']);
  });

  test('hands a message that comes between the failure of a cancelled workflow and its end to another run', async () => {
    const calls: string[] = [];
    let turn = 0;
    const hasFailed = () => calls.includes('end:failed:workflow_lost');
    const { endTurn } = script(calls);
    const scripted = script(calls, {
      openTurn: async () =>
        (turn += 1) <= 2
          ? { kind: 'turn', turn, step: 1, job }
          : { kind: 'archived', job: { ...job, status: 'archived' } },
      callModel: async () => (hasFailed() ? { toolCalls: 0, calls: '', ms: 1 } : thinking()),
      endTurn: async (input) => {
        const ended = await endTurn(input);
        // The job has failed in its rows, and its user answers to that at once.
        const { workflowId } = Context.current().info.workflowExecution!;
        if (turn === 1) await temporal.client.workflow.getHandle(workflowId).signal(WAKE_SIGNAL, { reason: 'message' });
        return ended;
      },
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'callModel:1');
      await handle.cancel();
      await handle.result();
    });
    expect(calls.filter((call) => call.startsWith('end'))).toEqual(['end:failed:workflow_lost', 'end:published']);
  });
});

describe('the end of a turn that was published', () => {
  test('opens the next one', async () => {
    const calls: string[] = [];
    let turn = 1;
    const next = () =>
      (turn += 1) <= 2
        ? { kind: 'turn', turn, step: 1, job, spentMs: 0, limits: loadConfig({}).limits }
        : { kind: 'archived', job: { ...job, status: 'archived' } };
    await withJob(script(calls, { publishTurn: publishing(calls, { next }) }), calls, {}, finished);
    const once =
      'callModel:1 runTools:1 callModel:2 runTools:2 callModel:3 checkDocs:3 publishTurn:3 end:published'.split(' ');
    expect(calls).toEqual(['openTurn', ...once, ...once]);
  });

  test('hears a message that comes while it is published and ended', async () => {
    const calls: string[] = [];
    let looks = 0;
    const idle = { kind: 'idle', job: { ...job, status: 'completed' }, limits: loadConfig({}).limits };
    const scripted = script(calls, {
      openTurn: async () =>
        (looks += 1) === 1
          ? { kind: 'turn', turn: 1, step: 3, job }
          : { kind: 'archived', job: { ...job, status: 'archived' } },
      publishTurn: async (input: { limit: null }) => {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return publishing(calls, { next: () => idle })(input);
      },
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'publishTurn:3');
      await handle.signal(WAKE_SIGNAL, { reason: 'message' });
      await handle.result();
    });
    // Not after a minute of rest.
    expect(calls.filter((call) => call === 'openTurn')).toHaveLength(2);
    expect(calls).not.toContain('checkRest');
  });
});

describe('a job that waits for a place', () => {
  test('has no run', async () => {
    const calls: string[] = [];
    await withJob(script(calls, { openTurn: async () => ({ kind: 'queued', job }) }), calls, {}, finished);
    expect(calls).toEqual(['openTurn']);
  });

  test('reads its rows again if it gets one while its run is about to end', async () => {
    const calls: string[] = [];
    let isFree = false;
    const looked = Promise.withResolvers<void>();
    const scripted = script(calls, {
      openTurn: async () => {
        if (isFree) return { kind: 'archived', job: { ...job, status: 'archived' } };
        // The slot becomes free after the rows were read, and before the run ends.
        await looked.promise;
        return { kind: 'queued', job };
      },
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'openTurn');
      isFree = true;
      await handle.signal(WAKE_SIGNAL, { reason: 'place' });
      looked.resolve();
      await handle.result();
    });
    expect(calls).toEqual(['openTurn', 'openTurn']);
  });

  test('does not read them if the signal comes late, while a turn runs', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      callModel: async () => {
        await new Promise((r) => setTimeout(r, 300));
        return { toolCalls: 0, calls: '', ms: 1 };
      },
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'callModel:1');
      await handle.signal(WAKE_SIGNAL, { reason: 'place' });
      await handle.result();
    });
    expect(calls.filter((call) => call === 'openTurn')).toHaveLength(2);
    expect(calls).not.toContain('readStopRequest');
  });
});

/** A job at rest, whose runs wait this long. */
const resting = {
  kind: 'idle',
  job: { ...job, status: 'completed' },
  limits: { ...loadConfig({}).limits, restMs: 300 },
};

describe('rest', () => {
  test('ends the run when nothing has waited for a while', async () => {
    const calls: string[] = [];
    const scripted = script(calls, {
      openTurn: async () => resting,
      checkRest: async () => ({ rests: true }),
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await handle.result();
      const { status, typedSearchAttributes } = await handle.describe();
      expect(status.name).toBe('COMPLETED');
      const all = typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]);
      expect(all).toContainEqual([SEARCH_ATTRIBUTES.status, 'completed']);
    });
    expect(calls).toEqual(['openTurn', 'checkRest']);
  });

  test('continues if the last read finds work', async () => {
    const calls: string[] = [];
    const looks = [{ rests: false }, { rests: true }];
    const scripted = script(calls, { openTurn: async () => resting, checkRest: async () => looks.shift() });
    await withJob(scripted, calls, {}, finished);
    expect(calls).toEqual(['openTurn', 'checkRest', 'openTurn', 'checkRest']);
  });

  test('receives a message that arrives during the last read', async () => {
    const calls: string[] = [];
    let looks = 0;
    const scripted = script(calls, {
      openTurn: async () =>
        calls.includes('end:published') || calls.length < 2 ? resting : { kind: 'turn', turn: 1, step: 3, job },
      checkRest: async () => {
        if ((looks += 1) === 1) await new Promise((resolve) => setTimeout(resolve, 500));
        return { rests: true };
      },
    });
    await withJob(scripted, calls, {}, async (handle) => {
      await untilCalled(calls, 'checkRest');
      await handle.signal(WAKE_SIGNAL, { reason: 'message' });
      await handle.result();
    });
    expect(calls.filter((call) => call === 'end:published')).toHaveLength(1);
  });

  test('waits for a signal across continue-as-new, and ends without one', async () => {
    const calls: string[] = [];
    let waiting = 0;
    let step = 1;
    const scripted = script(calls, {
      callModel: async (input: { step: number }) => {
        step = input.step;
        return { toolCalls: step < 3 ? 1 : 0, calls: 'edit', ms: 1 };
      },
      publishTurn: async () => {
        waiting -= 1;
        step = 1;
        calls.push('end:published');
        return { kind: 'ended', result: { kind: 'published' }, ms: 1 };
      },
      openTurn: async () =>
        waiting > 0 ? { kind: 'turn', turn: 1, step, job } : { kind: 'idle', job: { ...job, status: 'completed' } },
    });
    await withJob(scripted, calls, { historyEvents: 20, restMs: 2_000 }, async (handle) => {
      await untilCalled(calls, 'openTurn');
      for (let round = 0; round < 3; round += 1) {
        waiting += 1;
        await handle.signal(WAKE_SIGNAL, { reason: 'message' });
        while (calls.filter((call) => call === 'end:published').length <= round)
          await new Promise((r) => setTimeout(r, 20));
      }
      await handle.result();
      const runs = await Array.fromAsync(
        temporal.client.workflow.list({ query: `WorkflowId = '${handle.workflowId}'` }),
      );
      expect(runs.length).toBeGreaterThan(1);
    });
    expect(calls.filter((call) => call === 'end:published')).toHaveLength(3);
    expect(calls).toContain('checkRest');
  });

  test('continues as new in the middle of a turn, at the same step', async () => {
    const calls: string[] = [];
    let step = 1;
    let done = false;
    const scripted = script(calls, {
      openTurn: async () =>
        done ? { kind: 'archived', job: { ...job, status: 'archived' } } : { kind: 'turn', turn: 1, step, job },
      callModel: async (input: { step: number }) => {
        step = input.step;
        return { toolCalls: step < 8 ? 1 : 0, calls: 'edit', ms: 1 };
      },
      publishTurn: async () => {
        done = true;
        calls.push('end');
        return { kind: 'ended', result: { kind: 'published' }, ms: 1 };
      },
    });
    await withJob(scripted, calls, { historyEvents: 40 }, finished);
    expect(calls.filter((call) => call === 'openTurn').length).toBeGreaterThan(2);
    expect(calls.filter((call) => call === 'end')).toHaveLength(1);
    expect([...new Set(calls.filter((call) => call.startsWith('callModel')))]).toHaveLength(8);
  });

  test('ends each run before its history is longer than allowed, with the rest of the turn in it', async () => {
    const limit = 200;
    const calls: string[] = [];
    let step = 1;
    let turn = 1;
    const scripted = script(calls, {
      openTurn: async () =>
        turn > 3 ? { kind: 'archived', job: { ...job, status: 'archived' } } : { kind: 'turn', turn, step, job },
      callModel: async (input: { step: number }) => {
        step = input.step;
        return { toolCalls: step < 11 ? 1 : 0, calls: 'edit', ms: 1 };
      },
      publishTurn: async () => {
        [turn, step] = [turn + 1, 1];
        return { kind: 'ended', result: { kind: 'published' }, ms: 1 };
      },
    });
    await withJob(scripted, calls, { historyEvents: limit }, async (handle) => {
      await handle.result();
      const lengths: number[] = [];
      for await (const { runId } of temporal.client.workflow.list({ query: `WorkflowId = '${handle.workflowId}'` })) {
        lengths.push((await temporal.client.workflow.getHandle(handle.workflowId, runId).describe()).historyLength);
      }
      expect(lengths.length).toBeGreaterThan(2);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(limit);
      // Not after each step either, because a new run has a cost.
      expect(lengths.length).toBeLessThan(10);
    });
  });
});
