import { and, asc, desc, eq, inArray, lt, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { EVENT_WAITS, triggerEvents } from './automation-schema.ts';
import type { Query, Queryable } from '../database.ts';
import { newId } from '../ids.ts';

export type TriggerEventRow = typeof triggerEvents.$inferSelect;

/** An event is tried again after this long, doubled each time up to an hour. */
const FIRST_PAUSE_S = 5;
const MAX_PAUSE_S = 3_600;
const DELETED_AT_ONCE = 1_000;
/** The prefixes of the sources for code, and for readers. */
export const CODE_SOURCE = 'code:';
export const READERS_SOURCE = 'readers:';
/** A signal's last event is kept for as long as the signal may be counted: counting starts after it. */
const MAX_SIGNAL_DAYS = 30;

export interface NewTriggerEvent {
  source: string;
  deliveryId: string;
  projectId: string | null;
  automationId: string | null;
  headers: Record<string, string>;
  event: string | null;
  body: Buffer;
  /** Not taken before; without it, at once. */
  dueAt?: Date;
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

/** Waiting events that are due, the longest waiting first, without their bodies. */
export function listDueEvents(q: Queryable, limit: number): Query<Pick<TriggerEventRow, 'id'>[]> {
  return q
    .select({ id: triggerEvents.id })
    .from(triggerEvents)
    .where(and(EVENT_WAITS, sql`${triggerEvents.automationId} IS NOT NULL AND ${triggerEvents.dueAt} <= now()`))
    .orderBy(triggerEvents.dueAt, triggerEvents.receivedAt)
    .limit(limit);
}

/** The automation that an event is for; null if the event names none, or is gone. */
export async function findAutomationOfEvent(
  q: Queryable,
  id: string,
): Promise<{ projectId: string; id: string } | null> {
  const { projectId, automationId } = triggerEvents;
  const [row] = await q.select({ projectId, automationId }).from(triggerEvents).where(eq(triggerEvents.id, id));
  if (!row || row.projectId === null || row.automationId === null) return null;
  return { projectId: row.projectId, id: row.automationId };
}

/** Locks a waiting event until the transaction ends; null if another transaction holds it, or held it. */
export async function takeEvent(tx: Queryable, id: string): Promise<TriggerEventRow | null> {
  const [row] = await tx
    .select()
    .from(triggerEvents)
    .where(and(eq(triggerEvents.id, id), EVENT_WAITS))
    .for('update', { skipLocked: true });
  return row ?? null;
}

/** The event became part of a run, or is ignored: nothing waits for it. */
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
      dueAt: sql`now() + ${pauseAfter(attempts)} * interval '1 second'`,
    })
    .where(and(eq(triggerEvents.id, id), EVENT_WAITS));
}

/** The source of the events of a code host. They name no automation: see activities/host-events. */
export const HOST_SOURCE = 'host:';

const OF_HOSTS = sql`${triggerEvents.automationId} IS NULL AND ${triggerEvents.source} LIKE ${`${HOST_SOURCE}%`}`;
/** A process that took an event has this long before another takes it. */
const LEASE_S = 120;

/** Waiting events of code hosts that are due, the longest waiting first, without their bodies. */
export function listDueHostEvents(q: Queryable, limit: number): Query<Pick<TriggerEventRow, 'id' | 'source'>[]> {
  return q
    .select({ id: triggerEvents.id, source: triggerEvents.source })
    .from(triggerEvents)
    .where(and(EVENT_WAITS, OF_HOSTS, sql`${triggerEvents.dueAt} <= now()`))
    .orderBy(asc(triggerEvents.dueAt), asc(triggerEvents.receivedAt))
    .limit(limit);
}

/**
 * Takes an event of a code host for {@link LEASE_S}, and counts the attempt, so that an event that kills its
 * process is tried less and less often. Null if another process has it, or had it.
 */
export async function claimHostEvent(q: Queryable, id: string): Promise<TriggerEventRow | null> {
  const { attempts, dueAt } = triggerEvents;
  const [row] = await q
    .update(triggerEvents)
    .set({
      attempts: sql`${attempts} + 1`,
      dueAt: sql`now() + greatest(${LEASE_S}, ${pauseAfter(attempts)}) * interval '1 second'`,
    })
    .where(and(eq(triggerEvents.id, id), EVENT_WAITS, sql`${dueAt} <= now()`))
    .returning();
  return row ?? null;
}

