import { join } from 'node:path/posix';
import {
  findSite,
  GENERATORS,
  isGeneratorKind,
  type ConfiguredKind,
  type SiteCandidate,
  type SiteDoubt,
  type SitePlace,
} from './find-site.ts';
import { folderOf } from './folder.ts';
import type { Generator } from '../generators/generator.ts';
import { canonical, isAscii } from '@docent/base/canonical';
import { ignoreRules } from './ignore-rules.ts';
import type { PageDialect } from './page-dialect.ts';
import { pageFormatOf, withoutPageExtension } from './page-format.ts';
import { readSiteConfig, type ConfigKind, type SiteConfig } from './site-config.ts';

export { folderOf } from './folder.ts';
export type { SitePlace } from './find-site.ts';

export type SiteKind = ConfiguredKind | 'plain';

/** The part of the repository that is needed for site detection. A `Workspace` is one. */
export interface SiteFiles {
  paths(): readonly string[];
  kind(path: string): string | null;
  readText(path: string): string | null;
}

/** The documentation site in a repository, as its files are now. */
export interface Site {
  kind: SiteKind;
  /**
   * Folder that the paths of pages start from, without slashes at its ends; empty for the whole repository.
   */
  root: string;
  configPath: string | null;
  /** For Mintlify sites. */
  config: SiteConfig | null;
  /** For other known sites. */
  generator: Generator | null;
  /** Why the site, and so the meaning of links, is uncertain; null if it is known. */
  doubt: SiteDoubt | null;
  /** Further sites of the repository. */
  others: readonly SiteCandidate[];
  /** Files that are parsed as pages: pages proper, and partials that pages include. Sorted. */
  pages: readonly string[];
  /** All files and folders of the repository, except those that the site ignores. */
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  /** Symbolic links and submodules: their content is unknown. */
  closed: ReadonlySet<string>;
  /** Whether a build may make a missing page or file, because git ignores it. */
  mayBeMade: (path: string) => boolean;
}

/**
 * Finds the site of the docs folder, with its configuration anywhere in the repository; else plain Markdown.
 */
export function detectSite(files: SiteFiles, asked: SitePlace): Site {
  const all = files.paths();
  const place = spelledPlace(all, asked);
  const paths = all.filter((path) => isPlainFile(files.kind(path)));
  const read = (path: string) => files.readText(path);
  const isUnread = (path: string) => isPlainFile(files.kind(path)) && read(path) === null;
  const { chosen, doubt, others } = findSite(paths, place, read);
  const closed = new Set(all.filter((path) => !isPlainFile(files.kind(path))));
  const isIgnored = gitIgnored(paths, read);
  const folders = foldersOf(paths);
  const isMade = (path: string) => ['', '.md', '.mdx'].some((ending) => isIgnored(path + ending));
  const base = {
    kind: chosen?.kind ?? ('plain' as const),
    configPath: chosen?.path ?? null,
    config: null,
    generator: null,
    doubt,
    others,
    folders,
    closed,
    mayBeMade: isMade,
  };
  if (chosen && isGeneratorKind(chosen.kind)) {
    const generator = GENERATORS[chosen.kind](chosen.path, read, place.docsDir, paths);
    const pages = paths.filter((path) => isSitePath(path) && generator.isPage(path));
    const { root, folder } = generator;
    const served = [root, folder].flatMap((top) => SERVED.map((name) => join(top, name)));
    // Hugo builds into one of these names, which git then ignores as a whole.
    const open = served.filter((name) => folders.has(name) && !isIgnored(join(name, 'any')));
    const mayBeMade = (path: string) =>
      isMade(path) || open.some((name) => isIgnored(join(name, insideOf({ root }, path))));
    return { ...base, generator, root, pages, files: new Set(paths), mayBeMade };
  }
  const root = chosen ? folderOf(chosen.path) : place.docsDir;
  const ignored = chosen ? ignoreRules(read(root === '' ? '.mintignore' : `${root}/.mintignore`) ?? '') : () => false;
  const known = paths.filter((path) => !isBelow(path, root) || !ignored(insideOf({ root }, path)));
  return {
    ...base,
    root,
    config: chosen ? readSiteConfig(chosen.path, chosen.kind as ConfigKind, read, isUnread) : null,
    pages: known.filter((path) => isBelow(path, root) && isSitePage(insideOf({ root }, path))),
    files: new Set(known),
  };
}

