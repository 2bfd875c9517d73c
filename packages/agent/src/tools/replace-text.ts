import { parse } from 'yaml';
import type { PageFacts, Range } from '@docent/docs-check/read/page-facts';
import { applyTextEdits, type TextEdit } from '@docent/docs-check/read/text-edits';
import { lineBreakOf, withLineBreaks } from '@docent/docs-check/read/text-lines';
import { visibleName, withoutInvisible, type VisibleText } from '@docent/docs-check/read/visible-text';
import { inFormOf, occurrencesOf } from '@docent/base/canonical';
import { listed } from './bounded-output.ts';
import { literalPattern } from './literal-pattern.ts';
import { linesAround } from './nearest-passage.ts';
import type { LeftReason } from '@docent/models/conversation/tool-data';
import { isInsideWord, type Guarded } from './replaceable.ts';
import { ToolRefusal } from './tool.ts';

export interface Replacement {
  oldText: string;
  newText: string;
  all: boolean;
  /** Of several, only the first. */
  first?: boolean;
  wholeWords: boolean;
}

export interface Replaced {
  text: string;
  count: number;
  /** Lines in the file where something was replaced, before the change. */
  lines: number[];
  left: Map<LeftReason, number>;
}

/** Places that are shown if a text is not unique. */
const MAX_PLACES = 4;

/**
 * Replaces an exact text as the model sees it, and leaves the rest of the file as it is, including what the
 * model does not see. Line breaks follow the file.
 * @param guarded parts to leave alone, sorted
 * @throws ToolRefusal if the text is not unique and only one place may change
 */
export function replaceText(
  path: string,
  visible: VisibleText,
  change: Replacement,
  guarded: readonly Guarded[],
): Replaced {
  const oldText = withoutInvisible(withLineBreaks(change.oldText, '\n'));
  const newText = withLineBreaks(change.newText, '\n');
  const left = new Map<LeftReason, number>();
  const places: { start: number; end: number; range: Range }[] = [];
  for (const [at, end] of occurrencesOf(visible.text, oldText)) {
    const range = visible.rawRange(at, end);
    const inWord = change.wholeWords && isInsideWord(visible.text, at, end);
    const reason = inWord ? 'longer words' : guardOf(guarded, range);
    if (reason) left.set(reason, (left.get(reason) ?? 0) + 1);
    else places.push({ start: at, end, range });
  }
  // A page on which all was replaced but what is written with other blanks must not look done.
  if ((change.all || change.first) && (change.wholeWords || places.length > 0)) {
    const spaced = countOtherBlanks(visible.text, oldText);
    if (spaced > 0) left.set('other blanks', spaced);
  }
  if (change.first) places.splice(1);
  const lines = places.map(({ start }) => visible.lineAt(start));
  if (places.length > 1 && !change.all) {
    const shown = places.slice(0, MAX_PLACES).map(({ start, end }) => linesAround(visible, start, end));
    throw new ToolRefusal(
      `The text occurs ${lines.length} times in ${visibleName(path)} (lines ` +
        `${listed(lines.map(String), 20)}). Include more of the surrounding text, or replaceAll: true.`,
      { hint: `\n${shown.join('\n   --\n')}` },
    );
  }
  const edits = places.map(({ start, end, range }) => {
    const quote = quoteAround(visible.raw, guarded, range);
    const passage = visible.text.slice(start, end);
    const text = passage === oldText ? newText : inFormOf(newText, passage);
    return editAt(visible, start, passage, quote ? text.replaceAll(quote, ENTITIES[quote]!) : text);
  });
  return { text: applyTextEdits(visible.raw, edits), count: places.length, lines, left };
}

/** Occurrences with a line break, a no-break space or several spaces where the wanted text has a space. */
export function countOtherBlanks(text: string, wanted: string): number {
  const words = wanted.split(/\s+/);
  if (words.length < 2 || words.includes('')) return 0;
  const blank = String.raw`(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*)`;
  const expression = new RegExp(words.map(literalPattern).join(blank), 'gu');
  return (text.match(expression) ?? []).filter((found) => found !== wanted).length;
}

