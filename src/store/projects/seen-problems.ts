import { sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import type { ProjectRow } from './projects.ts';

/** The last known problems of a project's docs. */
export interface SeenProblems {
  /** Problems of the base branch at a job's newest check; null if no recent job was checked. */
  earlier: { count: number; at: Date } | null;
  /** The newest stored check of the repository; null without one. */
  survey: {
    at: Date;
    pages: number;
    pagesWithoutDescription: number;
    problems: { code: string; count: number }[];
    /** Broken links that have one clear target, and the first of them. */
    fixable?: { count: number; path: string; target: string } | null;
    /** Addresses of pages that old addresses can be redirected to. */
    redirectTargets?: string[];
  } | null;
}

/** How many of the newest jobs are searched for a checked one; and how many repository checks. */
const NEWEST_JOBS = 50;
const NEWEST_REQUESTS = 500;

/** From rows only: the repository is not read. */
export async function seenProblems(q: Queryable, project: ProjectRow): Promise<SeenProblems> {
  const { id, host, repository } = project;
  const rounds = await q.execute(sql`
    SELECT r.earlier_problems AS count, r.created_at AS at
    FROM (SELECT id, created_at FROM jobs WHERE project_id = ${id} ORDER BY created_at DESC, id DESC LIMIT ${NEWEST_JOBS}) j
      JOIN check_rounds r ON r.job_id = j.id
    ORDER BY j.created_at DESC, r.turn_no DESC, r.step_no DESC LIMIT 1`);
  const looks = await q.execute(sql`
    SELECT created_at AS at, result -> 'survey' AS survey
    FROM (SELECT * FROM control_requests ORDER BY created_at DESC LIMIT ${NEWEST_REQUESTS}) c
    WHERE kind = 'checkRepository' AND result ->> 'repository' = ${repository} AND input ->> 'host' = ${host}
      AND jsonb_typeof(result -> 'survey') = 'object'
    ORDER BY created_at DESC LIMIT 1`);
  const [round] = rounds.rows as { count: number; at: Date | string }[];
  const [look] = looks.rows as { at: Date | string; survey: Omit<NonNullable<SeenProblems['survey']>, 'at'> }[];
  return {
    earlier: round ? { count: round.count, at: new Date(round.at) } : null,
    survey: look ? { ...look.survey, at: new Date(look.at) } : null,
  };
}
