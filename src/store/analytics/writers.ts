import { and, eq, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { analyticsWriters } from './analytics-schema.ts';

export interface WriterLease {
  id: string;
  fence: number;
  /** Segments up to this number are sealed. */
  consumed: number;
}

/** The transaction that wrote a row last: no clock is involved. */
const ROW_VERSION = sql<string>`${analyticsWriters}.xmin::text`;

/** For people who read the table: the code does not use it to decide whether a lease has ended. */
const until = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`;

/** A new folder of logs, held for `seconds`. */
export async function createWriter(q: Queryable, id: string, seconds: number): Promise<WriterLease> {
  const [row] = await q
    .insert(analyticsWriters)
    .values({ id, leaseUntil: until(seconds) })
    .returning();
  if (!row) throw new Error('A writer could not be made.');
  return row;
}

/**
 * Renews a lease. `behind`: the database's copy was older, and is corrected. `gone`: no row. `taken`: by
 * another.
 */
export async function renewWriter(
  q: Queryable,
  { id, fence, consumed }: Readonly<WriterLease>,
  seconds: number,
): Promise<'renewed' | 'behind' | 'taken' | 'gone'> {
  const { rows } = await q.execute<{ consumed: string; fence: string }>(sql`
    WITH before AS (SELECT id, consumed, fence FROM ${analyticsWriters} WHERE id = ${id} FOR UPDATE),
    renewed AS (
      UPDATE ${analyticsWriters} w SET lease_until = ${until(seconds)}, consumed = greatest(w.consumed, ${consumed})
      FROM before WHERE w.id = before.id AND before.fence = ${fence})
    SELECT consumed, fence FROM before`);
  const [row] = rows;
  if (!row) return 'gone';
  if (Number(row.fence) !== fence) return 'taken';
  return Number(row.consumed) < consumed ? 'behind' : 'renewed';
}

/** A writer, and a mark that changes whenever its holder gives a sign of life. */
export interface WriterSign {
  id: string;
  mark: string;
}

/** Every folder of logs, held or not. */
export async function listWriters(q: Queryable): Promise<WriterSign[]> {
  return q.select({ id: analyticsWriters.id, mark: ROW_VERSION }).from(analyticsWriters);
}

/** Takes over a folder whose holder is silent. Null if it is not, or another process was faster. */
export async function takeOverWriter(
  q: Queryable,
  { id, mark }: WriterSign,
  seconds: number,
): Promise<WriterLease | null> {
  const [row] = await q
    .update(analyticsWriters)
    .set({ leaseUntil: until(seconds), fence: sql`${analyticsWriters.fence} + 1` })
    .where(and(eq(analyticsWriters.id, id), eq(ROW_VERSION, mark)))
    .returning();
  return row ?? null;
}

/**
 * Notes segments up to `no`, in the transaction of their manifest entry. `before`: already noted; `lost`:
 * another process has the folder; `isBehind`: the database went back in time.
 */
export async function consumeSegment(
  tx: Queryable,
  lease: WriterLease,
  no: number,
): Promise<{ state: 'now' | 'before' | 'lost'; isBehind: boolean }> {
  const [row] = await tx.select().from(analyticsWriters).where(eq(analyticsWriters.id, lease.id)).for('update');
  if (!row || row.fence !== lease.fence) return { state: 'lost', isBehind: false };
  if (row.consumed >= no) return { state: 'before', isBehind: false };
  await tx.update(analyticsWriters).set({ consumed: no }).where(eq(analyticsWriters.id, lease.id));
  return { state: 'now', isBehind: row.consumed < lease.consumed };
}

/** A writer's row, or null. `isFresh`: its holder renewed within the lease. */
export async function findWriter(q: Queryable, id: string): Promise<{ consumed: number; isFresh: boolean } | null> {
  const { consumed, leaseUntil } = analyticsWriters;
  const [row] = await q
    .select({ consumed, isFresh: sql<boolean>`${leaseUntil} > now()` })
    .from(analyticsWriters)
    .where(eq(analyticsWriters.id, id));
  return row ?? null;
}

/** Lists a log folder that the database does not know, so that a process takes it over. Idempotent. */
export async function listLostWriter(q: Queryable, id: string): Promise<boolean> {
  const rows = await q
    .insert(analyticsWriters)
    .values({ id, leaseUntil: until(0) })
    .onConflictDoNothing()
    .returning({ id: analyticsWriters.id });
  return rows.length === 1;
}

/**
 * Forgets log folders that were silent for `days`: their disks are lost or off. If one returns, `recover`
 * takes it in.
 * @returns how many
 */
export async function forgetLostWriters(q: Queryable, days: number): Promise<number> {
  const rows = await q
    .delete(analyticsWriters)
    .where(lt(analyticsWriters.leaseUntil, sql`now() - make_interval(days => ${days})`))
    .returning({ id: analyticsWriters.id });
  return rows.length;
}

/** Forgets a folder whose logs are all sealed and deleted. */
export async function removeWriter(q: Queryable, lease: WriterLease): Promise<void> {
  await q
    .delete(analyticsWriters)
    .where(and(eq(analyticsWriters.id, lease.id), eq(analyticsWriters.fence, lease.fence)));
}
