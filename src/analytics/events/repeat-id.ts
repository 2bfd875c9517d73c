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
 * The id, 128 bits in hex, of an event without one in a request with a key. It depends on the key, the
 * event's position in the request and its content, so it is the same when the request is repeated: at another
 * process, split elsewhere, with more lines, or in another encoding. Events with other content never get it.
 * The visitor is included as its keyed hash: no address can be guessed from an id.
 */
export function repeatId(
  projectId: string,
  { key, first }: RepeatableRequest,
  index: number,
  event: Omit<StoredEvent, 'id'>,
): string {
  const { time, path, format, visitor, userAgent, referrer, notFound } = event;
  // Only a class that the sender set: another version may classify differently.
  const said = [time, path, format, String(visitor), event.classGiven && event.class, userAgent, referrer, notFound];
  return hash('sha256', JSON.stringify([projectId, key, first + index, ...said]), 'hex').slice(0, 32);
}
