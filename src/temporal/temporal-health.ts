import type { Connection } from '@temporalio/client';

/** Temporal's health, as its clients see it. */
export interface TemporalHealth {
  namespace: string;
  serverVersion: string | null;
  /** Workers for this installation's jobs: pollers that Temporal has seen within some five minutes. */
  workers: { identity: string; lastAccessAt: Date | null }[];
}

/** @throws where Temporal cannot be reached within the time, in milliseconds */
export function askTemporal(
  connection: Connection,
  { namespace, taskQueue }: { namespace: string; taskQueue: string },
  withinMs: number,
): Promise<TemporalHealth> {
  return connection.withDeadline(Date.now() + withinMs, async () => {
    const { workflowService } = connection;
    const [system, workflows, activities] = await Promise.all([
      workflowService.getSystemInfo({}),
      workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: 1 }),
      workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue }, taskQueueType: 2 }),
    ]);
    const workers = new Map<string, Date | null>();
    for (const { identity, lastAccessTime } of [...(workflows.pollers ?? []), ...(activities.pollers ?? [])]) {
      const at = lastAccessTime?.seconds ? new Date(Number(lastAccessTime.seconds) * 1_000) : null;
      const before = workers.get(identity ?? '');
      if (before === undefined || (at && (!before || at > before))) workers.set(identity ?? '', at);
    }
    return {
      namespace,
      serverVersion: system.serverVersion || null,
      workers: [...workers].map(([identity, lastAccessAt]) => ({ identity, lastAccessAt })),
    };
  });
}
