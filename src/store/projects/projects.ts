import { pathToFileURL } from 'node:url';
import { and, asc, eq, gt, inArray, sql, type SQL } from 'drizzle-orm';
import { AppError } from '../../platform/errors.ts';
import { noteDeletedProject } from '../analytics/deletions.ts';
import { hasSalts } from '../analytics/salts.ts';
import type { Queryable } from '../database.ts';
import { storedModel } from '../installation/installation-model.ts';
import { changedSettings, type SettingsChange } from './project-settings.ts';
import { apiKeys, idempotencyKeys, jobs, projects, pullRequests } from '../schema.ts';

export type ProjectRow = typeof projects.$inferSelect;

/** Ids that would be mistaken for routes, pages or files of the server, now or later. */
const RESERVED_IDS = new Set(
  'v1 v2 v3 api docs mcp healthz readyz livez metrics openapi pull-requests admin dashboard login logout settings projects keys jobs static assets script well-known sign-in hosts model people audit health account'.split(
    ' ',
  ),
);

export interface NewProject {
  id: string;
  host: string;
  /** Canonical, as the code host's check gave it back. */
  repository: string;
  /** The code host's own id of it; null on `local`. */
  repositoryId?: string | null;
  ref: string;
  docsDir: string;
  /** Its own; null follows the installation's. */
  model: string | null;
  settings?: SettingsChange;
  /** Whether the base branch is not set explicitly. */
  followsDefaultBranch?: boolean;
}

export interface ProjectChange {
  host?: string;
  repository?: string;
  /** Goes with `repository`. */
  repositoryId?: string | null;
  ref?: string;
  docsDir?: string;
  model?: string | null;
  settings?: SettingsChange;
}

/** The fields for notifying a deleted job's workflow. */
export interface DeletedJob {
  id: string;
  projectId: string;
  status: string;
  title: string;
}

export async function findProject(q: Queryable, id: string): Promise<ProjectRow | null> {
  const [project] = await q.select().from(projects).where(eq(projects.id, id));
  return project ?? null;
}

/** @throws AppError `project_not_found` */
export async function requireProject(q: Queryable, id: string): Promise<ProjectRow> {
  const project = await findProject(q, id);
  if (!project) throw projectNotFound(id);
  return project;
}

/** The projects of a repository of a code host, by the host's own id of it, the oldest first. */
export function listProjectsAt(
  q: Queryable,
  { host, repositoryId }: { host: string; repositoryId: string },
): Promise<ProjectRow[]> {
  return q
    .select()
    .from(projects)
    .where(and(eq(projects.host, host), eq(projects.repositoryId, repositoryId)))
    .orderBy(asc(projects.createdAt), asc(projects.id));
}

/**
 * Locks the project against deletion, so that new jobs and keys stay whole.
 * @throws AppError `project_not_found`
 */
export async function holdProject(tx: Queryable, id: string): Promise<ProjectRow> {
  const [project] = await tx.select().from(projects).where(eq(projects.id, id)).for('key share');
  if (!project) throw projectNotFound(id);
  return project;
}

/**
 * Like {@link holdProject}, with the installation's model, and as the only transaction that accepts for the
 * project. One statement, because the client waits during every round trip. Count accepted rows in a later
 * statement.
 * @throws AppError `project_not_found`
 */
export async function holdProjectToAccept(
  tx: Queryable,
  id: string,
): Promise<{ project: ProjectRow; storedModel: string | null }> {
  const [held] = await tx
    .select({ project: projects, storedModel, locked: acceptingLock(id) })
    .from(projects)
    .where(eq(projects.id, id))
    .for('key share');
  if (!held) throw projectNotFound(id);
  return held;
}

/** Held while jobs or messages of the project are accepted: an expression for a SELECT. */
export function acceptingLock(projectId: string): SQL {
  return sql`pg_advisory_xact_lock(hashtextextended(${`docent:accept:${projectId}`}, 0))`;
}

/** The projects that have reports or alerts about their readers. */
export function listReportingProjects(q: Queryable): Promise<ProjectRow[]> {
  return q
    .select()
    .from(projects)
    .where(sql`${projects.settings} ? 'analyticsReport' OR ${projects.settings} @> '{"analyticsAlerts": true}'`)
    .orderBy(asc(projects.id));
}

