import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Client } from 'pg';
import type { Findings, LedgerAutomation, LedgerFile } from './ledger-file.ts';

const BASE = 'main';
const QUARTER_MS = 15 * 60_000;
/** An occurrence of a schedule may be reported this late. */
const LATE_MS = 5 * 60_000;

export interface RunRow {
  id: string;
  status: string;
  events: number;
  job_id: string | null;
}
export interface EventRow {
  delivery_id: string;
  state: string;
  run_id: string | null;
  /** Of readers' signals: the page. */
  page?: string | null;
}
/** Feedback that is stored about a page: the messages, and how many agents sent them. */
export interface FeedbackRow {
  path: string;
  n: number;
  visitors: number;
}

/** Agents with feedback on a page that start a run. */
export const FEEDBACK_THRESHOLD = 3;

/** By plain SQL: each acknowledged event is in one run, each run has one job, and each job has one run. */
export async function checkAutomations(
  database: Client,
  repository: string,
  { projectId, automations, endedAt }: Pick<LedgerFile, 'projectId' | 'automations' | 'endedAt'>,
): Promise<Findings> {
  const wrong: string[] = [];
  const looked = { 'automation events': 0, 'automation runs': 0 };
  const tip = (await promisify(execFile)('git', ['-C', repository, 'rev-parse', BASE])).stdout.trim();
  for (const automation of automations) {
    const all = async <Row extends object>(sql: string) =>
      (await database.query<Row>(sql, [projectId, automation.id])).rows;
    const runs = await all<RunRow>(
      'SELECT id, status, events, job_id FROM automation_runs WHERE project_id = $1 AND automation_id = $2',
    );
    const events = await all<EventRow>(
      `SELECT delivery_id, state, run_id,
         CASE WHEN source LIKE 'readers:%' THEN convert_from(body, 'UTF8')::json ->> 'path' END AS page
       FROM trigger_events WHERE project_id = $1 AND automation_id = $2`,
    );
    const jobs = await all<{ id: string }>('SELECT id FROM jobs WHERE project_id = $1 AND automation_id = $2');
    const [row] = await all<{ head: string | null }>(
      `SELECT code_heads ->> '.' AS head FROM automations WHERE project_id = $1 AND id = $2`,
    );
    const feedback =
      automation.trigger === 'readers'
        ? await database.query<FeedbackRow>(
            `SELECT path, count(*)::int AS n, count(DISTINCT visitor)::int AS visitors
             FROM reader_feedback WHERE project_id = $1 GROUP BY path`,
            [projectId],
          )
        : { rows: [] };
    looked['automation events'] += events.length;
    looked['automation runs'] += runs.length;
    wrong.push(
      ...(automation.trigger === 'readers'
        ? wrongSignals(automation, events, feedback.rows)
        : wrongEvents(automation, events, new Date(endedAt))),
      ...wrongRuns(automation, { runs, events, jobs: jobs.map(({ id }) => id) }),
      ...(automation.trigger === 'code' && row?.head !== tip
        ? [`${automation.id} has not seen the tip of ${BASE}.`]
        : []),
    );
  }
  return { wrong, looked };
}

/** Exactly the acknowledged and the scheduled events exist. */
export function wrongEvents(
  { id, trigger, createdAt, deliveries }: LedgerAutomation,
  events: readonly EventRow[],
  endedAt: Date,
): string[] {
  const there = new Set(events.map(({ delivery_id: delivery }) => delivery));
  const wanted = trigger === 'schedule' ? quartersBetween(new Date(createdAt), endedAt) : new Set(deliveries);
  return [
    ...[...wanted].filter((one) => !there.has(one)).map((one) => `Event ${one} of ${id} is not there.`),
    ...(trigger === 'webhook' ? [...there] : [])
      .filter((one) => !wanted.has(one))
      .map((one) => `Event ${one} of ${id} was never acknowledged to anybody.`),
  ];
}

/**
 * Each page with enough feedback has one event, however often it was counted, and no other page has any. Runs
 * shorter than a day count a page once.
 */
export function wrongSignals(
  { id, deliveries }: Pick<LedgerAutomation, 'id' | 'deliveries'>,
  events: readonly EventRow[],
  feedback: readonly FeedbackRow[],
): string[] {
  const acknowledged = Map.groupBy(deliveries, (page) => page);
  const stored = new Map(feedback.map((row) => [row.path, row]));
  const started = Map.groupBy(events, ({ page }) => page ?? '');
  return [
    ...[...acknowledged]
      .filter(([page, sent]) => (stored.get(page)?.n ?? 0) < sent.length)
      .map(([page, sent]) => `Of ${sent.length} messages about ${page}, ${stored.get(page)?.n ?? 0} are there.`),
    ...feedback
      .filter(({ path, visitors }) => visitors >= FEEDBACK_THRESHOLD && !started.has(path))
      .map(({ path, visitors }) => `${visitors} agents with feedback on ${path} started no run of ${id}.`),
    ...[...started]
      .map(([page, { length }]) => ({ page, length, visitors: stored.get(page)?.visitors ?? 0 }))
      .filter(({ length, visitors }) => length > 1 || visitors < FEEDBACK_THRESHOLD)
      .map(({ page, length, visitors }) => `${length} events of ${id} are about ${page}, with ${visitors} agents.`),
  ];
}

export function wrongRuns(
  { id, trigger, jobs: called }: LedgerAutomation,
  { runs, events, jobs }: { runs: readonly RunRow[]; events: readonly EventRow[]; jobs: readonly string[] },
): string[] {
  const known = new Set(runs.map((run) => run.id));
  const ofRuns = runs.flatMap(({ job_id: job }) => job ?? []);
  // A push that changed nothing of the paths starts no job.
  const isEnded = ({ status, job_id: job }: RunRow) =>
    (status === 'review_needed' && job !== null) || (trigger === 'code' && status === 'skipped' && job === null);
  const counted = runs.reduce((sum, run) => sum + run.events, 0);
  const wanted = trigger === 'api' ? called.length : events.length;
  return [
    ...events
      .filter(({ state, run_id: run }) => state !== 'done' || !known.has(run ?? ''))
      .map((event) => `Event ${event.delivery_id} of ${id} is ${event.state} and in run ${event.run_id}.`),
    ...runs.filter((run) => !isEnded(run)).map((run) => `Run ${run.id} of ${id} is ${run.status}.`),
    ...(counted === wanted ? [] : [`The runs of ${id} stand for ${counted} events of ${wanted}.`]),
    ...(new Set(ofRuns).size === ofRuns.length ? [] : [`Two runs of ${id} have one job.`]),
    ...jobs.filter((job) => !ofRuns.includes(job)).map((job) => `Job ${job} of ${id} has no run.`),
    ...(trigger === 'api' ? called : [])
      .filter((job) => !ofRuns.includes(job))
      .map((job) => `Job ${job} of ${id} was acknowledged and has no run.`),
  ];
}

/** The keys of a schedule of every quarter of an hour. */
function quartersBetween(from: Date, to: Date): Set<string> {
  const found = new Set<string>();
  const last = to.getTime() - LATE_MS;
  for (let at = Math.ceil(from.getTime() / QUARTER_MS) * QUARTER_MS; at <= last; at += QUARTER_MS)
    found.add(new Date(at).toISOString());
  return found;
}
