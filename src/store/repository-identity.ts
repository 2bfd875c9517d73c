import { and, eq, sql } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { projects } from './schema.ts';

interface Identity {
  repository: string;
  repositoryId: string | null;
}

type ProjectRow = typeof projects.$inferSelect;

/** Which repository a project is about. An id that was learned with another URL says nothing: an earlier version changed that. */
export function identityOf(project: ProjectRow): Identity {
  const { repository, repositoryId, repositoryIdUrl } = project;
  return { repository, repositoryId: repositoryIdUrl === repository ? repositoryId : null };
}

/** The columns that hold it. */
export function identityColumns({ repository, repositoryId }: { repository: string; repositoryId?: string | null }) {
  const isKnown = repositoryId !== null && repositoryId !== undefined;
  return {
    repository,
    repositoryId: isKnown ? repositoryId : null,
    repositoryIdUrl: isKnown ? repository : null,
  };
}

/**
 * Writes down what a turn found of its project's repository: the id where none was known, the URL after a rename. Does nothing
 * where the project was changed meanwhile. Safe to repeat.
 */
export async function noteRepository(q: Queryable, project: ProjectRow, found: Identity): Promise<void> {
  const { id, host, repository, repositoryId } = project;
  await q
    .update(projects)
    .set({ ...identityColumns(found), updatedAt: new Date() })
    .where(
      and(
        eq(projects.id, id),
        eq(projects.host, host),
        eq(projects.repository, repository),
        sql`${projects.repositoryId} IS NOT DISTINCT FROM ${repositoryId}::text`,
      ),
    );
}
