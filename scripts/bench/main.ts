import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAnalytics } from './analytics.ts';
import { printRows, type BenchRow } from './bench-row.ts';
import { startBenchStack } from './bench-stack.ts';
import { benchChecks } from './checks.ts';
import { DATA_SETS, type DataSet, type DataSetName } from './data-set.ts';
import { benchGit } from './git.ts';
import { benchImport } from './import.ts';
import { benchIngest } from './ingest.ts';
import { benchJobs } from './jobs.ts';
import { benchOverload, IN_FLIGHT } from './overload.ts';
import { benchRequests } from './requests.ts';
import { benchSources } from './sources.ts';

/**
 * `npm run bench [-- requests ingest import jobs overload git sources checks analytics] [--set returning …]
 * [--events N] [--pages N]`: measures Docent on this machine, always against a reference in the same run, and
 * exits with 1 when a goal is missed. `--set` chooses among the data sets of `analytics`, `--events` makes
 * them smaller or larger, and `--pages` the site of `checks`, whose peers are looked for on the PATH and in
 * `$DOCENT_BENCH_PEERS/node_modules/.bin`.
 */
const { positionals: wanted, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', multiple: true },
    events: { type: 'string' },
    pages: { type: 'string' },
  },
});
const sets = (options.set ?? Object.keys(DATA_SETS)).map((name) => {
  if (!(name in DATA_SETS)) throw new Error(`There is no data set ${name}: ${Object.keys(DATA_SETS).join(', ')}.`);
  const set: DataSet = DATA_SETS[name as DataSetName];
  return options.events === undefined ? set : { ...set, events: Number(options.events) };
});
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name);
process.stdout.write(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n\n`);

const rows: BenchRow[] = [];
if (isWanted('import')) rows.push(...(await benchImport()));
if (isWanted('git')) rows.push(...(await benchGit()));
if (isWanted('sources')) rows.push(...(await benchSources()));
if (isWanted('checks'))
  rows.push(...(await benchChecks(options.pages === undefined ? undefined : Number(options.pages))));
if (isWanted('requests') || isWanted('jobs') || isWanted('ingest')) {
  const stack = await startBenchStack();
  try {
    const api = await stack.startApi();
    if (isWanted('ingest')) {
      // It checks the new project's repository.
      const worker = await stack.startWorker();
      rows.push(...(await benchIngest(stack, api)));
      await worker.kill();
    }
    if (isWanted('jobs')) rows.push(...(await benchJobs(stack, api)));
    // The last: it leaves jobs behind, which a worker would carry out beside what is measured.
    if (isWanted('requests')) rows.push(...(await benchRequests(stack)));
  } finally {
    await stack.stop();
  }
}
if (isWanted('overload')) {
  // As many jobs at once as clients keep in flight: the others wait in the queue.
  const places = String(IN_FLIGHT);
  const stack = await startBenchStack(() => ({
    DOCENT_CONCURRENT_JOBS: places,
    DOCENT_PROJECT_CONCURRENT_JOBS: places,
  }));
  try {
    await stack.startApi();
    await stack.startWorker();
    rows.push(...(await benchOverload(stack)));
  } finally {
    await stack.stop();
  }
}
// Takes long: only when it is asked for by name.
if (wanted.includes('analytics')) {
  for (const set of sets) rows.push(...(await benchAnalytics(set)));
}
printRows(rows);
process.exitCode = rows.some((row) => row.met === false) ? 1 : 0;
