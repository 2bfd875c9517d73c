import type { VerifiedBy, ViewFormat, VisitorClass } from '@docent/access-log/event-kind';

/**
 * A stored event, from any source: `read-event.ts` reads clients' events, `@docent/access-log` reads logs,
 * and defines the meaning of the texts for both. The sources differ:
 *
 * - A client may send an id, a `visitorId`, a class and a format. A log line's id is derived from its
 *   content, its visitor is an address and a user agent, and its format is that of the path.
 * - A client's event is a page view. For log lines, `page-view.ts` decides.
 * - A client must send the user agent with an address, which must be valid. Logs in the common format have no
 *   user agents, and servers that resolve names write a host name, which is the visitor's then.
 * - A client's number is milliseconds, and its date alone is midnight. Logs use other units too, and each
 *   line has a time of day.
 */
export interface StoredEvent {
  /** 128 bits in hex. */
  id: string;
  /** Milliseconds since 1970, rounded down. */
  time: number;
  path: string;
  /** 64 bits. */
  visitor: bigint;
  class: VisitorClass;
  /** Whether the sender set the class: a reclassification then leaves it alone. */
  classGiven: boolean;
  userAgent: string | null;
  agent: string | null;
  format: ViewFormat;
  referrer: string | null;
  notFound: boolean;
  classifier: number;
  verified: boolean | null;
  verifiedBy: VerifiedBy | null;
}
