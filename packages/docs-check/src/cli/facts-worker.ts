import { workerData } from 'node:worker_threads';
import { keepCompiledCode } from '@docent/base/compiled-code';
import type { FactsWork } from './facts-work.ts';

// A thread does not inherit this from the process.
keepCompiledCode();
const { readPages } = await import('./read-pages.ts');
readPages(workerData as FactsWork);
