import { and, eq, sql, type Column, type SQL } from 'drizzle-orm';
import type { Db } from '../database.ts';
import { jobs, projects, pullRequests } from '../schema.ts';

/** A folder as a path, and as in URLs. Both without a trailing slash. */
interface Folder {
  path: string;
  url: string;
}

/** Updates rows to a moved folder's new path. Idempotent. @returns the number of changed projects */
export async function moveLocalRepositories(db: Db, { from, to }: { from: Folder; to: Folder }): Promise<number> {
  return db.transaction(async (tx) => {
    const moved = await tx
      .update(projects)
      .set({ repository: movedIn(projects.repository, from.path, to.path) })
      .where(and(eq(projects.host, 'local'), liesIn(projects.repository, from.path)))
      .returning({ id: projects.id });
    await tx
      .update(pullRequests)
      .set({ repository: movedIn(pullRequests.repository, from.path, to.path) })
      .where(liesIn(pullRequests.repository, from.path));
    await tx
      .update(jobs)
      .set({ repositoryUrl: movedIn(jobs.repositoryUrl, from.url, to.url) })
      .where(liesIn(jobs.repositoryUrl, from.url));
    return moved.length;
  });
}

function liesIn(column: Column, folder: string): SQL {
  return sql`starts_with(${column}, ${`${folder}/`})`;
}

function movedIn(column: Column, from: string, to: string): SQL<string> {
  // PostgreSQL counts characters where JavaScript counts halves of some.
  return sql`${to}::text || substr(${column}, length(${from}::text) + 1)`;
}
