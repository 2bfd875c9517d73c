import type { Queryable } from '../database.ts';
import { storable } from '../storable.ts';
import { HOST_SOURCE, insertTriggerEvent } from './trigger-events.ts';
import { bounded, deliveryIdOf, type HostEvent } from '@docent/code-hosts/events/host-event';

/**
 * Writes events of a code host into the inbox. Idempotent: an event that is there, from a webhook or from
 * polling, stays as it was first written.
 * @param headers of the delivery, for people
 * @returns how many are new
 */
export async function storeHostEvents(
  q: Queryable,
  hostId: string,
  events: readonly HostEvent[],
  headers: Record<string, string> = {},
): Promise<number> {
  let added = 0;
  for (const found of events) {
    const event = storable(bounded(found));
    const { isDuplicate } = await insertTriggerEvent(q, {
      source: `${HOST_SOURCE}${hostId}`,
      deliveryId: deliveryIdOf(event),
      projectId: null,
      automationId: null,
      headers,
      event: event.kind,
      body: Buffer.from(JSON.stringify(event)),
    });
    if (!isDuplicate) added += 1;
  }
  return added;
}
