import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client';
import type { Duration } from '@temporalio/common';
import type { Logger } from '../platform/log.ts';
import { taskQueueOf, WORKFLOW } from '../workflows/contract.ts';

const DEADLINE_MS = 10_000;
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Creates one schedule. Idempotent: a schedule that is there stays as it is. */
type Create = (client: Client, installationId: string) => Promise<void>;

/** A workflow that starts regularly, one run at a time. */
interface Scheduled {
  workflowType: string;
  every: Duration;
  timeout: Duration;
  /** Also starts when the schedule is made. */
  startsNow?: boolean;
}

function scheduleOf(name: string, { workflowType, every, timeout, startsNow = false }: Scheduled): Create {
  return async (client, installationId) => {
    const id = `docent-${installationId}-${name}`;
    try {
      await client.schedule.create({
        scheduleId: id,
        spec: { intervals: [{ every }] },
        action: {
          type: 'startWorkflow',
          workflowType,
          workflowId: id,
          taskQueue: taskQueueOf(installationId),
          args: [],
          workflowExecutionTimeout: timeout,
        },
        // A long run is not joined by others, and missed runs are not repeated.
        policies: { overlap: ScheduleOverlapPolicy.SKIP, catchupWindow: '1 minute' },
        state: { triggerImmediately: startsNow },
      });
    } catch (err) {
      if (!(err instanceof ScheduleAlreadyRunning)) throw err;
    }
  };
}

/** Docent's schedules in Temporal. The first run of the retention reports it soon after the first start. */
const SCHEDULES: Readonly<Record<string, Create>> = {
  maintenance: scheduleOf('analytics', {
    workflowType: WORKFLOW.maintainAnalytics,
    every: '2 minutes',
    timeout: '2 hours',
  }),
  retention: scheduleOf('retention', {
    workflowType: WORKFLOW.deleteExpired,
    every: '10 minutes',
    timeout: '1 hour',
    startsNow: true,
  }),
};

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
