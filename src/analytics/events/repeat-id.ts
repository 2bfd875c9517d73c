import { hash } from 'node:crypto';
import type { StoredEvent } from './event.ts';

/** A request that its client may send again. */
export interface RepeatableRequest {
  /** The same for the same request. */
  key: string;
  /** The place in the request of the first event that is passed. */
  first: number;
}

/**
 * The id, 128 bits in hex, of an event that came without one in a request with a key. It goes by the key, by
 * the event's place in the request and by what the event says, so it is the same when the request comes
 * again: at another process, cut elsewhere, with more lines, or written in other bytes. An event that says
 * something else never gets it, whatever else bears the same key. The visitor goes in as its keyed hash: no
 * address can be guessed from an id.
 */
export function repeatId(
  projectId: string,
  { key, first }: RepeatableRequest,
  index: number,
  event: Omit<StoredEvent, 'id'>,
): string {
  const { time, path, format, visitor, userAgent, referrer, notFound } = event;
  // Of the class what the sender said alone: another version may classify in another way.
  const said = [time, path, format, String(visitor), event.classGiven && event.class, userAgent, referrer, notFound];
  return hash('sha256', JSON.stringify([projectId, key, first + index, ...said]), 'hex').slice(0, 32);
}
