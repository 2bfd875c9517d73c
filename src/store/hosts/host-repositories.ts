import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import type { Queryable } from '../database.ts';
import { hostRepositories, type HostCursor } from './host-schema.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { projects, pullRequests } from '../schema.ts';
import { sources } from '../projects/source-schema.ts';

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

/** Sources at this repository, each with its project, the oldest project first. */
export function listSourcesAt(
  q: Queryable,
  { host, repositoryId }: { host: string; repositoryId: string },
): Promise<{ project: ProjectRow; source: { repository: string } }[]> {
  return q
    .select({ project: projects, source: { repository: sources.repository } })
    .from(sources)
    .innerJoin(projects, eq(projects.id, sources.projectId))
    .where(and(eq(sources.host, host), eq(sources.repositoryId, repositoryId)))
    .orderBy(asc(projects.createdAt), asc(projects.id));
}

export interface PolledRepository {
  hostId: string;
  repositoryId: string;
}

/** If a webhook delivers, polling only finds what it missed. */
const DELIVERED_POLL_S = 900;
/** Polling is off: only an incomplete delivery makes a poll due. */
const OFF_S = 100 * 365 * 86_400;
/** A process that polls a repository has this long before another one does. */
const LEASE_S = 120;
const AFTER_PROBLEM_S = 300;
const MAX_PAUSE_S = 3_600;

/** Sources whose events a project wants: it has an automation that code starts. */
const WATCHED_SOURCES = sql`
  SELECT s.host, s.repository_id FROM sources s WHERE s.repository_id IS NOT NULL AND EXISTS (
    SELECT 1 FROM automations a WHERE a.project_id = s.project_id AND a.trigger ->> 'type' = 'code')`;
const POLLED = sql`
  SELECT host, repository_id FROM projects WHERE repository_id IS NOT NULL UNION ${WATCHED_SOURCES}`;

/**
 * Updates the list of polled repositories: those of projects on network code hosts, and their watched
 * sources. Idempotent.
 * @param everySeconds 0: a new one is polled when a delivery lacks something
 */
export async function syncRepositories(q: Queryable, everySeconds = 60): Promise<void> {
  const isOff = everySeconds === 0;
  await q.execute(sql`
    INSERT INTO host_repositories (host_id, repository_id, poll_at)
    SELECT p.host, p.repository_id, now() + ${isOff ? OFF_S : 0}::bigint * interval '1 second'
    FROM (${POLLED}) p JOIN code_hosts h ON h.id = p.host
    ON CONFLICT DO NOTHING`);
  if (!isOff) {
    // Polling was off, and no longer is.
    await q.execute(sql`UPDATE host_repositories SET poll_at = now() WHERE poll_at > now() + interval '1 year'`);
  }
  await q.execute(sql`
    DELETE FROM host_repositories r
    WHERE NOT EXISTS (SELECT 1 FROM (${POLLED}) p WHERE p.host = r.host_id AND p.repository_id = r.repository_id)`);
}

/** Repositories to poll now, the longest due first. */
export function listDueRepositories(q: Queryable, limit: number): Promise<PolledRepository[]> {
  const { hostId, repositoryId, pollAt } = hostRepositories;
  return q
    .select({ hostId, repositoryId })
    .from(hostRepositories)
    .where(lte(pollAt, sql`now()`))
    .orderBy(asc(pollAt))
    .limit(limit);
}

/**
 * Takes a repository for {@link LEASE_S}; null if another process has it.
 * @returns its last known address, its cursor, and the numbers of Docent's open pull requests there
 */
export async function claimRepository(
  q: Queryable,
  at: PolledRepository,
): Promise<{ repository: string; cursor: HostCursor; own: number[] } | null> {
  const [row] = await q
    .update(hostRepositories)
    .set({ pollAt: sql`now() + ${LEASE_S} * interval '1 second'` })
    .where(and(isRepository(at), lte(hostRepositories.pollAt, sql`now()`)))
    .returning();
  if (!row) return null;
  const isOfProject = and(eq(projects.host, at.hostId), eq(projects.repositoryId, at.repositoryId));
  const [project] = await q.select({ repository: projects.repository }).from(projects).where(isOfProject).limit(1);
  const [source] = project ? [] : await listSourcesAt(q, { host: at.hostId, repositoryId: at.repositoryId });
  const found = project ?? source?.source;
  if (!found) return null;
  const own = await q
    .select({ number: pullRequests.number })
    .from(pullRequests)
    .innerJoin(projects, eq(projects.id, pullRequests.projectId))
    .where(and(isOfProject, sql`${pullRequests.state} = 'open'`, isNotNull(pullRequests.number)));
  return { repository: found.repository, cursor: row.cursor, own: own.flatMap(({ number }) => number ?? []) };
}

/**
 * A poll succeeded: in the transaction that writes its events. A delivery that made another one due in the
 * meantime keeps it.
 */
export async function notePoll(
  tx: Queryable,
  at: PolledRepository,
  { cursor, everySeconds }: { cursor: HostCursor; everySeconds: number },
): Promise<void> {
  const { deliveredAt, pollAt } = hostRepositories;
  const often = everySeconds === 0 ? OFF_S : everySeconds;
  const pause = sql`CASE WHEN ${deliveredAt} IS NULL THEN ${often}::bigint ELSE ${Math.max(often, DELIVERED_POLL_S)}::bigint END`;
  const next = sql`CASE WHEN ${pollAt} <= now() THEN ${pollAt} ELSE now() + (${pause}) * interval '1 second' END`;
  await tx
    .update(hostRepositories)
    .set({ cursor, polledAt: sql`now()`, pollProblem: null, pollAt: next })
    .where(isRepository(at));
}

/** A poll failed. The problem is a sentence without secrets. */
export async function notePollProblem(
  q: Queryable,
  at: PolledRepository,
  { problem, retryAfterMs = 0 }: { problem: string; retryAfterMs?: number | undefined },
): Promise<void> {
  const pauseS = Math.min(MAX_PAUSE_S, Math.max(AFTER_PROBLEM_S, retryAfterMs / 1_000));
  await q
    .update(hostRepositories)
    .set({ pollProblem: problem.slice(0, 500), pollAt: sql`now() + ${pauseS} * interval '1 second'` })
    .where(isRepository(at));
}

function isRepository({ hostId, repositoryId }: PolledRepository) {
  return and(eq(hostRepositories.hostId, hostId), eq(hostRepositories.repositoryId, repositoryId));
}
