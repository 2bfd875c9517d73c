import { deliveryIdOf } from '../../code-hosts/events/host-event.ts';
import { codeEventOf, wantsEvent } from '../../jobs/code-trigger.ts';
import { faultPoint } from '../../platform/faults.ts';
import { CODE_SOURCE, insertTriggerEvent } from '../../store/automations/trigger-events.ts';
import { listWatchersOf } from '../../store/automations/watched-code.ts';
import type { HostEventConsumer } from './host-event-consumer.ts';

/**
 * Writes an event for each automation that watches the repository and matches, keyed by what happened. A
 * repeated event is written once.
 */
export const startAutomations: HostEventConsumer = async ({ hostId, event }, { db }) => {
  const found = codeEventOf(event);
  if (!found) return;
  const watchers = await listWatchersOf(db, { host: hostId, repositoryId: event.repository.id });
  for (const { projectId, automationId, trigger, ...watched } of watchers) {
    if (!wantsEvent(trigger, watched, found)) continue;
    await insertTriggerEvent(db, {
      source: `${CODE_SOURCE}${projectId}/${automationId}`,
      deliveryId: `${hostId}:${deliveryIdOf(event)}`,
      projectId,
      automationId,
      headers: {},
      event: found.name,
      body: Buffer.from(JSON.stringify({ repository: watched.name, ...found })),
    });
    faultPoint('event-stored');
  }
};
