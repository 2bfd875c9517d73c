import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { TurnActivities } from '../activities/turn/turn-activities.ts';
import type { OpenedTurn } from '../activities/turn/open-next.ts';
import type { TurnLimits } from './contract.ts';
import type { WakeSignals } from './wake-signals.ts';
import { historyIsLong } from './history-room.ts';
import type { JobDisplay } from './job-display.ts';

export interface TurnAt {
  jobId: string;
  turn: number;
  /** The newest step with a recorded answer, or 1. */
  firstStep: number;
  /** What the turn's activities have taken in earlier runs, in milliseconds. */
  spentMs: number;
  /** What is ready is published: the agent is not asked. */
  publishes: boolean;
}

/** How the turn's work ended; the rows have it by then, unless it goes on in a new run. */
export type TurnEnd = 'ended' | 'continue-as-new' | { next: OpenedTurn };

/** Why the agent was made to stop before it was done. */
type Limit = NonNullable<Awaited<ReturnType<TurnActivities['callModel']>>['limit']>;

/** `step`, `answered`: the last step, and whether the model's answer to it is recorded. */
type WorkEnd =
  | { kind: 'published' | 'ready' | 'unchanged'; limit: Limit | null; step: number; answered: boolean }
  /** The turn was ended together with its publication. */
  | { kind: 'ended'; next: OpenedTurn | undefined }
  | { kind: 'continue-as-new' };

type Checked = Pick<Awaited<ReturnType<TurnActivities['checkDocs']>>, 'told'>;

/** Work on models, repositories and hosts: heartbeats tell a dead worker within 15 s. The activities say which errors are final. */
const work = proxyActivities<
  Pick<TurnActivities, 'locateTurn' | 'callModel' | 'runTools' | 'checkDocs' | 'publishTurn'>
>({
  startToCloseTimeout: '15 minutes',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '500 milliseconds', maximumInterval: '15 seconds' },
});

const rows = proxyActivities<Pick<TurnActivities, 'endTurn' | 'readStopRequest'>>({
  startToCloseTimeout: '20 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
});

/**
 * Runs one turn: find its place in the repository, let the agent work step by step, check the docs, publish, record.
 * A request to cancel or archive ends it at once, except while it publishes: that is finished or not begun.
 * @throws CancelledFailure only when the workflow itself was cancelled
 */
export async function runTurn(
  at: TurnAt,
  limits: TurnLimits,
  signals: WakeSignals,
  display: JobDisplay,
): Promise<TurnEnd> {
  const { jobId, turn } = at;
  const scope = new CancellationScope();
  const watch = new CancellationScope();
  const stop = { cancel: false, archived: false };
  const watching = watch.run(() => watchStopRequests(at, signals, stop, scope)).catch(ignoreCancellation);
  try {
    const end = await scope.run(() => workOn(at, limits, signals, display));
    if (end.kind === 'continue-as-new') return 'continue-as-new';
    if (end.kind === 'ended') return end.next ? { next: end.next } : 'ended';
    // Before the rows are read for what is next: a signal after that is news.
    signals.clear();
    const { next } = await rows.endTurn({ jobId, turn, ...outcomeOf(end), openNext: true });
    if (next) return { next };
  } catch (err) {
    if (isCancellation(err)) {
      if (stop.archived) return 'ended';
      if (!stop.cancel) throw err;
      await rows.endTurn({ jobId, turn, outcome: 'cancelled' });
      return 'ended';
    }
    const failure = failureOf(err);
    // Another attempt, a cancel or the archive took the turn, or the database was restored: the rows say where it is now.
    if (failure.code === 'TurnOver') return 'ended';
    await CancellationScope.nonCancellable(() => rows.endTurn({ jobId, turn, outcome: 'failed', error: failure }));
  } finally {
    watch.cancel();
    await watching;
  }
  return 'ended';
}

