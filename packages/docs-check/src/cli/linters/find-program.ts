import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The first of some programs that is installed: in `node_modules/.bin` of the folder or of one above it up to
 * `top`, as npm looks for them, else on the PATH.
 * @param folder absolute, in `top`
 * @returns its name and its absolute path; null where none is
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
  // What stands relative in the PATH would be looked for in the repository.
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
