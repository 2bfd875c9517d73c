import { readManifest } from '../../store/analytics/manifest.ts';
import { hasImage } from '../storage/index-of.ts';
import { makeBeside } from '../storage/make-beside.ts';
import type { StorageDeps } from '../storage/storage.ts';
import { ofFamily, rowsOf } from '../storage/tables.ts';
import { MAX_ROWS } from './cube-index.ts';
import { CubeLayer, IMAGED_ROWS } from './cube-layer.ts';

/**
 * Makes missing images of a project's large cube files. Idempotent. Not for a bucket, where readers make
 * their own, or for cubes too large for memory.
 * @returns how many, see {@link makeBeside}
 */
export async function makeImages(deps: StorageDeps, projectId: string, minRows = IMAGED_ROWS): Promise<number> {
  if (deps.folder.bucketFiles) return 0;
  const { files } = await readManifest(deps.database.db, projectId);
  const cube = ofFamily(files, 'cube');
  if (rowsOf(cube) > MAX_ROWS) return 0;
  const large = cube.filter(({ rows }) => rows >= minRows);
  return makeBeside(deps, large, {
    has: hasImage,
    make: (file) => CubeLayer.makeImage(deps.duck, deps.folder, file),
    missing: 'a file of the cube has no image: who asks first reads it',
  });
}
