import { eq, sql } from 'drizzle-orm';
import { analyticsDamage, analyticsFiles, analyticsProjects } from './analytics-schema.ts';
import type { Queryable } from '../database.ts';
import { projects } from '../schema.ts';

/** Idle projects need maintenance, too: days end, and files rot. */
const AT_LEAST_EVERY = '1 hour';
/** Clocks of the machines that change settings may differ from the database's by this much. */
const CLOCKS_DIFFER = '5 minutes';
/** With more waiting projects than this, those with few events wait for more, or for so long. */
const ALL_AT_ONCE = 200;
const FEW_WAIT = '15 minutes';
/** The limit of a small project: the first query after new page views reads them all. */
const MANY = { rows: 5_000, files: 50 };

/**
 * Projects with ids after `after` that need maintenance: those with something to merge, compact, delete,
 * repair or recount since {@link noteMaintained}, and each project once an hour.
 * @param graceMs how long files stay after they were replaced
 */
export async function dueProjects(
  q: Queryable,
  { after, limit, graceMs }: { after: string; limit: number; graceMs: number },
): Promise<string[]> {
  const { rows } = await q.execute<{ id: string }>(sql`
    WITH unmerged AS (
      SELECT project_id, sum(rows) >= ${MANY.rows} OR count(*) >= ${MANY.files} AS is_much, count(*) OVER () <= ${ALL_AT_ONCE} AS is_rare
      FROM ${analyticsFiles} WHERE removed_version IS NULL AND family = 'unmerged' GROUP BY project_id
    ),
    removed AS (
      SELECT DISTINCT project_id FROM ${analyticsFiles}
      WHERE removed_version IS NOT NULL AND removed_at < now() - make_interval(secs => ${graceMs / 1_000})
    )
    SELECT a.project_id AS id
    FROM ${analyticsProjects} a JOIN ${projects} p ON p.id = a.project_id LEFT JOIN unmerged u USING (project_id)
    WHERE a.project_id > ${after} AND (
      a.maintained_at IS NULL
      OR a.maintained_at < now() - ${AT_LEAST_EVERY}::interval
      OR a.fence IS DISTINCT FROM a.maintained_fence
      OR a.maintained_at < p.updated_at + ${CLOCKS_DIFFER}::interval
      OR u.is_much OR u.is_rare OR (u.project_id IS NOT NULL AND a.maintained_at < now() - ${FEW_WAIT}::interval)
      OR a.project_id IN (SELECT project_id FROM removed)
      OR EXISTS (SELECT 1 FROM ${analyticsDamage} d WHERE d.project_id = a.project_id)
    )
    ORDER BY a.project_id LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/** Notes that all maintenance of a project is done. @param startedAt by the database's clock */
export async function noteMaintained(q: Queryable, projectId: string, startedAt: number): Promise<void> {
  await q
    .update(analyticsProjects)
    .set({ maintainedAt: new Date(startedAt), maintainedFence: sql`${analyticsProjects.fence}` })
    .where(eq(analyticsProjects.projectId, projectId));
}
