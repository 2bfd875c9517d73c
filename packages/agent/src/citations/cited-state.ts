import { secretFileNoun } from '@docent/git/secret-files';
import { isWithin, linesOf, openSource, readablePaths, type Source, type SourceAt } from '../sources/source.ts';
import { hashOfLines, keptText } from './verify-citations.ts';

/** Lines that were cited at an earlier commit. */
export interface CitedLines {
  path: string;
  fromLine: number;
  toLine: number;
  sha256: string;
  /** The lines themselves, perhaps only their beginning. */
  lines: string;
}

export interface CitedState {
  state: 'held' | 'stale' | 'gone';
  /** For stale ones: the lines that replaced them. */
  newLines: string | null;
}

/** Fewer characters are not proof that a file was renamed: a brace is everywhere. */
const LEAST_OF_RENAMED = 20;
/** The most files that are searched for lines whose file is gone. */
const MAX_RENAMED = 500;

/** Whether a source still has the cited lines, there, elsewhere in the file, or in the renamed file. */
export function stateOfCited(cited: CitedLines, source: Source): CitedState {
  const { path, fromLine, toLine } = cited;
  const isReadable = source.base?.file(path) && isWithin(source, path) && secretFileNoun(path) === null;
  const text = isReadable ? source.base!.readText(path) : null;
  if (text === null) return { state: isInRenamed(cited, source) ? 'held' : 'gone', newLines: null };
  const all = linesOf(text);
  if (hasLines(all, cited)) return { state: 'held', newLines: null };
  return { state: 'stale', newLines: keptText(all.slice(fromLine - 1, toLine)) };
}

function hasLines(all: readonly string[], { fromLine, toLine, sha256 }: CitedLines): boolean {
  const length = toLine - fromLine + 1;
  for (let at = 0; at + length <= all.length; at++) {
    if (hashOfLines(all.slice(at, at + length)) === sha256) return true;
  }
  return false;
}

/** Whether a file of the same name, or with the same ending in the same folder, has the lines. */
function isInRenamed(cited: CitedLines, source: Source): boolean {
  const { path, lines } = cited;
  if (lines.replace(/\s/g, '').length < LEAST_OF_RENAMED) return false;
  const slash = path.lastIndexOf('/') + 1;
  const [folder, name] = [path.slice(0, slash), path.slice(slash)];
  const ending = /\.[^.]*$/.exec(name)?.[0] ?? '';
  const isCandidate = (one: string) =>
    one === name ||
    one.endsWith(`/${name}`) ||
    (one.endsWith(ending) && one.startsWith(folder) && !one.slice(slash).includes('/'));
  return readablePaths(source)
    .filter(isCandidate)
    .slice(0, MAX_RENAMED)
    .some((one) => hasLines(linesOf(source.base?.readText(one) ?? ''), cited));
}

/** The states of lines of one source, in their order. */
export function statesOfCited({ source, cited }: { source: SourceAt; cited: CitedLines[] }): CitedState[] {
  const opened = openSource(source);
  return cited.map((lines) => stateOfCited(lines, opened));
}
