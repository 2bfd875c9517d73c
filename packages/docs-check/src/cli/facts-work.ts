import type { PageDialect } from '../read/page-dialect.ts';
import type { PageFacts } from '../read/page-facts.ts';

/** The input of a thread. */
export interface FactsWork {
  /** Absolute. */
  top: string;
  pages: readonly { path: string; dialect: PageDialect }[];
  /** One number that all threads share: the next free page. */
  next: SharedArrayBuffer;
}

/** Its output for each page; null if it is not text. */
export interface FactsRead {
  page: number;
  key: string;
  facts: PageFacts | null;
}
