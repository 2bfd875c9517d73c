import { queryWords } from '@docent/docs-check/search/query-words';
import { wordsOf } from '@docent/docs-check/search/words';

/**
 * The index of a source's files for ranked search. Typed arrays: a source of 50,000 files takes about 50 MB.
 */
export interface SourceIndex {
  paths: readonly string[];
  /** Words of each file. */
  lengths: Uint32Array;
  /**
   * Hashes of all words, sorted; the beginning of each word's postings; and the postings: the file in 20
   * bits, the number of occurrences in 12.
   */
  words: Uint32Array;
  starts: Uint32Array;
  postings: Uint32Array;
}

export interface RankedFile {
  path: string;
  score: number;
}

/** The searched part of one file, in characters and in different words. */
export const MAX_SEARCHED = 200_000;
const MAX_WORDS = 2_000;
/** Beyond this number, only file names are searched. */
const MAX_POSTINGS = 14_000_000;
const MAX_FILES = 2 ** 20;
const MAX_COUNT = 4_095;
/** The weight of a word in a path, in occurrences. */
const IN_PATH = 4;
/** BM25 with the usual saturation; length counts half, as on pages. */
const SATURATION = 1.2;
const LENGTH = 0.5;

/** @param textOf null for a file that cannot be read */
export function buildSourceIndex(all: readonly string[], textOf: (path: string) => string | null): SourceIndex {
  const paths = all.slice(0, MAX_FILES);
  const lengths = new Uint32Array(paths.length);
  // A pair of numbers for each word of each file, posting before word: as one number of 64 bits, they sort by
  // word, then file.
  let pairs = new Uint32Array(2 ** 20);
  let size = 0;
  for (const [file, path] of paths.entries()) {
    const counts = countsOf(wordsOf(path), IN_PATH);
    const text = size / 2 < MAX_POSTINGS ? textOf(path) : null;
    const words = text === null ? [] : wordsOf(text.slice(0, MAX_SEARCHED));
    lengths[file] = words.length;
    for (const word of words) {
      const count = counts.get(word);
      if (count !== undefined) counts.set(word, Math.min(MAX_COUNT, count + 1));
      else if (counts.size < MAX_WORDS) counts.set(word, 1);
    }
    if (size + counts.size * 2 > pairs.length) pairs = grown(pairs);
    for (const [word, count] of counts) {
      pairs[size++] = (file << 12) | count;
      pairs[size++] = word;
    }
  }
  new BigUint64Array(pairs.buffer, 0, size / 2).sort();
  return { paths, lengths, ...gathered(pairs, size) };
}

function countsOf(words: readonly number[], count: number): Map<number, number> {
  return new Map(words.slice(0, MAX_WORDS).map((word) => [word, count]));
}

function grown(pairs: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(pairs.length * 2);
  larger.set(pairs);
  return larger;
}

function gathered(pairs: Uint32Array, size: number): Pick<SourceIndex, 'words' | 'starts' | 'postings'> {
  const postings = new Uint32Array(size / 2);
  let different = 0;
  for (let i = 0; i < size; i += 2) {
    postings[i / 2] = pairs[i]!;
    if (i === 0 || pairs[i + 1] !== pairs[i - 1]) different++;
  }
  const words = new Uint32Array(different);
  const starts = new Uint32Array(different + 1);
  let next = 0;
  for (let i = 0; i < size; i += 2) {
    if (i > 0 && pairs[i + 1] === pairs[i - 1]) continue;
    words[next] = pairs[i + 1]!;
    starts[next++] = i / 2;
  }
  starts[next] = size / 2;
  return { words, starts, postings };
}

function postingsOf({ words, starts, postings }: SourceIndex, word: number): Uint32Array {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return words[low] === word ? postings.subarray(starts[low], starts[low + 1]) : postings.subarray(0, 0);
}

/**
 * The files that match a query best, best first; equal ones by path. Takes time in proportion to the files
 * with its words.
 * @returns also how many files match, and the weight of each word of the query: the fewer files have it, the
 *   higher
 */
export function rankFiles(
  index: SourceIndex,
  query: string,
  { inScope, most }: { inScope: (path: string) => boolean; most: number },
): { ranked: RankedFile[]; found: number; weights: ReadonlyMap<number, number> } {
  const { paths, lengths } = index;
  const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, paths.length));
  const scores = new Float64Array(paths.length);
  const weights = new Map<number, number>();
  for (const word of queryWords(query)) {
    const found = postingsOf(index, word);
    const weight = found.length === 0 ? 0 : Math.log(1 + (paths.length - found.length + 0.5) / (found.length + 0.5));
    weights.set(word, weight);
    for (const posting of found) {
      const file = posting >>> 12;
      const count = posting & MAX_COUNT;
      const length = 1 - LENGTH + LENGTH * (lengths[file]! / average);
      scores[file]! += (weight * count) / (count + SATURATION * length);
    }
  }
  const matching: number[] = [];
  for (let file = 0; file < scores.length; file++) {
    if (scores[file]! > 0 && inScope(paths[file]!)) matching.push(file);
  }
  // Sorting numbers is quick, sorting all files by score and path is not.
  const least =
    Float64Array.from(matching, (file) => scores[file]!)
      .toSorted()
      .at(-most) ?? 0;
  const ranked = matching
    .filter((file) => scores[file]! >= least)
    .map((file) => ({ path: paths[file]!, score: scores[file]! }))
    .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
    .slice(0, most);
  return { ranked, found: matching.length, weights };
}

/** Lines of a text with the most of a query's weight, in their order; the first line if none has any. */
export function bestLines(lines: readonly string[], weights: ReadonlyMap<number, number>, most: number): number[] {
  const scored: { line: number; weight: number }[] = [];
  let read = 0;
  for (const [i, line] of lines.entries()) {
    if ((read += line.length + 1) > MAX_SEARCHED) break;
    const weight = [...new Set(wordsOf(line))].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
    if (weight > 0) scored.push({ line: i + 1, weight });
  }
  const best = scored.toSorted((a, b) => b.weight - a.weight || a.line - b.line).slice(0, most);
  return best.length === 0 ? [1] : best.map(({ line }) => line).toSorted((a, b) => a - b);
}
