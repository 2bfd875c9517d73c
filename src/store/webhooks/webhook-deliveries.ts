import { and, asc, desc, eq, inArray, lt, notInArray, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { Query, Queryable } from '../database.ts';
import { storableText } from '../storable.ts';
import { newDeliveryId, targetOf } from './webhook-outbox.ts';
import {
  NOT_DELIVERED,
  UNDELIVERED,
  webhookAttempts,
  webhookDeliveries,
  webhooks,
  type DeliveryState,
} from './webhook-schema.ts';
import type { WebhookRow } from './webhooks.ts';

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;
export type AttemptRow = typeof webhookAttempts.$inferSelect;

/** How long deliveries and their responses can be looked up. */
const KEPT = sql`interval '30 days'`;
const DELETED_AT_ONCE = 5_000;
/** Longer than an attempt takes: after this, its process is dead. */
const CLAIM = sql`interval '25 seconds'`;
/** The most parallel attempts per host and port, over all workers. The others wait. */
const AT_ONCE = 4;
/** A delivery that is overdue by this time gets a new workflow. */
const LATE = sql`interval '5 minutes'`;

const isPending = sql`${webhookDeliveries.state} = 'pending'`;

/** Newest first; `before` is the last row of the previous page. */
export function listDeliveries(
  q: Queryable,
  filter: { webhookId: string; state?: DeliveryState; limit: number; before?: { createdAt: Date; id: string } },
): Promise<DeliveryRow[]> {
  const { before, state } = filter;
  return q
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.webhookId, filter.webhookId),
        state && eq(webhookDeliveries.state, state),
        // As a literal, like in the index.
        state === undefined || state === 'delivered' ? undefined : NOT_DELIVERED,
        before && sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(filter.limit);
}

/** @throws AppError `delivery_not_found` */
export async function findDelivery(q: Queryable, webhookId: string, id: string): Promise<DeliveryRow> {
  const [row] = await q
    .select()
    .from(webhookDeliveries)
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId)));
  if (!row) throw deliveryNotFound(id);
  return row;
}

export function listAttempts(q: Queryable, deliveryId: string): Promise<AttemptRow[]> {
  return q
    .select()
    .from(webhookAttempts)
    .where(eq(webhookAttempts.deliveryId, deliveryId))
    .orderBy(asc(webhookAttempts.no));
}

/** A `ping` for one webhook. Only the requesting workflow sends it. */
export async function insertPing(q: Queryable, { id, projectId, url }: WebhookRow): Promise<DeliveryRow> {
  const [row] = await q
    .insert(webhookDeliveries)
    .values({
      id: newDeliveryId(),
      webhookId: id,
      type: 'ping',
      data: { projectId },
      target: targetOf(url),
      startAt: sql`'infinity'`,
    })
    .returning();
  if (!row) throw new Error('The inserted delivery was not returned.');
  return row;
}

/** Sends a message again under its id, unless it is being sent. @throws AppError `delivery_not_found` */
export async function redeliver(q: Queryable, { id: webhookId, url }: WebhookRow, id: string): Promise<DeliveryRow> {
  const [row] = await q
    .update(webhookDeliveries)
    .set({
      state: 'pending',
      problem: null,
      finishedAt: null,
      nextAttemptAt: null,
      attemptsBefore: sql`${webhookDeliveries.attempts}`,
      target: targetOf(url),
      startAt: sql`now()`,
    })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.webhookId, webhookId), sql`NOT (${isPending})`))
    .returning();
  return row ?? findDelivery(q, webhookId, id);
}

/** Deliveries without a workflow, except some. The longest waiting first. */
export function listUnstarted(
  q: Queryable,
  limit: number,
  except: readonly string[] = [],
): Query<{ id: string; projectId: string; type: string; target: string; attemptsBefore: number }[]> {
  const { id, type, target, attemptsBefore, startAt } = webhookDeliveries;
  const { projectId } = webhooks;
  return (
    q
      .select({ id, projectId, type, target, attemptsBefore })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      // Word for word the condition of the index.
      .where(and(UNDELIVERED, sql`${startAt} < now()`, except.length > 0 ? notInArray(id, [...except]) : undefined))
      .orderBy(asc(startAt))
      .limit(limit)
  );
}

/** Workflows handle these now: they are started again only if that fails. */
export async function noteStarted(q: Queryable, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await q
    .update(webhookDeliveries)
    .set({ startAt: sql`now() + ${LATE}` })
    .where(and(inArray(webhookDeliveries.id, [...ids]), isPending, sql`${webhookDeliveries.startAt} < now()`));
}

export type DeliveryClaim =
  | { kind: 'claimed'; delivery: DeliveryRow; webhook: WebhookRow }
  /** Another attempt runs, it is not due, or its host gets too many. `waitMs`: check again then. */
  | { kind: 'busy'; waitMs: number }
  /** It was delivered, abandoned, or deleted with its webhook. */
  | { kind: 'over'; state: DeliveryState | 'removed' };

/**
 * Claims a delivery for one attempt; a dead process's claim ends after 25 s.
 * @param bounded whether the limit per host applies
 */
