import { and, asc, eq, getTableColumns, gt, isNull, lte, or, sql } from 'drizzle-orm';
import { AppError, Expected } from '../../platform/errors.ts';
import type { Queryable } from '../database.ts';
import { forgetDeletedProject } from './deletions.ts';
import { analyticsDamage, analyticsFiles, analyticsProjects, LAYOUT, type FileFamily } from './analytics-schema.ts';
import { DEFAULT_MAPPING, mappingAt, wantedMapping, type ClassMapping } from '../analytics-settings.ts';
import { projects, type ProjectSettings } from '../schema.ts';

export type AnalyticsProjectRow = typeof analyticsProjects.$inferSelect;
export type AnalyticsProject = AnalyticsProjectRow & {
  settings: ProjectSettings;
  /** Changes when accepted events may be lost: the project was recreated, or files were damaged. */
  epoch: string;
};
export type FileRow = typeof analyticsFiles.$inferSelect;

/** A file that is on disk, whole, and about to enter the manifest. */
export interface NewFile {
  id: string;
  family: FileFamily;
  path: string;
  rows: number;
  bytes: number;
  minDay: number;
  maxDay: number;
  sha256: Buffer;
}

/** A version of a project, without its files. */
export interface ManifestHead {
  projectId: string;
  version: number;
  floorDay: number | null;
  /** What the counts in these files call human and AI. */
  mapping: ClassMapping;
  /** Distinguishes versions of one number: of a deleted project, or from before a restore. */
  newestFile: string | null;
}

/** All files of a project at one version. They do not change while the version is readable. */
export interface Manifest extends ManifestHead {
  files: readonly FileRow[];
}

const versionGone = () => new Expected('version_gone', 'This version of the counts no longer exists.');

const otherLayout = () =>
  new AppError(
    'unavailable',
    'The counts of this project were written by another version of Docent. Run the same version everywhere, and try again.',
    { retryAfterSeconds: 60 },
  );

/** The head of a project's manifest, or null if it has none yet. */
export async function findAnalytics(q: Queryable, projectId: string): Promise<AnalyticsProjectRow | null> {
  const [row] = await q.select().from(analyticsProjects).where(eq(analyticsProjects.projectId, projectId));
  return row ?? null;
}

/** The head of a project's manifest, created if needed, and its settings. Null without the project. */
export async function ensureAnalytics(q: Queryable, projectId: string): Promise<AnalyticsProject | null> {
  const damagedAt = sql`(SELECT max(d.found_at) FROM ${analyticsDamage} d WHERE d.project_id = ${projectId})`;
  const [project] = await q
    .select({ settings: projects.settings, epoch: sql<string>`concat_ws(' ', ${projects.createdAt}, ${damagedAt})` })
    .from(projects)
    .where(eq(projects.id, projectId));
  if (!project) return null;
  const mappings = [{ ...wantedMapping(project.settings), since: 0 }];
  const found = await findAnalytics(q, projectId);
  if (!found) {
    await forgetDeletedProject(q, projectId);
    await q.insert(analyticsProjects).values({ projectId, mappings }).onConflictDoNothing();
  }
  const head = found ?? (await findAnalytics(q, projectId));
  return head && { ...head, ...project };
}

/**
 * A version, by default the newest, in one query.
 * @throws Expected `version_gone`, AppError `unavailable` for another file layout
 */
export async function readManifestHead(q: Queryable, projectId: string, version?: number): Promise<ManifestHead> {
  const at = version ?? sql`${analyticsProjects.version}`;
  const [head] = await q
    .select({
      ...getTableColumns(analyticsProjects),
      newestFile: sql<string | null>`(
        SELECT f.id FROM ${analyticsFiles} f WHERE f.project_id = ${projectId} AND f.added_version <= ${at}
        ORDER BY f.added_version DESC, f.id DESC LIMIT 1)`,
    })
    .from(analyticsProjects)
    .where(eq(analyticsProjects.projectId, projectId));
  if (!head) {
    if (version) throw versionGone();
    return { projectId, version: 0, floorDay: null, mapping: DEFAULT_MAPPING, newestFile: null };
  }
  const { floorDay, layout, mappings, newestFile } = head;
  if (layout !== LAYOUT) throw otherLayout();
  const found = version ?? head.version;
  if (found > head.version || found < head.oldestVersion) throw versionGone();
  return { projectId, version: found, floorDay, mapping: mappingAt(mappings, found), newestFile };
}

/**
 * The files of a version, by default the newest.
 * @throws as {@link readManifestHead}; Expected `version_gone` also if the version ended in the meantime
 */
export async function readManifest(q: Queryable, projectId: string, version?: number): Promise<Manifest> {
  const head = await readManifestHead(q, projectId, version);
  const files = await q
    .select()
    .from(analyticsFiles)
    .where(
      and(
        eq(analyticsFiles.projectId, projectId),
        lte(analyticsFiles.addedVersion, head.version),
        or(isNull(analyticsFiles.removedVersion), gt(analyticsFiles.removedVersion, head.version)),
      ),
    )
    .orderBy(asc(analyticsFiles.addedVersion), asc(analyticsFiles.id));
  // Rows of files that were erased or lost in the meantime are gone, and so is the version that named them.
  if (head.version < ((await findAnalytics(q, projectId))?.oldestVersion ?? 0)) throw versionGone();
  return { ...head, files };
}

/** Every project that has a manifest. */
export async function analyticsProjectIds(q: Queryable): Promise<string[]> {
  const rows = await q.select({ id: analyticsProjects.projectId }).from(analyticsProjects);
  return rows.map((row) => row.id);
}

/** Paths of every file that a project's manifest names, replaced ones included. */
export async function analyticsFilePaths(q: Queryable, projectId: string): Promise<string[]> {
  const { path } = analyticsFiles;
  const rows = await q.select({ path }).from(analyticsFiles).where(eq(analyticsFiles.projectId, projectId));
  return rows.map((row) => row.path);
}
