import { join } from 'node:path/posix';

/** A path joined to a folder; null if it leads out of the repository. */
export function inRepository(folder: string, path: string): string | null {
  const joined = join(folder === '' ? '.' : folder, path);
  if (joined === '..' || joined.startsWith('../')) return null;
  return joined === '.' || joined === './' ? '' : joined.replace(/\/+$/, '');
}

/** The part of a path below a folder; null if it is not below it. */
export function below(path: string, folder: string): string | null {
  if (folder === '') return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}