export async function claimDelivery(q: Queryable, id: string, { bounded = true } = {}): Promise<DeliveryClaim> {
  return q.transaction(async (tx) => {
    const [found] = await tx
      .select({ delivery: webhookDeliveries, webhook: webhooks })
      .from(webhookDeliveries)
      .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
      .where(eq(webhookDeliveries.id, id))
      .for('update', { of: webhookDeliveries });
    if (!found) return { kind: 'over', state: 'removed' };
    const { delivery, webhook } = found;
    if (delivery.state !== 'pending') return { kind: 'over', state: delivery.state };
    const now = Date.now();
    const until = Math.max(delivery.claimedUntil?.getTime() ?? 0, delivery.nextAttemptAt?.getTime() ?? 0);
    // Clocks differ a little.
    if (until > now + 250) return { kind: 'busy', waitMs: until - now };
    if (bounded) {
      const { target } = delivery;
      // Claims for one target are serialized, so that the limit is exact.
      await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:webhook-target:${target}`}, 0))`);
      const { rows } = await tx.execute<{ sending: string; waiting: string }>(sql`
        SELECT (SELECT count(*) FROM webhook_deliveries
                WHERE target = ${target} AND claimed_until IS NOT NULL AND claimed_until > now()) AS sending,
               (SELECT count(*) FROM (SELECT 1 FROM webhook_deliveries
                WHERE ${UNDELIVERED} AND target = ${target} LIMIT 1000) rows_there) AS waiting`);
      const [row] = rows;
      if (Number(row?.sending ?? 0) >= AT_ONCE) {
        // The more processes wait, the less often each of them asks: about four requests a second in total.
        return { kind: 'busy', waitMs: 500 + Math.random() * Number(row?.waiting ?? 0) * 500 };
      }
    }
    const [claimed] = await tx
      .update(webhookDeliveries)
      .set({
        claimedUntil: sql`now() + ${CLAIM}`,
        attempts: sql`${webhookDeliveries.attempts} + 1`,
        nextAttemptAt: null,
        startAt: sql`greatest(${webhookDeliveries.startAt}, now() + ${LATE})`,
      })
      .where(eq(webhookDeliveries.id, id))
      .returning();
    if (!claimed) return { kind: 'over', state: 'removed' };
    return { kind: 'claimed', delivery: claimed, webhook };
  });
}

/** The result of an attempt, and the next step. */
export type AttemptEnd =
  | { kind: 'delivered' }
  | { kind: 'again'; pauseMs: number }
  /** The problem as a sentence. `disable`: its webhook is disabled, too. */
  | { kind: 'failed'; problem: string; disable: boolean };

/** Since when a webhook may fail before it is switched off. */
const FAILING_FOR = sql`interval '3 days'`;
export const DISABLED_AFTER_FAILURES =
  'Every attempt of the last three days failed. Enable the webhook again when its server works.';

/**
 * Records an attempt and its effect on delivery and webhook. Ignores attempts superseded by another.
 * @returns whether it was recorded
 */
export async function recordAttempt(
  q: Queryable,
  { id, attempts: no, webhookId }: DeliveryRow,
  attempt: Omit<AttemptRow, 'deliveryId' | 'no'>,
  end: AttemptEnd,
): Promise<boolean> {
  return q.transaction(async (tx) => {
    const isFinal = end.kind !== 'again';
    const state: DeliveryState = end.kind === 'again' ? 'pending' : end.kind;
    const pause = end.kind === 'again' ? sql`now() + ${end.pauseMs} * interval '1 millisecond'` : null;
    const [row] = await tx
      .update(webhookDeliveries)
      .set({
        state,
        claimedUntil: null,
        lastStatus: attempt.status,
        problem: end.kind === 'failed' ? end.problem : null,
        nextAttemptAt: pause,
        ...(pause ? { startAt: sql`${pause} + ${LATE}` } : {}),
        finishedAt: isFinal ? sql`now()` : null,
      })
      .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, no), isPending))
      .returning({ id: webhookDeliveries.id });
    if (!row) return false;
    await tx.insert(webhookAttempts).values({
      ...attempt,
      deliveryId: id,
      no,
      problem: storableOf(attempt.problem),
      response: storableOf(attempt.response),
    });
    if (end.kind === 'delivered') {
      await tx
        .update(webhooks)
        .set({ failingSince: null })
        .where(and(eq(webhooks.id, webhookId), sql`${webhooks.failingSince} IS NOT NULL`));
      return true;
    }
    await tx
      .update(webhooks)
      .set({ failingSince: sql`coalesce(${webhooks.failingSince}, now())` })
      .where(eq(webhooks.id, webhookId));
    if (end.kind === 'failed') {
      const isOver = end.disable ? sql`true` : sql`${webhooks.failingSince} < now() - ${FAILING_FOR}`;
      await tx
        .update(webhooks)
        .set({
          enabled: false,
          disabledReason: end.disable ? end.problem : DISABLED_AFTER_FAILURES,
          updatedAt: new Date(),
        })
        .where(and(eq(webhooks.id, webhookId), webhooks.enabled, isOver));
    }
    return true;
  });
}

function storableOf(text: string | null): string | null {
  return text === null ? null : storableText(text);
}

/** No attempt is made: its webhook is switched off, or cannot be signed for. */
export async function giveUpDelivery(q: Queryable, { id, attempts }: DeliveryRow, problem: string): Promise<void> {
  await q
    .update(webhookDeliveries)
    .set({ state: 'failed', problem, claimedUntil: null, nextAttemptAt: null, finishedAt: sql`now()` })
    .where(and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.attempts, attempts), isPending));
}

/** Deletes a batch of deliveries older than 30 days. @returns whether there may be more */
export async function deleteOldDeliveries(q: Queryable): Promise<boolean> {
  const old = q
    .select({ id: webhookDeliveries.id })
    .from(webhookDeliveries)
    .where(lt(webhookDeliveries.createdAt, sql`now() - ${KEPT}`))
    .limit(DELETED_AT_ONCE);
  const { rowCount } = await q.delete(webhookDeliveries).where(sql`${webhookDeliveries.id} = ANY(ARRAY(${old}))`);
  return rowCount === DELETED_AT_ONCE;
}

function deliveryNotFound(id: string): AppError {
  return new AppError('delivery_not_found', `This webhook has no delivery ${id}. Deliveries are kept for 30 days.`);
}
