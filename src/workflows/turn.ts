import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  isCancellation,
  proxyActivities,
} from '@temporalio/workflow';
import type { TurnActivities } from '../activities/turn-activities.ts';
import type { OpenedTurn } from '../activities/open/open-next.ts';
import type { WakeSignals } from './wake-signals.ts';
import { historyIsLong } from './history-room.ts';
import type { JobDisplay } from './job-display.ts';

/** The turn's end is recorded. `next`: the next work, if ending it read that. */
export type TurnEnd = { kind: 'ended'; next?: OpenedTurn | undefined } | { kind: 'continue-as-new' };

type RunningTurn = Extract<OpenedTurn, { kind: 'turn' }> & { jobId: string };

type Answer = Awaited<ReturnType<TurnActivities['callModel']>>;

/** Why the agent was made to stop before it was done. */
type Limit = NonNullable<Answer['limit']>;

/** Heartbeats reveal a dead worker within 15 s; activities decide which errors are final. */
const work = proxyActivities<Pick<TurnActivities, 'callModel' | 'runTools' | 'checkDocs' | 'publishTurn'>>({
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
 * Runs one turn: the agent works step by step, the docs are checked, the change is published, the turn ends.
 * A request to cancel or archive ends it immediately, except during publishing, which always completes.
 * @throws CancelledFailure only when the workflow itself was cancelled
 */
export async function runTurn(turn: RunningTurn, signals: WakeSignals, display: JobDisplay): Promise<TurnEnd> {
  const at = { jobId: turn.jobId, turn: turn.turn };
  const working = new CancellationScope();
  const watching = new CancellationScope();
  const stop = { cancel: false, archived: false };
  const watched = watching.run(() => watchStopRequests(at, signals, stop, working)).catch(ignoreCancellation);
  try {
    return await working.run(() => new TurnWork(turn, signals, display).run());
  } catch (err) {
    if (!isCancellation(err)) await endFailed(at, err);
    // The archive has ended the turn.
    else if (stop.archived) return { kind: 'ended' };
    else if (stop.cancel) await rows.endTurn({ ...at, outcome: 'cancelled' });
    else throw err;
    return { kind: 'ended' };
  } finally {
    watching.cancel();
    await watched;
  }
}

async function watchStopRequests(
  at: { jobId: string; turn: number },
  signals: WakeSignals,
  stop: { cancel: boolean; archived: boolean },
  working: CancellationScope,
): Promise<void> {
  // From zero: a signal may have arrived since the turn was opened.
  for (let seen = 0; ;) {
    await signals.stopAfter(seen);
    seen = signals.stopCount;
    const found = await rows.readStopRequest(at);
    stop.cancel ||= found.cancel;
    stop.archived ||= found.archived;
    if (found.cancel || found.archived) {
      working.cancel();
      return;
    }
  }
}

/** How far a turn has come. */
class TurnWork {
  readonly #turn: RunningTurn;
  readonly #at: { jobId: string; turn: number };
  readonly #signals: WakeSignals;
  readonly #display: JobDisplay;
  #step: number;
  /** Sum of the activities' own running times, in milliseconds: waiting for a worker costs nothing. */
  #spentMs: number;
  #limit: Limit | null = null;
  /** Whether the model's answer for this step is recorded. */
  #answered = false;
  #checkRounds = 0;
  #publishRounds = 0;

  constructor(turn: RunningTurn, signals: WakeSignals, display: JobDisplay) {
    this.#turn = turn;
    this.#at = { jobId: turn.jobId, turn: turn.turn };
    this.#signals = signals;
    this.#display = display;
    this.#step = turn.step;
    this.#spentMs = turn.spentMs;
  }

  async run(): Promise<TurnEnd> {
    for (;;) {
      if (!(await this.#agentIsDone())) return { kind: 'continue-as-new' };
      if (await this.#checkTellsAgent()) continue;
      const published = await this.#publish();
      if (published.kind === 'ended') return published;
      this.#countConflict(published.files);
    }
  }

  /** Runs steps until the agent is done or at a limit. @returns false if the rest needs another run */
  async #agentIsDone(): Promise<boolean> {
    // A finished change is published as it is.
    if (this.#turn.publishes) return true;
    while (!this.#limit) {
      const answer = await this.#ask();
      this.#limit = answer.limit ?? null;
      if (this.#limit) return true;
      if (answer.toolCalls === 0 && !answer.again) return true;
      if (answer.toolCalls > 0) await this.#runTools(answer.calls);
      this.#nextStep();
      // A run repeats the step that it begins with: it must get beyond that one, or it would never end.
      const hasProgressed = this.#step > this.#turn.step + 1;
      if (hasProgressed && historyIsLong(this.#turn.limits.historyEvents)) return false;
    }
    return true;
  }

  async #ask(): Promise<Answer> {
    const limit = this.#limitReached();
    const step = this.#step;
    if (limit) return this.#sumUp(limit);
    this.#display.step(`step ${step}: asking the model`);
    const summary = `Step ${step}: ask the model`;
    const answer = await work.callModel.executeWithOptions({ summary }, [{ ...this.#at, step }]);
    this.#answered = true;
    return this.#spend(answer);
  }

  /** The last message of a turn at a limit. Its work is worth publishing even without the model's answer. */
  async #sumUp(limit: Limit): Promise<Answer> {
    const step = this.#step;
    this.#display.step(`step ${step}: asking the model to sum up`);
    const summary = `Step ${step}: ask the model to sum up`;
    try {
      const answer = await work.callModel.executeWithOptions({ summary }, [{ ...this.#at, step, limit }]);
      this.#answered = true;
      return answer;
    } catch (err) {
      if (isCancellation(err) || failureOf(err).code === 'TurnSuperseded') throw err;
      return { toolCalls: 0, calls: '', limit, ms: 0 };
    }
  }

  /** The limit that this step would be beyond, or null. */
  #limitReached(): Limit | null {
    const { steps, activityMs } = this.#turn.limits;
    if (this.#spentMs > activityMs) {
      return {
        code: 'limit_time',
        message: `The agent reached the limit of ${Math.round(activityMs / 60_000)} minutes.`,
      };
    }
    return this.#step > steps
      ? { code: 'limit_steps', message: `The agent reached the limit of ${steps} steps.` }
      : null;
  }

  async #runTools(calls: string): Promise<void> {
    this.#display.step(`step ${this.#step}: ${calls}`);
    const summary = `Step ${this.#step}: ${calls}`;
    this.#spend(await work.runTools.executeWithOptions({ summary }, [{ ...this.#at, step: this.#step }]));
  }

  /** @returns whether the agent has something to read, and another step is due */
  async #checkTellsAgent(): Promise<boolean> {
    const { limits, publishes } = this.#turn;
    const hasRounds = this.#checkRounds < limits.checkRounds && this.#step < limits.steps;
    this.#display.step('checking the docs');
    const { told } = this.#spend(
      await work.checkDocs.executeWithOptions({ summary: 'Check the docs' }, [
        {
          ...this.#at,
          step: this.#step,
          mayTell: hasRounds && !publishes && !this.#limit,
          answered: this.#answered,
        },
      ]),
    );
    if (!told) return false;
    this.#checkRounds += 1;
    this.#nextStep();
    return true;
  }

  /** Publishes the change and ends the turn, unless others changed the same files. */
  async #publish() {
    this.#display.step('publishing');
    // Ending the turn reads the rows for the next work, so only signals after this are news.
    this.#signals.clear();
    const summary = 'Push, open or update the pull request, and end the turn';
    const input = { ...this.#at, step: this.#step, answered: this.#answered, limit: this.#limit };
    return this.#spend(
      await CancellationScope.nonCancellable(() => work.publishTurn.executeWithOptions({ summary }, [input])),
    );
  }

  #countConflict(files: readonly string[]): void {
    this.#publishRounds += 1;
    if (this.#publishRounds > this.#turn.limits.publishRounds) {
      throw ApplicationFailure.nonRetryable(
        `Other people changed the same files ${this.#publishRounds} times while the agent worked: ` +
          `${files.join(', ')}. Send a message to try again.`,
        'conflict_unresolved',
      );
    }
    this.#nextStep();
  }

  #nextStep(): void {
    this.#step += 1;
    this.#answered = false;
  }

  #spend<T extends { ms: number }>(result: T): T {
    this.#spentMs += result.ms;
    return result;
  }
}

async function endFailed(at: { jobId: string; turn: number }, err: unknown): Promise<void> {
  const error = failureOf(err);
  // Another attempt, a cancel, the archive or a restored database ended this turn. The rows have its state.
  if (error.code === 'TurnSuperseded') return;
  await CancellationScope.nonCancellable(() => rows.endTurn({ ...at, outcome: 'failed', error }));
}

function failureOf(err: unknown): { code: string; message: string } {
  const cause = err instanceof ActivityFailure ? err.cause : err;
  if (cause instanceof ApplicationFailure) return { code: cause.type ?? 'internal', message: cause.message };
  // Only a bug gets here. Fail the workflow task, so that a fixed worker can resume from the same position.
  throw err;
}

function ignoreCancellation(err: unknown): void {
  if (!isCancellation(err)) throw err;
}
