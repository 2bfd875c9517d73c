import { workflowInfo } from '@temporalio/workflow';

/** Events before a run can end: a turn's rest (30), two steps of the next (30), and what arrives. */
const ROOM = 80;

/** Whether the run should end here to stay within `limit` events. */
export function historyIsLong(limit: number): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  // A run that has only just begun is never long, however small the limit.
  return continueAsNewSuggested || historyLength + Math.min(ROOM, limit * 0.4) > limit;
}
