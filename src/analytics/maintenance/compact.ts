import { faultPoint } from '../../platform/faults.ts';
import { findAnalytics, readManifest, type FileRow } from '../../store/analytics/manifest.ts';
import type { FileFamily } from '../../store/analytics/analytics-schema.ts';
import { dayOf, NEVER } from '../events/days.ts';
import type { DuckSession } from '../storage/duck.ts';
import { dayGroups, FILE_ROWS } from './merge.ts';
import { isOver, makeIndexes } from '../counts/make-indexes.ts';
import { withWholeFiles } from './repair.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { commit, writtenTogether, type StorageDeps } from '../storage/storage.ts';
import { absolutePaths, dayExpression, EVENT_COLUMNS, ofFamily, relation, rowsOf } from '../storage/tables.ts';

/** Files of about one size that are worth putting together. */
const TIER_FILES = 4;
const TIER_FACTOR = 4;
/** The smallest tier: up to this many rows. */
const TIER_ROWS = 4_096;
/** Larger files stay as they are. Merges search every file of presence, so these grow longer. */
const MAX_ROWS = { presence: 250_000_000, revisits: 20_000_000, cube: 20_000_000 };
/** This many events of a finished day are combined, whatever their files' sizes. */
const SOON_WRITTEN_ROWS = 500_000;
/** Views are few: all their files are combined. */
const VIEW_FILES = 6;
const MAX_INPUTS = 64;

export interface CompactResult {
  rounds: number;
  filesBefore: number;
  filesAfter: number;
}

/**
 * Combines small files by size, each time in one manifest step, without changing answers; makes missing
 * indexes. Idempotent. Null if another process does it. @param now decides which days are
 * complete: each ends up in one file
 */
export async function compactProject(
  deps: StorageDeps,
  projectId: string,
  now = Date.now(),
): Promise<CompactResult | null> {
  return withWholeFiles(deps, projectId, async () => {
    const result: CompactResult = { rounds: 0, filesBefore: 0, filesAfter: 0 };
    for (const family of ['cube', 'views', 'presence', 'revisits', 'events'] as const) {
      for (let round = 0; round < 20; round += 1) {
        const step = await compactOnce(deps, projectId, family, dayOf(now));
        if (!step) break;
        result.rounds += 1;
        result.filesBefore += step.before;
        result.filesAfter += step.after;
      }
    }
    await makeIndexes(deps, projectId, dayOf(now));
    return result;
  });
}

async function compactOnce(
  { database, folder, duck, log }: StorageDeps,
  projectId: string,
  family: Exclude<FileFamily, 'unmerged'>,
  today: number,
): Promise<{ before: number; after: number } | null> {
  const head = await findAnalytics(database.db, projectId);
  if (!head) return null;
  const { files, floorDay } = await readManifest(database.db, projectId);
  for (const inputs of candidates(family, ofFamily(files, family), today)) {
    const together = await writtenTogether(folder, (written) =>
      duck.use(async (session) => {
        const paths = absolutePaths(folder, inputs);
        if (family !== 'events') {
          await writeParquet(
            session,
            folder,
            { projectId, family },
            compactedRows(family, inputs, floorDay),
            { files: paths, floor: floorDay ?? -1_000_000 },
            { into: written },
          );
          return written;
        }
        const groups = await eventGroups(session, paths, floorDay);
        if (groups.length >= inputs.length) return null;
        for (const group of groups) {
          await writeParquet(
            session,
            folder,
            { projectId, family },
            `(SELECT ${EVENT_COLUMNS} FROM read_parquet($files) WHERE ${dayExpression('time')} BETWEEN $from AND $to)`,
            { files: paths, ...group },
            { into: written, level: isOver(group.to, today) ? 9 : 3 },
          );
        }
        return written;
      }),
    );
    if (!together) continue;
    faultPoint('compact-written');
    const remove = inputs.map((file) => file.id);
    await commit(database, folder, { projectId, fence: head.fence, remove, add: together });
    faultPoint('compact-committed');
    log.debug({ projectId, family, before: inputs.length, after: together.length }, 'files compacted');
    return { before: inputs.length, after: together.length };
  }
  return null;
}

