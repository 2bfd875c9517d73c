import { faultPoint } from '../../platform/faults.ts';
import { findAnalytics, readManifest, type FileRow, type NewFile } from '../../store/analytics-manifest.ts';
import { newId } from '../../store/ids.ts';
import type { AnalyticsFolder } from '../storage/analytics-folder.ts';
import { writeDerived } from './derive.ts';
import type { DuckSession } from '../storage/duck.ts';
import { unpackInbox } from './inbox.ts';
import { withWholeFiles } from '../upkeep/mend.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { commit, writtenTogether, type StorageDeps } from '../storage/storage.ts';
import { absolutePaths, ofFamily } from '../storage/tables.ts';

export interface FoldResult {
  files: number;
  /** Events that count from now on. */
  events: number;
  /** Events of the inbox that were in already. */
  repeats: number;
  ms: number;
}

/** Rows of the inbox that one fold takes at most (but at least one file). */
const MAX_ROWS = 1_000_000;
/** A file of events has at least this many rows where days are thin. */
export const FILE_ROWS = 50_000;

/**
 * Takes what lies in a project's inbox over into events, presence, cube, revisits and views: one step of the manifest, after which the
 * same questions get the same answers, faster. Idempotent: an empty inbox changes nothing. Null when another process is at it.
 */
export async function foldProject(deps: StorageDeps, projectId: string): Promise<FoldResult | null> {
  return withWholeFiles(deps, projectId, () => foldLocked(deps, projectId));
}

/** As {@link foldProject}, for a caller that holds the project's lock. */
export async function foldLocked(deps: StorageDeps, projectId: string): Promise<FoldResult> {
  const total: FoldResult = { files: 0, events: 0, repeats: 0, ms: 0 };
  for (;;) {
    const step = await foldSome(deps, projectId);
    if (!step) return total;
    for (const key of ['files', 'events', 'repeats', 'ms'] as const) total[key] += step[key];
  }
}

/** One fold; the caller holds the project's lock. Null when the inbox is empty. */
async function foldSome({ database, folder, duck, log }: StorageDeps, projectId: string): Promise<FoldResult | null> {
  const startedAt = performance.now();
  const head = await findAnalytics(database.db, projectId);
  if (!head) return null;
  const manifest = await readManifest(database.db, projectId);
  const inbox = firstRows(ofFamily(manifest.files, 'inbox'), MAX_ROWS);
  if (inbox.length === 0) return null;

  const rows = inbox.reduce((sum, file) => sum + file.rows, 0);
  const presenceFiles = absolutePaths(folder, ofFamily(manifest.files, 'presence'));
  const { files, events } = await writtenTogether(folder, (written) =>
    duck.use(async (session) => {
      const fresh = `events_${newId()}`;
      try {
        await unpackInbox(session, folder, manifest, inbox, fresh, { temporary: true });
        await writeEvents(session, folder, projectId, fresh, written);
        return { files: written, events: await writeDerived(session, folder, manifest, fresh, presenceFiles, written) };
      } finally {
        await session.run(`DROP TABLE IF EXISTS ${fresh}`);
      }
    }),
  );
  faultPoint('fold-written');
  await commit(database, folder, {
    projectId,
    fence: head.fence,
    remove: inbox.map((file) => file.id),
    add: files,
  });
  faultPoint('fold-committed');
  const result = { files: inbox.length, events, repeats: rows - events, ms: Math.round(performance.now() - startedAt) };
  log.info({ projectId, ...result }, 'events folded');
  return result;
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

/** Days, in order, put together until a group is worth a file. */
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