function guardOf(guarded: readonly Guarded[], [start, end]: Range): LeftReason | null {
  const next = guarded[firstBehind(guarded, start)];
  return next && next.start < end ? next.reason : null;
}

/** Index of the first part that ends after an offset. */
function firstBehind(guarded: readonly Guarded[], offset: number): number {
  let [low, high] = [0, guarded.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (guarded[middle]!.end <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

const ENTITIES: Record<string, string> = { '"': '&quot;', "'": '&#39;' };

/** The quotes of the attribute value around a position: the surrounding markup has them. */
function quoteAround(raw: string, guarded: readonly Guarded[], [start]: Range): string | null {
  const at = firstBehind(guarded, start);
  const [before, after] = [guarded[at - 1], guarded[at]];
  if (before?.reason !== 'markup' || after?.reason !== 'markup') return null;
  const quote = raw[before.end - 1]!;
  return raw[before.end - 2] === '=' && quote in ENTITIES && raw[after.start] === quote ? quote : null;
}

/** Changes only what differs, so that invisible characters and comments in the rest survive. */
function editAt(visible: VisibleText, start: number, oldText: string, newText: string): TextEdit {
  const end = start + oldText.length;
  let prefix = commonPrefix(oldText, newText);
  let suffix = Math.min(commonSuffix(oldText, newText), Math.min(oldText.length, newText.length) - prefix);
  prefix = visible.outsidePlaceholder(start + prefix, 'start') - start;
  suffix = end - visible.outsidePlaceholder(end - suffix, 'end');
  const [from, to] = visible.rawRange(start + prefix, end - suffix);
  const restored = visible.restore(newText.slice(prefix, newText.length - suffix));
  if (!restored.ok) {
    throw new ToolRefusal(
      `${restored.placeholder} replaces a comment that this file does not have. Leave placeholders as ` +
        'they are, or write a comment of your own.',
    );
  }
  return { start: from, end: to, text: withLineBreaks(restored.text, lineBreakOf(visible.raw)) };
}

function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  // Never between the halves of one character.
  return length > 0 && /[\uD800-\uDBFF]/.test(a[length - 1]!) ? length - 1 : length;
}

function commonSuffix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return length > 0 && /[\uDC00-\uDFFF]/.test(a[a.length - length]!) ? length - 1 : length;
}

/**
 * Quotes values of front matter which a replacement turned into something else than text: `title: Acme` with
 * "Acme: Cloud" would be a mapping, with "Acme #1" a comment.
 * @param facts of the page before the change
 */
export function keepFrontMatterValid(before: string, after: string, facts: PageFacts | null): string {
  const frontMatter = facts?.frontMatter;
  if (!frontMatter) return after;
  const oldLines = before.slice(frontMatter.start, frontMatter.end).split('\n');
  const newLines = after.slice(frontMatter.start).split('\n');
  let offset = frontMatter.start;
  const edits: TextEdit[] = [];
  for (const [i, line] of newLines.entries()) {
    if (line !== oldLines[i]) edits.push(...quoted(oldLines[i] ?? '', line, offset));
    offset += line.length + 1;
    if (i > 0 && line.trim() === '---') break;
  }
  return applyTextEdits(after, edits);
}

const FIELD = /^([\w:-]+:[ \t]+)(.*?)[ \t]*\r?$/;

function quoted(oldLine: string, line: string, offset: number): TextEdit[] {
  const old = FIELD.exec(oldLine)?.[2];
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined || !old || /^[|>]/.test(old)) return [];
  const meant = meantBy(value, old);
  if (scalarOf(value) === meant) return [];
  return [{ start: offset + name.length, end: offset + name.length + value.length, text: JSON.stringify(meant) }];
}

/** The text of a value that was assembled in the quotes of the old one. */
function meantBy(value: string, old: string): string {
  const quote = /^(["'])[^]*\1$/.exec(old)?.[1];
  if (quote === undefined) return value;
  const inside = value.slice(1, -1);
  if (quote === "'") return inside.replaceAll("''", "'");
  // If the old text had escapes, the new one is parsed as a scalar, if possible.
  return (old.includes('\\') ? scalarOf(value) : null) ?? inside;
}

function scalarOf(yaml: string): string | null {
  try {
    const value: unknown = parse(yaml);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}
