import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { compileGlob } from '@docent/base/glob';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';

/** The selection of a command line: at most one folder, and the files in it whose problems are wanted. */
export interface Chosen {
  /** Absolute. */
  folder: string;
  /** As written. */
  files: string[];
  globs: string[];
}

/**
 * @param stdinPath the page whose text comes from standard input
 * @throws CliFailure for missing paths, two folders, or files of several repositories
 */
export function chosenIn(words: readonly string[], stdinPath?: string): Chosen {
  const chosen: Chosen = { folder: '', files: [], globs: [] };
  for (const word of words) {
    const stats = statSync(word, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      if (chosen.folder !== '')
        throw new CliFailure('Pass one folder (the docs), then files or globs in it.', EXIT.usage);
      chosen.folder = path.resolve(word);
    } else if (stats) chosen.files.push(word);
    else if (/[*?[{]/.test(word)) chosen.globs.push(word);
    else throw new CliFailure(`${JSON.stringify(word)} does not exist.`, EXIT.usage);
  }
  if (chosen.folder !== '') return chosen;
  const named = [
    ...[...chosen.files, ...(stdinPath === undefined ? [] : [stdinPath])].map((file) => path.dirname(file)),
    ...chosen.globs.map((glob) => globParts(glob).base),
  ];
  return { ...chosen, folder: folderOf(named.map((folder) => realOf(path.resolve(folder)))) };
}

/**
 * The folder to check if none is named: the current one; for files elsewhere their repository, or else their
 * common folder.
 * @param folders of the named files
 */
function folderOf(folders: readonly string[]): string {
  const current = realOf(process.cwd());
  const here = repositoryOf(current) ?? current;
  if (folders.every((folder) => isWithin(here, folder))) return process.cwd();
  const [first, ...others] = new Set(folders.map(repositoryOf));
  if (others.length > 0) throw new CliFailure('Pass files of one repository only.', EXIT.usage);
  return first ?? folders.reduce((common, folder) => commonFolder(common, folder));
}

function repositoryOf(folder: string): string | null {
  if (existsSync(path.join(folder, '.git'))) return folder;
  const parent = path.dirname(folder);
  return parent === folder ? null : repositoryOf(parent);
}

function commonFolder(one: string, other: string): string {
  return isWithin(one, other) ? one : commonFolder(path.dirname(one), other);
}

function isWithin(folder: string, inner: string): boolean {
  return inner === folder || inner.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep);
}

function realOf(folder: string): string {
  return existsSync(folder) ? realpathSync(folder) : folder;
}

/**
 * Decides which paths of the repository are selected; null for all.
 * @param paths all of them
 * @throws CliFailure if a glob matches nothing or is invalid, or a file is elsewhere
 */
export function choiceAmong(
  { files, globs }: Pick<Chosen, 'files' | 'globs'>,
  top: string,
  paths: readonly string[],
): ReadonlySet<string> | null {
  if (files.length === 0 && globs.length === 0) return null;
  const chosen = new Set(files.map((file) => insideOf(top, file)));
  for (const glob of globs) {
    const found = paths.filter(matcherOf(glob, top));
    if (found.length === 0) throw new CliFailure(`No files match ${JSON.stringify(glob)}.`, EXIT.usage);
    for (const name of found) chosen.add(name);
  }
  return chosen;
}

/** A file's path in the repository; the file need not exist. @throws CliFailure if it is elsewhere */
export function insideOf(top: string, file: string, mayBeTop = false): string {
  const absolute = path.resolve(file);
  // A link is selected itself, not its target.
  const real =
    existsSync(absolute) && !lstatSync(absolute).isSymbolicLink() ? realpathSync(absolute) : atRealFolder(absolute);
  const inside = path.relative(realpathSync(top), real).split(path.sep).join('/');
  if (inside === '..' || inside.startsWith('../') || path.isAbsolute(inside) || (inside === '' && !mayBeTop)) {
    throw new CliFailure(`${JSON.stringify(file)} is not in the checked folder ${JSON.stringify(top)}.`, EXIT.usage);
  }
  return inside;
}

function atRealFolder(absolute: string): string {
  const folder = path.dirname(absolute);
  return existsSync(folder) ? path.join(realpathSync(folder), path.basename(absolute)) : absolute;
}

/** For a glob that leaves the current folder, the folders before the first wildcard; `.` for any other. */
function globParts(glob: string): { base: string; pattern: string } {
  if (!path.isAbsolute(glob) && !glob.startsWith('../')) return { base: '.', pattern: glob };
  const parts = glob.split('/');
  const first = parts.findIndex((part) => /[*?[{]/.test(part));
  return { base: parts.slice(0, first).join('/') || '/', pattern: parts.slice(first).join('/') };
}

/**
 * With a slash, from the current folder; without, a name in any folder below. A glob that leaves the current
 * folder is matched against the whole path.
 */
function matcherOf(glob: string, top: string): (name: string) => boolean {
  const { base, pattern } = globParts(glob);
  const here = insideOf(top, base, true);
  const below = here === '' ? '' : `${here}/`;
  const isInBaseOnly = base !== '.' && !pattern.includes('/');
  try {
    const matches = compileGlob(pattern);
    return (name) => {
      if (!name.startsWith(below)) return false;
      const rest = name.slice(below.length);
      return matches(rest) && !(isInBaseOnly && rest.includes('/'));
    };
  } catch (thrown) {
    if (!(thrown instanceof RangeError)) throw thrown;
    throw new CliFailure(`${JSON.stringify(glob)}: ${thrown.message}`, EXIT.usage, { cause: thrown });
  }
}