/** All consumers of a code host's event have handled it, or none could: nothing waits for it. */
export async function finishHostEvent(q: Queryable, id: string, state: 'done' | 'ignored'): Promise<void> {
  await q
    .update(triggerEvents)
    .set({ state })
    .where(and(eq(triggerEvents.id, id), EVENT_WAITS));
}

/**
 * Records that the attempt of {@link claimHostEvent} failed.
 * @param atLeastS the pause that the code host requested
 */
export async function postponeHostEvent(q: Queryable, id: string, atLeastS = 0): Promise<void> {
  const pause = pauseAfter(sql`(${triggerEvents.attempts} - 1)`);
  await q
    .update(triggerEvents)
    .set({ dueAt: sql`now() + greatest(${Math.min(MAX_PAUSE_S, atLeastS)}, ${pause}) * interval '1 second'` })
    .where(and(eq(triggerEvents.id, id), EVENT_WAITS));
}

/** Events of readers of the last days. */
function ofReaders(days: number): SQL {
  const { source, receivedAt } = triggerEvents;
  return sql`${source} LIKE ${`${READERS_SOURCE}%`} AND ${receivedAt} > now() - make_interval(days => ${days})`;
}

/** The parts before the `@` of delivery ids that this source had within the last days. */
export async function listRecentSubjects(q: Queryable, source: string, days: number): Promise<Set<string>> {
  const rows = await q
    .select({ subject: sql<string>`split_part(${triggerEvents.deliveryId}, '@', 1)` })
    .from(triggerEvents)
    .where(and(eq(triggerEvents.source, source), ofReaders(days)));
  return new Set(rows.map(({ subject }) => subject));
}

function pauseAfter(attempts: SQLWrapper): SQL {
  return sql`least(${MAX_PAUSE_S}, ${FIRST_PAUSE_S} * 2 ^ least(${attempts}, 20))`;
}

/** The events of a run, newest first. */
export function listEventsOfRun(q: Queryable, runId: string, limit: number): Promise<TriggerEventRow[]> {
  return q
    .select()
    .from(triggerEvents)
    .where(eq(triggerEvents.runId, runId))
    .orderBy(desc(triggerEvents.receivedAt), desc(triggerEvents.id))
    .limit(limit);
}

/**
 * The events of a queued run, and of failed or closed runs since the last completed one, newest first: what
 * no run has dealt with yet.
 */
export function listUnfinishedEvents(
  q: Queryable,
  { projectId, id, runId }: { projectId: string; id: string; runId: string },
  limit: number,
): Promise<TriggerEventRow[]> {
  const runs = sql`(
    SELECT r.id FROM automation_runs r WHERE r.project_id = ${projectId} AND r.automation_id = ${id} AND (
      r.id = ${runId} OR r.status IN ('failed', 'closed') AND r.created_at > coalesce((
        SELECT max(done.created_at) FROM automation_runs done
        WHERE done.project_id = ${projectId} AND done.automation_id = ${id}
          AND done.status IN ('review_needed', 'accepted', 'no_action')), '-infinity')))`;
  return q
    .select()
    .from(triggerEvents)
    .where(inArray(triggerEvents.runId, runs))
    .orderBy(desc(triggerEvents.receivedAt), desc(triggerEvents.id))
    .limit(limit);
}

/** Deletes a batch of older events that wait for nothing. @returns whether there may be more */
export async function deleteOldEvents(q: Queryable, days: number): Promise<boolean> {
  const old = q
    .select({ id: triggerEvents.id })
    .from(triggerEvents)
    .where(
      and(
        lt(triggerEvents.receivedAt, sql`now() - make_interval(days => ${days})`),
        sql`NOT (${EVENT_WAITS}) AND NOT (${ofReaders(MAX_SIGNAL_DAYS)})`,
      ),
    )
    .limit(DELETED_AT_ONCE);
  const { rowCount } = await q.delete(triggerEvents).where(inArray(triggerEvents.id, old));
  return rowCount === DELETED_AT_ONCE;
}
