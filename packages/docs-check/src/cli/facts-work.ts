import type { PageDialect } from '../read/page-dialect.ts';
import type { PageFacts } from '../read/page-facts.ts';

/** What a thread is started with. */
export interface FactsWork {
  /** Absolute. */
  top: string;
  pages: readonly { path: string; dialect: PageDialect }[];
  /** One number that all threads share: the next page that no one has taken. */
  next: SharedArrayBuffer;
}

/** What it tells of each page that it has taken; null where it is no text. */
export interface FactsRead {
  page: number;
  key: string;
  facts: PageFacts | null;
}
