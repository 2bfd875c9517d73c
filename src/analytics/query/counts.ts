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
export interface CountsByPath extends Page<PathCounts> {
  totals: Counts;
}

/** A page of a listing. */
export interface Page<R> {
  rows: R[];
  /** Rows of the whole listing. */
  count: number;
  hasMore: boolean;
}

/** A whole listing, in the order of its pages. */
export interface Whole<R> {
  count: number;
  /** Made as they are taken: see `RowStream`. */
  rows(): AsyncGenerator<readonly R[]>;
  /** For one whose rows are not taken. */
  close(): Promise<void>;
}

/** Which rows of an answer are wanted. */
export interface Paging {
  limit: number;
  offset: number;
}
