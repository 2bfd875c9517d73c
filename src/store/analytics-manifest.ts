import { and, asc, eq, getTableColumns, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm';
import { AppError } from '../platform/errors.ts';
import type { Database, Queryable } from './database.ts';
import { noteDamage } from './analytics-damage.ts';
import { forgetDeletedProject, noteDeletions } from './analytics-deletions.ts';
import { analyticsDamage, analyticsFiles, analyticsProjects, LAYOUT, type FileFamily } from './analytics-schema.ts';
import {
  DEFAULT_MAPPING,
  isSameMapping,
  mappingAt,
  wantedMapping,
  type AppliedMapping,
  type ClassMapping,
} from './analytics-settings.ts';
import { projects, type ProjectSettings } from './schema.ts';

export type AnalyticsProjectRow = typeof analyticsProjects.$inferSelect;
export type AnalyticsProject = AnalyticsProjectRow & {
  settings: ProjectSettings;
  /** Another one once events that were taken may be gone: the project was made anew, or files were found damaged. */
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

/** What a version of a project is, but for its files. */
export interface ManifestHead {
  projectId: string;
  version: number;
  floorDay: number | null;
  /** What the counts in these files call human and AI. */
  mapping: ClassMapping;
  /** Tells the version from one of the same number: of a project of the same name that was deleted, or before a backup was restored. */
  newestFile: string | null;
}

/** All files of a project at one version. They stay the same as long as the version can be read. */
export interface Manifest extends ManifestHead {
  files: readonly FileRow[];
}

/** The version that was asked for cannot be read: it never was, or its files are gone. */
export class VersionGone extends Error {}

/** Somebody else changed the project meanwhile: begin anew. */
export class ManifestConflict extends Error {}

const otherLayout = () =>
  new AppError(
    'unavailable',
    'The counts of this project lie as another version of Docent writes them. Run the same version everywhere, and ask again.',
    { retryAfterSeconds: 60 },
  );

/** The head of a project's manifest, or null where it has none yet. */
export async function findAnalytics(q: Queryable, projectId: string): Promise<AnalyticsProjectRow | null> {
  const [row] = await q.select().from(analyticsProjects).where(eq(analyticsProjects.projectId, projectId));
  return row ?? null;
}

/** The head of a project's manifest, made if need be, and its settings. Null for a project that does not exist. */
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
 * A version; without one, the newest. One query.
 * @throws VersionGone, AppError `unavailable` where another version of Docent laid out the files
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
    if (version) throw new VersionGone();
    return { projectId, version: 0, floorDay: null, mapping: DEFAULT_MAPPING, newestFile: null };
  }
  const { floorDay, layout, mappings, newestFile } = head;
  if (layout !== LAYOUT) throw otherLayout();
  const found = version ?? head.version;
  if (found > head.version || found < head.oldestVersion) throw new VersionGone();
  return { projectId, version: found, floorDay, mapping: mappingAt(mappings, found), newestFile };
}

/**
 * The files that count at a version; without one, now.
 * @throws as {@link readManifestHead}; VersionGone also where the version ended while it was read
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
  // Rows of files that were erased or lost meanwhile are gone, and so is the version that named them.
  if (head.version < ((await findAnalytics(q, projectId))?.oldestVersion ?? 0)) throw new VersionGone();
  return { ...head, files };
}

/**
 * Adds sealed files to a project, to be merged; part of the sealer's transaction. Null for a project that was deleted: its events
 * have nobody to count them. A source that is in already stays as it is.
 */
export async function addUnmerged(
  tx: Queryable,
  projectId: string,
  files: readonly NewFile[],
  source: string,
): Promise<number | null> {
  const [project] = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(eq(projects.id, projectId))
    .for('key share');
  if (!project) return null;
  const version = await nextVersion(tx, projectId);
  await tx
    .insert(analyticsFiles)
    .values(files.map((file) => ({ ...file, projectId, source, addedVersion: version })))
    .onConflictDoNothing();
  return version;
}

/**
 * Replaces files of a project in one step, if nobody else did since `fence` was read.
 * @throws ManifestConflict
 */
export async function replaceFiles(
  tx: Queryable,
  change: {
    projectId: string;
    fence: number;
    remove: readonly string[];
    add: readonly NewFile[];
    floorDay?: number | null;
    /** The mapping with which all counts of the new version were made, where it is another one. */
    mapping?: ClassMapping;
    /** Files that are gone or damaged: they leave the manifest at once, and versions that name them end. Noted where a reason is given. */
    lost?: readonly { id: string; reason: string | null }[];
  },
): Promise<number> {
  const { projectId, mapping, lost = [] } = change;
  const version = await nextVersion(tx, projectId);
  const [head] = await tx
    .update(analyticsProjects)
    .set({
      fence: change.fence + 1,
      ...(change.floorDay === undefined ? {} : { floorDay: change.floorDay }),
      ...(mapping === undefined ? {} : { mappings: await mappingsWith(tx, projectId, { ...mapping, since: version }) }),
      ...(lost.length === 0 ? {} : { oldestVersion: version }),
    })
    .where(and(eq(analyticsProjects.projectId, projectId), eq(analyticsProjects.fence, change.fence)))
    .returning();
  if (!head) throw new ManifestConflict('The project changed meanwhile.');
  await noteDamage(
    tx,
    lost.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }])),
  );
  for (const ids of chunks(lost, 1_000)) {
    await tx.delete(analyticsFiles).where(
      inArray(
        analyticsFiles.id,
        ids.map(({ id }) => id),
      ),
    );
  }
  for (const ids of chunks(change.remove, 1_000)) {
    const removed = await tx
      .update(analyticsFiles)
      .set({ removedVersion: version, removedAt: sql`now()` })
      .where(
        and(
          eq(analyticsFiles.projectId, projectId),
          inArray(analyticsFiles.id, ids),
          isNull(analyticsFiles.removedVersion),
        ),
      )
      .returning({ id: analyticsFiles.id });
    if (removed.length !== ids.length) throw new ManifestConflict('A file was removed meanwhile.');
  }
  for (const files of chunks(change.add, 1_000)) {
    await tx.insert(analyticsFiles).values(files.map((file) => ({ ...file, projectId, addedVersion: version })));
  }
  return version;
}

