import { rm } from 'node:fs/promises';
import { faultPoint } from '../../platform/faults.ts';
import { readManifest, type FileRow } from '../../store/analytics/manifest.ts';
import { hasIndex, indexOf } from '../storage/index-of.ts';
import type { DuckSession } from '../storage/duck.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { ofFamily } from '../storage/tables.ts';
import { buildIdIndex } from './id-index/build.ts';
import { buildIndex } from './presence-index/build.ts';

/** Smaller files are read as fast without one. */
const INDEXED_ROWS = 250_000;

/** Whether few more events are expected for a day. */
export const isOver = (day: number, today: number): boolean => day < today - 1;

/**
 * Makes missing indexes of large files and deletes those of finished days' events, under the project's lock.
 * Idempotent. Answers do not depend on them: failures, as on a full disk, are logged and retried next time.
 * @returns how many were made
 */
export async function makeIndexes(
  deps: StorageDeps,
  projectId: string,
  today: number,
  minRows = INDEXED_ROWS,
): Promise<number> {
  const { files } = await readManifest(deps.database.db, projectId);
  const large = files.filter(({ rows }) => rows >= minRows);
  const presence = ofFamily(large, 'presence');
  // Files of several days are small.
  const events = ofFamily(large, 'events').filter(({ minDay, maxDay }) => minDay === maxDay);
  const [over, open] = [true, false].map((is) => events.filter(({ maxDay }) => isOver(maxDay, today) === is));
  for (const { path } of over!) await rm(indexOf(deps.folder.fileOf(path)), { force: true });
  return (await makeOf(deps, presence, buildIndex)) + (await makeOf(deps, open!, buildIdIndex));
}

async function makeOf(
  { folder, duck, log }: StorageDeps,
  files: readonly FileRow[],
  build: (session: DuckSession, folder: StorageDeps['folder'], file: FileRow) => Promise<void>,
): Promise<number> {
  let made = 0;
  for (const file of files) {
    if (await hasIndex(folder.fileOf(file.path))) continue;
    try {
      await duck.use((session) => build(session, folder, file));
      faultPoint('index-made');
      made += 1;
    } catch (err) {
      const { projectId, path, rows } = file;
      log.warn({ err, projectId, file: path, rows }, 'a file has no index: merges read it as a whole');
    }
  }
  return made;
}