/** Where generators take the files from that they serve as they are. */
const SERVED = ['public', 'static'];

/** A place with the docs folder in the repository's own Unicode spelling. */
export function spelledPlace<Place extends SitePlace>(paths: readonly string[], place: Place): Place {
  if (isAscii(place.docsDir)) return place;
  const wanted = `${canonical(place.docsDir)}/`;
  const inside = paths.find((path) => canonical(path).startsWith(wanted));
  const depth = place.docsDir.split('/').length;
  return inside === undefined ? place : { ...place, docsDir: inside.split('/').slice(0, depth).join('/') };
}

function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
    }
  }
  return folders;
}

/** By the `.gitignore` files of the repository. */
function gitIgnored(paths: readonly string[], read: (path: string) => string | null): (path: string) => boolean {
  const rules = paths
    .filter((path) => /(^|\/)\.gitignore$/.test(path))
    .slice(0, 100)
    .map((path) => ({ folder: folderOf(path), ignores: ignoreRules(read(path) ?? '') }));
  return (path) =>
    rules.some(({ folder, ignores }) => isBelow(path, folder) && ignores(insideOf({ root: folder }, path)));
}

function isPlainFile(kind: string | null): boolean {
  return kind === 'text' || kind === 'binary';
}

function isSitePath(path: string): boolean {
  return !/(^|\/)node_modules\//.test(path);
}

function isSitePage(path: string): boolean {
  return pageFormatOf(path) !== null && !/(^|\/)(\.|node_modules\/)/.test(path);
}

export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** A path without the site's root; paths outside of it as they are. */
export function insideOf({ root }: Pick<Site, 'root'>, path: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** How a page is read; null for other files. */
export function dialectOf(
  { generator, config, doubt }: Pick<Site, 'generator' | 'config' | 'doubt'>,
  path: string,
): PageDialect | null {
  const format = pageFormatOf(path);
  if (generator) return format || generator.isPage(path) ? generator.dialectOf(path) : null;
  if (format && doubt?.reason === 'unknown-generator' && /^(?:Next|Fumadocs)/.test(doubt.name))
    return format === 'markdown' ? 'nextra-markdown' : 'nextra';
  if (!config) return format;
  return format === 'markdown' ? 'mintlify-markdown' : format && 'mintlify';
}

/** A page's path in the site as in the navigation: without the root and the extension. */
export function routeOf(site: Pick<Site, 'root'>, path: string): string {
  return withoutPageExtension(insideOf(site, path));
}

/** The address of a page in the site, from `/`; an index page is its folder. */
export function addressOf(site: Pick<Site, 'root'>, path: string): string {
  const route = routeOf(site, path);
  return `/${route.replace(/(^|\/)(index|README)$/i, '')}`;
}

/** Files about the repository rather than of its documentation, at any depth. */
const META = /(^|\/)(LICENSE|CODE_OF_CONDUCT|AGENTS|CLAUDE|GEMINI|SKILL)\.md$/i;
const META_BESIDE_CONFIG = /^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/i;

/** Whether a Markdown file is for contributors or agents, and not a page. */
export function isMeta(site: Pick<Site, 'root' | 'kind'>, path: string): boolean {
  const inside = insideOf(site, path);
  return META.test(path) || (site.kind !== 'plain' && META_BESIDE_CONFIG.test(inside));
}

/** Folders and files that are partials, or about the repository, and no pages of a configured site. */
export function isPartial(site: Pick<Site, 'root' | 'kind' | 'generator'>, path: string): boolean {
  if (site.generator) return site.generator.isPartial(path);
  const inside = insideOf(site, path);
  return /(^|\/)(snippets|_snippets|partials)\//.test(inside) || /(^|\/)_[^/]*$/.test(inside) || isMeta(site, path);
}
