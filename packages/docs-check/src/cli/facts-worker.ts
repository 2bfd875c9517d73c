import { workerData } from 'node:worker_threads';
import { keepCompiledCode } from '@docent/base/compiled-code';
import type { FactsWork } from './facts-work.ts';

// A thread has nothing of what the process did for its own imports.
keepCompiledCode();
const { readPages } = await import('./read-pages.ts');
readPages(workerData as FactsWork);
