import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres } from '../../src/main/start/postgres/cluster.ts';
import { createLogger } from '../../src/platform/log.ts';
import { Reaper } from '../../src/platform/processes/reaper.ts';
import { openDatabase, type Db } from '../../src/store/database.ts';
import { migrate } from '../../src/store/migrate.ts';
import { median, ms, percentile, type BenchRow } from './bench-row.ts';
import { fillTables } from './tables-fill.ts';
import { tableQuestions, type Question } from './tables-questions.ts';

const RUNS = 40;
/** A question that takes so long is asked fewer times. */
const SLOW_MS = 200;

export interface TablesOptions {
  jobs?: number;
  /** Plans of what takes longer than its goal go to the terminal; of all, where `all` is said. */
  plans?: 'slow' | 'all' | undefined;
  /** A filled database to use, or to fill and keep, instead of a new server: it is brought up to date. */
  url?: string | undefined;
}

/** Every get, list, look and timer, in an installation that has had a million jobs, as the client of the database sees it. */
export async function benchTables({ jobs = 1_000_000, plans, url }: TablesOptions = {}): Promise<BenchRow[]> {
  if (url !== undefined) return measure(url, jobs, plans);
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-tables-'));
  await chmod(folder, 0o711);
  const reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
  const log = createLogger({ level: 'error', name: 'bench' });
  const server = await startPostgres({ dir: path.join(folder, 'postgres'), log, reaper });
  try {
    return await measure(server.url, jobs, plans);
  } finally {
    await server.stop();
    await reaper.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const say = (text: string) => process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);

/** As `idOf` of tables-fill.ts has it. */
function idOfJob(n: number): string {
  return createHash('md5')
    .update(String(Math.floor(n)))
    .digest('hex')
    .slice(0, 20);
}

async function measure(url: string, jobs: number, plans: TablesOptions['plans']): Promise<BenchRow[]> {
  const database = openDatabase(url);
  try {
    await migrate(database, { say });
    const { rows } = await database.pool.query('SELECT 1 FROM jobs LIMIT 1');
    if (rows.length === 0) await fillTables(database, jobs, say);
    const questionsOf = (db: Db) => tableQuestions(db, jobs, idOfJob);
    const results: BenchRow[] = [];
    for (const question of await questionsOf(database.db)) {
      const times = await timesOf(question);
      const met = median(times) <= question.goalMs;
      if (plans === 'all' || (plans === 'slow' && !met)) await explain(url, question.name, questionsOf);
      results.push({
        name: question.name,
        measured: `p10 ${ms(percentile(times, 10))}, p50 ${ms(median(times))}, p99 ${ms(percentile(times, 99))}`,
        goal: `p50 at most ${question.goalMs} ms`,
        met,
      });
    }
    return results;
  } finally {
    await database.close();
  }
}

async function timesOf({ ask }: Question): Promise<number[]> {
  const times: number[] = [];
  let runs = RUNS;
  for (let n = -6; n < runs; n += 1) {
    const startedAt = performance.now();
    await ask();
    const took = performance.now() - startedAt;
    if (n >= 0) times.push(took);
    if (took <= SLOW_MS) continue;
    runs = 3;
    n = Math.max(n, -1);
  }
  return times;
}

/** Asks the question once more, on a connection that prints each plan as it was carried out. */
async function explain(url: string, name: string, questionsOf: (db: Db) => Promise<Question[]>): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_buffers': 'on',
    client_min_messages: 'log',
  };
  const explaining = new URL(url);
  const flags = Object.entries(settings).map(([setting, value]) => `-c ${setting}=${value}`);
  explaining.searchParams.set('options', flags.join(' '));
  const database = openDatabase(explaining.href, { maxConnections: 1 });
  try {
    const question = (await questionsOf(database.db)).find((one) => one.name === name);
    const client = await database.pool.connect();
    client.on('notice', ({ message }) => process.stdout.write(`\n-- ${name}\n${message ?? ''}\n`));
    client.release();
    await question?.ask();
  } finally {
    await database.close();
  }
}