/** Sets of files that may be worth combining, the best first. */
export function candidates(family: FileFamily, files: readonly FileRow[], today: number): FileRow[][] {
  if (family === 'views') return files.length >= VIEW_FILES ? [[...files]] : [];
  const sets: FileRow[][] = [];
  const tiers = Map.groupBy(files, (file) => tierOf(file.rows));
  for (const [, tier] of [...tiers].toSorted(([a], [b]) => a - b)) {
    // Large ones are rarely rewritten, because processes keep cubes in memory by file.
    if (family === 'presence' || family === 'revisits' || family === 'cube') {
      const small = tier.filter((file) => file.rows < MAX_ROWS[family]);
      if (small.length >= TIER_FILES) sets.push(small.slice(0, MAX_INPUTS));
      continue;
    }
    // Big ones are worth it only day by day; small ones also with their neighbors.
    const small = tier.filter((file) => file.rows < FILE_ROWS).toSorted((a, b) => a.minDay - b.minDay);
    const big = tier.filter((file) => file.rows >= FILE_ROWS);
    for (let i = 0; i < small.length; i += MAX_INPUTS) sets.push(small.slice(i, i + MAX_INPUTS));
    sets.push(...Map.groupBy(big, (file) => `${file.minDay} ${file.maxDay}`).values());
  }
  const worthIt = sets.filter((set) => set.length >= TIER_FILES);
  if (family === 'events') {
    // A past day gets few more events, so it gets one file, unless one is large and the others add little.
    const over = files.filter((file) => isOver(file.maxDay, today));
    for (const set of Map.groupBy(over, (file) => `${file.minDay} ${file.maxDay}`).values()) {
      const rows = rowsOf(set);
      const most = Math.max(...set.map((file) => file.rows));
      const isWorthIt = rows <= SOON_WRITTEN_ROWS || (rows - most) * TIER_FACTOR >= most;
      if (set.length > 1 && isWorthIt) worthIt.push(set.slice(0, MAX_INPUTS));
    }
  }
  return worthIt;
}

function tierOf(rows: number): number {
  return rows <= TIER_ROWS ? 0 : Math.ceil(Math.log(rows / TIER_ROWS) / Math.log(TIER_FACTOR));
}

async function eventGroups(
  session: DuckSession,
  files: readonly string[],
  floorDay: number | null,
): Promise<{ from: number; to: number }[]> {
  const days = await session.all<{ day: number; rows: bigint }>(
    `SELECT ${dayExpression('time')} AS day, count(*) AS rows FROM read_parquet($files)
     WHERE ${dayExpression('time')} >= $floor GROUP BY day ORDER BY day`,
    { files, floor: floorDay ?? -1_000_000 },
  );
  return dayGroups(days.map(({ day, rows }) => ({ day, rows: Number(rows) })));
}

/** Rows of several files of a family, without days below the floor. Binds `$files` and `$floor`. */
export function compactedRows(
  family: 'presence' | 'cube' | 'revisits' | 'views',
  files: readonly FileRow[],
  floorDay: number | null,
): string {
  const rows = relation(family, files, 'files');
  switch (family) {
    case 'presence':
      return `(SELECT * FROM ${rows} WHERE day >= $floor)`;
    case 'revisits':
      return `(SELECT * FROM ${rows} WHERE day >= $floor AND prev >= $floor)`;
    case 'views':
      return `(SELECT path, kind, day, sum(n)::BIGINT AS n FROM ${rows} WHERE day >= $floor GROUP BY ALL HAVING sum(n) <> 0)`;
    case 'cube': {
      // A link to a day that is not kept is a link to nowhere: no range can begin between the two.
      const prev = floorDay === null ? 'prev' : `CASE WHEN prev < ${floorDay} THEN ${NEVER} ELSE prev END`;
      return `(SELECT path, kind, day, ${prev} AS prev, sum(n)::BIGINT AS n FROM ${rows} WHERE day >= $floor
        GROUP BY ALL HAVING sum(n) <> 0)`;
    }
  }
}
