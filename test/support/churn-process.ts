import { getHeapSpaceStatistics } from 'node:v8';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { boundHeapGrowth } from '../../src/platform/processes/heap-growth.ts';

/**
 * A process, or a thread of it, in which about 20 MB live and all else comes and goes. Prints the most that
 * V8 took for young and old objects, in MB. Arguments: `bound` to bound it as a role does, `thread` to do the
 * work in a thread.
 */
const wanted = new Set(process.argv.slice(2));
if (isMainThread && wanted.has('bound')) boundHeapGrowth();
if (isMainThread && wanted.has('thread')) {
  new Worker(new URL(import.meta.url)).on('message', (peaks) => process.stdout.write(JSON.stringify(peaks)));
} else {
  const peaks = await churn();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- no window, but a thread
  if (parentPort) parentPort.postMessage(peaks);
  else process.stdout.write(JSON.stringify(peaks));
}

async function churn(): Promise<{ young: number; old: number }> {
  const living: unknown[] = [];
  const peaks = { young: 0, old: 0 };
  for (let round = 0; round < 150; round += 1) {
    living.push(Array.from({ length: 20_000 }, (_, n) => ({ round, list: [n], text: `x${n}` })));
    if (living.length > 8) living.shift();
    // The collector works beside: it is to keep up, as in a server.
    await sleep(4);
    const spaces = new Map(getHeapSpaceStatistics().map((space) => [space.space_name, space.physical_space_size]));
    peaks.young = Math.max(peaks.young, (spaces.get('new_space') ?? 0) / 1_048_576);
    peaks.old = Math.max(peaks.old, (spaces.get('old_space') ?? 0) / 1_048_576);
  }
  return peaks;
}
