import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { DocsSite } from '../read/docs-site.ts';
import type { FactsCache } from '../read/facts-cache.ts';
import { dialectOf } from '../read/site.ts';
import type { DiskFiles } from './disk-files.ts';
import type { FactsRead, FactsWork } from './facts-work.ts';

/** A thread loads the parsers again, which takes as long as about 100 pages. */
const PAGES_PER_THREAD = 150;
/** Each has its own heap, of about 150 MB. */
const MAX_THREADS = 4;
/** Most objects of a parser are short-lived: with more room they are collected less often. */
const YOUNG_MEGABYTES = 48;

/**
 * Reads uncached pages with as many threads as there are processors, and caches their facts. What a thread
 * did not finish is simply missing.
 */
export async function readAhead(
  docs: DocsSite,
  files: DiskFiles,
  cache: FactsCache,
  onProgress: (done: number, all: number) => void,
): Promise<void> {
  const pages = docs.site.pages.flatMap((path) => {
    const dialect = dialectOf(docs.site, path);
    return dialect && docs.isNew(path) ? [{ path, dialect }] : [];
  });
  const threads = Math.min(availableParallelism(), MAX_THREADS, Math.floor(pages.length / PAGES_PER_THREAD));
  if (threads < 2) return;
  const work: FactsWork = { top: files.top, pages, next: new SharedArrayBuffer(4) };
  let done = 0;
  const take = ({ page, key, facts }: FactsRead) => {
    const { path, dialect } = pages[page]!;
    files.know(path, key);
    if (facts) cache.add(key, dialect, facts);
    onProgress(++done, pages.length);
  };
  await Promise.all(Array.from({ length: threads }, () => runThread(work, take)));
}

function runThread(work: FactsWork, take: (read: FactsRead) => void): Promise<void> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL(WORKER, import.meta.url), {
      workerData: work,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    worker.on('message', take);
    // The pages that it leaves are read without it.
    worker.on('error', () => resolve());
    worker.on('exit', () => resolve());
  });
}

/** Beside this file, as source and when it is built. */
const WORKER = import.meta.url.endsWith('.ts') ? './facts-worker.ts' : './facts-worker.js';
