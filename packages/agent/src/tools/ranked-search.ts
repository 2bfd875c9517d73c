import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { visibleName, type VisibleText } from '@docent/docs-check/read/visible-text';
import type { Section } from '@docent/docs-check/search/page-index';
import { rankPages, type RankedPage, type Ranking, type SearchedPage } from '@docent/docs-check/search/rank-pages';
import { wordsOf } from '@docent/docs-check/search/words';
import { plural } from '@docent/base/plural';
import { boundedLines, excerpt, listed } from './bounded-output.ts';
import { lineEnd } from './line-bounds.ts';
import type { ToolSession } from './tool-session.ts';

const DEFAULT_PAGES = 10;
const MAX_PAGES = 100;
/** The most sections shown of a page, and their lowest score relative to the best one. */
const MAX_SECTIONS = 3;
const NEAR_BEST = 0.75;
const MAX_PASSAGE = 200;
const MAX_HEADING = 120;

export interface RankedQuery {
  query: string;
  /** Whether a path is searched; null for the pages of the site. */
  inScope: ((path: string) => boolean) | null;
  /** First page to show, from 1. */
  first: number;
  pages: number | undefined;
  /** By `performance.now()`. */
  deadline: number;
}

export interface RankedAnswer {
  text: string;
  /** Those shown, best first, each with the line of its best section. */
  pages: { path: string; line: number }[];
}

/**
 * The pages that match a question best, with their sections and a line of each. Pages are those of the site
 * with the agent's changes; in a scope, all files that can be pages.
 */
export function rankedSearch(
  session: ToolSession,
  { query, inScope, first, pages, deadline }: RankedQuery,
): RankedAnswer {
  const { workspace, docs } = session;
  const candidates =
    inScope === null ? docs.site.pages : workspace.paths().filter((path) => pageFormatOf(path) && inScope(path));
  const searched: SearchedPage[] = [];
  let late = false;
  for (const path of candidates) {
    if ((late = performance.now() > deadline)) break;
    const index = session.index(path);
    if (index) searched.push({ path, index });
  }
  const ranking = rankPages(searched, query);
  const all = ranking.ranked.length;
  const shown = ranking.ranked.slice(first - 1, first - 1 + Math.min(pages ?? DEFAULT_PAGES, MAX_PAGES));
  const notes = [
    ...unknownWords(query, ranking),
    ...(late
      ? [
          `Only ${plural(searched.length, 'page')} of ${candidates.length} could be searched in time; give a narrower path or glob.`,
        ]
      : []),
  ];
  if (all === 0)
    return { text: [`None of ${plural(searched.length, 'page')} has its words.`, ...notes].join(' '), pages: [] };
  if (shown.length === 0)
    return { text: `There are only ${plural(all, 'page')} with its words: nothing from ${first} on.`, pages: [] };
  const entries = shown.map((page) => entryOf(session, page, ranking));
  const last = first - 1 + shown.length;
  const more =
    last < all
      ? ` ${plural(all - last, 'more page')} with some of the words: continue with offset ${last + 1}, or use other words.`
      : '';
  const head = `Pages that fit ${JSON.stringify(query)} best, of ${plural(searched.length, 'page')}; with the lines to read:`;
  const lines = [
    head,
    ...entries.flatMap(({ lines: own }) => own),
    [`${plural(shown.length, 'page')} shown.${more}`, ...notes].join(' '),
  ];
  return {
    text: boundedLines(lines, (left) => `… ${plural(left, 'more line')}: give a smaller limit.`),
    pages: entries.map(({ path, line }) => ({ path, line })),
  };
}

/** `path: title`; below it the line that fits best, as `  line: [heading] text`, and where else to look. */
function entryOf(session: ToolSession, { path, index, sections }: RankedPage, { weights }: Ranking) {
  const visible = session.visible(path)!;
  const best = sections.filter(({ score }, i) => i < MAX_SECTIONS && score >= sections[0]!.score * NEAR_BEST);
  const [first, ...others] = best.map(({ number }) => passageOf(visible, index.sections[number]!, weights));
  const also = others.filter(({ heading }) => heading !== '').map(({ line, heading }) => `${line} [${heading}]`);
  const title = index.title === null ? '' : `: ${excerpt(index.title, MAX_HEADING)}`;
  return {
    path,
    line: first!.line,
    lines: [
      `${visibleName(path)}${title}`,
      `  ${first!.line}: ${first!.heading === '' ? '' : `[${first!.heading}] `}${first!.text}`.trimEnd(),
      ...(also.length === 0 ? [] : [`  also ${also.join(', ')}`]),
    ],
  };
}

/** The first line of a section with the most query words. */
function passageOf(
  visible: VisibleText,
  { heading, start, end }: Section,
  weights: Ranking['weights'],
): { line: number; heading: string; text: string } {
  let best: { at: number; text: string; weight: number } | null = null;
  for (let at = start; at < end;) {
    const stop = lineEnd(visible.text, at);
    const text = visible.text.slice(at, Math.min(stop, at + 5_000)).trim();
    const weight = [...new Set(wordsOf(text))].reduce((sum, word) => sum + (weights.get(word) ?? 0), 0);
    if (/[\p{L}\p{N}]/u.test(text) && (!best || weight > best.weight)) best = { at, text, weight };
    at = stop + 1;
  }
  const cut = excerpt(heading, MAX_HEADING);
  if (!best) return { line: visible.lineAt(Math.max(0, start - 1)), heading: cut, text: '' };
  const text = excerpt(best.text, MAX_PASSAGE, placeOf(best.text, weights));
  return { line: visible.lineAt(best.at), heading: cut, text };
}

/** The position of the weightiest word in a line. */
function placeOf(text: string, weights: Ranking['weights']): number {
  let [place, most] = [0, 0];
  if (text.length <= MAX_PASSAGE) return 0;
  for (const { 0: name, index } of text.matchAll(/\S+/g)) {
    const weight = Math.max(0, ...wordsOf(name).map((word) => weights.get(word) ?? 0));
    if (weight > most) [place, most] = [index, weight];
  }
  return place;
}

/** Words that no page has: they may be misspelled, or have other names here. */
function unknownWords(query: string, { weights }: Ranking): string[] {
  const missing = (query.match(/[^\s,;:?!"'()]+/g) ?? []).filter((name) => {
    const words = wordsOf(name).filter((word) => weights.has(word));
    return words.length > 0 && words.every((word) => weights.get(word) === 0);
  });
  return missing.length === 0 ? [] : [`On no page: ${listed(missing.map((word) => excerpt(word, 60)))}.`];
}
