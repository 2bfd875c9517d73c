import { dirname } from 'node:path/posix';

/** The folder of a path; empty at the top. */
export function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}
