import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { readPageFacts } from '../read/read-page-facts.ts';
import type { FactsRead, FactsWork } from './facts-work.ts';
import { readFile } from './read-file.ts';

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
