import { wordsOf } from './words.ts';

/**
 * A heading and the text below it, up to the next heading. The first section of a page is the text above its
 * first heading.
 */
export interface Section {
  heading: string;
  /** 1 to 6; 0 above the first heading. */
  depth: number;
  /** Offsets in the page's visible text, end exclusive. */
  start: number;
  end: number;
  /** Words. */
  length: number;
}

/** A page's index for ranked search, from its text alone. About 10 KB for a page of 8 KB. */
export interface PageIndex {
  /** From its front matter, else its first heading of depth 1. */
  title: string | null;
  sections: readonly Section[];
  /** Words of the title, and of the rest of the front matter (description, keywords). */
  titleWords: readonly number[];
  aboutWords: readonly number[];
  /** Words of all sections. */
  length: number;
  /**
   * Words of headings and sections, sorted; the start of each word's occurrences; and the occurrences: see
   * {@link occurrence}.
   */
  words: Uint32Array;
  starts: Uint32Array;
  occurrences: Uint32Array;
}

/** Later headings begin no section of their own. */
const MAX_SECTIONS = 4_000;
const MAX_TITLE = 300;

/**
 * Bits of an occurrence: 12 of the section's number, 4 of the count in its heading, 16 of the count in its
 * text.
 */
const packed = (section: number, inHeading: number, inText: number) =>
  ((section << 20) | (Math.min(inHeading, 15) << 16) | Math.min(inText, 65_535)) >>> 0;

/** How often a word is in a section. */
export function occurrence(value: number): { section: number; inHeading: number; inText: number } {
  return { section: value >>> 20, inHeading: (value >>> 16) & 15, inText: value & 65_535 };
}

/**
 * Reads a page line by line. It does not parse it: a site of thousands of pages is then searched within a
 * second or two of being seen for the first time, where parsing takes minutes.
 */
export function indexPage(text: string): PageIndex {
  const front = frontMatterOf(text);
  const sections = sectionsOf(text, front.end);
  const title = front.title ?? sections.find(({ depth }) => depth === 1)?.heading ?? null;
  const found: number[] = [];
  for (const [i, section] of sections.entries()) {
    // One number that sorts by word, then section, then place.
    const add = (word: number, inHeading: 0 | 1) => found.push((word * 4_096 + i) * 2 + inHeading);
    for (const word of wordsOf(section.heading)) add(word, 1);
    const words = wordsOf(text.slice(section.start, section.end));
    for (const word of words) add(word, 0);
    section.length = words.length;
  }
  return {
    title,
    sections,
    titleWords: wordsOf(title ?? ''),
    aboutWords: wordsOf(front.rest),
    length: sections.reduce((sum, { length }) => sum + length, 0),
    ...gathered(found),
  };
}

function gathered(found: readonly number[]): Pick<PageIndex, 'words' | 'starts' | 'occurrences'> {
  const sorted = Float64Array.from(found).toSorted();
  const words: number[] = [];
  const starts: number[] = [];
  const occurrences: number[] = [];
  for (let i = 0; i < sorted.length;) {
    const key = Math.floor(sorted[i]! / 2);
    const counts = [0, 0];
    for (; i < sorted.length && Math.floor(sorted[i]! / 2) === key; i++) counts[sorted[i]! % 2]!++;
    const word = Math.floor(key / 4_096);
    if (words.at(-1) !== word) {
      words.push(word);
      starts.push(occurrences.length);
    }
    occurrences.push(packed(key % 4_096, counts[1]!, counts[0]!));
  }
  starts.push(occurrences.length);
  return {
    words: Uint32Array.from(words),
    starts: Uint32Array.from(starts),
    occurrences: Uint32Array.from(occurrences),
  };
}

/** The occurrences of a word in a page. */
export function occurrencesOf({ words, starts, occurrences }: PageIndex, word: number): Uint32Array {
  let [low, high] = [0, words.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (words[middle]! < word) low = middle + 1;
    else high = middle;
  }
  return words[low] === word ? occurrences.subarray(starts[low], starts[low + 1]) : occurrences.subarray(0, 0);
}

