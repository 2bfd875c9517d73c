import { ScriptReader } from '../config/script-value.ts';
import { fieldOf, fieldsOf, isOpen, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import { parseYamlSource } from '../config/yaml-value.ts';
import { folderOf } from '../read/folder.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { GeneratorEntry, GeneratorLink } from './generator.ts';

type Read = (path: string) => string | null;

export interface NextDocsNavigation {
  texts: Map<string, string>;
  entries: GeneratorEntry[];
  /** To addresses, in place of pages. */
  links: GeneratorLink[];
  problems: { path: string; offset: number; message: string }[];
  /** Files whose entries only a build knows. */
  unread: string[];
  /** Pages that the sidebar shows; null if all pages are in it. */
  shown: ReadonlySet<string> | null;
}

/** Files are read up to this number: each is parsed. */
const MAX_FILES = 1_000;
const MAX_DEPTH = 20;
/** https://nextra.site/docs/file-conventions/meta-file; with a language in its name until Nextra 3. */
const NEXTRA_META = /(?:^|\/)_meta(?:\.[a-z]{2}(?:-[A-Za-z]{2,4})?)?\.(?:json|[jt]sx?)$/;
const GLOBAL_META = /(?:^|\/)_meta\.global\.[jt]sx?$/;
/** https://fumadocs.dev/docs/headless/page-conventions#meta; with a language in its name. */
const FUMADOCS_META = /(?:^|\/)meta(?:\.[a-z]{2}(?:-[A-Za-z]{2,4})?)?\.(?:json|ya?ml)$/;
const LINK = /^(?:external:)?(?:\[[^\]]*\])?\[[^\]]*\]\(([^)]*)\)$/;

/**
 * Reads the `_meta` files of Nextra. Each names pages and folders beside it; Nextra adds the others. One for
 * all of the site has folders in folders.
 */
export function nextraNavigation(dirs: readonly string[], paths: readonly string[], read: Read): NextDocsNavigation {
  const found = nothing();
  for (const { path, value } of metaFiles(NEXTRA_META, dirs, paths, read, found)) {
    addMeta(found, value, path, folderOf(path));
  }
  const places = [...dirs, ...dirs.map(folderOf)];
  for (const { path, value } of metaFiles(GLOBAL_META, places, paths, read, found)) {
    const scope = dirs.find((dir) => below(path, dir) !== null) ?? dirs[0];
    if (scope !== undefined) addMeta(found, value, path, scope);
  }
  return found;
}

function addMeta(found: NextDocsNavigation, value: StaticValue, path: string, scope: string, depth = 0): void {
  for (const [name, one] of fieldsOf(value)) {
    if (name === '*' || name.startsWith('-')) continue;
    const href = fieldOf(one, 'href');
    const type = fieldOf(one, 'type');
    const items = fieldOf(one, 'items');
    if (textOf(href)?.startsWith('/')) found.links.push({ value: textOf(href)!, at: placeOf(one, path) });
    const isPage =
      one.type === 'object' && !one.open && href === undefined && /^(?:page|doc)$/.test(textOf(type) ?? 'doc');
    if (textOf(one) !== undefined || (isPage && (type === undefined || textOf(type) !== undefined)))
      found.entries.push({ value: name, at: placeOf(one, path), scope });
    const isFolder = items?.type === 'object' && textOf(type) !== 'menu' && depth < MAX_DEPTH;
    if (isFolder && items.open) found.unread.push(path);
    if (isFolder) addMeta(found, items, path, `${scope}/${name}`, depth + 1);
  }
}

/**
 * Reads the `meta.json` and `meta.yaml` files of Fumadocs. Without `...`, the list of a folder is all that
 * the sidebar shows of it.
 */
