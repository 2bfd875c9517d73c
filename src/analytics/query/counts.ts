/** Counts of visitors, or of views. `total` counts whoever is human or AI, once. */
export interface Counts {
  human: number;
  ai: number;
  total: number;
}

export interface PathCounts extends Counts {
  path: string;
}

/** Totals of the site, and what of its paths was asked for. */
export interface CountsByPath {
  totals: Counts;
  rows: PathCounts[];
  hasMore: boolean;
}

/** Which rows of an answer are wanted. */
export interface Paging {
  limit: number;
  offset: number;
}
