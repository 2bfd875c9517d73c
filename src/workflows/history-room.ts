import { workflowInfo } from '@temporalio/workflow';

/**
 * Events that a run may need before it can end: the rest of a turn (ask, check, publish, end, look for more:
 * 30), the beginning of the next one with two steps (30), and whatever arrives in between.
 */
const ROOM = 80;

/** Whether the run should end here to stay within `limit` events. */
export function historyIsLong(limit: number): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  // A run that has only just begun is never long, however small the limit.
  return continueAsNewSuggested || historyLength + Math.min(ROOM, limit * 0.4) > limit;
}
