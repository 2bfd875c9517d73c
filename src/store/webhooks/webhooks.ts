import { randomBytes } from 'node:crypto';
import { and, asc, count, eq, isNull, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import type { Queryable } from '../database.ts';
import { newId } from '../ids.ts';
import { holdProject } from '../projects/projects.ts';
import type { WebhookEvent } from '@docent/client';
import { webhookDeliveries, webhooks } from './webhook-schema.ts';

export type WebhookRow = typeof webhooks.$inferSelect;

export const MAX_WEBHOOKS = 20;
/** How long messages are signed with the secret before, too. */
const OVERLAP = sql`interval '24 hours'`;
const SECRET_PREFIX = 'whsec_';
/** Standard Webhooks takes 24 to 64. */
const SECRET_BYTES = 32;

export interface NewWebhook {
  projectId: string;
  /** The job that brought it; absent for one of the whole project. */
  jobId?: string;
  url: string;
  description?: string;
  events: WebhookEvent[];
  enabled?: boolean;
  /** Null for a job's own without one. */
  secret: string | null;
}

export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * @throws AppError `project_not_found`, `too_many_webhooks` (20 per project); Expected `secret_key` if a
 *   secret cannot be encrypted
 */
export async function insertWebhook(tx: Queryable, box: SecretBox, input: NewWebhook): Promise<WebhookRow> {
  const { secret, ...columns } = input;
  await holdProject(tx, input.projectId);
  if (input.jobId === undefined) await refuseAboveLimit(tx, input.projectId);
  const id = newId();
  const kept = secret === null ? null : box.encrypt(secret, purposeOf(id));
  const [row] = await tx
    .insert(webhooks)
    .values({ ...columns, id, secret: kept?.box ?? null, keyId: kept?.keyId ?? null })
    .returning();
  if (!row) throw new Error('The inserted webhook was not returned.');
  return row;
}

/** Exact, even for parallel requests: they are serialized. */
async function refuseAboveLimit(tx: Queryable, projectId: string): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:webhooks:${projectId}`}, 0))`);
  const [found] = await tx
    .select({ there: count() })
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), isNull(webhooks.jobId)));
  if ((found?.there ?? 0) < MAX_WEBHOOKS) return;
  throw new AppError(
    'too_many_webhooks',
    `The project ${projectId} has reached the limit of ${MAX_WEBHOOKS} webhooks. Delete one first.`,
  );
}

/** A project's webhooks, oldest first: those of the whole project, or one job's own. */
export function listWebhooks(q: Queryable, projectId: string, jobId: string | null): Promise<WebhookRow[]> {
  const ofWhat = jobId === null ? isNull(webhooks.jobId) : eq(webhooks.jobId, jobId);
  return q
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.projectId, projectId), ofWhat))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id));
}

/** @throws AppError `webhook_not_found` */
export async function findWebhook(q: Queryable, projectId: string, id: string): Promise<WebhookRow> {
  const [row] = await q.select().from(webhooks).where(isIt(projectId, id));
  if (!row) throw webhookNotFound(id);
  return row;
}

/**
 * Enabling it or changing its URL clears its failures.
 * @param check gets the locked row, and throws to prevent it
 * @throws AppError `webhook_not_found`
 */
export async function updateWebhook(
  tx: Queryable,
  { projectId, id }: { projectId: string; id: string },
  change: Partial<Pick<WebhookRow, 'url' | 'description' | 'events' | 'enabled'>>,
  check: (current: WebhookRow) => void = () => {},
): Promise<WebhookRow> {
  const [current] = await tx.select().from(webhooks).where(isIt(projectId, id)).for('update');
  if (!current) throw webhookNotFound(id);
  check(current);
  const fresh = {
    ...(change.enabled === undefined ? {} : { disabledReason: null }),
    ...(change.enabled === undefined && change.url === undefined ? {} : { failingSince: null }),
  };
  const [row] = await tx
    .update(webhooks)
    .set({ ...change, ...fresh, updatedAt: new Date() })
    .where(isIt(projectId, id))
    .returning();
  if (!row) throw webhookNotFound(id);
  return row;
}

/**
 * Replaces the secret; for 24 hours, messages are signed with both.
 * @throws AppError `webhook_not_found`; Expected `secret_key`
 */
export async function rotateSecret(
  tx: Queryable,
  box: SecretBox,
  { projectId, id, secret }: { projectId: string; id: string; secret: string },
): Promise<WebhookRow> {
  const { box: kept, keyId } = box.encrypt(secret, purposeOf(id));
  const [row] = await tx
    .update(webhooks)
    .set({
      secret: kept,
      keyId,
      previousSecret: sql`${webhooks.secret}`,
      previousKeyId: sql`${webhooks.keyId}`,
      previousUntil: sql`CASE WHEN ${webhooks.secret} IS NULL THEN NULL ELSE now() + ${OVERLAP} END`,
      updatedAt: new Date(),
    })
    .where(isIt(projectId, id))
    .returning();
  if (!row) throw webhookNotFound(id);
  return row;
}

/** Waiting messages go to the new address. */
export async function moveWaiting(q: Queryable, id: string, target: string): Promise<void> {
  await q
    .update(webhookDeliveries)
    .set({ target })
    .where(and(eq(webhookDeliveries.webhookId, id), eq(webhookDeliveries.state, 'pending')));
}

/** Drops undelivered messages. Returns the former row. @throws AppError `webhook_not_found` */
export async function deleteWebhook(q: Queryable, projectId: string, id: string): Promise<WebhookRow> {
  const [row] = await q.delete(webhooks).where(isIt(projectId, id)).returning();
  if (!row) throw webhookNotFound(id);
  return row;
}

/** The secrets that a message is signed with now, the newest first. @throws Expected `secret_key` */
export function secretsOf(box: SecretBox, row: WebhookRow, now: Date): string[] {
  const { id, secret, keyId, previousSecret, previousKeyId, previousUntil } = row;
  const open = (kept: Buffer | null, key: string | null) =>
    kept && key !== null ? [box.decrypt({ box: kept, keyId: key }, purposeOf(id))] : [];
  const isBeforeGood = previousUntil !== null && previousUntil > now;
  return [...open(secret, keyId), ...(isBeforeGood ? open(previousSecret, previousKeyId) : [])];
}

function isIt(projectId: string, id: string) {
  return and(eq(webhooks.projectId, projectId), eq(webhooks.id, id));
}

/** A secret opens for its webhook alone. */
function purposeOf(id: string): string {
  return JSON.stringify(['webhook', id]);
}

function webhookNotFound(id: string): AppError {
  return new AppError(
    'webhook_not_found',
    `Webhook ${id} does not exist in this project. \`docent webhook list\` shows them.`,
  );
}
