import { workflowInfo } from '@temporalio/workflow';

/**
 * Events that a run may need until it can end next: the rest of a turn (ask, check, publish, end, look for
 * more: 30), the beginning of the next with two steps (30), and what comes between.
 */
const ROOM = 80;

/** Whether the run should end here, so that it stays within `limit` events. */
export function historyIsLong(limit: number): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  // A run that has only begun is never long, however small the limit is.
  return continueAsNewSuggested || historyLength + Math.min(ROOM, limit * 0.4) > limit;
}
