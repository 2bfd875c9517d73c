import { and, eq, getTableColumns, isNull, or, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import type { JobPullRequest } from '../jobs/job-state.ts';
import type { JobRow } from '../jobs/jobs.ts';
import { jobs, pullRequests, type Budgets } from '../schema.ts';
import { storable } from '../storable.ts';
import type { WebhookEvent } from '../webhook-events.ts';
import { webhookDeliveries, webhooks } from './webhook-schema.ts';

type PullRequestRow = typeof pullRequests.$inferSelect;

/** What a message tells of, as it was when it was written. */
export interface DeliveryData {
  projectId: string;
  job?: JobRow;
  /** The newest pull request of `job`, where it has one. */
  jobPullRequest?: JobPullRequest;
  /** Without what fills pages: description, diff, commits. */
  pullRequest?: PullRequestRow;
  /** The limit in dollars or tokens that was reached: of the job, or of the project's day. */
  budget?: { name: keyof Budgets; limit: number };
  /** The automation that paused itself, and why, in a sentence. */
  automation?: { id: string; name: string; reason: string };
}

/** What is stored of it: JSON. */
type Stored = { [Key in keyof DeliveryData]: unknown };

const ID_LENGTH = 26;

/**
 * Writes down, in the transaction of what happened, what every endpoint that asked for it is to be sent.
 * Workers send what they find written: at least once.
 * @param onceKey what happens once is written once for each endpoint, however often it is found to have
 * happened
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

/**
 * Whether anyone is to be told anything of the project: what a message says may cost more to find out than
 * this.
 */
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

/** Where a message goes to, as what is sent there at once is counted by. */
export function targetOf(url: string): string {
  return new URL(url).host;
}

/** An address for those who need not know its secrets. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

/** The rows as they were stored, instants and all. */
export function readDeliveryData(stored: unknown): DeliveryData {
  const { projectId, job, jobPullRequest, pullRequest, budget, automation } = stored as Stored;
  return {
    projectId: String(projectId),
    ...(job ? { job: revived<JobRow>(jobs, job) } : {}),
    ...(jobPullRequest ? { jobPullRequest: jobPullRequest as JobPullRequest } : {}),
    ...(pullRequest ? { pullRequest: revived<PullRequestRow>(pullRequests, pullRequest) } : {}),
    ...(budget ? { budget: budget as NonNullable<DeliveryData['budget']> } : {}),
    ...(automation ? { automation: automation as NonNullable<DeliveryData['automation']> } : {}),
  };
}

/** A pull request's row without what fills pages. */
export function thinPullRequest(row: PullRequestRow): PullRequestRow {
  return { ...row, body: '', diff: '', commits: [] };
}

/** A row out of JSON. Columns that a later version added are null in what an earlier one wrote. */
function revived<Row>(table: PgTable, stored: unknown): Row {
  const values = stored as Record<string, unknown>;
  const entries = Object.entries(getTableColumns(table)).map(([name, column]) => {
    const value = values[name] ?? null;
    return [name, column.dataType === 'date' && typeof value === 'string' ? new Date(value) : value];
  });
  return Object.fromEntries(entries) as Row;
}
