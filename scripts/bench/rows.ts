import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { createLogger } from '../../src/platform/log.ts';
import { startPostgres } from '../../src/main/start/postgres/cluster.ts';
import { Reaper } from '../../src/platform/processes/reaper.ts';
import { openDatabase, type Db, type Queryable } from '../../src/store/database.ts';
import { listEvents } from '../../src/store/job-events.ts';
import { acceptJob, acceptMessage } from '../../src/jobs/acceptance.ts';
import { findJobById, listTurnDiffs } from '../../src/store/jobs.ts';
import { listJobs } from '../../src/store/list-jobs.ts';
import { migrate } from '../../src/store/migrate.ts';
import { listCalls } from '../../src/store/model-calls.ts';
import { reserveCall } from '../../src/jobs/budgets.ts';
import { listOverlay } from '../../src/store/overlay.ts';
import { findNewestPullRequest, findPullRequestByHead } from '../../src/store/pull-requests.ts';
import { listUnsettledJobs, readUnsettledJob } from '../../src/jobs/outbox.ts';
import { beginPart } from '../../src/store/steps.ts';
import { readTranscript } from '../../src/store/transcript.ts';
import { endTurn, openTurn } from '../../src/jobs/turn-life.ts';
import { median, ms, percentile, type BenchRow } from './bench-row.ts';

const RUNS = 40;
/** What is compared with: an installation that is hardly used. */
const FEW_JOBS = 1_000;
const MAX_RATIO = 2;
const PROJECT = 'large';

/**
 * What the database takes for each question that is asked per request, per look of the reconciler and per turn, in an installation
 * that has had a million jobs (`--jobs N` for another number), nine in ten of them in one project, all but a few at rest; beside the
 * same questions where there have been a thousand, asked in turn.
 */
