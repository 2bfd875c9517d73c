/** Counts of visitors, or of views. `total` counts whoever is human or AI, once. */
export interface Counts {
  human: number;
  ai: number;
  total: number;
}

export interface PathCounts extends Counts {
  path: string;
}

export interface Listing {
  totals: Counts;
  rows: PathCounts[];
  hasMore: boolean;
}

export interface Page {
  limit: number;
  offset: number;
}
