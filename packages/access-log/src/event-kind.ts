/**
 * Kinds of visitors. `assistant` fetches a page for a person's current request; `search` builds an index of
 * answers; `training` collects text to train models; `other` is any other machine: previews, monitors, feed
 * readers, libraries. Visitors that are neither human nor assistant are stored, but are outside the totals
 * unless a project includes them.
 */
export const VISITOR_CLASSES = ['human', 'assistant', 'search', 'training', 'other'] as const;
export type VisitorClass = (typeof VISITOR_CLASSES)[number];

/** How a page was read: as a web page, Markdown, an llms.txt file, or through the Model Context Protocol. */
export const VIEW_FORMATS = ['html', 'md', 'llms.txt', 'mcp'] as const;
export type ViewFormat = (typeof VIEW_FORMATS)[number];

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
