import { sql } from 'drizzle-orm';
import type { CodeHeads, Trigger } from './automation-schema.ts';
import type { Queryable } from '../database.ts';

/** A repository that an automation may watch: a source of its project, or the project's own, named `.`. */
export interface WatchedCode {
  projectId: string;
  automationId: string;
  trigger: Extract<Trigger, { type: 'code' }>;
  codeHeads: CodeHeads;
  name: string;
  host: string;
  repository: string;
  repositoryId: string | null;
  ref: string;
  docsDir: string;
}

const WATCHED = sql`
  SELECT a.project_id AS "projectId", a.id AS "automationId", a.trigger, a.code_heads AS "codeHeads", w.name, w.host, w.repository,
    w.repository_id AS "repositoryId", w.ref, p.docs_dir AS "docsDir"
  FROM automations a JOIN projects p ON p.id = a.project_id JOIN LATERAL (
    SELECT name, host, repository, repository_id, ref FROM sources s WHERE s.project_id = p.id
    UNION ALL SELECT '.', p.host, p.repository, p.repository_id, p.ref) w ON true
  WHERE a.trigger ->> 'type' = 'code'`;

/** All repositories of projects with automations started by code, whether or not an automation names them. */
export async function listWatchedCode(
  q: Queryable,
  of: { projectId: string; automationId: string } | null,
): Promise<WatchedCode[]> {
  const which = of ? sql`AND a.project_id = ${of.projectId} AND a.id = ${of.automationId}` : sql``;
  const { rows } = await q.execute<WatchedCode & Record<string, unknown>>(
    sql`${WATCHED} ${which} ORDER BY a.project_id, a.id, w.name`,
  );
  return rows;
}

/** The same of one repository, by its host's own id of it, or by its path on this machine. */
export async function listWatchersOf(
  q: Queryable,
  { host, repositoryId }: { host: string; repositoryId: string },
): Promise<WatchedCode[]> {
  const { rows } = await q.execute<WatchedCode & Record<string, unknown>>(
    sql`${WATCHED} AND w.host = ${host} AND coalesce(w.repository_id, w.repository) = ${repositoryId}`,
  );
  return rows;
}
