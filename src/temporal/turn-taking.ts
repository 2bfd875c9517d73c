import type { Priority } from '@temporalio/common';

/*
 * Who is next where more tasks wait than workers take. Activities inherit it from their workflow. Servers that do not know it, or whose
 * `matching.enableFairness` is off, go on with first come, first served.
 */

/** Before all others: someone sits and waits for the answer. */
export const SOMEBODY_WAITS: Priority = { priorityKey: 1 };

/** Projects take turns, whatever their load. (A key has at most 64 bytes, a project's id 63.) */
export function turnOf(projectId: string): Priority {
  return { fairnessKey: projectId };
}
