import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import type { BenchStack } from './bench-stack.ts';
import { spent, usageOf, type PartsUsage } from './parts-usage.ts';

/** Of a job that edits one page: open, two steps with one set of tools, check, publish and end. */
const ACTIVITIES = 6;
const TASK_QUEUE = 'bench-skeleton';

/** Workflows that do nothing in any of their activities. */
export interface Skeletons {
  workerPid: number | undefined;
  /** Resolves when the workflow has ended. @param name no two have the same */
  run(name: string): Promise<void>;
}

/** Passes a worker for skeletons to `work`. */
export async function withSkeletons<T>(address: string, work: (skeletons: Skeletons) => Promise<T>): Promise<T> {
  const worker = spawn(process.execPath, [path.join(import.meta.dirname, 'skeleton-worker.ts'), address, TASK_QUEUE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(worker.stdout, 'data');
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  try {
    return await work({
      workerPid: worker.pid,
      async run(name) {
        const options = { workflowId: `skeleton-${name}`, taskQueue: TASK_QUEUE, args: [ACTIVITIES] };
        await workflow.execute('skeleton', options);
      },
    });
  } finally {
    await connection.close();
    worker.kill('SIGTERM');
    await once(worker, 'exit');
  }
}

/**
 * Temporal's minimum cost for as many workflows with as many activities: a worker whose activities do
 * nothing.
 */
export async function runSkeletons(stack: BenchStack, count: number): Promise<{ seconds: number; used: PartsUsage }> {
  return withSkeletons(stack.temporalAddress, async ({ workerPid, run }) => {
    for (let n = 0; n < 5; n += 1) await run(`warm-${n}`);
    const parts = { temporal: stack.pids.temporal, worker: workerPid };
    const before = await usageOf(parts);
    const from = performance.now();
    await Promise.all(Array.from({ length: count }, (_, n) => run(String(n))));
    const seconds = (performance.now() - from) / 1_000;
    return { seconds, used: spent(before, await usageOf(parts)) };
  });
}
