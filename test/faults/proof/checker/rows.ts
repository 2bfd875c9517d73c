import type { Client } from 'pg';
import type { Findings, LedgerJob } from './ledger-file.ts';

interface JobRow {
  id: string;
  status: string;
  error_code: string | null;
}
interface MessageRow {
  job_id: string;
  no: number;
  prompt: string;
  state: string;
  turn_no: number;
  step_no: number;
}
interface PullRequestRow {
  job_id: string;
  state: string;
  head_branch: string;
}

/**
 * By plain SQL: every accepted job ended, its messages were answered in order, and it has one pull request.
 */
export async function checkRows(database: Client, projectId: string, made: readonly LedgerJob[]): Promise<Findings> {
  const all = async <Row extends object>(sql: string) => (await database.query<Row>(sql, [projectId])).rows;
  const jobs = new Map(
    (await all<JobRow>('SELECT id, status, error_code FROM jobs WHERE project_id = $1 AND automation_id IS NULL')).map(
      (row) => [row.id, row],
    ),
  );
  const messages = Map.groupBy(
    await all<MessageRow>(
      `SELECT m.job_id, m.no, m.prompt, m.state, m.turn_no, m.step_no FROM messages m JOIN jobs j ON j.id = m.job_id
       WHERE j.project_id = $1 ORDER BY m.job_id, m.no`,
    ),
    (row) => row.job_id,
  );
  const pulls = Map.groupBy(
    await all<PullRequestRow>('SELECT job_id, state, head_branch FROM pull_requests WHERE project_id = $1'),
    (row) => row.job_id,
  );
  const wrong = made.flatMap((job) => [
    ...wrongState(job, jobs.get(job.id)),
    ...wrongMessages(job, messages.get(job.id) ?? []),
    ...wrongPulls(job, pulls.get(job.id) ?? []),
  ]);
  const known = new Set(made.map(({ id }) => id));
  if (known.size !== made.length) wrong.push('One job was answered to two requests.');
  for (const id of jobs.keys()) if (!known.has(id)) wrong.push(`Job ${id} was never acknowledged to anybody.`);
  const gaps = await all<{ job_id: string }>(
    `SELECT e.job_id FROM job_events e JOIN jobs j ON j.id = e.job_id WHERE j.project_id = $1
     GROUP BY e.job_id HAVING count(*) <> max(e.no) OR min(e.no) <> 1`,
  );
  for (const { job_id: id } of gaps) wrong.push(`The events of job ${id} have a gap.`);
  const twice = await all<{ job_id: string; no: number }>(
    `SELECT t.job_id, t.no FROM turns t JOIN jobs j ON j.id = t.job_id WHERE j.project_id = $1 AND t.state = 'running'`,
  );
  for (const { job_id: id, no } of twice) wrong.push(`Turn ${no} of job ${id} still runs.`);
  const looked = {
    jobs: made.length,
    messages: [...messages.values()].reduce((sum, rows) => sum + rows.length, 0),
    'pull requests': [...pulls.values()].reduce((sum, rows) => sum + rows.length, 0),
  };
  return { wrong, looked };
}

function wrongState({ id }: LedgerJob, row: JobRow | undefined): string[] {
  if (!row) return [`Job ${id} was acknowledged and is not there.`];
  return row.status === 'completed' ? [] : [`Job ${id} is ${row.status} (${row.error_code ?? 'no error'}).`];
}

function wrongMessages({ id, messages }: LedgerJob, rows: readonly MessageRow[]): string[] {
  const asked = JSON.stringify(messages.map(({ prompt }) => prompt));
  if (JSON.stringify(rows.map(({ prompt }) => prompt)) !== asked)
    return [`Job ${id} has ${rows.length} messages of ${messages.length}, or others, or in another order.`];
  const unheard = rows
    .filter(({ state }) => state !== 'done')
    .map(({ no, state }) => `Message ${no} of job ${id} is ${state}.`);
  const isBefore = (a: MessageRow, b: MessageRow) =>
    a.turn_no < b.turn_no || (a.turn_no === b.turn_no && a.step_no <= b.step_no);
  const late = rows.filter((row, i) => i > 0 && !isBefore(rows[i - 1]!, row));
  return [...unheard, ...late.map(({ no }) => `Message ${no} of job ${id} was heard before the one before it.`)];
}

function wrongPulls({ id, kind, merge }: LedgerJob, rows: readonly PullRequestRow[]): string[] {
  if (kind === 'question') return rows.length === 0 ? [] : [`Question ${id} has a pull request.`];
  const [pull] = rows;
  if (!pull || rows.length > 1) return [`Job ${id} has ${rows.length} pull requests.`];
  const wanted = merge === 'merged' ? 'merged' : 'open';
  return pull.state === wanted ? [] : [`The pull request of job ${id} is ${pull.state}, not ${wanted}.`];
}
