import { basename } from 'node:path/posix';
import type { DocsSite } from '../read/docs-site.ts';
import { folderOf, routeOf } from '../read/site.ts';

/** The share of the longer page's characters in common lines: git's own threshold. */
const LEAST_SHARED = 0.5;
/** A line on this many new pages is not evidence of where a page went. */
const MAX_PAGES_OF_LINE = 50;

/**
 * The new paths of pages that left their path in `base`: old paths to new ones. A page is recognized, most
 * reliably first, by its whole content, its kept lines, its name or its title. Each new page replaces one old
 * page at most.
 */
export function renamedPages(base: DocsSite, docs: DocsSite): Map<string, string> {
  const gone = new Set(base.site.pages.filter((path) => !docs.site.files.has(path)));
  const fresh = new Set(docs.site.pages.filter((path) => !base.site.files.has(path)));
  const renames = new Map<string, string>();
  const pair = (from: string, to: string | undefined) => {
    if (to === undefined || !gone.has(from) || !fresh.has(to)) return;
    gone.delete(from);
    fresh.delete(to);
    renames.set(from, to);
  };
  if (gone.size === 0 || fresh.size === 0) return renames;
  const byContent = grouped(fresh, (path) => docs.blobKey(path));
  for (const from of gone) pair(from, likeliest(from, byContent.get(base.blobKey(from)), fresh));
  for (const { from, to } of byLines(base, docs, gone, fresh)) pair(from, to);
  const byName = grouped(fresh, (path) => nameOf(docs, path));
  for (const from of gone) pair(from, onlyOne(byName.get(nameOf(base, from)), fresh));
  const byTitle = grouped(fresh, (path) => docs.facts(path)?.title ?? '');
  for (const from of gone) {
    const title = base.facts(from)?.title ?? '';
    if (title !== '') pair(from, onlyOne(byTitle.get(title), fresh));
  }
  return renames;
}

/** A path after the renames: of a renamed page, or of a missing one in a folder that moved with its pages. */
export function pathAfter(renames: ReadonlyMap<string, string>, { site }: DocsSite): (path: string) => string {
  const folders = new Map<string, string>();
  for (const [from, to] of renames) {
    let [old, now] = [from, to];
    while (old !== '' && basename(old) === basename(now)) {
      [old, now] = [folderOf(old), folderOf(now)];
      if (old !== '' && !folders.has(old) && !site.folders.has(old)) folders.set(old, now);
    }
  }
  return (path) => {
    const renamed = renames.get(path);
    if (renamed !== undefined || folders.size === 0) return renamed ?? path;
    for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) {
      const now = folders.get(folder);
      if (now !== undefined) return now === '' ? path.slice(folder.length + 1) : now + path.slice(folder.length);
    }
    return path;
  };
}

/** Pairs of pages with enough in common, those with most first. */
function byLines(base: DocsSite, docs: DocsSite, gone: ReadonlySet<string>, fresh: ReadonlySet<string>) {
  const pagesOf = new Map<string, string[]>();
  const sizes = new Map<string, number>();
  for (const path of fresh) {
    const lines = linesOf(docs.readText(path));
    sizes.set(path, sizeOf(lines));
    for (const line of lines) {
      const pages = pagesOf.get(line);
      if (pages) pages.push(path);
      else pagesOf.set(line, [path]);
    }
  }
  const pairs: { from: string; to: string; share: number }[] = [];
  for (const from of gone) {
    const lines = linesOf(base.readText(from));
    const shared = new Map<string, number>();
    for (const line of lines) {
      const pages = pagesOf.get(line) ?? [];
      if (pages.length > MAX_PAGES_OF_LINE) continue;
      for (const to of pages) shared.set(to, (shared.get(to) ?? 0) + line.length);
    }
    for (const [to, characters] of shared) {
      const share = characters / Math.max(sizeOf(lines), sizes.get(to) ?? 0);
      if (share >= LEAST_SHARED) pairs.push({ from, to, share });
    }
  }
  return pairs.toSorted((a, b) => b.share - a.share);
}

function linesOf(text: string | null): Set<string> {
  return new Set((text ?? '').split('\n').flatMap((line) => line.trim() || []));
}

function sizeOf(lines: ReadonlySet<string>): number {
  let size = 0;
  for (const line of lines) size += line.length;
  return size;
}

function nameOf({ site }: DocsSite, path: string): string {
  return basename(routeOf(site, path));
}

/** Of pages with the same content, the one that kept its name. */
function likeliest(from: string, pages: readonly string[] = [], free: ReadonlySet<string>): string | undefined {
  const left = pages.filter((path) => free.has(path));
  return left.find((path) => basename(path) === basename(from)) ?? left[0];
}

function onlyOne(pages: readonly string[] = [], free: ReadonlySet<string>): string | undefined {
  const left = pages.filter((path) => free.has(path));
  return left.length === 1 ? left[0] : undefined;
}

function grouped(paths: Iterable<string>, keyOf: (path: string) => string): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const key = keyOf(path);
    const group = groups.get(key);
    if (group) group.push(path);
    else groups.set(key, [path]);
  }
  return groups;
}
