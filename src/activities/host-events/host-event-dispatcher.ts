import type { HostEvent } from '@docent/code-hosts/events/host-event';
import { PeriodicTask, reportOnce } from '../../jobs/periodic-task.ts';
import { Failure } from '@docent/base/failure';
import { faultPoint } from '../../platform/faults.ts';
import {
  claimHostEvent,
  finishHostEvent,
  HOST_SOURCE,
  listDueHostEvents,
  postponeHostEvent,
} from '../../store/automations/trigger-events.ts';
import { HOST_EVENT_CONSUMERS } from './consumers.ts';
import { isNotYet, type HostEventConsumer, type HostEventDeps } from './host-event-consumer.ts';

const EVERY_MS = 1_000;
const BATCH = 200;
/** Including pauses, these attempts take a day. */
const MAX_ATTEMPTS = 32;

/**
 * Gives the events of code hosts in the inbox to their consumers. The events of one host are taken one after
 * the other, the oldest first; hosts wait for no other host. Any number of workers may run one: one of them
 * works.
 */
export function hostEventDispatcher(deps: HostEventDeps): PeriodicTask {
  return new PeriodicTask({
    db: deps.db,
    name: 'host-events',
    everyMs: EVERY_MS,
    work: { queries: [listDueHostEvents(deps.db, 1)] },
    round: (_isNew, stopping) => dispatchDue(deps, stopping),
    failed: reportOnce(deps.log, 'events of code hosts: failed, tried again'),
  });
}

async function dispatchDue(deps: HostEventDeps, stopping: AbortSignal): Promise<void> {
  const due = Map.groupBy(await listDueHostEvents(deps.db, BATCH), ({ source }) => source);
  await Promise.all(
    [...due.values()].map(async (events) => {
      for (const { id } of events) {
        if (stopping.aborted) return;
        await dispatchHostEvent(deps, id);
      }
    }),
  );
}

/**
 * Gives one event to all consumers. If one fails, the others still get the event, and all get it again later,
 * at most {@link MAX_ATTEMPTS} times. Safe to repeat.
 * @throws only if the database fails
 */
export async function dispatchHostEvent(
  deps: HostEventDeps,
  id: string,
  consumers: Readonly<Record<string, HostEventConsumer>> = HOST_EVENT_CONSUMERS,
): Promise<void> {
  const row = await claimHostEvent(deps.db, id);
  if (!row) return;
  faultPoint('host-event-claimed');
  const hostId = row.source.slice(HOST_SOURCE.length);
  const event = JSON.parse(row.body.toString('utf8')) as HostEvent;
  const failures: unknown[] = [];
  for (const [name, consume] of Object.entries(consumers)) {
    try {
      await consume({ id, hostId, event, receivedAt: row.receivedAt }, deps);
    } catch (err) {
      failures.push(err);
      const details = { err, eventId: id, hostId, kind: event.kind, consumer: name, attempt: row.attempts };
      const isNews = row.attempts === 1 && !isNotYet(err);
      deps.log[isNews ? 'warn' : 'info'](details, 'an event of a code host could not be processed');
    }
  }
  faultPoint('host-event-consumed');
  if (failures.length === 0) return finishHostEvent(deps.db, id, 'done');
  if (row.attempts < MAX_ATTEMPTS) return postponeHostEvent(deps.db, id, pauseOf(failures));
  deps.log.error({ eventId: id, hostId, kind: event.kind }, 'dropped a code host event after a day of failures');
  await finishHostEvent(deps.db, id, 'ignored');
}

/** The longest pause that a code host requested, in seconds. */
function pauseOf(failures: readonly unknown[]): number {
  const pauses = failures.map((err) => (err instanceof Failure ? (err.retry.afterMs ?? 0) : 0));
  return Math.ceil(Math.max(0, ...pauses) / 1_000);
}