export async function projectIds(q: Queryable): Promise<string[]> {
  const rows = await q.select({ id: projects.id }).from(projects).orderBy(asc(projects.id));
  return rows.map(({ id }) => id);
}

/** By id; `after` is the last id of the previous page. With `only`: these and no others. */
export function listProjects(
  q: Queryable,
  page: { limit: number; after?: string; only?: readonly string[] | null },
): Promise<ProjectRow[]> {
  return q
    .select()
    .from(projects)
    .where(
      and(
        page.after === undefined ? undefined : gt(projects.id, page.after),
        page.only ? inArray(projects.id, [...page.only]) : undefined,
      ),
    )
    .orderBy(asc(projects.id))
    .limit(page.limit);
}

/** @throws AppError `bad_request` for a reserved id */
export function refuseReservedId(id: string): void {
  if (!RESERVED_IDS.has(id)) return;
  throw new AppError('bad_request', `\`id\`: "${id}" is reserved. Choose another ID.`);
}

/** @throws AppError `project_exists` (409), or `bad_request` for a reserved id */
export async function createProject(
  tx: Queryable,
  { followsDefaultBranch = false, ...input }: NewProject,
): Promise<ProjectRow> {
  refuseReservedId(input.id);
  const settings = changedSettings({}, input.settings ?? {}, { now: Date.now(), begun: false });
  const [project] = await tx
    .insert(projects)
    .values({ ...input, settings: { ...settings, ...(followsDefaultBranch && { followsDefaultBranch }) } })
    .onConflictDoNothing()
    .returning();
  if (!project) throw projectExists(input.id);
  return project;
}

/**
 * Changes the given fields. A new repository or base branch is refused while jobs are active, because they
 * work on the old one.
 * @param options.check gets the locked project before the change, and throws if it may not be changed
 * @throws AppError `project_not_found`, `project_has_active_jobs` (409), or `bad_request` for settings that
 *   do not go together
 */
export async function updateProject(
  tx: Queryable,
  id: string,
  change: ProjectChange,
  { now = Date.now(), check }: { now?: number; check?: (current: ProjectRow) => void } = {},
): Promise<ProjectRow> {
  const mayMove = change.repository !== undefined || change.ref !== undefined;
  const { project: current, activeJobs } = await lockProject(tx, id, { withJobs: mayMove });
  check?.(current);
  const moves =
    (change.repository !== undefined && !isSameRepository(current, change)) ||
    (change.ref !== undefined && change.ref !== current.ref);
  if (moves && activeJobs > 0) throw hasActiveJobs(id, activeJobs, 'change its repository or base branch');
  const changed =
    change.settings && changedSettings(current.settings, change.settings, { now, begun: await hasSalts(tx, id) });
  const { followsDefaultBranch: _follows, ...named } = changed ?? current.settings;
  const settings = change.ref === undefined ? changed : named;
  const [project] = await tx
    .update(projects)
    .set({
      host: change.host,
      ...(change.repository !== undefined && {
        repository: change.repository,
        repositoryId: change.repositoryId ?? null,
      }),
      ref: change.ref,
      docsDir: change.docsDir,
      model: change.model,
      settings,
      updatedAt: new Date(),
    })
    .where(eq(projects.id, id))
    .returning();
  if (!project) throw projectNotFound(id);
  return project;
}

/**
 * Deletes the project with its jobs, pull request pages and idempotency keys. Keys for this project only are
 * revoked, the others lose it, so that none opens a later project with the same id. Returns the jobs whose
 * workflows may be open.
 * @param check gets the locked project, and throws if it may not be deleted
 * @throws AppError `project_not_found`, or `project_has_active_jobs` (409)
 */
