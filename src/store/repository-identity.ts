import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { projects } from './schema.ts';

interface Identity {
  repository: string;
  repositoryId: string | null;
}

type ProjectRow = typeof projects.$inferSelect;

/** Which repository a project is about. */
export function identityOf({ repository, repositoryId }: ProjectRow): Identity {
  return { repository, repositoryId };
}

/**
 * Writes down what a turn found of its project's repository: the id where none was known, the URL after a rename. Does nothing
 * where the project was changed meanwhile. Safe to repeat.
 */
export async function noteRepository(q: Queryable, project: ProjectRow, found: Identity): Promise<void> {
  const { id, host, repository, repositoryId } = project;
  await q
    .update(projects)
    .set({ repository: found.repository, repositoryId: found.repositoryId, updatedAt: new Date() })
    .where(
      and(
        eq(projects.id, id),
        eq(projects.host, host),
        eq(projects.repository, repository),
        sql`${projects.repositoryId} IS NOT DISTINCT FROM ${repositoryId}::text`,
      ),
    );
}
