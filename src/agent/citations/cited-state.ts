import { secretFileNoun } from '../../git/secret-files.ts';
import { isWithin, linesOf, openSource, type Source, type SourceAt } from '../sources/source.ts';
import { hashOfLines, keptText } from './verify-citations.ts';

/** Lines that were cited at an earlier commit. */
export interface CitedLines {
  path: string;
  fromLine: number;
  toLine: number;
  sha256: string;
}

export interface CitedState {
  state: 'held' | 'stale' | 'gone';
  /** For stale ones: the lines that replaced them. */
  newLines: string | null;
}

/** Whether a source still has the cited lines, there or elsewhere in the file. */
export function stateOfCited({ path, fromLine, toLine, sha256 }: CitedLines, source: Source): CitedState {
  const isReadable = source.base?.file(path) && isWithin(source, path) && secretFileNoun(path) === null;
  const text = isReadable ? source.base!.readText(path) : null;
  if (text === null) return { state: 'gone', newLines: null };
  const all = linesOf(text);
  const length = toLine - fromLine + 1;
  for (let at = 0; at + length <= all.length; at++) {
    if (hashOfLines(all.slice(at, at + length)) === sha256) return { state: 'held', newLines: null };
  }
  return { state: 'stale', newLines: keptText(all.slice(fromLine - 1, toLine)) };
}

/** The states of lines of one source, in their order. */
export function statesOfCited({ source, cited }: { source: SourceAt; cited: CitedLines[] }): CitedState[] {
  const opened = openSource(source);
  return cited.map((lines) => stateOfCited(lines, opened));
}
