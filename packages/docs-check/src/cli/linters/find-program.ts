import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The first installed program: in `node_modules/.bin` of the folder or of one above it up to `top`, as npm
 * searches, else on the PATH.
 * @param folder absolute, in `top`
 * @returns its name and its absolute path; null if none is installed
 */
export function findProgram(
  names: readonly string[],
  { folder, top, searchPath }: { folder: string; top: string; searchPath: string },
): { name: string; file: string } | null {
  const own: string[] = [];
  for (let at = folder; ; at = path.dirname(at)) {
    own.push(path.join(at, 'node_modules/.bin'));
    if (at === top || at === path.dirname(at)) break;
  }
  // Relative entries of the PATH would be searched in the repository.
  const common = searchPath.split(path.delimiter).filter((one) => path.isAbsolute(one));
  for (const folders of [own, common]) {
    for (const name of names) {
      const file = folders.map((one) => path.join(one, name)).find(isProgram);
      if (file !== undefined) return { name, file };
    }
  }
  return null;
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
