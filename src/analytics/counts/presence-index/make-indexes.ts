import { faultPoint } from '../../../platform/faults.ts';
import { readManifest } from '../../../store/analytics-manifest.ts';
import { hasIndex } from '../../storage/index-of.ts';
import type { StorageDeps } from '../../storage/storage.ts';
import { ofFamily } from '../../storage/tables.ts';
import { buildIndex } from './build.ts';

/** Smaller files of presence are read as fast without one. */
const INDEXED_ROWS = 250_000;

/**
 * Makes the indexes of a project's large files of presence that have none; the caller holds the project's lock. Idempotent. Counts are
 * the same with and without them: where one cannot be made, as on a full disk, that is logged and tried again next time.
 */
export async function makeIndexes(deps: StorageDeps, projectId: string, minRows = INDEXED_ROWS): Promise<number> {
  const { database, folder, duck, log } = deps;
  const { files } = await readManifest(database.db, projectId);
  let made = 0;
  for (const file of ofFamily(files, 'presence').filter(({ rows }) => rows >= minRows)) {
    if (await hasIndex(folder.fileOf(file.path))) continue;
    try {
      await duck.use((session) => buildIndex(session, folder, file));
      faultPoint('index-made');
      made += 1;
    } catch (err) {
      log.warn(
        { err, projectId, file: file.path, rows: file.rows },
        'a file of presence has no index: merges read it as a whole',
      );
    }
  }
  return made;
}
