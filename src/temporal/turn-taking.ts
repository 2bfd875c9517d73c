import type { Priority } from '@temporalio/common';

/*
 * Priorities between waiting tasks. Activities inherit them from their workflow. Servers without this
 * feature, or with `matching.enableFairness` off, keep first come, first served.
 */

/** Before all others: someone sits and waits for the answer. */
export const INTERACTIVE: Priority = { priorityKey: 1 };

/** Projects take turns, whatever their load. (A key has at most 64 bytes, a project's id 63.) */
export function turnOf(projectId: string): Priority {
  return { fairnessKey: projectId };
}
