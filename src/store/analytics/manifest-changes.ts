import { and, asc, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Database, Queryable } from '../database.ts';
import { noteDamage } from './damage.ts';
import { noteDeletions } from './deletions.ts';
import { findAnalytics, type NewFile } from './manifest.ts';
import { analyticsFiles, analyticsProjects } from './analytics-schema.ts';
import { isSameMapping, mappingAt, type AppliedMapping, type ClassMapping } from '../analytics-settings.ts';
import { projects } from '../schema.ts';
import { Expected } from '../../platform/errors.ts';

/** Rows of one statement. */
const PER_STATEMENT = 250;

/** Adds new sealed files in the sealer's transaction. Null for a deleted project. */
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

/** As {@link addUnmerged}, one file for each of many projects. @returns the projects that exist */
export async function addUnmergedOf(
  tx: Queryable,
  files: ReadonlyMap<string, NewFile>,
  source: string,
): Promise<ReadonlySet<string>> {
  const added = new Set<string>();
  // In a fixed order, so that two sealers cannot deadlock.
  for (const ids of chunks([...files.keys()].toSorted(), PER_STATEMENT)) {
    const found = await tx
      .select({ projectId: projects.id })
      .from(projects)
      .where(inArray(projects.id, ids))
      .orderBy(asc(projects.id))
      .for('key share');
    if (found.length === 0) continue;
    const here = found.map(({ projectId }) => projectId);
    await tx.insert(analyticsProjects).values(found).onConflictDoNothing();
    const heads = inArray(analyticsProjects.projectId, here);
    await tx
      .select({ id: analyticsProjects.projectId })
      .from(analyticsProjects)
      .where(heads)
      .orderBy(asc(analyticsProjects.projectId))
      .for('no key update');
    const raised = await tx
      .update(analyticsProjects)
      .set({ version: sql`${analyticsProjects.version} + 1` })
      .where(heads)
      .returning({ projectId: analyticsProjects.projectId, addedVersion: analyticsProjects.version });
    await tx
      .insert(analyticsFiles)
      .values(raised.map((head) => ({ ...files.get(head.projectId)!, ...head, source })))
      .onConflictDoNothing();
    for (const id of here) added.add(id);
  }
  return added;
}

/** Replaces files in one step, conditional on `fence`. @throws Expected `manifest_conflict` */
export async function replaceFiles(
  tx: Queryable,
  change: {
    projectId: string;
    fence: number;
    remove: readonly string[];
    add: readonly NewFile[];
    floorDay?: number | null;
    /** The mapping of all counts of the new version, if it changes. */
    mapping?: ClassMapping;
    /** Files that are gone or damaged leave at once and end their versions. Noted if there is a reason. */
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
  if (!head) throw new Expected('manifest_conflict', 'The project has changed in the meantime.');
  await noteDamage(
    tx,
    lost.flatMap(({ id, reason }) => (reason === null ? [] : [{ id, reason }])),
  );
  const lostIds = lost.map(({ id }) => id);
  for (const ids of chunks(lostIds, PER_STATEMENT))
    await tx.delete(analyticsFiles).where(inArray(analyticsFiles.id, ids));
  for (const ids of chunks(change.remove, PER_STATEMENT)) {
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
    if (removed.length !== ids.length) throw new Expected('manifest_conflict', 'A file was removed in the meantime.');
  }
  for (const files of chunks(change.add, PER_STATEMENT)) {
    await tx.insert(analyticsFiles).values(files.map((file) => ({ ...file, projectId, addedVersion: version })));
  }
  return version;
}

/** The mappings that versions that can be read need, and a new one. */
async function mappingsWith(tx: Queryable, projectId: string, next: AppliedMapping): Promise<AppliedMapping[]> {
  const head = await findAnalytics(tx, projectId);
  if (!head) throw new Expected('manifest_conflict', 'The project no longer exists.');
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
  if (!head) throw new Expected('manifest_conflict', 'The project no longer exists.');
  return head.version;
}

/**
 * Forgets files removed `graceMs` ago (database clock; null: all) and ends their versions.
 * @returns the paths to delete
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

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
