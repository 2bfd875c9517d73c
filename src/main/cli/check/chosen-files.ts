import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { compileGlob } from '../../../platform/glob.ts';
import { CliFailure, EXIT } from '../../failures.ts';

/** What a command line names: one folder at most, and the files in it whose problems are wanted. */
export interface Chosen {
  /** Absolute. */
  folder: string;
  /** As written. */
  files: string[];
  globs: string[];
}

/** @throws CliFailure where something is not there, or two folders are named */
export function chosenIn(words: readonly string[]): Chosen {
  const chosen: Chosen = { folder: '', files: [], globs: [] };
  for (const word of words) {
    const stats = statSync(word, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      if (chosen.folder !== '')
        throw new CliFailure('Name one folder, the docs, and then files or globs in it.', EXIT.usage);
      chosen.folder = path.resolve(word);
    } else if (stats) chosen.files.push(word);
    else if (/[*?[{]/.test(word)) chosen.globs.push(word);
    else throw new CliFailure(`There is no file or folder ${JSON.stringify(word)}.`, EXIT.usage);
  }
  return { ...chosen, folder: chosen.folder || process.cwd() };
}

/**
 * Tells which paths of the repository are chosen; null where all are.
 * @param paths all of them
 * @throws CliFailure where a glob matches nothing, is none, or a file is elsewhere
 */
export function choiceAmong(
  { files, globs }: Pick<Chosen, 'files' | 'globs'>,
  top: string,
  paths: readonly string[],
): ReadonlySet<string> | null {
  if (files.length === 0 && globs.length === 0) return null;
  const chosen = new Set(files.map((file) => insideOf(top, file)));
  for (const glob of globs) {
    const found = paths.filter(matcherOf(glob, insideOf(top, '.', true)));
    if (found.length === 0) throw new CliFailure(`No file matches ${JSON.stringify(glob)}.`, EXIT.usage);
    for (const name of found) chosen.add(name);
  }
  return chosen;
}

/** The path of a file, be it there or not, in the repository. @throws CliFailure where it is elsewhere */
export function insideOf(top: string, file: string, mayBeTop = false): string {
  const absolute = path.resolve(file);
  // A link stands for itself, what leads to it does not.
  const real =
    existsSync(absolute) && !lstatSync(absolute).isSymbolicLink() ? realpathSync(absolute) : atRealFolder(absolute);
  const inside = path.relative(realpathSync(top), real).split(path.sep).join('/');
  if (inside === '..' || inside.startsWith('../') || path.isAbsolute(inside) || (inside === '' && !mayBeTop)) {
    throw new CliFailure(`${JSON.stringify(file)} is not in ${JSON.stringify(top)}, which is checked.`, EXIT.usage);
  }
  return inside;
}

function atRealFolder(absolute: string): string {
  const folder = path.dirname(absolute);
  return existsSync(folder) ? path.join(realpathSync(folder), path.basename(absolute)) : absolute;
}

/** With a slash, from where one is; without, a name in any folder below. */
function matcherOf(glob: string, here: string): (name: string) => boolean {
  const below = here === '' ? '' : `${here}/`;
  try {
    const matches = compileGlob(glob);
    return (name) => name.startsWith(below) && matches(name.slice(below.length));
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new CliFailure(`${JSON.stringify(glob)}: ${thrown.message}`, EXIT.usage, { cause: thrown });
  }
}
