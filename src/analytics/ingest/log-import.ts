import { messageOf } from '@docent/base/thrown';
import { faultPoint } from '../../platform/faults.ts';
import { addUnmerged } from '../../store/analytics/manifest-changes.ts';
import { ensureAnalytics, type NewFile, readManifest } from '../../store/analytics/manifest.ts';
import { erasedVisitors, type ErasedVisitor } from '../../store/analytics/erased.ts';
import type { Database } from '../../store/database.ts';
import { loadAgentLists } from './agent-lists.ts';
import { EventBatch } from './event-batch.ts';
import type { LogBlock } from '@docent/access-log/files/read-log';
import { ClientCounts } from '@docent/access-log/lines/log-clients';
import { LogReader, type ImportProgress, type ReadOptions } from './log-reader.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { deleteFiles, namingFullDisk, type StorageDeps } from '../storage/storage.ts';
import { withPauses } from '../../platform/with-pauses.ts';
import { Expected, isExpected } from '../../platform/errors.ts';
import { absolutePaths, dayExpression, ofFamily, overlapping, relation } from '../storage/tables.ts';

export { SKIPPED, type ImportProgress } from './log-reader.ts';

const FILE_EVENTS = 250_000;
/** A file is written earlier if its texts, for example of hostile logs, are larger. */
const FILE_TEXT_BYTES = 64 * 1024 * 1024;

/**
 * Imports page views from access logs into a project, in files of some hundred thousand. Safe to repeat, also
 * after a crash: the same line of the same log has the same id, and counts once.
 * @returns null for a project that does not exist
 * @throws AppError `storage_full`: what was sealed before stays, and counts once when the log is imported
 *   again
 */
export async function importLogs(
  deps: StorageDeps,
  projectId: string,
  blocks: AsyncIterable<LogBlock>,
  options: {
    /** Called for each block, and with null if nothing comes for `flushAfterMs`. */
    onProgress?: (progress: ImportProgress, block: LogBlock | null) => void;
    now?: () => number;
    /** Also counts new events. This reads the ids of the same days for each written file. */
    countsNew?: boolean;
    /** For followed logs: new lines count after this time, however few they are. */
    flushAfterMs?: number;
  } & ReadOptions = {},
): Promise<ImportProgress | null> {
  const { onProgress, now = Date.now, flushAfterMs = Infinity, countsNew = false } = options;
  await loadAgentLists(deps.database.db);
  const project = await ensureAnalytics(deps.database.db, projectId);
  if (!project) return null;
  const progress: ImportProgress = {
    lines: 0,
    events: 0,
    newEvents: 0,
    uncounted: null,
    lastTime: null,
    understood: 0,
    looksLike: null,
    samples: [],
    clients: new ClientCounts(),
    skipped: new Map(),
  };
  const reader = new LogReader(deps.database.db, project, progress, now, options);
  const batch = new EventBatch();
  /** The arrival of the first collected event. */
  let since: number | null = null;
  for await (const block of withPauses(blocks, flushAfterMs)) {
    if (block) {
      await reader.read(block, batch);
      if (batch.rows > 0) since ??= performance.now();
    }
    onProgress?.(progress, block);
    const isFull = batch.rows >= FILE_EVENTS || batch.textBytes >= FILE_TEXT_BYTES;
    if (isFull || (since !== null && performance.now() - since >= flushAfterMs)) {
      await seal(deps, projectId, batch, progress, countsNew);
      since = null;
    }
  }
  await seal(deps, projectId, batch, progress, countsNew);
  return progress;
}

/**
 * Adds the collected events to the project's unmerged files, durably, and empties the batch. Leaves out
 * events of erased visitors. If a visitor is erased at the same time, it is either left out, or erased from
 * this file.
 */
