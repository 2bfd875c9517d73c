import type { FileRow } from '../../store/analytics/manifest.ts';
import type { StorageDeps } from './storage.ts';

/** What lies beside files of the manifest, and says the same. */
export interface Beside {
  /** @param file path of the file */
  has(file: string): Promise<boolean>;
  /** @returns whether there is one then */
  make(file: FileRow): Promise<boolean>;
  /** What a log says of a file for which it could not be made. */
  missing: string;
}

/**
 * Makes what lies beside files, where it is missing. Idempotent. Answers are the same with and without it:
 * where it cannot be made, as on a full disk, that is logged and tried again next time.
 * @returns of how many it was made
 */
export async function makeBeside(
  { folder, log }: Pick<StorageDeps, 'folder' | 'log'>,
  files: readonly FileRow[],
  { has, make, missing }: Beside,
): Promise<number> {
  let made = 0;
  for (const file of files) {
    if (await has(folder.fileOf(file.path))) continue;
    try {
      if (await make(file)) made += 1;
    } catch (err) {
      const { projectId, path, rows } = file;
      log.warn({ err, projectId, file: path, rows }, missing);
    }
  }
  return made;
}
