import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import type { JobMetadata } from './job-options.ts';
import type { JobRow } from './jobs.ts';
import { HAS_METADATA, jobs, messages, type JobStatus, type Outcome } from './schema.ts';

/** Which of a project's jobs are listed: those to which all of it applies. Undefined: any. */
export interface JobFilter {
  /** One of these. */
  status?: readonly JobStatus[] | undefined;
  /** One of these, as {@link outcomeOf} the row has it. */
  outcome?: readonly Outcome[] | undefined;
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
  /** As `created_by` has it; `automation` stands for all of them. */
  createdBy?: string | undefined;
  /** All of these. */
  metadata?: JobMetadata | undefined;
}

/** Newest first; `before` is the last row of the page before. Rows that are added meanwhile come before all pages that were read. */
export function listJobs(
  q: Queryable,
  page: JobFilter & { projectId: string; limit: number; before?: { createdAt: Date; id: string } | undefined },
): Promise<JobRow[]> {
  const { before } = page;
  return q
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.projectId, page.projectId),
        ...conditions(page),
        // As a row: an index is entered at this place. Two comparisons with OR would be held against all rows before it.
        before && sql`(${jobs.createdAt}, ${jobs.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(jobs.createdAt), desc(jobs.id))
    .limit(page.limit);
}

function conditions(filter: JobFilter): (SQL | undefined)[] {
  const { status, outcome, text, createdFrom, createdTo, hasPullRequest, model, automation, createdBy, metadata } =
    filter;
  return [
    // One alone is compared as such: the index by status is then in the order of the list.
    status && (status.length === 1 && status[0] ? eq(jobs.status, status[0]) : inArray(jobs.status, [...status])),
    outcome && inArray(OUTCOME, [...outcome]),
    text === undefined ? undefined : contains(text),
    createdFrom && gte(jobs.createdAt, createdFrom),
    createdTo && lt(jobs.createdAt, createdTo),
    hasPullRequest === undefined ? undefined : hasPullRequest ? isNotNull(jobs.prLink) : isNull(jobs.prLink),
    model === undefined ? undefined : eq(jobs.model, model),
    automation === undefined ? undefined : eq(jobs.automationId, automation),
    createdBy === undefined ? undefined : isCreatedBy(createdBy),
    // The second says what the first implies: PostgreSQL takes the index for what it sees alone.
    metadata && sql`${jobs.metadata} @> ${JSON.stringify(metadata)}::jsonb AND ${HAS_METADATA}`,
  ];
}

/** What jobs show as their outcome: none while they are active; those that failed with 0.1.0 say so by their error. */
const OUTCOME = sql<Outcome | null>`(CASE WHEN ${jobs.status} <> 'active'
  THEN coalesce(${jobs.outcome}, CASE WHEN ${jobs.errorCode} IS NOT NULL THEN 'failed' END) END)`;

/** Jobs of automations were told by their column before there was another. */
function isCreatedBy(creator: string): SQL {
  if (creator === 'automation') return isNotNull(jobs.automationId);
  const [, automation] = /^automation:(.*)$/s.exec(creator) ?? [];
  return automation === undefined ? eq(jobs.createdBy, creator) : eq(jobs.automationId, automation);
}

function contains(text: string): SQL {
  const pattern = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  // A value, not EXISTS: that would be made a table of all prompts that match, before the first job is looked at.
  const prompt = sql`(SELECT ${messages.prompt} FROM ${messages} WHERE ${messages.jobId} = ${jobs.id} AND ${messages.no} = 1)`;
  return sql`(${jobs.title} ILIKE ${pattern} OR ${jobs.summary} ILIKE ${pattern} OR ${prompt} ILIKE ${pattern})`;
}
