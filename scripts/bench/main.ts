import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAnalytics } from './analytics.ts';
import { benchGit } from './git.ts';
import { printRows, type BenchRow } from './bench-row.ts';
import { DATA_SETS, type DataSet, type DataSetName } from './data-set.ts';
import { startBenchStack } from './bench-stack.ts';
import { benchChecks } from './checks.ts';
import { benchCube } from './cube.ts';
import { benchImport } from './import.ts';
import { benchIngest } from './ingest.ts';
import { benchMerges } from './merges.ts';
import { benchProjects } from './projects.ts';
import { benchJobs } from './jobs.ts';
import { benchRequests } from './requests.ts';
import { benchRows } from './rows.ts';
import { benchSearchQuality } from './search.ts';
import { benchSteps } from './steps.ts';
import { benchTables } from './tables.ts';
import { benchTemporalMemory } from './temporal-memory.ts';
import { benchTools } from './tools.ts';

/**
 * `npm run bench [-- requests ingest import jobs rows steps tools git checks analytics cube merges projects temporal-memory] [--set returning …] [--events N] [--jobs N] [--pages N] [--projects N]`: measures Docent on this machine, always
 * beside a reference in the same run, and exits with 1 when a goal is missed. `--set` chooses among the data sets of `analytics`,
 * `--events` makes them, or the past of `merges` smaller or larger, `--rows` the file of `cube`, and `--pages` the site of `checks`, whose peers are looked for on the PATH and in
 * `$DOCENT_BENCH_PEERS/node_modules/.bin`. `tables` fills a database (`--jobs N`; `--database URL` one of yours, which it keeps), and prints
 * with `--plans slow` (or `all`) how PostgreSQL came to the answers that took too long. `search`, with `--site owner/name=PATH` for each clone, is for sites that you have.
 */
const { positionals: wanted, values: options } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', multiple: true },
    site: { type: 'string', multiple: true },
    events: { type: 'string' },
    jobs: { type: 'string' },
    pages: { type: 'string' },
    projects: { type: 'string' },
    rows: { type: 'string' },
    plans: { type: 'string' },
    database: { type: 'string' },
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
if (isWanted('tools')) rows.push(...(await benchTools()));
if (isWanted('rows')) rows.push(...(await benchRows(options.jobs === undefined ? undefined : Number(options.jobs))));
if (isWanted('steps')) rows.push(...(await benchSteps()));
if (isWanted('checks'))
  rows.push(...(await benchChecks(options.pages === undefined ? undefined : Number(options.pages))));
if (isWanted('requests') || isWanted('jobs') || isWanted('ingest')) {
  const stack = await startBenchStack();
  try {
    const api = await stack.startApi();
    if (isWanted('ingest')) {
      // It looks at the new project's repository.
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
// Fills a database for several minutes.
if (wanted.includes('tables')) {
  const { plans, database: url, jobs = '1000000' } = options;
  const which = plans === 'all' || plans === 'slow' ? plans : undefined;
  rows.push(...(await benchTables({ jobs: Number(jobs), plans: which, url })));
}
// Needs clones of the sites that it asks about.
if (wanted.includes('search')) rows.push(...(await benchSearchQuality(options.site ?? [])));
// Take long: only when they are asked for by name.
if (wanted.includes('temporal-memory'))
  rows.push(...(await benchTemporalMemory(options.jobs === undefined ? undefined : Number(options.jobs))));
if (wanted.includes('cube'))
  rows.push(...(await benchCube(options.rows === undefined ? undefined : Number(options.rows))));
if (wanted.includes('merges'))
  rows.push(...(await benchMerges(options.events === undefined ? undefined : Number(options.events))));
if (wanted.includes('projects'))
  rows.push(...(await benchProjects(options.projects === undefined ? undefined : Number(options.projects))));
if (wanted.includes('analytics')) {
  for (const set of sets) rows.push(...(await benchAnalytics(set)));
}
printRows(rows);
process.exitCode = rows.some((row) => row.met === false) ? 1 : 0;