export function fumadocsNavigation(dirs: readonly string[], paths: readonly string[], read: Read): NextDocsNavigation {
  const found = nothing();
  const lists = new Map<string, { items: string[]; isWhole: boolean }>();
  for (const { path, value } of metaFiles(FUMADOCS_META, dirs, paths, read, found)) {
    const pages = fieldOf(value, 'pages');
    if (pages === undefined) continue;
    const scope = folderOf(path);
    const items = itemsOf(pages).flatMap((item) => textOf(item) ?? []);
    lists.set(scope, {
      items,
      isWhole: !isOpen(pages) && items.length === itemsOf(pages).length,
    });
    for (const item of itemsOf(pages)) {
      const text = textOf(item) ?? '';
      const link = LINK.exec(text)?.[1];
      const at = placeOf(item, path);
      if (link?.startsWith('/')) found.links.push({ value: link, at });
      const name = text.replace(/^\.\.\.(?=.)/, '');
      if (link === undefined && name !== '' && !/^(?:\.\.\.|z\.\.\.a|---.*|!.*)$/.test(name))
        found.entries.push({ value: name, at, scope });
    }
  }
  if (![...lists.values()].some(({ items, isWhole }) => isWhole && !items.some(isRest))) return found;
  const shown = new Set<string>();
  const children = childrenOf(paths);
  const visited = new Set<string>();
  const waiting = [...dirs];
  while (waiting.length > 0) {
    const folder = waiting.pop()!;
    if (visited.has(folder)) continue;
    visited.add(folder);
    const list = lists.get(folder);
    const hidden = new Set(list?.items.flatMap((item) => (item.startsWith('!') ? nameOf(folder, item.slice(1)) : [])));
    const listed = new Set(list?.items.flatMap((item) => nameOf(folder, item.replace(/^\.\.\.(?=.)/, ''))));
    const showsAll = !list?.isWhole || list.items.some(isRest);
    for (const name of listed) {
      waiting.push(name);
      for (const path of children.get(folderOf(name)) ?? []) if (bareName(path) === name) shown.add(path);
    }
    for (const path of children.get(folder) ?? []) {
      const name = bareName(path);
      const isShown = showsAll ? !hidden.has(name) : name === nameOf(folder, 'index')[0];
      if (isShown && children.has(path)) waiting.push(path);
      else if (isShown) shown.add(path);
    }
  }
  const pages = paths.filter((path) => pageFormatOf(path) !== null && dirs.some((dir) => below(path, dir) !== null));
  // Such sites have their own sidebar.
  if (shown.size * 2 < pages.length) return { ...found, unread: [...found.unread, ...found.texts.keys()] };
  return { ...found, shown };
}

function isRest(item: string): boolean {
  return item === '...' || item === 'z...a';
}

function nameOf(folder: string, item: string): string[] {
  const path = inRepository(folder, item);
  return path === null ? [] : [bareName(path)];
}

/** Without the extension of a page, and without its language. */
function bareName(path: string): string {
  return path.replace(/\.mdx?$/i, '').replace(/\.[a-z]{2}(?:-[A-Za-z]{2,4})?$/, '');
}

/** Pages and folders by the folder that they are in. */
function childrenOf(paths: readonly string[]): Map<string, Set<string>> {
  const children = new Map<string, Set<string>>();
  for (const path of paths) {
    if (pageFormatOf(path) === null) continue;
    for (let [one, folder] = [path, folderOf(path)]; ; one = folder, folder = folderOf(folder)) {
      const known = children.get(folder);
      if (known?.has(one)) break;
      if (known) known.add(one);
      else children.set(folder, new Set([one]));
      if (folder === '') break;
    }
  }
  return children;
}

function nothing(): NextDocsNavigation {
  return {
    texts: new Map(),
    entries: [],
    links: [],
    problems: [],
    unread: [],
    shown: null,
  };
}

function metaFiles(
  pattern: RegExp,
  dirs: readonly string[],
  paths: readonly string[],
  read: Read,
  { texts, problems, unread }: NextDocsNavigation,
): { path: string; value: StaticValue }[] {
  const all = paths.filter((path) => pattern.test(path) && dirs.some((dir) => below(path, dir) !== null));
  unread.push(...all.slice(MAX_FILES));
  return all.slice(0, MAX_FILES).flatMap((path) => {
    if (/\.ya?ml$/.test(path)) {
      const source = parseYamlSource(path, read(path) ?? '');
      texts.set(path, source.text);
      if (source.problem) problems.push({ path, ...source.problem });
      return [{ path, value: source.value }];
    }
    const reader = new ScriptReader(read);
    const value = reader.exported(path);
    for (const [file, text] of reader.texts) texts.set(file, text);
    if (path.endsWith('.json')) problems.push(...reader.problems);
    if (value.type !== 'object' || value.open) unread.push(path);
    return value.type === 'object' ? [{ path, value }] : [];
  });
}

function placeOf({ at }: StaticValue, path: string): GeneratorEntry['at'] {
  return at.path === '' ? { path, start: 0, end: 0 } : at;
}
