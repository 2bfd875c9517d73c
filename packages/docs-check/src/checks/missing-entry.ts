import { dirname } from 'node:path/posix';
import type { FileSet } from '../generators/generator.ts';
import type { Problem } from './problem.ts';

/**
 * The problem of a navigation entry without a page. If its whole folder is missing, that is the cause of all
 * its entries.
 */
export function missingEntry(
  { folders }: Pick<FileSet, 'folders'>,
  entry: string,
  file: string | null,
  makesMissing = false,
): Pick<Problem, 'code' | 'severity' | 'message' | 'target' | 'cause'> {
  const lists = `The navigation lists ${JSON.stringify(entry)}`;
  const folder = file === null ? null : missingFolder(folders, file);
  const then = makesMissing ? ': the build creates an empty page' : '';
  return {
    code: 'navigation-missing-page',
    severity: makesMissing ? 'warning' : 'error',
    target: entry,
    message:
      folder === null
        ? `${lists}, but this page does not exist${then}.`
        : `${lists}, but the folder ${folder} does not exist${then}.`,
    ...(folder !== null && { cause: folder }),
  };
}

/** The outermost folder of a path that does not exist. */
function missingFolder(folders: ReadonlySet<string>, path: string): string | null {
  let missing: string | null = null;
  for (let folder = dirname(path); folder !== '.' && !folders.has(folder); folder = dirname(folder)) missing = folder;
  return missing;
}
