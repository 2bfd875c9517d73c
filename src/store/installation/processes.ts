import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { processes, schemaVersion } from '../schema.ts';

/** A process that works on the database. */
export interface ProcessSign {
  id: string;
  /** As people know it: `docent api`. */
  name: string;
  version: string;
  /** The schema level of its build. */
  level: number;
  host: string;
  pid: number;
}

/** A process that gave no sign for so long, by the database's clock, counts as dead. */
export const ALIVE_SECONDS = 45;
const FORGET_AFTER = sql`now() - interval '1 day'`;

/** Reports a sign of life and returns the level that builds need. Raising that level locks the table. */
export async function signOfLife(q: Queryable, sign: ProcessSign): Promise<{ minCompatible: number }> {
  await q
    .insert(processes)
    .values(sign)
    .onConflictDoUpdate({ target: processes.id, set: { seenAt: sql`now()` } });
  const [version] = await q.select({ minCompatible: schemaVersion.minCompatible }).from(schemaVersion);
  return { minCompatible: version?.minCompatible ?? 0 };
}

export async function signOff(q: Queryable, id: string): Promise<void> {
  await q.delete(processes).where(eq(processes.id, id));
}

/** Deletes the rows of processes that died without signing off. */
export async function forgetDeadProcesses(q: Queryable): Promise<void> {
  await q.delete(processes).where(lt(processes.seenAt, FORGET_AFTER));
}

export interface LivingProcess extends ProcessSign {
  secondsAgo: number;
}

/** Living processes of builds below a level, those seen last first. */
export async function olderProcesses(q: Queryable, level: number): Promise<LivingProcess[]> {
  const { id, name, version, host, pid } = processes;
  return q
    .select({
      id,
      name,
      version,
      host,
      pid,
      level: processes.level,
      secondsAgo: sql<number>`greatest(0, round(extract(epoch FROM now() - ${processes.seenAt})))::int`,
    })
    .from(processes)
    .where(and(lt(processes.level, level), sql`${processes.seenAt} > now() - make_interval(secs => ${ALIVE_SECONDS})`))
    .orderBy(desc(processes.seenAt));
}
