import type { JsonSource, Node } from './json-source.ts';
import type { TextEdit } from './text-edits.ts';
import { lineBreakOf } from './text-lines.ts';

/**
 * Edits of a JSON text that leave every byte alone which they do not mean, and follow the style around them.
 */

export function replaceString(node: Node, value: string): TextEdit {
  return { start: node.offset, end: endOf(node), text: JSON.stringify(value) };
}

/** Inserts a value after an item of a list, or at the end. Objects are formatted like their neighbors. */
export function insertItem(source: JsonSource, list: Node, value: unknown, after?: Node): TextEdit {
  const items = list.children ?? [];
  const neighbor = after ?? items.at(-1);
  if (!neighbor) return fillEmpty(source, list, value);
  const style = gapBefore(source.text, list, items[Math.max(1, items.indexOf(neighbor))] ?? neighbor);
  const gap = style === '' && items.length === 1 && !isCompact(source) ? ' ' : style;
  return { start: endOf(neighbor), end: endOf(neighbor), text: `,${gap}${laidOut(source, value, gap, neighbor)}` };
}

/** Takes an item out of its list, or a property out of its object, with its comma and the space before it. */
export function removeItem(item: Node): TextEdit {
  const siblings = item.parent?.children ?? [];
  const at = siblings.indexOf(item);
  const [previous, next] = [siblings[at - 1], siblings[at + 1]];
  if (previous) return { start: endOf(previous), end: endOf(item), text: '' };
  if (next) return { start: item.offset, end: next.offset, text: '' };
  const parent = item.parent!;
  return { start: parent.offset + 1, end: endOf(parent) - 1, text: '' };
}

/** Adds a property at the end of an object that has some. */
export function addProperty(source: JsonSource, object: Node, name: string, value: unknown): TextEdit {
  const last = object.children?.at(-1);
  if (!last)
    return {
      start: object.offset + 1,
      end: object.offset + 1,
      text: `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    };
  const gap = gapBefore(source.text, object, last);
  const colon = isCompact(source) ? ':' : ': ';
  const text = `,${gap}${JSON.stringify(name)}${colon}${written(source, value, gap)}`;
  return { start: endOf(last), end: endOf(last), text };
}

/** All on one line and without spaces, as programs write it. */
function isCompact({ text }: JsonSource): boolean {
  return !text.includes('\n') && /":\S/.test(text);
}

export function endOf(node: Node): number {
  return node.offset + node.length;
}

/** The text between an item and the previous comma or bracket. */
function gapBefore(text: string, parent: Node, item: Node): string {
  const siblings = parent.children ?? [];
  const previous = siblings[siblings.indexOf(item) - 1];
  const from = previous ? text.indexOf(',', endOf(previous)) + 1 : parent.offset + 1;
  return text.slice(from, item.offset);
}

function fillEmpty(source: JsonSource, list: Node, value: unknown): TextEdit {
  const own = /^[ \t]*/.exec(lineStart(source.text, list.offset))?.[0] ?? '';
  if (!source.text.includes('\n')) {
    return { start: list.offset, end: endOf(list), text: `[${oneLine(value, source.text)}]` };
  }
  const lineBreak = lineBreakOf(source.text);
  const unit = unitOf(source, lineBreak + own);
  const gap = lineBreak + own + unit;
  return { start: list.offset, end: endOf(list), text: `[${gap}${written(source, value, gap)}${lineBreak}${own}]` };
}

function lineStart(text: string, offset: number): string {
  return text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
}

/** An object on one line if its neighbor is, else a line for each property. */
function laidOut(source: JsonSource, value: unknown, gap: string, neighbor: Node): string {
  const like = source.text.slice(neighbor.offset, endOf(neighbor));
  if (typeof value === 'string' || !gap.includes('\n')) return oneLine(value, like);
  if (neighbor.type === 'object' && !like.includes('\n')) return oneLine(value, like);
  return written(source, value, gap);
}

/** @param like a text whose spacing is copied */
function oneLine(value: unknown, like: string): string {
  const [pad, gap] = [like.startsWith('{ ') ? ' ' : '', /":\S/.test(like) ? '' : ' '];
  if (Array.isArray(value)) return `[${value.map((item) => oneLine(item, like)).join(`,${gap}`)}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).map(([name, part]) => `${JSON.stringify(name)}:${gap}${oneLine(part, like)}`);
  return `{${pad}${parts.join(`,${gap}`)}${pad}}`;
}

/** @param gap the line break and indentation of the value */
function written(source: JsonSource, value: unknown, gap: string): string {
  if (!gap.includes('\n')) return oneLine(value, source.text);
  const lineBreak = gap.includes('\r\n') ? '\r\n' : '\n';
  const indent = gap.slice(gap.lastIndexOf('\n') + 1);
  return JSON.stringify(value, null, unitOf(source, gap)).replaceAll('\n', lineBreak + indent);
}

/** One level of indentation: the least that any line has, as most files are indented from their top. */
function unitOf(source: JsonSource, gap: string): string {
  const first = /\n([ \t]+)\S/.exec(source.text)?.[1];
  return first ?? (/\n([ \t]+)/.exec(gap)?.[1] || '  ');
}
