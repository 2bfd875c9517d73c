import { and, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { AnalyticsAlert, AnalyticsReport } from '../analytics-report.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import type { JobPullRequest } from '../jobs/job-state.ts';
import type { JobRow } from '../jobs/jobs.ts';
import { jobs, pullRequests, type Budgets } from '../schema.ts';
import { storable } from '../storable.ts';
import type { WebhookEvent } from '@docent/client';
import { webhookDeliveries, webhooks } from './webhook-schema.ts';

type PullRequestRow = typeof pullRequests.$inferSelect;

/** The content of a message, as of the time it was written. */
export interface DeliveryData {
  projectId: string;
  job?: JobRow;
  /** The newest pull request of `job`, if it has one. */
  jobPullRequest?: JobPullRequest;
  /** Without its large fields: description, diff, commits. */
  pullRequest?: PullRequestRow;
  /** The reached limit in dollars or tokens: of the job, or of the project's day. */
  budget?: { name: keyof Budgets; limit: number };
  /** The automation that paused itself, and why, in a sentence. */
  automation?: { id: string; name: string; reason: string };
  report?: AnalyticsReport;
  alert?: AnalyticsAlert;
}

/** Its stored form: JSON. */
type Stored = { [Key in keyof DeliveryData]: unknown };

const ID_LENGTH = 26;

/**
 * Enqueues messages for all interested endpoints, in the event's transaction. Sent at least once.
 * @param onceKey enqueues at most once for each endpoint
 */
export async function enqueueWebhooks(
  tx: Queryable,
  type: WebhookEvent,
  { projectId, jobId }: { projectId: string; jobId: string | null },
  data: Omit<DeliveryData, 'projectId'>,
  onceKey: string | null = null,
): Promise<void> {
  const endpoints = await tx
    .select({ id: webhooks.id, url: webhooks.url })
    .from(webhooks)
    .where(
      and(
        eq(webhooks.projectId, projectId),
        webhooks.enabled,
        sql`${type} = ANY(${webhooks.events})`,
        jobId === null ? isNull(webhooks.jobId) : or(isNull(webhooks.jobId), eq(webhooks.jobId, jobId)),
      ),
    );
  if (endpoints.length === 0) return;
  const stored: Stored = storable({ projectId, ...data });
  await tx
    .insert(webhookDeliveries)
    .values(
      endpoints.map(({ id, url }) => ({
        id: newDeliveryId(),
        webhookId: id,
        type,
        data: stored,
        onceKey,
        target: targetOf(url),
      })),
    )
    .onConflictDoNothing();
}

/** Whether the project has any webhook. Computing a message may cost more than this check. */
export async function hasListeners(q: Queryable, projectId: string): Promise<boolean> {
  const found = await q
    .select({ id: webhooks.id })
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), webhooks.enabled))
    .limit(1);
  return found.length > 0;
}

export function newDeliveryId(): string {
  return `msg_${newId(ID_LENGTH)}`;
}

/** The target of a message, for counting parallel attempts. */
export function targetOf(url: string): string {
  return new URL(url).host;
}

/** An address without its secrets. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The rows as they were stored, instants and all. */
export function readDeliveryData(stored: unknown): DeliveryData {
  const { projectId, job, jobPullRequest, pullRequest, budget, automation, report, alert } = stored as Stored;
  return {
    projectId: String(projectId),
    ...(job ? { job: revived<JobRow>(jobs, job) } : {}),
    ...(jobPullRequest ? { jobPullRequest: jobPullRequest as JobPullRequest } : {}),
    ...(pullRequest ? { pullRequest: revived<PullRequestRow>(pullRequests, pullRequest) } : {}),
    ...(budget ? { budget: budget as NonNullable<DeliveryData['budget']> } : {}),
    ...(automation ? { automation: automation as NonNullable<DeliveryData['automation']> } : {}),
    ...(report ? { report: report as AnalyticsReport } : {}),
    ...(alert ? { alert: alert as AnalyticsAlert } : {}),
  };
}

/** A pull request's row without what fills pages. */
export function thinPullRequest(row: PullRequestRow): PullRequestRow {
  return { ...row, body: '', diff: '', commits: [] };
}

/** A row from JSON. Columns that were added later are null. */
function revived<Row>(table: PgTable, stored: unknown): Row {
  const values = stored as Record<string, unknown>;
  const entries = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = values[name] ?? null;
    return [name, column.dataType === 'date' && typeof value === 'string' ? new Date(value) : value];
  });
  return Object.fromEntries(entries) as Row;
}
