import type { Subject } from './counted.ts';

/** What every part of the page goes by. */
export interface Shown {
  subject: Subject;
  /** What all of the page is counted on. */
  version: number;
  /** The days of the comparison, in words; null without one. */
  beforeName: string | null;
  /** The version is not kept any more: ask for a newer one. */
  onGone: () => void;
}

/** The address's query, and how it is changed. */
export interface Asked {
  query: Record<string, string>;
  setQuery: (changes: Record<string, string | undefined>) => void;
}
