import { visibleName } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { excerpt } from './bounded-output.ts';

const MAX_TITLE = 60;
/** Characters of the content sample of a collapsed folder. */
const MAX_SAMPLE = 120;

export interface TreeOptions {
  /** Approximate limit of the tree, in characters. */
  room: number;
  /** Levels of folders to show at most. */
  depth: number;
  isPage(path: string): boolean;
  /** Called for pages that are listed individually. */
  titleOf(path: string): string | null;
}

export interface CollapsedTree {
  lines: string[];
  /** Folders that are shown with a count alone, though they could be opened. */
  collapsed: { folders: number; files: number };
  /** Files of the folder itself that are left out. */
  left: number;
  /** Folders whose files are named, though perhaps not all. */
  opened: string[];
}

interface Folder {
  name: string;
  level: number;
  files: string[];
  folders: Map<string, Folder>;
  /** In the folder and below. */
  all: number;
  pages: number;
  open: boolean;
}

/**
 * A folder as a tree that fits into a budget. Folders are opened level by level while there is room, those
 * with pages first and small ones before large ones. The others show their number of files, and name some. A
 * tree that fits is shown completely.
 * @param prefix of the paths, which are sorted: the folder with its slash, or ''
 */
export function collapsedTree(paths: readonly string[], prefix: string, options: TreeOptions): CollapsedTree {
  const root = folderTree(paths, prefix, options);
  root.open = true;
  const lineOf = (path: string, level: number) => fileLine(path, level, options);
  let room = options.room - childrenCost(root, options.room, lineOf, options);
  const waiting = [...root.folders.values()];
  // Waiting folders are on lines that fit: hundreds at most, even of a hundred thousand.
  while (room > 0 && waiting.length > 0) {
    const next = waiting.reduce((best, one) => (before(one, best) ? one : best));
    waiting.splice(waiting.indexOf(next), 1);
    if (next.level >= options.depth || isBeside(next)) continue;
    const cost = childrenCost(next, room, lineOf, options);
    if (cost > room) continue;
    room -= cost;
    next.open = true;
    waiting.push(...next.folders.values());
  }
  const tree: CollapsedTree = { lines: [], collapsed: { folders: 0, files: 0 }, left: 0, opened: [] };
  draw(root, prefix, tree, options);
  return tree;
}

/** The order in which folders are opened. */
function before(a: Folder, b: Folder): boolean {
  if (a.pages > 0 !== b.pages > 0) return a.pages > 0;
  if (a.level !== b.level) return a.level < b.level;
  return a.all < b.all;
}

/** Of no interest for writing pages, and large. */
function isBeside({ name }: Folder): boolean {
  return name.startsWith('.') || name === 'node_modules/';
}

function folderTree(paths: readonly string[], prefix: string, { isPage }: TreeOptions): Folder {
  const root = newFolder('', 0);
  for (const path of paths) {
    const page = isPage(path) ? 1 : 0;
    let folder = root;
    let start = prefix.length;
    for (let slash = path.indexOf('/', start); slash !== -1; slash = path.indexOf('/', start)) {
      folder.all++;
      folder.pages += page;
      const name = path.slice(start, slash + 1);
      let child = folder.folders.get(name);
      if (!child) folder.folders.set(name, (child = newFolder(name, folder.level + 1)));
      folder = child;
      start = slash + 1;
    }
    folder.all++;
    folder.pages += page;
    folder.files.push(path);
  }
  return root;
}

function newFolder(name: string, level: number): Folder {
  return { name, level, files: [], folders: new Map(), all: 0, pages: 0, open: false };
}

/** Characters below an opened folder; more than `room` if too many to measure. */
function childrenCost(
  { files, folders, level }: Folder,
  room: number,
  lineOf: (path: string, level: number) => string,
  options: TreeOptions,
): number {
  const indent = 2 * (level + 1) + 1;
  let cost = 0;
  for (const folder of folders.values()) if ((cost += collapsedLine(folder, options).length + 1) > room) return cost;
  if (cost + files.length * (indent + 4) > room) return cost + files.length * (indent + 4);
  for (const path of files) if ((cost += lineOf(path, level + 1).length + 1) > room) return cost;
  return cost;
}

/** @param path of the folder, with its slash, or '' */
function draw(folder: Folder, path: string, tree: CollapsedTree, options: TreeOptions): void {
  tree.opened.push(path.slice(0, -1));
  // Sorted like paths: a folder is at the position of its first file.
  const children = [
    ...[...folder.folders.values()].map((child) => ({ name: child.name, child })),
    ...folder.files.map((path) => ({ name: nameOf(path), path })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of children) {
    const full = folder.level === 0 && tree.lines.reduce((sum, line) => sum + line.length + 1, 0) > options.room;
    if ('path' in entry) {
      if (full) tree.left++;
      else tree.lines.push(fileLine(entry.path, folder.level + 1, options));
    } else if (entry.child.open) {
      tree.lines.push(`${'  '.repeat(entry.child.level)}${visibleName(entry.name)}`);
      draw(entry.child, path + entry.name, tree, options);
    } else {
      if (full) tree.left += entry.child.all;
      else tree.lines.push(collapsedLine(entry.child, options));
      if (isBeside(entry.child)) continue;
      tree.collapsed.folders++;
      tree.collapsed.files += entry.child.all;
    }
  }
}

function collapsedLine(folder: Folder, options: TreeOptions): string {
  const head = `${'  '.repeat(folder.level)}${visibleName(folder.name)} (${plural(folder.all, 'file')})`;
  if (isBeside(folder)) return head;
  const sample = sampleOf(folder, options);
  return sample === '' ? head : `${head}: ${sample}`;
}

/** Its largest folders, and titles of pages from its beginning to its end. */
function sampleOf({ files, folders }: Folder, options: TreeOptions): string {
  const large = [...folders.values()].toSorted((a, b) => b.all - a.all || (a.name < b.name ? -1 : 1)).slice(0, 5);
  const pages = files.filter(options.isPage);
  const wanted = Math.min(pages.length, 6 - large.length);
  const some = Array.from({ length: wanted }, (_, i) => pages[Math.floor((i * pages.length) / wanted)]!);
  const names = [
    ...large.map(({ name, all }) => `${visibleName(name)} ${all}`),
    ...some.map((path) => excerpt(visibleName(options.titleOf(path) ?? nameOf(path)), 40)),
  ];
  let length = 0;
  const fitting = names.filter((name) => (length += name.length + 2) <= MAX_SAMPLE);
  const isAll = fitting.length === folders.size + files.length;
  return fitting.length === 0 ? '' : `${fitting.join(', ')}${isAll ? '' : ', …'}`;
}

/** A title that repeats the file's name is left out. */
function fileLine(path: string, level: number, { isPage, titleOf }: TreeOptions): string {
  const name = nameOf(path);
  const line = `${'  '.repeat(level)}${visibleName(name)}`;
  const title = isPage(path) ? titleOf(path) : null;
  if (title === null || lettersOf(title) === lettersOf(name.replace(/\.[^.]*$/, ''))) return line;
  return `${line}: ${excerpt(visibleName(title), MAX_TITLE)}`;
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
