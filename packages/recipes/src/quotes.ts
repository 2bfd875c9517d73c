/** A text that the user set apart: in quotes, or in a fenced block. */
export interface Quote {
  /** The inner text. */
  text: string;
  /** As the message has it. */
  source: string;
  kind: 'quote' | 'block';
}

/**
 * A message in which every quote is one mark, so that its sentences can be parsed without the quoted text.
 */
export interface MarkedText {
  text: string;
  quotes: Quote[];
}

const OPEN = '\uE000';
const CLOSE = '\uE001';

/** Matches a mark; its one group is the quote's number. */
export const MARK = `${OPEN}(\\d+)${CLOSE}`;
const MARKS = new RegExp(MARK, 'g');
const ONE_MARK = new RegExp(`^${MARK}$`);

/** Takes time in proportion to the message, whatever it holds. */
export function markQuotes(message: string): MarkedText {
  const quotes: Quote[] = [];
  const mark = (quote: Quote) => markOf(quotes.push(quote) - 1);
  const clean = message.replace(/\r\n?/g, '\n').replace(/[\uE000\uE001]/g, '');
  return { text: markInline(markBlocks(clean, mark), mark), quotes };
}

type Mark = (quote: Quote) => string;

/** Replaces each fenced block with its mark. */
function markBlocks(text: string, mark: Mark): string {
  const lines = text.split('\n');
  const fences = lines.map((line) => /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '');
  const closes = lines.map((line, i) => fences[i] !== '' && /^[ \t]*(?:`+|~+)[ \t]*$/.test(line));
  /** By sign: fences this long, and longer, are closed nowhere below. */
  const unclosed = new Map<string, number>();
  const out: string[] = [];
  for (let i = 0; i < lines.length; i++) {
    const fence = fences[i]!;
    const sign = fence.slice(0, 1);
    let end = -1;
    if (fence !== '' && fence.length < (unclosed.get(sign) ?? Infinity)) {
      end = i + 1;
      while (end < lines.length && !(closes[end] && fences[end]!.startsWith(fence))) end += 1;
      if (end === lines.length) {
        unclosed.set(sign, fence.length);
        end = -1;
      }
    }
    if (end === -1) out.push(lines[i]!);
    else {
      const source = lines.slice(i, end + 1).join('\n');
      out.push(mark({ text: lines.slice(i + 1, end).join('\n'), source, kind: 'block' }));
      i = end;
    }
  }
  return out.join('\n');
}

interface Found {
  /** Behind the quote. */
  end: number;
  text: string;
}

/**
 * Straight and curly quotes, guillemets and backticks. An apostrophe inside a word opens and closes nothing.
 */
function markInline(text: string, mark: Mark): string {
  const out: string[] = [];
  let kept = 0;
  let hasStraight = true;
  for (const { index } of text.matchAll(/["“„«`'‘]/g)) {
    if (index < kept) continue;
    const sign = text[index]!;
    const found = sign === '"' ? (hasStraight ? straight(text, index) : null) : quoteAt(text, index);
    // Without a closing quote here, there is none later.
    if (!found && sign === '"') hasStraight = false;
    if (!found) continue;
    out.push(text.slice(kept, index), mark({ text: found.text, source: text.slice(index, found.end), kind: 'quote' }));
    kept = found.end;
  }
  return out.join('') + text.slice(kept);
}

/** May span lines, and have `\"` inside. */
function straight(text: string, start: number): Found | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && /["\\]/.test(text[at + 1] ?? '')) at += 1;
    else if (text[at] === '"') {
      return { end: at + 1, text: text.slice(start + 1, at).replace(/\\(["\\])/g, '$1') };
    }
  }
  return null;
}

/** Each stops at the next sign that could open another quote, or after this many characters. */
const OTHER_QUOTES: Record<string, RegExp> = {
  '“': /[“„]([^“”„]*)[”“]/y,
  '«': /«\s?([^«»]*)»/y,
  '`': /`([^`\n]+)`/y,
  "'": /(?<![\p{L}\p{N}])['‘]((?:[^'’‘\n]|['’](?=[\p{L}\p{N}])){1,300})['’](?![\p{L}\p{N}])/uy,
};
OTHER_QUOTES['„'] = OTHER_QUOTES['“']!;
OTHER_QUOTES['‘'] = OTHER_QUOTES["'"]!;

function quoteAt(text: string, start: number): Found | null {
  const expression = OTHER_QUOTES[text[start]!]!;
  expression.lastIndex = start;
  const match = expression.exec(text);
  return match && { end: start + match[0].length, text: text[start] === '«' ? match[1]!.trimEnd() : match[1]! };
}

/** The mark that replaces a quote. */
export function markOf(quote: number): string {
  return `${OPEN}${quote}${CLOSE}`;
}

/** The text with its quotes as they were written. */
export function unmarked(text: string, quotes: readonly Quote[]): string {
  return text.replace(MARKS, (_, number: string) => quotes[Number(number)]?.source ?? '');
}

/** Whether a token is a quote. */
export function isQuoted(token: string): boolean {
  return ONE_MARK.test(token.trim());
}

/** The value of a mark or an unquoted word. */
export function valueOf(token: string, quotes: readonly Quote[]): string {
  const mark = ONE_MARK.exec(token.trim());
  return mark ? (quotes[Number(mark[1])]?.text ?? '') : token.trim().replace(/[.,;:!?]+$/, '');
}
