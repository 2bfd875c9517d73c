import { sql, type SQL } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import type { JobRow } from './jobs.ts';
import { SHOWN_OUTCOME, type Outcome, type PullRequestState } from '../schema.ts';

/** The state of a job, in one word: see `state` of Job in openapi.yaml. */
export const JOB_STATES = [
  'queued',
  'working',
  'asked',
  'refused',
  'failed',
  'ready',
  'open',
  'merged',
  'closed',
  'pushed',
  'answered',
  'unchanged',
  'discarded',
  'cancelled',
] as const;
export type JobState = (typeof JOB_STATES)[number];

/** A job's newest pull request, as far as the job's state depends on it. */
export interface JobPullRequest {
  state: PullRequestState;
  /** Whether it was merged or closed after the job's last turn: that turn is no longer news. */
  isSettledSince: boolean;
}

type JobFacts = Pick<JobRow, 'status' | 'queueNo' | 'outcome' | 'pendingChanges' | 'branch'>;

/** The outcome of the last turn; null while the job works. */
export function outcomeOf({ status, outcome }: Pick<JobFacts, 'status' | 'outcome'>): Outcome | null {
  return status === 'active' ? null : outcome;
}

/** Outcomes that the user has to see first, whatever earlier turns have published. */
const UNDONE: readonly (Outcome | null)[] = ['failed', 'refused', 'asked'];

/**
 * The state of a job. Archiving keeps it. A failed turn comes first, until its pull request is merged or
 * closed; then a change that is ready to publish; then the pull request, which a follow-up without changes
 * does not affect. {@link JOB_STATE} is the same in SQL.
 * @param pullRequest the newest one
 */
export function jobStateOf(job: JobFacts, pullRequest: JobPullRequest | null): JobState {
  if (job.status === 'active') return job.queueNo === null ? 'working' : 'queued';
  const outcome = outcomeOf(job);
  if (UNDONE.includes(outcome) && !pullRequest?.isSettledSince) return outcome as JobState;
  if (job.pendingChanges !== null) return 'ready';
  if (pullRequest) return pullRequest.state;
  if (outcome === 'changed' || job.branch !== null) return 'pushed';
  return outcome ?? 'cancelled';
}

const SETTLED_SINCE = sql.raw(`(p.state <> 'open' AND coalesce(p.settled_at, p.updated_at) >= coalesce(
  (SELECT t.ended_at FROM turns t WHERE t.job_id = jobs.id AND t.no = jobs.last_turn_no), '-infinity'))`);

const ofNewest = (what: SQL) =>
  sql`(SELECT ${what} FROM pull_requests p WHERE p.job_id = jobs.id ORDER BY p.chain_no DESC LIMIT 1)`;

/** {@link jobStateOf} of the row of `jobs`. */
const JOB_STATE = sql`(CASE
  WHEN jobs.status = 'active' THEN CASE WHEN jobs.queue_no IS NULL THEN 'working' ELSE 'queued' END
  WHEN ${SHOWN_OUTCOME} IN ('failed', 'refused', 'asked') AND NOT coalesce(${ofNewest(SETTLED_SINCE)}, false)
    THEN ${SHOWN_OUTCOME}
  WHEN jobs.pending_changes IS NOT NULL THEN 'ready'
  ELSE coalesce(${ofNewest(sql.raw('p.state'))},
    CASE WHEN ${SHOWN_OUTCOME} = 'changed' OR jobs.branch IS NOT NULL THEN 'pushed' END, ${SHOWN_OUTCOME}, 'cancelled') END)`;

/** A condition on `jobs` that begins with an indexed part, so that the rest is evaluated for few rows. */
export function isInState(state: JobState, projectId: string): SQL {
  const narrow = narrowed(state, projectId);
  const isIt = sql`${JOB_STATE} = ${state}`;
  return narrow ? sql`${narrow} AND ${isIt}` : isIt;
}

function narrowed(state: JobState, projectId: string): SQL | null {
  switch (state) {
    case 'working':
    case 'queued':
      return sql.raw(`jobs.status = 'active'`);
    case 'ready':
      return sql.raw(`jobs.pending_changes IS NOT NULL`);
    case 'open':
    case 'merged':
    case 'closed':
      return sql`jobs.id IN (SELECT p.job_id FROM pull_requests p WHERE p.project_id = ${projectId} AND p.state = ${sql.raw(`'${state}'`)})`;
    case 'pushed':
      return null;
    case 'cancelled':
      return sql`${SHOWN_OUTCOME} IS NULL`;
    default:
      return sql`${SHOWN_OUTCOME} = ${state}`;
  }
}

/** The newest pull request of each of these jobs. Makes no query if all of them are at work. */
export async function pullRequestsOfJobs(
  q: Queryable,
  rows: readonly Pick<JobRow, 'id' | 'status'>[],
): Promise<Map<string, JobPullRequest>> {
  const ids = rows.filter(({ status }) => status !== 'active').map(({ id }) => sql`${id}`);
  if (ids.length === 0) return new Map();
  const found = await q.execute<Record<string, unknown> & JobPullRequest & { jobId: string }>(sql`
    SELECT DISTINCT ON (p.job_id) p.job_id AS "jobId", p.state, ${SETTLED_SINCE} AS "isSettledSince"
    FROM pull_requests p JOIN jobs ON jobs.id = p.job_id
    WHERE p.job_id IN (${sql.join(ids, sql`, `)}) ORDER BY p.job_id, p.chain_no DESC`);
  return new Map(found.rows.map(({ jobId, state, isSettledSince }) => [jobId, { state, isSettledSince }]));
}