export async function benchRows(jobs = 1_000_000): Promise<BenchRow[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-bench-rows-'));
  await chmod(folder, 0o711);
  const reaper = new Reaper();
  reaper.deleteAfterDeath(folder);
  const log = createLogger({ level: 'error', name: 'bench' });
  const server = await startPostgres({ dir: path.join(folder, 'postgres'), log, reaper });
  const many = openDatabase(server.url);
  await many.db.execute(sql`CREATE DATABASE few`);
  const fewUrl = new URL(server.url);
  fewUrl.pathname = '/few';
  const few = openDatabase(fewUrl.href);
  try {
    for (const [database, count] of [
      [few, FEW_JOBS],
      [many, jobs],
    ] as const) {
      await migrate(database);
      await fill(database.db, count);
    }
    const rows: BenchRow[] = [];
    const ofFew = new Map(await questions(few.db, FEW_JOBS));
    for (const [name, ask] of await questions(many.db, jobs)) {
      const times = { many: [] as number[], few: [] as number[] };
      for (let n = -3; n < RUNS; n += 1) {
        const ofMany = await timed(ask);
        const reference = await timed(ofFew.get(name)!);
        if (n < 0) continue;
        times.many.push(ofMany);
        times.few.push(reference);
      }
      const ratio = median(times.many) / median(times.few);
      rows.push({
        name: `${jobs.toLocaleString('en')} jobs: ${name}`,
        measured: `p10 ${ms(percentile(times.many, 10))}, p50 ${ms(median(times.many))} (of ${FEW_JOBS.toLocaleString('en')} jobs: ${ms(median(times.few))})`,
        ratio,
        goal: `at most ${MAX_RATIO}`,
        met: ratio <= MAX_RATIO,
      });
    }
    return rows;
  } finally {
    await Promise.all([many.close(), few.close()]);
    await server.stop();
    await reaper.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function timed(ask: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await ask();
  return performance.now() - startedAt;
}

/** Ids sort by no time, as real ones. */
const ID = sql.raw(`md5(n::text)`);

async function fill(db: Db, jobs: number): Promise<void> {
  await db.transaction(async (tx) => {
    const run = (statement: string) => tx.execute(sql.raw(statement));
    // What is generated refers to what is there: nothing has to be looked up for that.
    await run(`SET LOCAL statement_timeout = 0; SET LOCAL session_replication_role = replica`);
    await run(`INSERT INTO projects (id, repository, ref, model)
      SELECT CASE n WHEN 0 THEN '${PROJECT}' ELSE 'small-' || n END, '/srv/git/docs.git', 'main', 'builtin' FROM generate_series(0, 99) n`);
    // One job in 30 s for a year; of a thousand the last ones are active, failed or archived.
    await run(`INSERT INTO jobs (id, project_id, status, model, repository_url, base_ref, branch, title, summary,
        last_message_no, last_turn_no, last_event_no, created_at, updated_at)
      SELECT md5(n::text), CASE WHEN n % 10 > 0 THEN '${PROJECT}' ELSE 'small-' || (1 + n / 10 % 99) END,
        CASE WHEN n % 5000 = 1 THEN 'failed' WHEN n % 3 = 1 THEN 'archived' WHEN n > ${jobs} - 50 THEN 'active' ELSE 'completed' END,
        'builtin', 'file:///srv/git/docs.git', 'main', 'docent/' || md5(n::text), 'Improve page ' || n, repeat('Said. ', 20),
        1, 1, 2, now() - (${jobs} - n) * interval '30 seconds', now() - (${jobs} - n) * interval '30 seconds' + interval '20 seconds'
      FROM generate_series(1, ${jobs}) n`);
    const each = 'FROM jobs j';
    await run(`INSERT INTO messages (job_id, no, id, prompt, state, turn_no, step_no, created_at)
      SELECT id, 1, id, 'Improve the page, please. ' || title, CASE status WHEN 'active' THEN 'taken' ELSE 'done' END, 1, 1, created_at ${each}`);
    await run(`INSERT INTO turns (job_id, no, state, chain_no, branch, base_commit, chain_base_commit, commit_time, commit, diff, steps, started_at, ended_at)
      SELECT id, 1, CASE status WHEN 'active' THEN 'running' WHEN 'failed' THEN 'failed' ELSE 'published' END, 1, branch, id, id,
        created_at, id, repeat('+ line', 50), 2, created_at, updated_at ${each}`);
    await run(`INSERT INTO transcript (job_id, turn_no, step_no, part, entries, created_at)
      SELECT id, 1, 1, part, '[{"role": "user", "no": 1, "text": "Improve"}, {"role": "assistant", "text": "", "toolCalls": [{"id": "a"}]}]', created_at
      ${each}, unnest(ARRAY['model', 'tools']) part`);
    await run(`INSERT INTO job_events (job_id, no, type, turn_no, text, created_at)
      SELECT id, k, 'step', 1, 'read guides/start.mdx', created_at ${each}, generate_series(1, 2) k`);
    await run(`INSERT INTO model_calls (job_id, turn_no, step_no, project_id, model, state, input_tokens, cached_input_tokens, output_tokens, cost_nano_usd, created_at)
      SELECT id, 1, 1, project_id, 'builtin', 'done', 1000, 0, 100, 0, created_at ${each}`);
    await run(`INSERT INTO pull_requests (id, project_id, job_id, chain_no, repository, head_branch, base_branch, title, body, head_commit, created_at)
      SELECT id, project_id, id, 1, '/srv/git/docs.git', branch, 'main', title, 'Body', id, created_at ${each}`);
  });
  await db.execute(sql`ANALYZE`);
}

/** Undoes what is done, so that each run asks the same. */
class Undone extends Error {}

async function questions(db: Db, jobs: number): Promise<[name: string, ask: () => Promise<unknown>][]> {
  const idOf = async (n: number) => {
    const { rows } = await db.execute<{ id: string }>(sql`SELECT ${ID} AS id FROM (SELECT ${n}::int AS n) x`);
    return rows[0]?.id ?? '';
  };
  const [old, active] = [await idOf(3 * Math.floor(jobs / 6)), await idOf(jobs - 1)];
  const before = await findJobById(db, old);
  const job = await findJobById(db, active);
  if (!before || !job) throw new Error('The generated jobs are not there.');
  const { projectId } = job;
  const undone = (work: (tx: Queryable) => Promise<unknown>) => () =>
    db
      .transaction(async (tx) => {
        await work(tx);
        throw new Undone();
      })
      .catch((err: unknown) => {
        if (!(err instanceof Undone)) throw err;
      });
  const accepted = {
    prompt: 'Improve the page',
    limitPerHour: 100_000,
    repositoryUrl: () => 'file:///srv/git/docs.git',
  };
  const at = { jobId: active, turnNo: 1, stepNo: 2, projectId, model: 'builtin' };
  const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costNanoUsd: 0 };
  return [
    ['a look of the reconciler', () => listUnsettledJobs(db, { quietMs: 2_500, limit: 2_000 })],
    ['a look at one job', () => readUnsettledJob(db, active)],
    ['list, first page', () => listJobs(db, { projectId: PROJECT, limit: 51 })],
    ['list, a page in the middle', () => listJobs(db, { projectId: PROJECT, limit: 51, before })],
    ['list of a small project', () => listJobs(db, { projectId: 'small-7', limit: 51 })],
    ['list, the failed ones', () => listJobs(db, { projectId: PROJECT, status: ['failed'], limit: 51 })],
    [
      'list, the failed ones, a page in the middle',
      () => listJobs(db, { projectId: PROJECT, status: ['failed'], limit: 51, before }),
    ],
    ['list, the active ones', () => listJobs(db, { projectId: PROJECT, status: ['active'], limit: 51 })],
    ['accept a job, up to 100,000 an hour', undone((tx) => acceptJob(tx, { ...accepted, projectId: PROJECT }))],
    [
      'accept a job, up to 1,000 an hour',
      undone((tx) => acceptJob(tx, { ...accepted, projectId: PROJECT, limitPerHour: 1_000 })),
    ],
    ['accept a message', undone((tx) => acceptMessage(tx, { ...accepted, projectId: before.projectId, jobId: old }))],
    [
      'open a turn',
      undone(async (tx) => {
        await acceptMessage(tx, { ...accepted, projectId: before.projectId, jobId: old });
        await openTurn(tx, old, 20);
      }),
    ],
    ['begin half a step', () => beginPart(db, { jobId: active, turnNo: 1, stepNo: 2, part: 'model' })],
    ['ask for the budget of the day', undone((tx) => reserveCall(tx, at, none, { dayTokens: 1e12 }))],
    ['end a turn', undone((tx) => endTurn(tx, active, 1, { state: 'published', summary: 'Done', error: null }))],
    [
      'transcript, files, events, calls and diffs of a job',
      async () => {
        await readTranscript(db, old);
        await listOverlay(db, old);
        await listEvents(db, old, { after: 0, limit: 100 });
        await listCalls(db, old);
        await listTurnDiffs(db, old);
      },
    ],
    [
      'pull requests of a job',
      async () => {
        await findNewestPullRequest(db, old);
        await findPullRequestByHead(db, before.projectId, `docent/${old}`);
      },
    ],
  ];
}
