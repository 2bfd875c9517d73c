import { cpus } from 'node:os';
import { benchAnalytics } from './analytics.ts';
import { benchGit } from './git.ts';
import { printRows, type BenchRow } from './bench-row.ts';
import { startBenchStack } from './bench-stack.ts';
import { benchIngest } from './ingest.ts';
import { benchJobs } from './jobs.ts';
import { benchRequests } from './requests.ts';

/**
 * `npm run bench [-- requests ingest jobs git analytics]`: measures Docent on this machine, always beside a reference in the same run, and exits
 * with 1 when a goal is missed.
 */
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n\n`);

const rows: BenchRow[] = [];
if (isWanted('git')) rows.push(...(await benchGit()));
if (isWanted('requests') || isWanted('jobs') || isWanted('ingest')) {
  const stack = await startBenchStack();
  try {
    await stack.startApi();
    if (isWanted('requests')) rows.push(...(await benchRequests(stack)));
    if (isWanted('ingest')) {
      // It looks at the new project's repository.
      const worker = await stack.startWorker();
      rows.push(...(await benchIngest(stack)));
      await worker.kill();
    }
    if (isWanted('jobs')) rows.push(...(await benchJobs(stack)));
  } finally {
    await stack.stop();
  }
}
// Takes an hour: only when it is asked for by name.
if (wanted.includes('analytics')) {
  rows.push(...(await benchAnalytics({ events: 20_000_000, days: 30, readers: 'return' })));
  rows.push(...(await benchAnalytics({ events: 20_000_000, days: 30, readers: 'rarely return' })));
  rows.push(...(await benchAnalytics({ events: 20_000_000, days: 365, readers: 'return' })));
}
printRows(rows);
process.exitCode = rows.some((row) => row.met === false) ? 1 : 0;
