import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setHandler,
  defineSignal,
} from '@temporalio/workflow';
import type { OpenedTurn } from '../activities/open/open-next.ts';
import type { TurnActivities } from '../activities/turn-activities.ts';
import { WAKE_SIGNAL, type AgentJobInput, type WakePayload } from './contract.ts';
import { WakeSignals } from './wake-signals.ts';
import { historyIsLong } from './history-room.ts';
import { JobDisplay } from './job-display.ts';
import { runTraces } from './run-traces.ts';
import { runTurn } from './turn.ts';

const wake = defineSignal<[WakePayload]>(WAKE_SIGNAL);

/** Activities that touch our own rows only: retried until the database is back. */
const rows = proxyActivities<Pick<TurnActivities, 'openTurn' | 'endTurn' | 'checkRest'>>({
  startToCloseTimeout: '20 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
});

/**
 * Runs a job while it has work, and for some minutes after. The rows in the database say what to do; this
 * workflow does it in order, once. When nothing arrives for a while, or the job waits in the queue, the run
 * ends. The next signal starts a new run under the same id, which begins with the rows.
 */
export async function agentJob(input: AgentJobInput): Promise<void> {
  const { jobId } = input;
  const signals = new WakeSignals();
  setHandler(wake, (payload) => signals.receive(payload));
  const display = new JobDisplay(input.searchAttributes);
  let next: OpenedTurn | undefined;
  for (;;) {
    if (!next) signals.clear();
    const opened: OpenedTurn = next ?? (await rows.openTurn({ jobId }));
    next = undefined;
    if (opened.kind === 'gone') {
      display.showGone(opened.why);
      return;
    }
    display.show(opened.job);
    if (opened.kind === 'archived') return;
    if (opened.kind === 'queued') {
      // A waiting job needs no run. A signal since the rows were read may mean that there is a slot now.
      if (!signals.hasReceived) return;
      continue;
    }
    const { limits } = opened;
    if (opened.kind === 'idle') {
      runTraces.forget();
      if (historyIsLong(limits.historyEvents)) return continueAsNew<typeof agentJob>(input);
      if (await signals.receivedWithin(limits.restMs)) continue;
      const { rests } = await rows.checkRest({ jobId });
      // A later signal has no run yet: the server refuses this end, and gives it to this run.
      if (rests && !signals.hasReceived) return;
      continue;
    }
    try {
      next = await runTraces.inTurn(opened.turn, async () => {
        const end = await runTurn({ ...opened, jobId }, signals, display);
        return end.kind === 'continue-as-new' ? continueAsNew<typeof agentJob>(input) : end.next;
      });
    } catch (err) {
      if (!isCancellation(err)) throw err;
      // Someone cancelled this workflow itself (not the job): the job must not look busy forever.
      signals.clear();
      await CancellationScope.nonCancellable(() =>
        rows.endTurn({
          jobId,
          turn: opened.turn,
          outcome: 'failed',
          error: {
            code: 'workflow_lost',
            message: 'The workflow of this job was cancelled. Send a message to continue.',
          },
        }),
      );
      // A message that was already accepted must not be lost with this run, so another run takes it.
      if (signals.hasReceived) return continueAsNew<typeof agentJob>(input);
      throw err;
    }
  }
}
