import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Logger } from '../platform/log.ts';
import { scheduleRetention } from './retention-schedule.ts';
import { taskQueueOf, WORKFLOW } from '../workflows/contract.ts';

/** How often page views are merged and compacted. */
const EVERY = '2 minutes';

/** Schedules the maintenance of analytics, one run at a time. Idempotent. */
async function scheduleMaintenance(client: Client, installationId: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: `docent-${installationId}-analytics`,
      spec: { intervals: [{ every: EVERY }] },
      action: {
        type: 'startWorkflow',
        workflowType: WORKFLOW.maintainAnalytics,
        workflowId: `docent-${installationId}-analytics`,
        taskQueue: taskQueueOf(installationId),
        args: [],
        workflowExecutionTimeout: '2 hours',
      },
      // A long run is not joined by others, and missed runs are not repeated.
      policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
    });
  } catch (err) {
    if (!(err instanceof ScheduleAlreadyRunning)) throw err;
  }
}

const DEADLINE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Creates one schedule. Idempotent: a schedule that is there stays as it is. */
type Create = (client: Client, installationId: string) => Promise<void>;

/** Docent's schedules in Temporal. */
const SCHEDULES: Readonly<Record<string, Create>> = { maintenance: scheduleMaintenance, retention: scheduleRetention };

/** Creates the schedules in the background, each until it exists: a silent shard delays only its own. */
export function createSchedules(
  client: Client,
  installationId: string,
  log: Logger,
  schedules = SCHEDULES,
): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const all = Object.entries(schedules).map(async ([name, create]) => {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      try {
        await client.withAbortSignal(signal, () =>
          client.withDeadline(Date.now() + DEADLINE_MS, () => create(client, installationId)),
        );
        return;
      } catch (err) {
        if (!signal.aborted) log.warn({ err, schedule: name }, 'a schedule could not be created; retrying');
      }
      await sleep(pauseMs, undefined, { signal }).catch(() => {
        // It stops.
      });
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(all);
    },
  };
}
