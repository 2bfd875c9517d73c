import { randomUUID } from 'node:crypto';

/** No underscore: a key that someone sends as an id by mistake must not reach the log. */
const ACCEPTABLE = /^[0-9A-Za-z-]{8,64}$/;

/** The caller's own id of the request if it is harmless, else a new one. */
export function requestIdOf(header: string | string[] | undefined): string {
  return typeof header === 'string' && ACCEPTABLE.test(header) ? header : randomUUID();
}