/** The mappings that versions that can be read need, and a new one. */
async function mappingsWith(tx: Queryable, projectId: string, next: AppliedMapping): Promise<AppliedMapping[]> {
  const head = await findAnalytics(tx, projectId);
  if (!head) throw new ManifestConflict('The project is gone.');
  const { mappings, oldestVersion } = head;
  if (isSameMapping(mappingAt(mappings, next.since), next)) return mappings;
  const needed = mappings.findLastIndex(({ since }) => since <= oldestVersion);
  return [...mappings.slice(Math.max(0, needed)), next];
}

/** Takes the row's lock: versions are given out, and become visible, one after another. */
async function nextVersion(tx: Queryable, projectId: string): Promise<number> {
  await tx.insert(analyticsProjects).values({ projectId }).onConflictDoNothing();
  const [head] = await tx
    .update(analyticsProjects)
    .set({ version: sql`${analyticsProjects.version} + 1` })
    .where(eq(analyticsProjects.projectId, projectId))
    .returning({ version: analyticsProjects.version });
  if (!head) throw new ManifestConflict('The project is gone.');
  return head.version;
}

/**
 * Forgets files that were removed `graceMs` ago by the database's clock, null for all that were removed, so that they can be deleted;
 * versions that need them end.
 * @returns the files' paths
 */
export async function forgetRemoved(database: Database, projectId: string, graceMs: number | null): Promise<string[]> {
  return database.db.transaction(async (tx) => {
    const gone = await tx
      .delete(analyticsFiles)
      .where(
        and(
          eq(analyticsFiles.projectId, projectId),
          isNotNull(analyticsFiles.removedVersion),
          graceMs === null
            ? undefined
            : sql`${analyticsFiles.removedAt} < now() - make_interval(secs => ${graceMs / 1_000})`,
        ),
      )
      .returning({ path: analyticsFiles.path, removedVersion: analyticsFiles.removedVersion });
    await noteDeletions(
      tx,
      gone.map(({ path }) => path),
    );
    const oldest = Math.max(0, ...gone.map((file) => file.removedVersion ?? 0));
    if (gone.length > 0) {
      await tx
        .update(analyticsProjects)
        .set({ oldestVersion: sql`greatest(${analyticsProjects.oldestVersion}, ${oldest})` })
        .where(eq(analyticsProjects.projectId, projectId));
    }
    return gone.map((file) => file.path);
  });
}

/** Every project that has a manifest. */
export async function analyticsProjectIds(q: Queryable): Promise<string[]> {
  const rows = await q
    .select({ id: analyticsProjects.projectId })
    .from(analyticsProjects)
    .orderBy(asc(analyticsProjects.projectId));
  return rows.map((row) => row.id);
}

/**
 * Runs `work` as the only one of all processes that merges, compacts, erases or rebuilds this project. Null when another one is
 * at it. The lock goes with its connection; writes are conditional on the fence, should it be lost.
 */
export async function withProjectLock<T>(
  database: Database,
  projectId: string,
  work: () => Promise<T>,
  options: { waitMs?: number } = {},
): Promise<T | null> {
  const client = await database.pool.connect();
  let broken: Error | undefined;
  const onError = (err: Error) => (broken = err);
  client.on('error', onError);
  try {
    const deadline = performance.now() + (options.waitMs ?? 0);
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        `SELECT pg_try_advisory_lock(hashtextextended('docent analytics ' || $1, 0)) AS locked`,
        [projectId],
      );
      if (rows[0]?.locked) break;
      if (performance.now() >= deadline) return null;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    try {
      return await work();
    } finally {
      if (!broken) {
        await client.query(`SELECT pg_advisory_unlock(hashtextextended('docent analytics ' || $1, 0))`, [projectId]);
      }
    }
  } finally {
    client.off('error', onError);
    client.release(broken ?? false);
  }
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/** Paths of every file that a project's manifest names, replaced ones included. */
export async function analyticsFilePaths(q: Queryable, projectId: string): Promise<string[]> {
  const rows = await q
    .select({ path: analyticsFiles.path })
    .from(analyticsFiles)
    .where(eq(analyticsFiles.projectId, projectId));
  return rows.map((row) => row.path);
}
