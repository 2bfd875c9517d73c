import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { EVENT_WAITS, triggerEvents } from './automation-schema.ts';
import type { Queryable } from './database.ts';
import { newId } from './ids.ts';

export type TriggerEventRow = typeof triggerEvents.$inferSelect;

/** An event is tried again after this long, doubled each time up to an hour. */
const FIRST_PAUSE_S = 5;
const MAX_PAUSE_S = 3_600;
const DELETED_AT_ONCE = 1_000;

export interface NewTriggerEvent {
  source: string;
  deliveryId: string;
  projectId: string | null;
  automationId: string | null;
  headers: Record<string, string>;
  event: string | null;
  body: Buffer;
}

/**
 * Writes an event down, once for each source and delivery. Idempotent.
 * @returns the id of its row, and whether it was there before
 */
export async function insertTriggerEvent(
  q: Queryable,
  event: NewTriggerEvent,
): Promise<{ id: string; isDuplicate: boolean }> {
  const [added] = await q
    .insert(triggerEvents)
    .values({ ...event, id: newId(), receivedAt: sql`clock_timestamp()` })
    .onConflictDoNothing()
    .returning({ id: triggerEvents.id });
  if (added) return { id: added.id, isDuplicate: false };
  const [found] = await q
    .select({ id: triggerEvents.id })
    .from(triggerEvents)
    .where(and(eq(triggerEvents.source, event.source), eq(triggerEvents.deliveryId, event.deliveryId)));
  if (!found) throw new Error('The event of the conflict is gone.');
  return { id: found.id, isDuplicate: true };
}

/** Events that wait and are due, the longest waiting first: without their bodies. */
export function listDueEvents(q: Queryable, limit: number): Promise<Pick<TriggerEventRow, 'id'>[]> {
  return q
    .select({ id: triggerEvents.id })
    .from(triggerEvents)
    .where(and(EVENT_WAITS, sql`${triggerEvents.automationId} IS NOT NULL AND ${triggerEvents.dueAt} <= now()`))
    .orderBy(triggerEvents.dueAt, triggerEvents.receivedAt)
    .limit(limit);
}

/** The automation that an event is for; null where the event names none, or is gone. */
export async function findAutomationOfEvent(
  q: Queryable,
  id: string,
): Promise<{ projectId: string; id: string } | null> {
  const { projectId, automationId } = triggerEvents;
  const [row] = await q.select({ projectId, automationId }).from(triggerEvents).where(eq(triggerEvents.id, id));
  if (!row || row.projectId === null || row.automationId === null) return null;
  return { projectId: row.projectId, id: row.automationId };
}

/** Locks an event that waits until the transaction ends; null where another transaction has it, or had it. */
export async function takeEvent(tx: Queryable, id: string): Promise<TriggerEventRow | null> {
  const [row] = await tx
    .select()
    .from(triggerEvents)
    .where(and(eq(triggerEvents.id, id), EVENT_WAITS))
    .for('update', { skipLocked: true });
  return row ?? null;
}

/** The event became part of a run, or is ignored: nothing waits for it any more. */
export async function finishEvent(tx: Queryable, id: string, runId: string | null): Promise<void> {
  await tx
    .update(triggerEvents)
    .set({ state: runId === null ? 'ignored' : 'done', runId })
    .where(eq(triggerEvents.id, id));
}

/** An attempt to take an event failed: it waits for the next one. */
export async function postponeEvent(q: Queryable, id: string): Promise<void> {
  const { attempts } = triggerEvents;
  await q
    .update(triggerEvents)
    .set({
      attempts: sql`${attempts} + 1`,
      dueAt: sql`now() + least(${MAX_PAUSE_S}, ${FIRST_PAUSE_S} * 2 ^ least(${attempts}, 20)) * interval '1 second'`,
    })
    .where(and(eq(triggerEvents.id, id), EVENT_WAITS));
}

/** The events that a run stands for, newest first. */
export function listEventsOfRun(q: Queryable, runId: string, limit: number): Promise<TriggerEventRow[]> {
  return q
    .select()
    .from(triggerEvents)
    .where(eq(triggerEvents.runId, runId))
    .orderBy(desc(triggerEvents.receivedAt), desc(triggerEvents.id))
    .limit(limit);
}

/** Deletes a batch of events that are older than that and wait for nothing. @returns whether there may be more */
export async function deleteOldEvents(q: Queryable, days: number): Promise<boolean> {
  const old = q
    .select({ id: triggerEvents.id })
    .from(triggerEvents)
    .where(and(lt(triggerEvents.receivedAt, sql`now() - make_interval(days => ${days})`), sql`NOT (${EVENT_WAITS})`))
    .limit(DELETED_AT_ONCE);
  const { rowCount } = await q.delete(triggerEvents).where(inArray(triggerEvents.id, old));
  return rowCount === DELETED_AT_ONCE;
}
