import type { Subject } from './counted.ts';

/** The common input of the page's parts. */
export interface Shown {
  subject: Subject;
  /** The version of all data on the page. */
  version: number;
  /** The compared days, for people; null without a comparison. */
  beforeName: string | null;
  /** The version is no longer available: request a newer one. */
  onGone: () => void;
}

/** The address's query, and how it is changed. */
export interface Asked {
  query: Record<string, string>;
  setQuery: (changes: Record<string, string | undefined>) => void;
}
