import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { AnalyticsBench } from './analytics.ts';
import type { Orders } from './analytics-process.ts';
import { QUICKLY } from './processes.ts';

const PROCESS = path.join(import.meta.dirname, 'analytics-process.ts');

export interface Ended {
  acknowledged: number[];
  signal: string | null;
  errors: string;
}

/** Runs a process that dies at a fault point, or is killed after a while. */
export async function runProcess(
  bench: AnalyticsBench,
  orders: Partial<Orders> & Pick<Orders, 'do' | 'project'>,
  killAfterMs?: number,
): Promise<Ended> {
  const all: Orders = {
    databaseUrl: bench.database.url,
    folder: bench.folder.root,
    fault: '',
    first: 0,
    batches: 0,
    ...orders,
  };
  const child = spawn(process.execPath, [...QUICKLY, PROCESS, JSON.stringify(all)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(timer);
  return { acknowledged: output.split('\n').filter(Boolean).map(Number), signal, errors };
}
