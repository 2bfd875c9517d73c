import { rm } from 'node:fs/promises';
import { faultPoint } from '../../platform/faults.ts';
import { readManifest, type FileRow } from '../../store/analytics/manifest.ts';
import { hasIndex, indexOf } from '../storage/index-of.ts';
import type { DuckSession } from '../storage/duck.ts';
import { makeBeside } from '../storage/make-beside.ts';
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
 * Idempotent.
 * @returns how many were made, see {@link makeBeside}
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

function makeOf(
  deps: StorageDeps,
  files: readonly FileRow[],
  build: (session: DuckSession, folder: StorageDeps['folder'], file: FileRow) => Promise<void>,
): Promise<number> {
  return makeBeside(deps, files, {
    has: hasIndex,
    async make(file) {
      await deps.duck.use((session) => build(session, deps.folder, file));
      faultPoint('index-made');
      return true;
    },
    missing: 'a file has no index: merges read it as a whole',
  });
}
