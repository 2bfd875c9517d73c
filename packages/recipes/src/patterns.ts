import { isQuoted, MARK, valueOf, type Quote } from './quotes.ts';

/** Parts of the sentence patterns. None has an unnamed group. */

/** A quoted text. */
export const Q = MARK.replace('(\\d+)', '\\d+');

/**
 * Words about when, whether or how, and negations: never part of an unquoted name, so that "X unless Y" is
 * not a name.
 */
const HEDGES =
  "not|no|never|nor|none|neither|\\w+n['’]t|dont|doesnt|didnt|wont|isnt|arent|shouldnt|mustnt|cannot|without|except|unless|but|only|just|if|when|whenever|while|until|till|because|since|so|that|which|who|whose|whether|instead|rather|please|should|must|would|could|can|shall|may|might|maybe|perhaps|it|its|them|they|their|this|these|those|there|here|something|anything|everything|everywhere|tomorrow|later|yesterday|today|soon|is|are|was|were|be|been|we|you|i|he|she|wait|sorry|actually|also|too|then|what|why|how|where|oder|und";
/** Words that join the parts of a sentence. */
const JOINTS =
  'all|every|each|any|both|either|the|an?(?= (?!page\\b)\\S)|of|from|to|into|in|on|at|by|with|for|as|and|or|under|after|before|between|than|about';
const ENDS = '(?=[\\s,;:!?]|\\.(?:\\s|$)|$)';
const CHARS = '[^\\s,;:?!\\uE000\\uE001]+(?:[:?!](?=[^\\s,;:?!\\uE000])[^\\s,;:?!\\uE000\\uE001]+)*';
/** A word of a text without quotes. */
const TEXT_WORD = `(?!(?:${HEDGES})${ENDS})(?!->)${CHARS}`;
/** A word of the name of a page, a heading or a group without quotes. */
const NAME_WORD = `(?!(?:${HEDGES}|${JOINTS})${ENDS})(?!->)${CHARS}`;

export const THE = '(?:(?:the|a|an|my|our|this|that) )?';
/** A few words without quotes, as few as fit. */
export const WORDS = `${TEXT_WORD}(?: ${TEXT_WORD}){0,7}?`;
export const NAME = `(?:${Q}|${NAME_WORD}(?: ${NAME_WORD}){0,5}?)`;
/** A new title or name at the end of a sentence; see {@link isGiven}. */
export const TITLE = `(?:${Q}|${TEXT_WORD}(?: ${TEXT_WORD}){0,11})`;
/** A path or glob: quoted, or one word. */
export const PATH = `(?:${Q}|${NAME_WORD})`;

/** Words for a navigation. */
export const NAVIGATION = '(?:navigation bar|navigation|navbar|nav|sidebar|side bar|menu|table of contents|toc)';

const PAGE_NOUN = '(?:page|file|article|document|doc|guide)';
/** A page by path, name, title or address. */
export const page = (group: string) =>
  `(?!${THE}${NAVIGATION}\\b)${THE}(?:(?:${PAGE_NOUN}) (?:(?:called|named|titled|about|on|at) )?${THE})?(?<${group}>${NAME})(?:'s)?(?: (?:page|file|article|document|doc))?`;
/** Several of them, in one group; see {@link pagesIn}. */
const NOUNS = '(?:pages?|files?|folders?|directory|directories|articles?|documents?|images?)';
const ONE_PAGE = `${THE}(?:${NOUNS} (?:(?:called|named|titled|about|on) )?)?${NAME}(?: ${NOUNS})?`;
const AND = '(?:,? and (?:(?:in|on|from) )?|, ?(?:(?:in|on|from) )?)';
export const pages = (group: string) => `(?<${group}>${ONE_PAGE}(?:${AND}${ONE_PAGE})*)`;
/** Between the old and the new value. */
export const TO = '(?:to|into|as|->)';
export const ALL_PAGES =
  '(?:(?:in|on|from|across|throughout) )?(?:(?:all|every|each|any|the|our|my|of|whole|entire) )*(?:pages?|docs?|files?|documentation|site|website|articles?)|everywhere|throughout|across the board';
export function pattern(source: string): RegExp {
  return new RegExp(`^${source}$`, 'iu');
}

/** The sentence and its context for omitted parts. */
export interface Context {
  quotes: readonly Quote[];
  /** The page that an earlier part of the sentence, or "its", refers to. */
  page: string | null;
}

export type Groups = Record<string, string | undefined>;

/**
 * Patterns for one kind of sentence, and a cheap test whether a sentence may be of that kind: most patterns
 * are never tried.
 */
export interface Forms {
  sign: RegExp;
  patterns: readonly RegExp[];
}

export function forms(sign: RegExp, ...sources: string[]): Forms {
  return { sign, patterns: sources.map(pattern) };
}

/** The named groups of the first pattern that matches. */
export function firstMatch({ sign, patterns }: Forms, sentence: string): Groups | null {
  if (!sign.test(sentence)) return null;
  for (const expression of patterns) {
    const match = expression.exec(sentence);
    if (match) return match.groups ?? {};
  }
  return null;
}

/** A page as the tools take it: the address of a page is given by its path. */
export function pageOf(token: string, quotes: readonly Quote[]): string {
  const value = isQuoted(token) ? valueOf(token, quotes) : valueOf(token, quotes).replace(/['’]s$/, '');
  const address = /^https?:\/\/[^/]+(\/[^?#]*)?/i.exec(value);
  return address ? (address[1] ?? '/') : value;
}

const ITEM = new RegExp(`^${THE}(?:${NOUNS} (?:(?:called|named|titled|about|on) )?)?(.+?)(?: (${NOUNS}))?$`, 'iu');

export function pagesIn(list: string, quotes: readonly Quote[]): string[] {
  const items = list.split(new RegExp(AND, 'iu'));
  return items.filter((item) => item !== '').map((item) => pageOf(ITEM.exec(item)?.[1] ?? item, quotes));
}

/** A word such as `quickstart`, `guides/install` or `old-page.mdx`, and no name such as `Acme`. */
export function looksLikePath(text: string): boolean {
  return !/\s/.test(text) && (/[/.]/.test(text) || /^[a-z\d][a-z\d_-]*$/.test(text));
}

/**
 * Whether a new title or name is literal: in quotes, or with a capital or digit. "To something shorter" is
 * not.
 */
export function isGiven(token: string, quotes: readonly Quote[]): boolean {
  return isQuoted(token) ? valueOf(token, quotes).trim() !== '' : /^[\p{Lu}\d]/u.test(token.trim());
}
