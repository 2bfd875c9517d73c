import { workerData } from 'node:worker_threads';
import { quickenImports } from '../../quick-imports.ts';
import type { FactsWork } from './facts-work.ts';

// A thread has nothing of what the process did for its own imports.
quickenImports();
const { readPages } = await import('./read-pages.ts');
readPages(workerData as FactsWork);