export async function deleteProject(
  tx: Queryable,
  id: string,
  check: (current: ProjectRow) => void = () => {},
): Promise<DeletedJob[]> {
  const { project, activeJobs } = await lockProject(tx, id, { withJobs: true });
  check(project);
  if (activeJobs > 0) throw hasActiveJobs(id, activeJobs, 'delete it');
  const opens = sql`${id} = ANY(${apiKeys.projectIds})`;
  await tx
    .update(apiKeys)
    .set({ revokedAt: sql`COALESCE(${apiKeys.revokedAt}, now())` })
    .where(and(opens, sql`cardinality(${apiKeys.projectIds}) = 1`));
  await tx
    .update(apiKeys)
    .set({ projectIds: sql`array_remove(${apiKeys.projectIds}, ${id})` })
    .where(and(opens, sql`cardinality(${apiKeys.projectIds}) > 1`));
  await tx.delete(pullRequests).where(eq(pullRequests.projectId, id));
  const deleted = await tx
    .delete(jobs)
    .where(eq(jobs.projectId, id))
    .returning({ id: jobs.id, projectId: jobs.projectId, status: jobs.status, title: jobs.title });
  await tx.delete(idempotencyKeys).where(eq(idempotencyKeys.owner, id));
  await noteDeletedProject(tx, id);
  await tx.delete(projects).where(eq(projects.id, id));
  return deleted.filter((job) => job.status !== 'archived');
}

export function projectExists(id: string): AppError {
  return new AppError('project_exists', `Project ${id} already exists. Choose another ID, or update the project.`);
}

export function projectNotFound(id: string): AppError {
  return new AppError('project_not_found', `Project ${id} does not exist, or this key has no access to it.`);
}

/**
 * Locks the project, and with `withJobs` all of its jobs: a message that is being accepted either makes its
 * job active here or finds none. Jobs come first, because changing a job may lock its project afterwards. A
 * second round locks jobs added before the project was locked.
 */
async function lockProject(tx: Queryable, id: string, options: { withJobs: boolean }) {
  if (options.withJobs) await lockJobs(tx, id);
  const [project] = await tx.select().from(projects).where(eq(projects.id, id)).for('update');
  if (!project) throw projectNotFound(id);
  const statuses = options.withJobs ? await lockJobs(tx, id) : [];
  return { project, activeJobs: statuses.filter((job) => job.status === 'active').length };
}

function lockJobs(tx: Queryable, projectId: string): Promise<{ status: string }[]> {
  return tx
    .select({ status: jobs.status })
    .from(jobs)
    .where(eq(jobs.projectId, projectId))
    .orderBy(asc(jobs.id))
    .for('update');
}

interface RepositoryIdentity {
  repository: string;
  repositoryId: string | null;
}

export function identityOf({ repository, repositoryId }: ProjectRow): RepositoryIdentity {
  return { repository, repositoryId };
}

/** Records a repository's new id or URL, unless the project changed in the meantime. Idempotent. */
export async function noteRepository(q: Queryable, project: ProjectRow, found: RepositoryIdentity): Promise<void> {
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

/**
 * Changes to another base branch if the project named none and its own is gone. Idempotent.
 * @returns the project; null if unchanged
 */
export async function followDefaultBranch(q: Queryable, project: ProjectRow, ref: string): Promise<ProjectRow | null> {
  if (!project.settings.followsDefaultBranch || ref === project.ref) return null;
  const [moved] = await q
    .update(projects)
    .set({ ref, updatedAt: new Date() })
    .where(
      and(
        eq(projects.id, project.id),
        eq(projects.ref, project.ref),
        sql`${projects.settings} ->> 'followsDefaultBranch' = 'true'`,
      ),
    )
    .returning();
  if (moved) return moved;
  // Another job may have done so.
  const now = await findProject(q, project.id);
  return now?.ref === ref ? now : null;
}

/** By its id where both are known: a renamed repository is the same, another one with its name is not. */
function isSameRepository(current: ProjectRow, change: ProjectChange): boolean {
  const known = identityOf(current).repositoryId;
  const asked = change.repositoryId ?? null;
  if (change.host !== undefined && change.host !== current.host) return false;
  return known !== null && asked !== null ? known === asked : change.repository === current.repository;
}

function hasActiveJobs(id: string, count: number, what: string): AppError {
  const [subject, them] = count === 1 ? ['A job', 'it'] : [`${count} jobs`, 'them'];
  return new AppError(
    'project_has_active_jobs',
    `${subject} of project ${id} ${count === 1 ? 'is' : 'are'} active. Cancel or archive ${them}, then ${what}.`,
  );
}

/** The repository's full URL, `file:` for one on this machine. */
export function repositoryUrl(project: Pick<ProjectRow, 'host' | 'repository'>): string {
  return project.host === 'local' ? pathToFileURL(project.repository).href : project.repository;
}
