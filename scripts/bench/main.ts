import { cpus } from 'node:os';
import { benchGit } from './git.ts';
import { printRows, type BenchRow } from './bench-row.ts';
import { startBenchStack } from './bench-stack.ts';
import { benchJobs } from './jobs.ts';
import { benchRequests } from './requests.ts';

/**
 * `npm run bench [-- requests jobs git]`: measures Docent on this machine, always beside a reference in the same run, and exits
 * with 1 when a goal is missed.
 */
const wanted = process.argv.slice(2);
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n\n`);

const rows: BenchRow[] = [];
if (isWanted('git')) rows.push(...(await benchGit()));
if (isWanted('requests') || isWanted('jobs')) {
  const stack = await startBenchStack();
  try {
    await stack.startApi();
    if (isWanted('requests')) rows.push(...(await benchRequests(stack)));
    if (isWanted('jobs')) rows.push(...(await benchJobs(stack)));
  } finally {
    await stack.stop();
  }
}
printRows(rows);
process.exitCode = rows.some((row) => row.met === false) ? 1 : 0;
