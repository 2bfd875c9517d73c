import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { PageDialect } from '../../../docs-site/read/page-dialect.ts';
import type { PageFacts } from '../../../docs-site/read/page-facts.ts';
import { readPageFacts } from '../../../docs-site/read/read-page-facts.ts';
import { readFile } from './read-file.ts';

/** What a thread is started with. */
export interface FactsWork {
  /** Absolute. */
  top: string;
  pages: readonly { path: string; dialect: PageDialect }[];
  /** One number that all threads share: the next page that nobody has taken. */
  next: SharedArrayBuffer;
}

/** What it tells of each page that it has taken; null where it is no text. */
export interface FactsRead {
  page: number;
  key: string;
  facts: PageFacts | null;
}

/** Takes pages until there are none left. */
export function readPages({ top, pages, next }: FactsWork): void {
  const counter = new Int32Array(next);
  for (let page = Atomics.add(counter, 0, 1); page < pages.length; page = Atomics.add(counter, 0, 1)) {
    const { path, dialect } = pages[page]!;
    const { text, key } = readFile(join(top, path));
    const read: FactsRead = { page, key, facts: text === null ? null : readPageFacts(text, dialect) };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
    parentPort!.postMessage(read);
  }
}
