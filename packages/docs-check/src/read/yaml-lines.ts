import type { TextEdit } from './text-edits.ts';
import { lineBreakOf } from './text-lines.ts';

/** Line edits of block YAML, which leave comments and all other lines alone. */

interface Line {
  start: number;
  /** With its line break. */
  end: number;
  text: string;
}

export function lineAt(source: string, offset: number): Line {
  const start = source.lastIndexOf('\n', offset - 1) + 1;
  const at = source.indexOf('\n', offset);
  const end = at === -1 ? source.length : at + 1;
  return { start, end, text: source.slice(start, end).replace(/\r?\n$/, '') };
}

/** The scalar in the quotes that it had, or without any if that is safe. */
export function scalarLike(written: string, value: string): string {
  if (written.startsWith("'")) return `'${value.replaceAll("'", "''")}'`;
  if (written.startsWith('"')) return JSON.stringify(value);
  return /^[\w./][\w./ -]*$/.test(value) && value.trim() === value && !/^[\d.]+$/.test(value)
    ? value
    : JSON.stringify(value);
}

/** Removes an item that is alone on its line from a list that keeps others; null otherwise. */
export function removeItemLine(source: string, offset: number): TextEdit | null {
  const line = lineAt(source, offset);
  if (!/^ *- +(?:[^#{[\]}]*: +)?\S[^#{[\]}]*(?: #.*)?$/.test(line.text)) return null;
  return hasSibling(source, line) ? { start: line.start, end: line.end, text: '' } : null;
}

/** A new item after one that is alone on its line, at the same depth. */
export function insertItemAfter(source: string, offset: number, value: string): TextEdit | null {
  const line = lineAt(source, offset);
  const indent = /^( *)- +(?:[^#{[\]}]*: +)?\S[^#{[\]}]*(?: #.*)?$/.exec(line.text)?.[1];
  if (indent === undefined) return null;
  return insertLine(source, line.end, `${indent}- ${scalarLike('', value)}`);
}

/** A new pair after one that is alone on its line. */
export function insertPairAfter(source: string, offset: number, key: string, value: string): TextEdit | null {
  const line = lineAt(source, offset);
  const [, indent, quote = ''] = /^( +)(['"]?)[^-\s#{[][^#{[]*\2 *: +\S[^#{[]*(?: #.*)?$/.exec(line.text) ?? [];
  if (indent === undefined) return null;
  return insertLine(source, line.end, `${indent}${scalarLike(quote, key)}: ${scalarLike('', value)}`);
}

function insertLine(source: string, at: number, text: string): TextEdit {
  const lineBreak = lineBreakOf(source);
  const isEnded = source.slice(0, at).endsWith('\n');
  return { start: at, end: at, text: isEnded ? text + lineBreak : lineBreak + text };
}

/** Whether the list has another item: without any, it would be no list. */
function hasSibling(source: string, line: Line): boolean {
  const indent = /^ */.exec(line.text)![0];
  const isItem = (text: string) => text.startsWith(`${indent}- `);
  const isDeeper = (text: string) =>
    text.trim() === '' || text.startsWith(`${indent} `) || text.trimStart().startsWith('#');
  for (let at = line.start; at > 0;) {
    const before = lineAt(source, at - 1);
    if (isItem(before.text)) return true;
    if (!isDeeper(before.text)) break;
    at = before.start;
  }
  for (let at = line.end; at < source.length;) {
    const next = lineAt(source, at);
    if (isItem(next.text)) return true;
    if (!isDeeper(next.text)) break;
    at = next.end;
  }
  return false;
}
