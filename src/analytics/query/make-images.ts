import { readManifest } from '../../store/analytics-manifest.ts';
import { hasImage } from '../storage/index-of.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { ofFamily, rowsOf } from '../storage/tables.ts';
import { MAX_ROWS } from './cube-index.ts';
import { CubeLayer, IMAGED_ROWS } from './cube-layer.ts';

/**
 * Makes the images of a project's large files of its cube that have none, so that no question waits for it. Idempotent. Where files lie in a
 * bucket, whoever answers makes them, on its own disk; and a cube that nobody keeps in memory needs none.
 */
export async function makeImages(
  { database, folder, duck, log }: StorageDeps,
  projectId: string,
  minRows = IMAGED_ROWS,
): Promise<number> {
  if (folder.bucketFiles) return 0;
  const { files } = await readManifest(database.db, projectId);
  const cube = ofFamily(files, 'cube');
  if (rowsOf(cube) > MAX_ROWS) return 0;
  let made = 0;
  for (const file of cube.filter(({ rows }) => rows >= minRows)) {
    if (await hasImage(folder.fileOf(file.path))) continue;
    try {
      await CubeLayer.makeImage(duck, folder, file);
      made += 1;
    } catch (err) {
      log.warn(
        { err, projectId, file: file.path, rows: file.rows },
        'a file of the cube has no image: who asks first reads it',
      );
    }
  }
  return made;
}
