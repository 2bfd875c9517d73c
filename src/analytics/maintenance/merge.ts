import { faultPoint } from '../../platform/faults.ts';
import { inSpan } from '../../platform/telemetry/spans.ts';
import {
  findAnalytics,
  readManifest,
  type FileRow,
  type Manifest,
  type NewFile,
} from '../../store/analytics/manifest.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { writeCountChanges } from '../counts/count-changes.ts';
import type { DuckSession } from '../storage/duck.ts';
import { unpackUnmerged } from '../counts/unmerged.ts';
import { withWholeFiles } from './repair.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { commit, writtenTogether, type StorageDeps } from '../storage/storage.ts';
import { ofFamily, rowsOf } from '../storage/tables.ts';

export interface MergeResult {
  files: number;
  /** Events that count from now on. */
  events: number;
  /** Events that were in already. */
  repeats: number;
  ms: number;
}

/** Unmerged rows that one merge takes at most (but at least one file). */
const MAX_ROWS = 1_000_000;
/** A file of events has at least this many rows where days are thin. */
export const FILE_ROWS = 50_000;

/** Merges unmerged events in one manifest step; answers stay the same. Idempotent. Null if busy. */
export async function mergeProject(deps: StorageDeps, projectId: string): Promise<MergeResult | null> {
  return withWholeFiles(deps, projectId, () => mergeLocked(deps, projectId));
}

/**
 * As {@link mergeProject}, under the project's lock. Takes the events that are unmerged at its beginning, so
 * that it ends.
 * @param only ids of the files to take
 */
export function mergeLocked(deps: StorageDeps, projectId: string, only?: ReadonlySet<string>): Promise<MergeResult> {
  return inSpan({ name: 'duckdb merge' }, async (span) => {
    const total: MergeResult = { files: 0, events: 0, repeats: 0, ms: 0 };
    const begunAt = (await findAnalytics(deps.database.db, projectId))?.version ?? 0;
    for (;;) {
      const step = await mergeSome(
        deps,
        projectId,
        (file) => file.addedVersion <= begunAt && (only?.has(file.id) ?? true),
      );
      span.set({ 'docent.events': total.events, 'docent.repeats': total.repeats });
      if (!step) return total;
      for (const key of ['files', 'events', 'repeats', 'ms'] as const) total[key] += step[key];
    }
  });
}

/** Merges some unmerged events; the caller holds the project's lock. Null when nothing is. */
async function mergeSome(
  { database, folder, duck, log }: StorageDeps,
  projectId: string,
  isTaken: (file: FileRow) => boolean,
): Promise<MergeResult | null> {
  const startedAt = performance.now();
  const head = await findAnalytics(database.db, projectId);
  if (!head) return null;
  const manifest = await readManifest(database.db, projectId);
  const unmerged = nextUnmerged(manifest, isTaken);
  if (unmerged.length === 0) return null;

  const rows = rowsOf(unmerged);
  const { files, events } = await writtenTogether(folder, (written) =>
    duck.use((session) =>
      withFreshEvents(session, folder, manifest, unmerged, written, async (fresh) => ({
        files: written,
        events: await writeCountChanges(session, folder, manifest, { events: fresh, known: manifest.files }, written),
      })),
    ),
  );
  faultPoint('merge-written');
  await commit(database, folder, {
    projectId,
    fence: head.fence,
    remove: unmerged.map((file) => file.id),
    add: files,
  });
  faultPoint('merge-committed');
  const result = {
    files: unmerged.length,
    events,
    repeats: rows - events,
    ms: Math.round(performance.now() - startedAt),
  };
  log.info({ projectId, ...result }, 'events merged');
  return result;
}

/** The unmerged files that one merge takes, of those that it may take. */
export const nextUnmerged = ({ files }: Manifest, isTaken: (file: FileRow) => boolean = () => true): FileRow[] =>
  firstRows(ofFamily(files, 'unmerged').filter(isTaken), MAX_ROWS);

/** Writes new events of unmerged files, and passes them as a table with `day`. */
export async function withFreshEvents<T>(
  session: DuckSession,
  folder: AnalyticsFolder,
  manifest: Manifest,
  unmerged: readonly FileRow[],
  into: NewFile[],
  work: (fresh: string) => Promise<T>,
): Promise<T> {
  const fresh = `events_${newId()}`;
  try {
    await unpackUnmerged(session, folder, manifest, unmerged, fresh, { temporary: true });
    await writeEvents(session, folder, manifest.projectId, fresh, into);
    return await work(fresh);
  } finally {
    await session.drop(fresh);
  }
}

/** Writes events in files of whole days: a busy day has its own, thin ones share. */
async function writeEvents(
  session: DuckSession,
  folder: AnalyticsFolder,
  projectId: string,
  table: string,
  into: NewFile[],
): Promise<void> {
  const days = await session.all<{ day: number; rows: bigint }>(
    `SELECT day, count(*) AS rows FROM ${table} GROUP BY day ORDER BY day`,
  );
  for (const { from, to } of dayGroups(days.map(({ day, rows }) => ({ day, rows: Number(rows) })))) {
    await writeParquet(
      session,
      folder,
      { projectId, family: 'events' },
      `(FROM ${table} WHERE day BETWEEN $from AND $to)`,
      { from, to },
      { into },
    );
  }
}

/** Consecutive days, grouped until each group is worth a file. */
export function dayGroups(days: readonly { day: number; rows: number }[]): { from: number; to: number }[] {
  const groups: { from: number; to: number }[] = [];
  let open: { from: number; to: number; rows: number } | null = null;
  for (const { day, rows } of days) {
    if (open && open.rows + rows <= FILE_ROWS) {
      open.to = day;
      open.rows += rows;
      continue;
    }
    if (open) groups.push({ from: open.from, to: open.to });
    open = { from: day, to: day, rows };
  }
  if (open) groups.push({ from: open.from, to: open.to });
  return groups;
}

function firstRows(files: readonly FileRow[], max: number): FileRow[] {
  let rows = 0;
  return files.filter((file, i) => {
    rows += file.rows;
    return i === 0 || rows <= max;
  });
}
