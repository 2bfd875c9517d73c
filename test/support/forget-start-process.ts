/** Takes memory as a start does, forgets it, and prints the heap in MB before and after. */
import { setTimeout as sleep } from 'node:timers/promises';
import { forgetStart } from '../../src/platform/processes/heap-growth.ts';

const megabytes = () => process.memoryUsage().heapTotal / 1e6;

function take(): number {
  const texts = Array.from({ length: 400 }, (_, no) => Array.from({ length: 60_000 }, () => `${no}`));
  return texts.flat().length;
}

process.exitCode = take() === 24_000_000 ? 0 : 1;
const before = megabytes();
forgetStart();
await sleep(4_000);
process.stdout.write(JSON.stringify({ before, after: megabytes() }));