async function workOn(at: TurnAt, limits: TurnLimits, signals: WakeSignals, display: JobDisplay): Promise<WorkEnd> {
  const { jobId, turn } = at;
  const spent = new Budget(limits.activityMs, at.spentMs);
  // The last words of a turn are asked for with patience for the model's failures, not for the repository's.
  let locate = !at.publishes && !limitReached(at.firstStep, limits, spent);
  if (!locate) {
    display.step('reading the repository');
    spent.add(await work.locateTurn.executeWithOptions({ summary: 'Read the repository' }, [{ jobId, turn }]));
  }
  let step = at.firstStep;
  let checkRounds = 0;
  let publishRounds = 0;
  let limit: Limit | null = null;
  let answered = false;
  const mayTell = () => !at.publishes && checkRounds < limits.checkRounds && step < limits.steps;
  for (;;) {
    let checked: Checked | undefined;
    while (!limit && !at.publishes) {
      const reached = limitReached(step, limits, spent);
      display.step(`step ${step}: ${reached ? 'asking the model to sum up' : 'asking the model'}`);
      const answer = reached
        ? await sumUp({ jobId, turn, step }, reached)
        : spent.add(
            await work.callModel.executeWithOptions({ summary: `Step ${step}: ask the model` }, [
              {
                jobId,
                turn,
                step,
                locate,
                check: { mayTell: mayTell() },
              },
            ]),
          );
      locate = false;
      limit = answer.limit ?? null;
      checked = 'checked' in answer ? answer.checked : undefined;
      answered = !('unanswered' in answer);
      if (!limit && answer.again) {
        step += 1;
        continue;
      }
      if (limit || answer.toolCalls === 0) break;
      display.step(`step ${step}: ${answer.calls}`);
      spent.add(
        await work.runTools.executeWithOptions({ summary: `Step ${step}: ${answer.calls}` }, [{ jobId, turn, step }]),
      );
      step += 1;
      // A run repeats the step that it begins with: it must get beyond that one, or it would never end.
      const progressed = step > at.firstStep + 1;
      if (progressed && historyIsLong(limits.historyEvents)) return { kind: 'continue-as-new' };
    }
    if (!checked) {
      display.step('checking the docs');
      checked = spent.add(
        await work.checkDocs.executeWithOptions({ summary: 'Check the docs' }, [
          { jobId, turn, step, mayTell: !limit && mayTell(), answered },
        ]),
      );
    }
    if (checked.told) {
      checkRounds += 1;
      step += 1;
      continue;
    }
    display.step('publishing');
    // The turn may end with it, and then the rows are read for what is next: a signal after this is news.
    signals.clear();
    const ends = limit ? {} : { ends: true };
    const published = await CancellationScope.nonCancellable(() =>
      work.publishTurn.executeWithOptions({ summary: 'Push and open or update the pull request' }, [
        { jobId, turn, step, answered, ...ends },
      ]),
    );
    spent.add(published);
    // Absent where ending it failed.
    if (published.kind !== 'conflict' && published.ended) return { kind: 'ended', next: published.ended.next };
    if (published.kind !== 'conflict') return { kind: published.kind, limit, step, answered };
    publishRounds += 1;
    if (publishRounds > limits.publishRounds) {
      throw ApplicationFailure.nonRetryable(
        `Other people changed the same files ${publishRounds} times while the agent worked: ${published.files.join(', ')}. Send a message to try again.`,
        'conflict_unresolved',
      );
    }
    step += 1;
    // At a limit, the model is not asked about the conflict any more.
    answered = false;
  }
}

async function watchStopRequests(
  at: TurnAt,
  signals: WakeSignals,
  stop: { cancel: boolean; archived: boolean },
  scope: CancellationScope,
): Promise<void> {
  // From zero: one may have come between the turn's opening and this moment.
  for (let seen = 0; ;) {
    await signals.stopAfter(seen);
    seen = signals.stopCount;
    const found = await rows.readStopRequest({ jobId: at.jobId, turn: at.turn });
    stop.cancel ||= found.cancel;
    stop.archived ||= found.archived;
    if (found.cancel || found.archived) {
      scope.cancel();
      return;
    }
  }
}

/** Adds up the activities' own running times: waiting for a worker costs nothing. */
class Budget {
  private spentMs: number;
  private readonly limitMs: number;

  constructor(limitMs: number, spentMs: number) {
    this.limitMs = limitMs;
    this.spentMs = spentMs;
  }

  get isUsedUp(): boolean {
    return this.spentMs > this.limitMs;
  }

  add<T extends { ms: number }>(result: T): T {
    this.spentMs += result.ms;
    return result;
  }
}

/** The limit that this step would be beyond, or null. */
function limitReached(step: number, limits: TurnLimits, spent: Budget): Limit | null {
  if (spent.isUsedUp) return limitTime(limits.activityMs);
  return step > limits.steps ? limitSteps(limits.steps) : null;
}

/**
 * The last message of a turn that ends at a limit. What the agent did is worth publishing even where its model cannot be asked
 * any more.
 */
async function sumUp(
  at: { jobId: string; turn: number; step: number },
  limit: Limit,
): Promise<{ toolCalls: number; calls: string; limit?: Limit; again?: true; unanswered?: true }> {
  try {
    return await work.callModel.executeWithOptions({ summary: `Step ${at.step}: ask the model to sum up` }, [
      { ...at, limit },
    ]);
  } catch (err) {
    if (isCancellation(err) || failureOf(err).code === 'TurnOver') throw err;
    return { toolCalls: 0, calls: '', limit, unanswered: true };
  }
}

function outcomeOf({ kind, limit, step, answered }: Exclude<WorkEnd, { kind: 'continue-as-new' | 'ended' }>) {
  if (!limit) return { outcome: kind, step, answered };
  const error = { code: limit.code, message: `${limit.message} ${KEPT[kind]} Send a message to go on.` };
  return kind === 'unchanged' ? { outcome: 'failed' as const, error } : { outcome: kind, error, step, answered };
}

/** What became of what the agent did until it reached a limit. */
const KEPT = {
  published: 'What it did until then is in the pull request.',
  ready: 'What it did until then can be published.',
  unchanged: 'Nothing was published.',
};

function limitTime(limitMs: number): Limit {
  return { code: 'limit_time', message: `The agent used up its ${Math.round(limitMs / 60_000)} minutes.` };
}

function limitSteps(steps: number): Limit {
  return { code: 'limit_steps', message: `The agent used up its ${steps} steps.` };
}

function failureOf(err: unknown): { code: string; message: string } {
  const cause = err instanceof ActivityFailure ? err.cause : err;
  if (cause instanceof ApplicationFailure) return { code: cause.type ?? 'internal', message: cause.message };
  // Only a bug gets here: fail the workflow task, so that a fixed worker can go on from the same place.
  throw err;
}

function ignoreCancellation(err: unknown): void {
  if (!isCancellation(err)) throw err;
}
