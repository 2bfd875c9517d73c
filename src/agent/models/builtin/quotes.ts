/** A piece of text that the user set apart: in quotes, or in a fenced block. */
export interface Quote {
  /** What is inside. */
  text: string;
  /** As it stood in the message. */
  source: string;
  kind: 'quote' | 'block';
}

/** A message in which every quote is one mark, so that its sentences can be read without what is quoted in them. */
export interface MarkedText {
  text: string;
  quotes: Quote[];
}

const OPEN = '\uE000';
const CLOSE = '\uE001';

/** Matches a mark; its one group is the quote's number. */
export const MARK = `${OPEN}(\\d+)${CLOSE}`;
const MARKS = new RegExp(MARK, 'g');

const FENCE = /^[ \t]*(`{3,}|~{3,})[^\n]*\n([\s\S]*?)^[ \t]*\1[`~]*[ \t]*$/gm;

/** Straight and curly quotes, guillemets and backticks. An apostrophe inside a word opens and closes nothing. */
const QUOTED = [
  /"((?:\\["\\]|[^"\\]|\\(?!["\\]))*)"/,
  /[“„]([^“”„]*)[”“]/,
  /«\s?([^«»]*?)\s?»/,
  /`([^`\n]+)`/,
  /(?<![\p{L}\p{N}])['‘]((?:[^'’‘\n]|['’](?=[\p{L}\p{N}])){1,300})['’](?![\p{L}\p{N}])/u,
];
const ANY_QUOTE = new RegExp(QUOTED.map(({ source }) => `(?:${source})`).join('|'), 'gu');

export function markQuotes(message: string): MarkedText {
  const quotes: Quote[] = [];
  const mark = (quote: Quote) => `${OPEN}${quotes.push(quote) - 1}${CLOSE}`;
  const clean = message.replace(/\r\n?/g, '\n').replace(/[\uE000\uE001]/g, '');
  const withoutBlocks = clean.replace(FENCE, (source: string, _fence: string, text: string) =>
    mark({ text: text.replace(/\n$/, ''), source, kind: 'block' }),
  );
  const text = withoutBlocks.replace(ANY_QUOTE, (source: string, ...groups: (string | undefined)[]) => {
    const inside = groups.slice(0, QUOTED.length).find((group) => group !== undefined) ?? '';
    return mark({ text: source.startsWith('"') ? inside.replace(/\\(["\\])/g, '$1') : inside, source, kind: 'quote' });
  });
  return { text, quotes };
}

/** What stands for a quote. */
export function markOf(quote: number): string {
  return `${OPEN}${quote}${CLOSE}`;
}

/** The text with its quotes as they were written. */
export function unmarked(text: string, quotes: readonly Quote[]): string {
  return text.replace(MARKS, (_, number: string) => quotes[Number(number)]?.source ?? '');
}

/** What a mark or an unquoted word stands for. */
export function valueOf(token: string, quotes: readonly Quote[]): string {
  const mark = new RegExp(`^${MARK}$`).exec(token.trim());
  return mark ? (quotes[Number(mark[1])]?.text ?? '') : token.trim().replace(/[.,;:!?]+$/, '');
}

/** As {@link valueOf}, of what may have a page's genitive behind it: `quickstart's title`. */
export function pageOf(token: string, quotes: readonly Quote[]): string {
  const value = valueOf(token, quotes);
  return value === token.trim() ? value.replace(/['’]s$/, '') : value;
}
