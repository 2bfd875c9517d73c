import { insertItem, removeItem } from './json-edits.ts';
import { parseJsonSource, type Node } from './json-source.ts';
import type { NavigationItem, NavigationList } from './navigation-items.ts';
import { applyTextEdits, type TextEdit } from './text-edits.ts';
import { lineBreakOf } from './text-lines.ts';
import { scalarLike } from './yaml-lines.ts';

/** A file's text with another name for a group. */
export function renamedGroup(text: string, { list, name }: NavigationItem, to: string): string {
  const { start, end } = name!;
  const written = list.format === 'json' ? JSON.stringify(to) : scalarLike(text.slice(start, end), to);
  return applyTextEdits(text, [{ start, end, text: written }]);
}

/** The text of the list's file with its items in another order. Text between the items stays between them. */
export function reordered(text: string, { items }: NavigationList, order: readonly NavigationItem[]): string {
  const isEnded = text.endsWith('\n');
  const slices = order.map(({ start, end, list }) => {
    const slice = text.slice(start, end);
    // Only the last line of a file may lack a line break.
    return list.format === 'yaml' && !slice.endsWith('\n') ? slice + lineBreakOf(text) : slice;
  });
  const edits = items.map(({ start, end }, i) => ({ start, end, text: slices[i]! }));
  const result = applyTextEdits(text, edits);
  return isEnded || items[0]?.list.format === 'json' ? result : result.replace(/\r?\n$/, '');
}

/**
 * A page's entry in another list, after its last one. `gone` is removed with it: a group that had nothing
 * else.
 * @param read returns the text of a file
 * @returns new texts by path
 */
export function movedToEnd(
  item: NavigationItem,
  gone: NavigationItem,
  target: NavigationList,
  read: (path: string) => string,
): Map<string, string> {
  const source = gone.list;
  const edits = new Map<string, TextEdit[]>([[source.path, [cut(gone, read(source.path))]]]);
  const value = read(item.list.path).slice(item.start, item.end);
  const paste = target.format === 'json' ? pastedJson(target, value, read) : pastedYaml(item, target, value, read);
  edits.set(target.path, [...(edits.get(target.path) ?? []), paste]);
  return new Map([...edits].map(([path, own]) => [path, applyTextEdits(read(path), own)]));
}

function cut(item: NavigationItem, text: string): TextEdit {
  if (item.list.format === 'yaml') return { start: item.start, end: item.end, text: '' };
  const node = item.list.node!.children!.find(({ offset }) => offset === item.start)!;
  const edit = removeItem(node);
  return { ...edit, end: Math.min(edit.end, text.length) };
}

function pastedJson(target: NavigationList, value: string, read: (path: string) => string): TextEdit {
  return insertItem(parseJsonSource(target.path, read(target.path)), target.node as Node, JSON.parse(value) as unknown);
}

function pastedYaml(
  item: NavigationItem,
  target: NavigationList,
  value: string,
  read: (path: string) => string,
): TextEdit {
  const text = read(target.path);
  const last = target.items.at(-1)!;
  const indentOf = (at: NavigationItem) => /^ */.exec(read(at.list.path).slice(at.start))![0];
  const [old, now] = [indentOf(item), indentOf(last)];
  const lines = value.replace(/\r?\n$/, '').split('\n');
  const moved = lines.map((line) => (line.startsWith(old) ? now + line.slice(old.length) : line)).join('\n');
  const lineBreak = lineBreakOf(text);
  const isEnded = text.slice(0, last.end).endsWith('\n');
  return { start: last.end, end: last.end, text: isEnded ? moved + lineBreak : lineBreak + moved };
}
