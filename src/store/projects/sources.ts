import { and, asc, count, eq, sql } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import type { Queryable } from '../database.ts';
import { holdProject } from './projects.ts';
import { sources } from './source-schema.ts';
import type { CodeHostKind } from '@docent/code-hosts/remote-api';
import { codeHosts } from '../schema.ts';

export type SourceRow = typeof sources.$inferSelect;

export const MAX_SOURCES = 10;

/** @throws AppError `project_not_found`, `source_exists`, or `too_many_sources` if the project has ten */
export async function insertSource(tx: Queryable, input: Omit<SourceRow, 'createdAt'>): Promise<SourceRow> {
  const { projectId, name } = input;
  await holdProject(tx, projectId);
  // Exact, even for parallel requests: they are serialized.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:sources:${projectId}`}, 0))`);
  const [found] = await tx.select({ there: count() }).from(sources).where(eq(sources.projectId, projectId));
  const [row] =
    (found?.there ?? 0) < MAX_SOURCES ? await tx.insert(sources).values(input).onConflictDoNothing().returning() : [];
  if (row) return row;
  if (await sourceExists(tx, projectId, name)) {
    throw new AppError('source_exists', `Source ${name} already exists in this project. Choose another name.`);
  }
  throw new AppError('too_many_sources', `The project has ${MAX_SOURCES} sources. Remove one first.`);
}

async function sourceExists(q: Queryable, projectId: string, name: string): Promise<boolean> {
  const [row] = await q.select({ name: sources.name }).from(sources).where(isIt(projectId, name));
  return row !== undefined;
}

/** The kinds of code host of a project's sources, by name. Sources on the server's disk are left out. */
export async function kindsOfSources(q: Queryable, projectId: string): Promise<Map<string, CodeHostKind>> {
  const rows = await q
    .select({ name: sources.name, kind: codeHosts.kind })
    .from(sources)
    .innerJoin(codeHosts, eq(codeHosts.id, sources.host))
    .where(eq(sources.projectId, projectId));
  return new Map(rows.map(({ name, kind }) => [name, kind]));
}

/** By name. */
export function listSources(q: Queryable, projectId: string): Promise<SourceRow[]> {
  return q.select().from(sources).where(eq(sources.projectId, projectId)).orderBy(asc(sources.name));
}

/** Records a source's address from its host, unless it was replaced in the meantime. Idempotent. */
export async function noteSource(
  q: Queryable,
  { projectId, name, host, repository }: SourceRow,
  found: Pick<SourceRow, 'repository' | 'repositoryId'>,
): Promise<void> {
  await q
    .update(sources)
    .set({ repository: found.repository, repositoryId: found.repositoryId })
    .where(and(isIt(projectId, name), eq(sources.host, host), eq(sources.repository, repository)));
  // Its citations move, too.
  await q.execute(sql`UPDATE citations SET repository = ${found.repository} FROM jobs
    WHERE jobs.id = citations.job_id AND jobs.project_id = ${projectId}
    AND citations.source = ${name} AND citations.repository = ${repository}`);
}

/** @throws AppError `source_not_found` */
export async function findSource(q: Queryable, projectId: string, name: string): Promise<SourceRow> {
  const [row] = await q.select().from(sources).where(isIt(projectId, name));
  return row ?? notFound(name);
}

/** Changes the given fields. Safe to repeat. @throws AppError `source_not_found` */
export async function updateSource(
  q: Queryable,
  { projectId, name }: Pick<SourceRow, 'projectId' | 'name'>,
  change: Partial<Pick<SourceRow, 'ref' | 'paths'>>,
): Promise<SourceRow> {
  const [row] = await q.update(sources).set(change).where(isIt(projectId, name)).returning();
  return row ?? notFound(name);
}

/** @throws AppError `source_not_found` */
export async function deleteSource(q: Queryable, projectId: string, name: string): Promise<void> {
  const deleted = await q.delete(sources).where(isIt(projectId, name)).returning({ name: sources.name });
  if (deleted.length === 0) notFound(name);
}

function notFound(name: string): never {
  throw new AppError(
    'source_not_found',
    `Source ${name} does not exist in this project. \`docent source list\` shows them.`,
  );
}

function isIt(projectId: string, name: string) {
  return and(eq(sources.projectId, projectId), eq(sources.name, name));
}