async function seal(
  deps: StorageDeps,
  projectId: string,
  batch: EventBatch,
  progress: ImportProgress,
  countsNew: boolean,
): Promise<void> {
  if (batch.rows === 0) return;
  const { database, folder } = deps;
  for (;;) {
    const erased = await erasedVisitors(database.db, projectId);
    const file = await namingFullDisk(() => writeEvents(deps, projectId, batch, erased));
    if (file) {
      faultPoint('import-written');
      const before = progress.newEvents;
      if (countsNew) await countInto(progress, deps, projectId, file);
      if (!(await enter(database, projectId, file, erased))) {
        progress.newEvents = before;
        await deleteFiles(folder, [file]);
        continue;
      }
    }
    const left = batch.rows - (file?.rows ?? 0);
    if (left > 0) {
      progress.events -= left;
      const known = progress.skipped.get('erased') ?? { count: 0, examples: [] };
      progress.skipped.set('erased', { ...known, count: known.count + left });
    }
    batch.clear();
    return;
  }
}

/** @returns false if another visitor was erased since the file was begun: then it is not in */
async function enter(
  { db }: Database,
  projectId: string,
  file: NewFile,
  erased: readonly ErasedVisitor[],
): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      await addUnmerged(tx, projectId, [file], `import/${file.id}`);
      if (!isSameList(await erasedVisitors(tx, projectId), erased))
        throw new Expected('erased_meanwhile', 'Another visitor was erased.');
    });
    return true;
  } catch (err) {
    if (isExpected(err, 'erased_meanwhile')) return false;
    throw err;
  }
}

function writeEvents(
  { duck, folder }: StorageDeps,
  projectId: string,
  batch: EventBatch,
  erased: readonly ErasedVisitor[],
): Promise<NewFile | null> {
  const target = { projectId, family: 'unmerged' } as const;
  return duck.use((session) =>
    batch.use(session, (events) => {
      if (erased.length === 0) return writeParquet(session, folder, target, events);
      const kept = `(
        WITH erased AS (SELECT unnest($visitors)::UBIGINT AS visitor, make_timestamp(unnest($until)::BIGINT * 1000) AS until)
        SELECT * FROM ${events} e
        WHERE NOT EXISTS (SELECT 1 FROM erased x WHERE x.visitor = e.visitor AND e.time <= x.until))`;
      const values = {
        visitors: erased.map(({ visitor }) => String(visitor)),
        until: erased.map(({ until }) => String(until)),
      };
      return writeParquet(session, folder, target, kept, values);
    }),
  );
}

function isSameList(one: readonly ErasedVisitor[], other: readonly ErasedVisitor[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ visitor, until }, i) => visitor === other[i]!.visitor && until === other[i]!.until)
  );
}

/** An import need not read others' events: a damaged file among them does not prevent counting. */
async function countInto(counted: ImportProgress, deps: StorageDeps, projectId: string, file: NewFile): Promise<void> {
  try {
    counted.newEvents += await countNew(deps, projectId, file);
  } catch (err) {
    counted.uncounted = messageOf(err);
  }
}

/** How many events of an unnamed file are new by id and day. Concurrent ones count as new for both. */
async function countNew({ database, folder, duck }: StorageDeps, projectId: string, file: NewFile): Promise<number> {
  const { files } = await readManifest(database.db, projectId);
  const around = overlapping(files, file.minDay, file.maxDay);
  const [events, unmerged] = [ofFamily(around, 'events'), ofFamily(around, 'unmerged')];
  const day = `${dayExpression('time')} AS day`;
  const { fresh } = await duck.use((session) =>
    session.one<{ fresh: bigint }>(
      `WITH span AS (SELECT min(time) AS first, max(time) AS last FROM read_parquet($file)),
       known AS (
         SELECT id, ${day} FROM ${relation('events', events, 'events')}
         WHERE time BETWEEN (SELECT first FROM span) AND (SELECT last FROM span)
         UNION ALL
         SELECT id, ${day} FROM ${relation('unmerged', unmerged, 'unmerged')}
         WHERE time BETWEEN (SELECT first FROM span) AND (SELECT last FROM span)
       )
       SELECT count(*) AS fresh FROM (SELECT DISTINCT id, ${day} FROM read_parquet($file)) ANTI JOIN known USING (id, day)`,
      {
        file: absolutePaths(folder, [file]),
        ...(events.length > 0 ? { events: absolutePaths(folder, events) } : {}),
        ...(unmerged.length > 0 ? { unmerged: absolutePaths(folder, unmerged) } : {}),
      },
    ),
  );
  return Number(fresh);
}
