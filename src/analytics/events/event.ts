import type { VisitorClass } from '../../config/project-settings.ts';

/** How a page was read: as a web page, Markdown, an llms.txt file, or through the Model Context Protocol. */
export const VIEW_FORMATS = ['html', 'md', 'llms.txt', 'mcp'] as const;
export type ViewFormat = (typeof VIEW_FORMATS)[number];

/**
 * A stored event, from any source: `read-event.ts` reads clients' events, `ingest/logs/` reads logs. The
 * meaning of the texts is defined once for both, in this folder. The sources differ:
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

/** How the claim of a user agent was checked. */
export type VerifiedBy = 'ranges' | 'reverse-dns' | 'signature';

/** The common facts of all events with one user agent, format and result of the check. */
export interface EventKind {
  readonly userAgent: string | null;
  readonly class: VisitorClass;
  readonly agent: string | null;
  readonly format: ViewFormat;
  readonly classifier: number;
  /** Whether the client is the agent that it claims to be; null if its operator publishes no check. */
  readonly verified: boolean | null;
  readonly verifiedBy: VerifiedBy | null;
}
