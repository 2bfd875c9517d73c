import { eq } from 'drizzle-orm';
import type { Queryable } from './database.ts';
import { projects } from './schema.ts';
import { sources } from './source-schema.ts';

/** The repositories of projects and their sources on a code host, each once. */
export async function listRepositoriesOn(
  q: Queryable,
  hostId: string,
): Promise<{ repository: string; repositoryId: string | null }[]> {
  const [own, read] = await Promise.all([
    q
      .select({ repository: projects.repository, repositoryId: projects.repositoryId })
      .from(projects)
      .where(eq(projects.host, hostId)),
    q
      .select({ repository: sources.repository, repositoryId: sources.repositoryId })
      .from(sources)
      .where(eq(sources.host, hostId)),
  ]);
  return [...new Map([...own, ...read].map((one) => [one.repositoryId ?? one.repository, one])).values()];
}
