import type { VisitorClass } from '../../config/project-settings.ts';

/**
 * In which form a page was read: as a web page, as Markdown, as one of the llms.txt files, or through the Model
 * Context Protocol.
 */
export const VIEW_FORMATS = ['html', 'md', 'llms.txt', 'mcp'] as const;
export type ViewFormat = (typeof VIEW_FORMATS)[number];

/**
 * An event as it is kept, whichever way it came: `read-event.ts` reads what clients send, `ingest/logs/`
 * reads logs, and what the texts mean is said once for both, in this folder. What one way knows and the other
 * does not:
 *
 * - A client may give an id, a `visitorId`, a class and a format. A line of a log has an id by what it says,
 *   its visitor is an address and
 *   a user agent, and its format is that of the path.
 * - A client says that something is a page view. Of a log's lines, those are which `page-view.ts` takes for
 *   one.
 * - A client must say the user agent beside an address, and the address is one. A log in the common format
 *   has no user agents, and a
 *   server that looks names up writes a name: that is the visitor's then.
 * - A client's number is milliseconds, and its date alone is midnight. Logs count in other units too, and
 *   each line has a time of day.
 */
export interface StoredEvent {
  /** 128 bits in hex. */
  id: string;
  /** Milliseconds since 1970; what is between two of them is the earlier one. */
  time: number;
  path: string;
  /** 64 bits. */
  visitor: bigint;
  class: VisitorClass;
  /** Whether the sender said the class: a reclassification then leaves it alone. */
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
export type VerifiedBy = 'ranges';

/** What the events of one user agent, format and result of the check have in common. */
export interface EventKind {
  readonly userAgent: string | null;
  readonly class: VisitorClass;
  readonly agent: string | null;
  readonly format: ViewFormat;
  readonly classifier: number;
  /** Whether the client is the agent that it claims to be; null where its operator publishes no check. */
  readonly verified: boolean | null;
  readonly verifiedBy: VerifiedBy | null;
}