/** Approximate size in bytes. */
export function sizeOf({ words, starts, occurrences, sections, titleWords, aboutWords }: PageIndex): number {
  const headings = sections.reduce((sum, { heading }) => sum + heading.length + 100, 0);
  return (
    500 +
    words.byteLength +
    starts.byteLength +
    occurrences.byteLength +
    headings +
    8 * (titleWords.length + aboutWords.length)
  );
}

function frontMatterOf(text: string): { title: string | null; rest: string; end: number } {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const mark = text.slice(start, start + 4);
  const fence = mark === '---\n' ? '\n---' : mark === '+++\n' ? '\n+++' : null;
  const close = fence === null ? -1 : text.indexOf(fence, start + 3);
  if (close === -1) return { title: null, rest: '', end: start };
  const lines = text.slice(start + 4, close).split('\n');
  const at = lines.findIndex((line) => /^title\s*[:=]/.test(line));
  const title = at === -1 ? '' : plainValue(lines[at]!.replace(/^title\s*[:=]/, ''));
  // A text block (`>-`) or nothing: the title is on other lines, which count with the rest.
  const isHere = title !== '' && !/^[>|][+-]?$/.test(title);
  return {
    title: isHere ? title.slice(0, MAX_TITLE) : null,
    rest: lines
      .filter((_, i) => i !== at || !isHere)
      .join('\n')
      .replace(/^[\w-]+\s*[:=]/gm, ''),
    end: Math.min(text.length, close + 4),
  };
}

function plainValue(value: string): string {
  const bare = value.trim();
  return /^(["']).*\1$/s.test(bare) ? bare.slice(1, -1).replaceAll('\\"', '"').replaceAll("''", "'") : bare;
}

function sectionsOf(text: string, from: number): Section[] {
  const sections: Section[] = [{ heading: '', depth: 0, start: from, end: text.length, length: 0 }];
  let fence: string | null = null;
  let before = '';
  let [start, beforeStart] = [from, from];
  while (start < text.length) {
    const stop = text.indexOf('\n', start);
    const end = stop === -1 ? text.length : stop;
    const line = end - start > 1_000 ? text.slice(start, start + 1_000) : text.slice(start, end);
    const mark: string | null = /^\s*(`{3,}|~{3,})/.exec(line)?.[1] ?? null;
    if (fence !== null) {
      if (mark?.startsWith(fence) && /^\s*[`~]+\s*$/.test(line)) fence = null;
    } else if (mark !== null) fence = mark;
    else {
      const marked = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*$/.exec(line);
      const underline = before.trim() !== '' && /^(?:=+|-{3,})[ \t]*$/.test(line);
      if (marked) open(marked[2]!, marked[1]!.length, start, end);
      else if (underline && !/^[\s>|*+-]|^\d+\./.test(before))
        open(before, line.startsWith('=') ? 1 : 2, beforeStart, end);
    }
    before = fence === null && mark === null ? line : '';
    beforeStart = start;
    start = end + 1;
  }
  return sections;

  function open(words: string, depth: number, at: number, behind: number): void {
    if (sections.length >= MAX_SECTIONS) return;
    const heading = plainHeading(words);
    if (heading === '') return;
    sections.at(-1)!.end = Math.max(sections.at(-1)!.start, at);
    sections.push({ heading, depth, start: Math.min(behind + 1, text.length), end: text.length, length: 0 });
  }
}

/** Without ids (`{#here}`), links and marks. */
function plainHeading(words: string): string {
  return words
    .replace(/\s*\{[#:.][^{}]*\}\s*$/, '')
    .replace(/!?\[([^\][]*)\]\([^()]*\)/g, '$1')
    .replace(/<[^<>]*>/g, '')
    .replace(/[`*]/g, '')
    .replaceAll('\\', '')
    .trim()
    .slice(0, MAX_TITLE);
}
