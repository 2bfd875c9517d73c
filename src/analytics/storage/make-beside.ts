import type { FileRow } from '../../store/analytics/manifest.ts';
import type { StorageDeps } from './storage.ts';

/** A derived file beside files of the manifest, with the same data. */
export interface Beside {
  /** @param file path of the file */
  has(file: string): Promise<boolean>;
  /** @returns whether there is one then */
  make(file: FileRow): Promise<boolean>;
  /** The log message if it could not be written. */
  missing: string;
}

/**
 * Makes missing side files. Idempotent. Answers do not depend on them: failures, as on a full disk, are
 * logged and retried next time.
 * @returns how many were made
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
