/** Counts of visitors, or of views. `total` counts visitors who are human or AI, once. */
export interface Counts {
  human: number;
  ai: number;
  total: number;
}

export interface PathCounts extends Counts {
  path: string;
}

/** Totals of the site, and the requested paths. */
export interface CountsByPath extends Page<PathCounts> {
  totals: Counts;
}

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
  /** For callers that do not read the rows. */
  close(): Promise<void>;
}

/** The requested rows of an answer. */
export interface Paging {
  limit: number;
  offset: number;
}
