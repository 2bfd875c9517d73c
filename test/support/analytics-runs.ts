import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { AnalyticsBench } from './analytics.ts';
import type { Orders } from './analytics-process.ts';
import { builtProcess } from './processes.ts';

const PROCESS = builtProcess('analytics-process');

export interface Ended {
  acknowledged: number[];
  signal: string | null;
  errors: string;
}

type Ordered = Partial<Orders> & Pick<Orders, 'do' | 'project'>;

/** Runs a process that dies at a fault point, or is killed after a while. */
export async function runProcess(bench: AnalyticsBench, orders: Ordered, killAfterMs?: number): Promise<Ended> {
  const { child, ended } = startProcess(bench, orders);
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  try {
    return await ended;
  } finally {
    clearTimeout(timer);
  }
}

/** As {@link runProcess}, for callers that do something in the meantime. */
export function startProcess(bench: AnalyticsBench, orders: Ordered): { child: ChildProcess; ended: Promise<Ended> } {
  const all: Orders = {
    databaseUrl: bench.database.url,
    folder: bench.folder.root,
    fault: '',
    first: 0,
    batches: 0,
    ...orders,
  };
  const child = spawn(process.execPath, [PROCESS, JSON.stringify(all)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = once(child, 'exit').then(([, signal]: unknown[]) => ({
    acknowledged: output.split('\n').filter(Boolean).map(Number),
    signal: signal as string | null,
    errors,
  }));
  return { child, ended };
}
