/** Unique visitors, or views: `total` counts a visitor of both kinds once. */
interface Readers {
  human: number;
  ai: number;
  total: number;
}

/** What a digest says about a week or a month of a project's readers. Counts are exact. */
export interface AnalyticsReport {
  every: 'week' | 'month';
  /** Instants; the end is exclusive. */
  from: string;
  to: string;
  timeZone: string;
  visitors: { now: Readers; before: Readers };
  views: { now: Readers; before: Readers };
  /** Most visitors first, at most ten each. Paths and names are hostile. */
  pages: (Readers & { path: string })[];
  brokenLinks: { path: string; count: number; referrer: string | null }[];
  agents: { agent: string; visitors: number; views: number }[];
  pullRequests: { title: string; mergedAt: string; jobId: string | null }[];
}

/** An unusual day. */
export interface AnalyticsAlert {
  kind: 'spike' | 'drop';
  readers: 'human' | 'ai';
  /** A UTC day. */
  day: string;
  visitors: number;
  /** The median of the same weekday in the weeks before. */
  usual: number;
  weeks: number;
}
