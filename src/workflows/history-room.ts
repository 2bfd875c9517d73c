import { patched, workflowInfo } from '@temporalio/workflow';

/**
 * Events that a run may need until it can end next: the rest of a turn (ask, check, publish, end, look for more: 30), the beginning of
 * the next with two steps (30), and what comes between.
 */
const ROOM = 80;
/** Runs that began before it passed their limit first, and ended then. */
const LEAVES_ROOM = 'leave-room-in-history';

/** Whether the run should end here, so that it stays within `limit` events. */
export function historyIsLong(limit: number): boolean {
  const { historyLength, continueAsNewSuggested } = workflowInfo();
  if (historyLength > limit || continueAsNewSuggested) return true;
  // A run that has only begun is never long, however small the limit is.
  return historyLength + Math.min(ROOM, limit * 0.4) > limit && patched(LEAVES_ROOM);
}
