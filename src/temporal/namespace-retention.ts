import type { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { messageOf } from '@docent/base/thrown';
import { DAY_MS } from '@docent/base/time';

const DAY_SECONDS = 86_400;

/**
 * Sets how long a namespace keeps histories. Idempotent. Never rejects: logs what to do if not permitted.
 * @param days undefined: leaves it
 */
export async function keepHistories(
  connection: Connection,
  namespace: string,
  days: number | undefined,
): Promise<{ keepDays: number | null; problem: string | null }> {
  let keepDays: number | null = null;
  try {
    const { config } = await connection.workflowService.describeNamespace({ namespace });
    const seconds = Number(config?.workflowExecutionRetentionTtl?.seconds ?? 0);
    keepDays = seconds === 0 ? null : Math.round((seconds / DAY_SECONDS) * 100) / 100;
    if (days === undefined || keepDays === days) return { keepDays: keepDays && Math.round(keepDays), problem: null };
    const workflowExecutionRetentionTtl = msToTs(days * DAY_MS);
    await connection.workflowService.updateNamespace({ namespace, config: { workflowExecutionRetentionTtl } });
    return { keepDays: days, problem: null };
  } catch (err) {
    if (days === undefined) return { keepDays, problem: null };
    const problem =
      `The namespace ${namespace} does not have the retention of DOCENT_TEMPORAL_KEEP_DAYS, ${days} days ` +
      `(${messageOf(err).slice(0, 200)}). Change it yourself: temporal operator namespace update --namespace ${namespace} --retention ${days}d`;
    return { keepDays: keepDays && Math.round(keepDays), problem };
  }
}
