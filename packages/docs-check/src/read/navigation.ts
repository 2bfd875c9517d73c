import { canonical } from '@docent/base/canonical';
import { slugger } from './heading-slug.ts';
import { pageExtensionOf } from './page-format.ts';
import { respelled } from './spellings.ts';
import { folderOf, type Site } from './site.ts';
import type { NavigationEntry, PageList, SiteConfig } from './site-config.ts';

/** The file that a navigation entry means; null if there is none. */
export function fileOfEntry(site: Pick<Site, 'root' | 'files'>, value: string): string | null {
  const route = value.replace(/^\/+|\/+$/g, '');
  const base = site.root === '' ? route : `${site.root}/${route}`;
  const candidates = [base, respelled(site.files, base)].flatMap((path) =>
    ['', '.mdx', '.md', '/index.mdx', '/index.md'].map((ending) => path + ending),
  );
  return candidates.find((path) => pageExtensionOf(path) !== '' && site.files.has(path)) ?? null;
}

export type Placement =
  | { ok: true; list: PageList; after: NavigationEntry | null }
  /** `groups` are the names that could have been meant. */
  | { ok: false; groups: string[] };

/**
 * Where a new page belongs in the navigation: in the named group, else after its neighbors from the same
 * folder, else with pages of the folder above, else in the last group of the first language or version.
 * @param route the page's path in the site, without extension
 */
export function placeFor(config: SiteConfig, route: string, group: string | undefined): Placement {
  const place = group === undefined ? bestPlace(config, route) : namedPlace(config, route, group);
  if (place) return { ok: true, ...place };
  const names = config.lists.map(({ trail }) => trail.at(-1)).filter((name) => name !== undefined);
  return { ok: false, groups: [...new Set(names)] };
}

interface Place {
  list: PageList;
  after: NavigationEntry | null;
}

function namedPlace(config: SiteConfig, route: string, group: string): Place | null {
  const wanted = canonical(group.trim()).toLowerCase();
  const named = config.lists.filter(({ trail }) =>
    [trail.at(-1) ?? '', trail.join(' > ')].some((name) => canonical(name).toLowerCase() === wanted),
  );
  const inFolder = (list: PageList) => entriesIn(config, list, folderOf(route)).length;
  const list = named.toSorted((a, b) => inFolder(b) - inFolder(a))[0];
  return list ? { list, after: entriesIn(config, list, folderOf(route)).at(-1) ?? null } : null;
}

function bestPlace(config: SiteConfig, route: string): Place | null {
  let folder = folderOf(route);
  do {
    const place = amongNeighbors(config, folder) ?? inGroupNamedLike(config, folder);
    if (place) return place;
    folder = folderOf(folder);
  } while (folder !== '');
  const first = config.lists[0]?.edition;
  const list = config.lists.findLast((candidate) => candidate.edition === first);
  return list ? { list, after: null } : null;
}

function amongNeighbors(config: SiteConfig, folder: string): Place | null {
  const counted = config.lists
    .map((list) => ({ list, entries: entriesIn(config, list, folder) }))
    .filter(({ entries }) => entries.length > 0)
    .toSorted((a, b) => b.entries.length - a.entries.length);
  return counted[0] ? { list: counted[0].list, after: counted[0].entries.at(-1) ?? null } : null;
}

function inGroupNamedLike(config: SiteConfig, folder: string): Place | null {
  const name = folder.slice(folder.lastIndexOf('/') + 1);
  const list = config.lists.find(({ trail }) => name !== '' && slugger()(trail.at(-1) ?? '') === name);
  return list ? { list, after: null } : null;
}

function entriesIn(config: SiteConfig, list: PageList, folder: string): NavigationEntry[] {
  return config.entries.filter(
    (entry) => entry.list === list && folderOf(entry.value.replace(/^\/+|\/+$/g, '')) === folder,
  );
}

/** The navigation entries of a page. */
export function entriesOf(site: Site, path: string): NavigationEntry[] {
  return site.config?.entries.filter(({ value }) => fileOfEntry(site, value) === path) ?? [];
}
