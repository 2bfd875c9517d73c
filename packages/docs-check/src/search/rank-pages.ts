import { occurrence, occurrencesOf, type PageIndex } from './page-index.ts';
import { queryWords } from './query-words.ts';
import { wordsOf } from './words.ts';

export interface SearchedPage {
  path: string;
  index: PageIndex;
}

/** A page that has words of a query. */
export interface RankedPage extends SearchedPage {
  /** Its sections by their numbers, best first, each by its heading and text alone. */
  sections: { number: number; score: number }[];
}

export interface Ranking {
  /** Best first. */
  ranked: RankedPage[];
  /** The weight of each word of the query: the fewer pages have it, the higher. 0 if none has. */
  weights: ReadonlyMap<number, number>;
}

/**
 * BM25F (Robertson, Zaragoza: The Probabilistic Relevance Framework, 2009): a word's occurrences in the parts
 * of a page are summed by weight, those in text corrected for its length, and the sum then counts less the
 * larger it is. For 87 questions about ten public sites the order hardly changed when a weight was halved or
 * doubled.
 */
const WEIGHTS = { title: 4, path: 2.5, about: 2, heading: 3, text: 1 };
/** How much a part's length counts, from 0 to 1. */
const LENGTH = { title: 0.5, about: 0.5, text: 0.5 };
const SATURATION = 2;
/** The weight of the whole page, in addition to its best section. */
const WHOLE_PAGE = 0.5;

/**
 * The pages that match a query best, and their sections. Deterministic: equal pages are ordered by path.
 * Takes time in proportion to the number of pages.
 */
export function rankPages(pages: readonly SearchedPage[], query: string): Ranking {
  const words = queryWords(query);
  const found = pages.map((page) => wordsIn(page, words));
  const rarity = words.map((_, w) => {
    const having = found.filter(({ hits, shared }) => hits[w]!.length > 0 || shared[w]!.some((n) => n > 0)).length;
    return having === 0 ? 0 : Math.log(1 + (pages.length - having + 0.5) / (having + 0.5));
  });
  const average = averages(pages);
  const ranked = found.flatMap((page) => {
    const scored = scoresOf(page, rarity, average);
    return scored ? [scored] : [];
  });
  return {
    ranked: ranked
      .toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1))
      .map(({ path, index, sections }) => ({ path, index, sections })),
    weights: new Map(words.map((word, w) => [word, rarity[w]!])),
  };
}

interface FoundWords extends SearchedPage {
  /** By word of the query: its positions, and its counts in title, path and the rest of the front matter. */
  hits: Uint32Array[];
  shared: [title: number, path: number, about: number][];
}

function wordsIn({ path, index }: SearchedPage, words: readonly number[]): FoundWords {
  const inPath = wordsOf(path);
  return {
    path,
    index,
    hits: words.map((word) => occurrencesOf(index, word)),
    shared: words.map((word) => [
      count(index.titleWords, word),
      Math.min(1, count(inPath, word)),
      count(index.aboutWords, word),
    ]),
  };
}

function scoresOf(
  { path, index, hits, shared }: FoundWords,
  rarity: readonly number[],
  average: ReturnType<typeof averages>,
): (RankedPage & { score: number }) | null {
  const { sections, titleWords, aboutWords } = index;
  // For each section, with and without what counts for the whole page.
  const together = new Float64Array(sections.length);
  const alone = new Float64Array(sections.length);
  const own = new Float64Array(sections.length);
  let whole = 0;
  for (const [w, weight] of rarity.entries()) {
    const [title, inPath, about] = shared[w]!;
    const ofPage =
      (WEIGHTS.title * title) / corrected(titleWords.length, average.title, LENGTH.title) +
      WEIGHTS.path * inPath +
      (WEIGHTS.about * about) / corrected(aboutWords.length, average.about, LENGTH.about);
    if (ofPage === 0 && hits[w]!.length === 0) continue;
    own.fill(0);
    let [inTexts, inHeadings] = [0, 0];
    for (const value of hits[w]!) {
      const { section, inHeading, inText } = occurrence(value);
      inTexts += inText;
      inHeadings += inHeading;
      const text = inText / corrected(sections[section]!.length, average.section, LENGTH.text);
      own[section] = WEIGHTS.heading * inHeading + WEIGHTS.text * text;
    }
    for (const [s, value] of own.entries()) {
      together[s]! += weight * saturated(ofPage + value);
      alone[s]! += weight * saturated(value);
    }
    const text = inTexts / corrected(index.length, average.page, LENGTH.text);
    whole += weight * saturated(ofPage + (WEIGHTS.heading * Math.min(2, inHeadings)) / 2 + WEIGHTS.text * text);
  }
  if (whole === 0) return null;
  const best = together.reduce((a, b) => Math.max(a, b), 0);
  const order = Array.from(alone, (score, number) => ({ number, score }));
  return {
    path,
    index,
    score: best + WHOLE_PAGE * whole,
    sections: order.toSorted((a, b) => b.score - a.score || a.number - b.number),
  };
}

function saturated(sum: number): number {
  return sum / (SATURATION + sum);
}

function count(words: readonly number[], word: number): number {
  let sum = 0;
  for (const one of words) if (one === word) sum++;
  return sum;
}

function corrected(length: number, average: number, weight: number): number {
  return 1 - weight + weight * (length / Math.max(1, average));
}

/** Words in a part of a page. */
function averages(pages: readonly SearchedPage[]) {
  let [title, about, text, sections] = [0, 0, 0, 0];
  for (const { index } of pages) {
    title += index.titleWords.length;
    about += index.aboutWords.length;
    text += index.length;
    sections += index.sections.length;
  }
  const number = Math.max(1, pages.length);
  return { title: title / number, about: about / number, page: text / number, section: text / Math.max(1, sections) };
}
