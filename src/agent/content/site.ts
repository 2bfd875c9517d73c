import { basename, dirname } from 'node:path/posix';
import { pageFormatOf, withoutPageExtension } from './page-format.ts';
import { propertyOf, parseJsonSource, stringOf } from './json-source.ts';
import { readSiteConfig, type ConfigKind, type SiteConfig } from './site-config.ts';

export type SiteKind = ConfigKind | 'plain';

/** What site detection needs of the repository. A `Workspace` is one. */
export interface SiteFiles {
  paths(): readonly string[];
  kind(path: string): string | null;
  readText(path: string): string | null;
}

/** The documentation site in a repository, as its files are now. */
export interface Site {
  kind: SiteKind;
  /** Folder of the site without slashes at its ends; empty for the whole repository. */
  root: string;
  configPath: string | null;
  config: SiteConfig | null;
  /** Files that are parsed as pages: pages proper, and parts that pages include. Sorted. */
  pages: readonly string[];
  /** All files and all folders of the repository. */
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
}

/** Finds the site: the folder with `docs.json` or `mint.json` in or above the docs folder, else plain Markdown. */
export function detectSite(files: SiteFiles, docsDir: string): Site {
  const paths = files.paths().filter((path) => isPlainFile(files.kind(path)));
  const config = findConfig(paths, docsDir, (path) => files.readText(path));
  const root = config ? folderOf(config.path) : docsDir;
  const folders = new Set<string>();
  for (const path of paths) {
    for (let folder = folderOf(path); folder !== '' && !folders.has(folder); folder = folderOf(folder)) {
      folders.add(folder);
    }
  }
  return {
    kind: config?.kind ?? 'plain',
    root,
    configPath: config?.path ?? null,
    config: config ? readSiteConfig(config.path, config.kind, (path) => files.readText(path)) : null,
    pages: paths.filter((path) => isBelow(path, root) && isSitePage(path.slice(root ? root.length + 1 : 0))),
    files: new Set(paths),
    folders,
  };
}

function isPlainFile(kind: string | null): boolean {
  return kind === 'text' || kind === 'binary';
}

function isSitePage(path: string): boolean {
  return pageFormatOf(path) !== null && !/(^|\/)(\.|node_modules\/)/.test(path);
}

function findConfig(
  paths: readonly string[],
  docsDir: string,
  read: (path: string) => string | null,
): { path: string; kind: ConfigKind } | null {
  const candidates = paths
    .filter((path) => /(^|\/)(docs|mint)\.json$/.test(path) && !/(^|\/)(\.|node_modules\/)/.test(path))
    .filter((path) => isBelow(path, docsDir) || isBelow(`${docsDir}/`, folderOf(path)))
    .toSorted((a, b) => distance(a, docsDir) - distance(b, docsDir) || (a < b ? -1 : 1));
  for (const path of candidates.slice(0, 20)) {
    const text = read(path);
    const kind = basename(path) as ConfigKind;
    if (text !== null && looksLikeConfig(path, text, kind)) return { path, kind };
  }
  return null;
}

/** The nearest to the docs folder first; going down is preferred to going up. */
function distance(path: string, docsDir: string): number {
  const steps = depthOf(folderOf(path)) - depthOf(docsDir);
  return steps >= 0 ? steps : 1_000 - steps;
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

/** Other tools name files so too: it must have a navigation or Mintlify's schema, or be too broken to tell. */
function looksLikeConfig(path: string, text: string, kind: ConfigKind): boolean {
  const { root, problem } = parseJsonSource(path, text);
  if (propertyOf(root, 'navigation')) return true;
  if (stringOf(propertyOf(root, '$schema'))?.includes('mintlify')) return true;
  return kind === 'mint.json' || (problem !== null && text.includes('"navigation"'));
}

export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** The folder of a path; empty at the top. */
export function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

/** A page's path in the site as the navigation writes it: without the root and the extension. */
export function routeOf(site: Pick<Site, 'root'>, path: string): string {
  return withoutPageExtension(site.root === '' ? path : path.slice(site.root.length + 1));
}

/** The address of a page in the site, from `/`; an index page is its folder. */
export function addressOf(site: Pick<Site, 'root'>, path: string): string {
  const route = routeOf(site, path);
  return `/${route.replace(/(^|\/)(index|README)$/i, '')}`;
}

/** Files about the repository rather than of its documentation, at any depth. */
const META = /(^|\/)(LICENSE|CODE_OF_CONDUCT|AGENTS|CLAUDE|GEMINI|SKILL)\.md$/i;
const META_BESIDE_CONFIG = /^(README|CHANGELOG|CONTRIBUTING|SECURITY)\.md$/i;

/** Whether a Markdown file is no page, but speaks to contributors or agents. */
export function isMeta(site: Pick<Site, 'root' | 'kind'>, path: string): boolean {
  const inside = site.root === '' ? path : path.slice(site.root.length + 1);
  return META.test(path) || (site.kind !== 'plain' && META_BESIDE_CONFIG.test(inside));
}

/** Folders and files that are parts of pages, or about the repository, and no pages of a configured site. */
export function isPartial(site: Pick<Site, 'root' | 'kind'>, path: string): boolean {
  const inside = site.root === '' ? path : path.slice(site.root.length + 1);
  return /(^|\/)(snippets|_snippets|partials)\//.test(inside) || /(^|\/)_[^/]*$/.test(inside) || isMeta(site, path);
}
