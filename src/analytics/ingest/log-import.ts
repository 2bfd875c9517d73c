import { faultPoint } from '../../platform/faults.ts';
import { addUnmerged } from '../../store/analytics-manifest-changes.ts';
import { ensureAnalytics } from '../../store/analytics-manifest.ts';
import { EventBatch } from '../events/event-batch.ts';
import type { LogBlock } from './logs/log-lines.ts';
import { LogReader, type ImportProgress } from './logs/log-reader.ts';
import { writeParquet } from '../storage/parquet-writer.ts';
import { namingFullDisk, type StorageDeps } from '../storage/storage.ts';
import { withPauses } from '../../platform/with-pauses.ts';

export { SKIPPED, type ImportProgress } from './logs/log-reader.ts';

const FILE_EVENTS = 250_000;
/** A file is written earlier when its texts, of hostile logs say, take more. */
const FILE_TEXT_BYTES = 64 * 1024 * 1024;

/**
 * Brings the page views of access logs into a project, in files of some hundred thousand. Safe to repeat, also after a death in
 * between: the same line of the same log has the same id, and counts once.
 * @returns null for a project that does not exist
 * @throws AppError `storage_full`: what was sealed before stays, and counts once when the log is imported again
 */
export async function importLogs(
  deps: StorageDeps,
  projectId: string,
  blocks: AsyncIterable<LogBlock>,
  options: {
    onProgress?: (progress: ImportProgress, block: LogBlock | null) => void;
    now?: () => number;
    /** For logs that are followed: what came counts after so long, however little it is. */
    flushAfterMs?: number;
  } = {},
): Promise<ImportProgress | null> {
  const { onProgress, now = Date.now, flushAfterMs = Infinity } = options;
  const project = await ensureAnalytics(deps.database.db, projectId);
  if (!project) return null;
  const progress: ImportProgress = { lines: 0, events: 0, skipped: new Map() };
  const reader = new LogReader(deps.database.db, project, progress, now);
  const batch = new EventBatch();
  /** When the first of what was collected came. */
  let since: number | null = null;
  for await (const block of withPauses(blocks, flushAfterMs)) {
    if (block) {
      await reader.read(block, batch);
      if (batch.rows > 0) since ??= performance.now();
      onProgress?.(progress, block);
    }
    const isFull = batch.rows >= FILE_EVENTS || batch.textBytes >= FILE_TEXT_BYTES;
    if (isFull || (since !== null && performance.now() - since >= flushAfterMs)) {
      await seal(deps, projectId, batch);
      since = null;
    }
  }
  await seal(deps, projectId, batch);
  onProgress?.(progress, null);
  return progress;
}

/** Adds what was collected to the project's unmerged files, durably, and empties the batch. */
async function seal({ database, duck, folder }: StorageDeps, projectId: string, batch: EventBatch): Promise<void> {
  if (batch.rows === 0) return;
  const file = await namingFullDisk(() =>
    duck.use((session) =>
      batch.use(session, (relation) => writeParquet(session, folder, { projectId, family: 'unmerged' }, relation)),
    ),
  );
  batch.clear();
  if (!file) return;
  faultPoint('import-written');
  await database.db.transaction((tx) => addUnmerged(tx, projectId, [file], `import/${file.id}`));
}
