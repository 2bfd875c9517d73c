import { MARK } from './quotes.ts';

/** What the patterns of sentences are made of. Each that captures has one group. */

/** A quoted text. */
export const Q = `(?:${MARK.replace('(\\d+)', '\\d+')})`;
/** A path, a page's name or a glob: quoted, or a word. */
export const P = `(?:${Q}|(?!(?:in|on|at|to|also|inside|within|everywhere|and)\\b[^/.])[^\\s,;]+)`;
export const THE = '(?:(?:the|a|an|my|our|this|that) )?';
export const PAGE = `${THE}(?:(?:page|file|article|document|doc) )?`;
/** A word of a name. Words that join sentences make none: what has them is to be put in quotes. */
const WORD =
  '(?!(?:the|so|that|which|who|is|are|be|because|something|if|when|please|should|must|it)\\b)[^\\s,;\\uE000]+';
/** A few words without quotes, as many as are needed. */
export const WORDS = `(?:${WORD}(?: ${WORD}){0,7}?)`;
/** A name that stands in the midst of a sentence. */
export const NAME = `(?:${Q}|${WORDS})`;
/** A text at the end of a sentence: quoted, or all that follows. */
export const T = `(?:${Q}|(?!(?:the|a|an|something|one)\\b)[^\\uE000]{1,300})`;
/** A page by its path or name, or by a title of several words where “page” stands behind it. Captures it. */
export const REF = `${PAGE}(${P}|(?:[\\p{L}\\d'&/-]+ ){1,6}[\\p{L}\\d'&/-]+(?= page(?:\\b|$)))(?: (?:page|file|article|document|doc))?`;
/** What a navigation is called. */
export const NAVIGATION_NAMES = 'navigation|navigation bar|nav|navbar|sidebar|side bar|menu|table of contents|toc';
export const TAIL = '((?: .*)?)';

export const QUOTED = new RegExp(MARK);

export function pattern(source: string): RegExp {
  return new RegExp(`^${source}$`, 'iu');
}

/** A word such as `quickstart`, `guides/install` or `old-page.mdx`, and no name such as `Acme`. */
export function looksLikePath(text: string): boolean {
  return !/\s/.test(text) && (/[/.]/.test(text) || /^[a-z\d][a-z\d_-]*$/.test(text));
}

/** Whether a new name or text was meant by its words: in quotes, or with a capital. "To something shorter" was not. */
export function isGiven(token: string): boolean {
  return QUOTED.test(token) || /^[\p{Lu}\d]/u.test(token.trim());
}
