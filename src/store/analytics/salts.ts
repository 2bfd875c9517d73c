import { randomBytes } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../database.ts';
import { analyticsSalts } from './analytics-schema.ts';
import type { SaltSchedule } from '../analytics-settings.ts';
import { projects } from '../schema.ts';

/**
 * The salt of a period, created on first use, the same for all processes.
 * @returns null if it was destroyed, or the schedule or project changed
 */
export async function saltOf(
  q: Queryable,
  projectId: string,
  period: string,
  schedule: SaltSchedule | undefined,
): Promise<Buffer | null> {
  const found = await findSalt(q, projectId, period);
  if (found) return found.length > 0 ? found : null;
  await q.execute(sql`
    INSERT INTO ${analyticsSalts} (project_id, period, salt)
    SELECT id, ${period}, ${randomBytes(32)} FROM ${projects}
    WHERE id = ${projectId}
      AND settings->'analyticsSalts' IS NOT DISTINCT FROM ${schedule ? JSON.stringify(schedule) : null}::jsonb
    FOR SHARE
    ON CONFLICT DO NOTHING`);
  const made = await findSalt(q, projectId, period);
  return made && made.length > 0 ? made : null;
}

async function findSalt(q: Queryable, projectId: string, period: string): Promise<Buffer | null> {
  const [row] = await q
    .select({ salt: analyticsSalts.salt })
    .from(analyticsSalts)
    .where(and(eq(analyticsSalts.projectId, projectId), eq(analyticsSalts.period, period)));
  return row?.salt ?? null;
}

/** Every salt that a project still has, by period. */
export async function saltsOf(q: Queryable, projectId: string): Promise<Map<string, Buffer>> {
  const rows = await q.select().from(analyticsSalts).where(eq(analyticsSalts.projectId, projectId));
  return new Map(rows.filter((row) => row.salt.length > 0).map((row) => [row.period, row.salt]));
}

/** Whether any visitor has an id. Call it with the project's row locked, so that none gets its first one. */
export async function hasSalts(tx: Queryable, projectId: string): Promise<boolean> {
  const rows = await tx
    .select({ period: analyticsSalts.period })
    .from(analyticsSalts)
    .where(eq(analyticsSalts.projectId, projectId))
    .limit(1);
  return rows.length > 0;
}

/** Destroys the salts of closed periods, which are not created again. Idempotent. @returns those periods */
export async function destroySalts(
  { db }: Database,
  projectId: string,
  isClosed: (period: string, schedule: SaltSchedule | undefined) => boolean,
): Promise<string[]> {
  return db.transaction(async (tx) => {
    const [project] = await tx
      .select({ settings: projects.settings })
      .from(projects)
      .where(eq(projects.id, projectId))
      .for('share');
    if (!project) return [];
    const closed = [...(await saltsOf(tx, projectId)).keys()].filter((period) =>
      isClosed(period, project.settings.analyticsSalts),
    );
    for (const period of closed) {
      await tx
        .update(analyticsSalts)
        .set({ salt: Buffer.alloc(0) })
        .where(and(eq(analyticsSalts.projectId, projectId), eq(analyticsSalts.period, period)));
    }
    return closed;
  });
}
