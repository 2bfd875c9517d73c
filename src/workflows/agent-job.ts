import {
  CancellationScope,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setHandler,
  defineSignal,
} from '@temporalio/workflow';
import type { TurnActivities } from '../activities/turn/turn-activities.ts';
import { RING_SIGNAL, type AgentJobInput, type RingPayload } from './contract.ts';
import { Doorbell } from './doorbell.ts';
import { historyIsLong } from './history-room.ts';
import { JobDisplay } from './job-display.ts';
import { runTurn } from './turn.ts';

const ring = defineSignal<[RingPayload]>(RING_SIGNAL);

/** Activities that touch our own rows only: retried until the database is back. */
const rows = proxyActivities<Pick<TurnActivities, 'openTurn' | 'endTurn' | 'archiveIdle'>>({
  startToCloseTimeout: '20 seconds',
  heartbeatTimeout: '10 seconds',
  retry: { initialInterval: '200 milliseconds', maximumInterval: '10 seconds' },
});

/**
 * One job from its first message until it is archived. The rows in the database say what to do; this workflow does it in
 * order, once, and rests while nothing waits.
 */
export async function agentJob(input: AgentJobInput): Promise<void> {
  const { jobId } = input;
  const bell = new Doorbell();
  setHandler(ring, (payload) => bell.ring(payload));
  const display = new JobDisplay(input.searchAttributes);
  for (;;) {
    bell.clear();
    const opened = await rows.openTurn({ jobId });
    if (opened.kind === 'gone') return;
    display.show(opened.job);
    if (opened.kind === 'archived') return;
    // The workers' own: whoever starts a workflow by hand sets no limits.
    const limits = opened.limits ?? input.limits;
    if (opened.kind === 'idle') {
      if (historyIsLong(limits.historyEvents)) return continueAsNew<typeof agentJob>(input);
      const idleMs = opened.idleMs ?? limits.idleMs;
      if (await bell.rungWithin(idleMs)) continue;
      await rows.archiveIdle({ jobId, idleMs });
      continue;
    }
    try {
      const at = { jobId, turn: opened.turn, firstStep: opened.step, spentMs: opened.spentMs ?? 0 };
      const ended = await runTurn(at, limits, bell, display);
      if (ended === 'continue-as-new') return continueAsNew<typeof agentJob>(input);
    } catch (err) {
      if (!isCancellation(err)) throw err;
      // Somebody cancelled this workflow itself (not the job): the job must not look busy for ever.
      await CancellationScope.nonCancellable(() =>
        rows.endTurn({
          jobId,
          turn: opened.turn,
          outcome: 'failed',
          error: { code: 'workflow_lost', message: 'The workflow of this job was cancelled. Send a message to go on.' },
        }),
      );
      throw err;
    }
  }
}
