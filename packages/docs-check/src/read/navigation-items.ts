import { isMap, isScalar, isSeq, parseDocument, type Node as YamlNode, type YAMLSeq } from 'yaml';
import type { GeneratorEntry } from '../generators/generator.ts';
import type { DocsSite } from './docs-site.ts';
import { endOf } from './json-edits.ts';
import { parseJsonSource, propertyOf, stringOf, type Node } from './json-source.ts';
import { fileOfEntry } from './navigation.ts';
import { lineAt } from './yaml-lines.ts';

/** A page or a group of the navigation, as a file has it. */
export interface NavigationItem {
  list: NavigationList;
  /** Its range in the file's text: with its lines in YAML, from brace to brace in JSON. */
  start: number;
  end: number;
  /** The file of a page; null for a group, and for other items. */
  file: string | null;
  /** A page's title in the navigation, if any. */
  title: string | null;
  /** The name of a group, and where that is written; null for a page. */
  name: { text: string; start: number; end: number } | null;
}

export interface NavigationList {
  path: string;
  format: 'json' | 'yaml';
  items: NavigationItem[];
  /** The item of this list; null at the top. */
  owner: NavigationItem | null;
  /** The list itself, in JSON. */
  node: Node | null;
}

/** Properties that name a group, by their weight. */
const NAMES = ['group', 'tab', 'anchor', 'dropdown', 'product', 'item', 'version', 'language', 'label', 'name'];
const MAX_DEPTH = 60;

/**
 * The lists of a site's navigation that can be edited, outermost first. Empty for a navigation that is code,
 * is made by a build, or cannot be read.
 */
export function navigationLists(docs: DocsSite): NavigationList[] {
  const { site } = docs;
  if (site.config) {
    if (site.config.problems.length > 0) return [];
    return site.config.sources.flatMap(({ path, root }, i) => {
      const node = i === 0 ? propertyOf(root, 'navigation') : root;
      return node ? jsonLists(path, node, (text) => fileOfEntry(site, text)) : [];
    });
  }
  const { generator } = site;
  const edit = generator?.navigation?.edit;
  const text = edit ? generator.texts.get(edit.path) : undefined;
  if (!edit || text === undefined || (edit.format !== 'yaml' && edit.format !== 'json')) return [];
  const files = new Map(generator.navigation!.entries.map((entry) => [entry.at.start, fileOf(docs, entry)] as const));
  if (edit.format === 'yaml') return yamlLists(edit.path, text, (at) => files.get(at) ?? null);
  const { root, problem } = parseJsonSource(edit.path, text);
  return root && !problem ? jsonLists(edit.path, root, (_, at) => files.get(at) ?? null) : [];
}

function fileOf(docs: DocsSite, entry: GeneratorEntry): string | null {
  return docs.resolver.addresses?.fileOf?.(entry) ?? null;
}

function jsonLists(path: string, top: Node, fileAt: (text: string, at: number) => string | null): NavigationList[] {
  const lists: NavigationList[] = [];
  const walk = (node: Node, owner: NavigationItem | null, depth: number): void => {
    if (depth > MAX_DEPTH) return;
    if (node.type !== 'array') {
      for (const child of node.children ?? []) walk(child, owner, depth + 1);
      return;
    }
    const list: NavigationList = { path, format: 'json', items: [], owner, node };
    lists.push(list);
    for (const item of node.children ?? []) {
      const key = NAMES.map((name) => propertyOf(item, name)).find((value) => value?.type === 'string');
      const page = item.type === 'string' ? item : key ? undefined : propertyOf(item, 'id');
      const text = stringOf(page);
      const entry: NavigationItem = {
        list,
        start: item.offset,
        end: endOf(item),
        file: page && text !== undefined ? fileAt(text, page.offset) : null,
        title: null,
        name: key ? { text: String(key.value), start: key.offset, end: endOf(key) } : null,
      };
      list.items.push(entry);
      if (item.type !== 'string') for (const child of item.children ?? []) walk(child, entry, depth + 1);
    }
  };
  walk(top, null, 0);
  return lists;
}

/** Block lists with each item on its own lines; other layouts yield none. */
function yamlLists(path: string, text: string, fileAt: (at: number) => string | null): NavigationList[] {
  const nav = parseDocument(text, { stringKeys: true }).get('nav', true) as YamlNode | undefined;
  const lists: NavigationList[] = [];
  const walk = (seq: YAMLSeq, owner: NavigationItem | null, depth: number): boolean => {
    if (seq.flow || depth > MAX_DEPTH) return false;
    const list: NavigationList = { path, format: 'yaml', items: [], owner, node: null };
    const starts = seq.items.map((item) => startOf(item as YamlNode));
    if (starts.some((at) => at === null || !/^ *- /.test(lineAt(text, at).text))) return false;
    lists.push(list);
    for (const [i, item] of seq.items.entries()) {
      const start = lineAt(text, starts[i]!).start;
      const next = starts[i + 1];
      const end = next === undefined || next === null ? contentEnd(text, item as YamlNode) : lineAt(text, next).start;
      const [pair] = isMap(item) && item.items.length === 1 ? item.items : [];
      const value = pair?.value ?? item;
      const key = pair && isSeq(pair.value) && isScalar(pair.key) && pair.key.range ? pair.key : null;
      const entry: NavigationItem = {
        list,
        start,
        end,
        file: isScalar(value) && value.range ? fileAt(value.range[0]) : null,
        title: pair && !key && isScalar(pair.key) ? String(pair.key.value) : null,
        name: key ? { text: String(key.value), start: key.range![0], end: key.range![1] } : null,
      };
      list.items.push(entry);
      if (isSeq(value)) walk(value, entry, depth + 1);
    }
    return true;
  };
  if (isSeq(nav)) walk(nav, null, 0);
  return lists;
}

function startOf(node: YamlNode): number | null {
  return node.range?.[0] ?? null;
}

/** The end of its last line. */
function contentEnd(text: string, node: YamlNode): number {
  const end = node.range?.[1] ?? 0;
  const last = text.slice(0, end).trimEnd().length;
  return lineAt(text, Math.max(0, last - 1)).end;
}
