import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, or, sql, type SQL } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import type { Queryable } from '../database.ts';
import type { JobMetadata } from '../job-options.ts';
import { isInState, type JobState } from './job-state.ts';
import type { JobRow } from './jobs.ts';
import { HAS_METADATA, jobs, messages, SHOWN_OUTCOME, type JobStatus, type Outcome } from '../schema.ts';
import { PLANNED_ANEW } from '../statement-names.ts';

/** The filters of a project's job list. All must match. Undefined: any. */
export interface JobFilter {
  /** One of these. */
  status?: readonly JobStatus[] | undefined;
  /** One of these, as {@link outcomeOf} defines it. */
  outcome?: readonly Outcome[] | undefined;
  /** One of these, as {@link jobStateOf} defines it. */
  state?: readonly JobState[] | undefined;
  /** Somewhere in title, prompt or summary, whatever the case. */
  text?: string | undefined;
  createdFrom?: Date | undefined;
  /** Excluded. */
  createdTo?: Date | undefined;
  /** Whether a pull request was ever opened for it. */
  hasPullRequest?: boolean | undefined;
  model?: string | undefined;
  /** The id of the one that created them. */
  automation?: string | undefined;
  /** As in `created_by`; `automation` means all automations. */
  createdBy?: string | undefined;
  /** All of these. */
  metadata?: JobMetadata | undefined;
}

interface JobPage extends JobFilter {
  projectId: string;
  limit: number;
  before?: { createdAt: Date; id: string } | undefined;
}

/** How many of the newest are tried before an index without an order is used. */
const SCANNED_ROWS = 500;

/** Newest first, after the row `before`. New rows come before all pages that were read. */
export async function listJobs(q: Queryable, page: JobPage): Promise<JobRow[]> {
  const [first, second, ...others] = onePerValue(page).map((one) => pageOf(q, one));
  // Each value has its own place in an index, in the order of the list.
  if (first && second) {
    return unionAll(first, second, ...others)
      .orderBy(sql`created_at DESC, id DESC`)
      .limit(page.limit);
  }
  if (page.metadata) {
    const newest = await newestOf(q, page);
    if (newest.length >= page.limit) return newest;
  }
  return pageOf(q, page);
}

/** Several states, outcomes or statuses as one page each. */
function onePerValue(page: JobPage): JobPage[] {
  const { state = [], outcome = [], status = [] } = page;
  if (state.length > 1) return [...new Set(state)].map((one) => ({ ...page, state: [one] }));
  if (outcome.length > 1) return [...new Set(outcome)].map((one) => ({ ...page, outcome: [one] }));
  if (status.length > 1 && outcome.length === 0) return [...new Set(status)].map((one) => ({ ...page, status: [one] }));
  return [page];
}

function pageOf(q: Queryable, page: JobPage) {
  return q
    .select()
    .from(jobs)
    .where(and(...placeOf(page), ...conditions(page)))
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(page.limit);
}

/** A common value is found quickly among the newest jobs. Sorting all matches would take longer. */
function newestOf(q: Queryable, page: JobPage): Promise<JobRow[]> {
  const newest = q
    .select()
    .from(jobs)
    .where(and(...placeOf(page)))
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(SCANNED_ROWS)
    // By the table's own name: conditions on jobs are conditions on these.
    .as('jobs');
  return q
    .select()
    .from(newest)
    .where(and(...conditions(page)))
    .orderBy(desc(newest.createdAt), desc(newest.id))
    .limit(page.limit);
}

function placeOf({ projectId, before }: JobPage): (SQL | undefined)[] {
  return [
    eq(jobs.projectId, projectId),
    // A row comparison uses the index; two comparisons with OR would scan all earlier rows.
    before && sql`(${jobs.createdAt}, ${jobs.id}) < (${before.createdAt}, ${before.id})`,
  ];
}

function conditions(filter: JobFilter & Pick<JobPage, 'projectId'>): (SQL | undefined)[] {
  const {
    status,
    state,
    outcome,
    text,
    createdFrom,
    createdTo,
    hasPullRequest,
    model,
    automation,
    createdBy,
    metadata,
  } = filter;
  return [
    isFiltered(filter) ? sql.raw(PLANNED_ANEW) : undefined,
    // One alone is compared as such: the index by status is then in the order of the list.
    status && (status.length === 1 && status[0] ? eq(jobs.status, status[0]) : inArray(jobs.status, [...status])),
    outcome &&
      (outcome.length === 1 && outcome[0]
        ? sql`${SHOWN_OUTCOME} = ${outcome[0]}`
        : inArray(SHOWN_OUTCOME, [...outcome])),
    state && or(...state.map((one) => isInState(one, filter.projectId))),
    text === undefined ? undefined : contains(text),
    createdFrom && gte(jobs.createdAt, createdFrom),
    createdTo && lt(jobs.createdAt, createdTo),
    hasPullRequest === undefined ? undefined : hasPullRequest ? isNotNull(jobs.prLink) : isNull(jobs.prLink),
    model === undefined ? undefined : eq(jobs.model, model),
    automation === undefined ? undefined : eq(jobs.automationId, automation),
    createdBy === undefined ? undefined : isCreatedBy(createdBy),
    // The second condition follows from the first, but PostgreSQL only uses the index for what it sees.
    metadata && sql`${jobs.metadata} @> ${JSON.stringify(metadata)}::jsonb AND ${HAS_METADATA}`,
  ];
}

function isFiltered({
  state,
  outcome,
  text,
  hasPullRequest,
  model,
  automation,
  createdBy,
  metadata,
}: JobFilter): boolean {
  return [state, outcome, text, hasPullRequest, model, automation, createdBy, metadata].some(
    (value) => value !== undefined,
  );
}

/** Jobs of automations have their own column with an index. */
function isCreatedBy(creator: string): SQL {
  if (creator === 'automation') return isNotNull(jobs.automationId);
  const [, automation] = /^automation:(.*)$/s.exec(creator) ?? [];
  return automation === undefined ? eq(jobs.createdBy, creator) : eq(jobs.automationId, automation);
}

function contains(text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // A scalar subquery, not EXISTS, which would build a table of all matching prompts before the first job.
  const prompt = sql`(SELECT ${messages.prompt} FROM ${messages} WHERE ${messages.jobId} = ${jobs.id} AND ${messages.no} = 1)`;
  return sql`(${jobs.title} ILIKE ${pattern} OR ${jobs.summary} ILIKE ${pattern} OR ${prompt} ILIKE ${pattern})`;
}
