import { basename } from 'node:path/posix';
import { folderOf } from './folder.ts';
import { readDocusaurus } from './generators/docusaurus.ts';
import type { Generator } from './generators/generator.ts';
import { readMkdocs } from './generators/mkdocs.ts';
import { otherGeneratorOf } from './generators/other-generators.ts';
import { readVitepress } from './generators/vitepress.ts';
import { ignoreRules } from './ignore-rules.ts';
import type { PageDialect } from './page-dialect.ts';
import { pageFormatOf, withoutPageExtension } from './page-format.ts';
import { propertyOf, parseJsonSource, stringOf } from './json-source.ts';
import { readSiteConfig, type ConfigKind, type SiteConfig } from './site-config.ts';

export { folderOf } from './folder.ts';

export type GeneratorKind = 'docusaurus' | 'vitepress' | 'mkdocs';
export type SiteKind = ConfigKind | GeneratorKind | 'plain';

/** What site detection needs of the repository. A `Workspace` is one. */
export interface SiteFiles {
  paths(): readonly string[];
  kind(path: string): string | null;
  readText(path: string): string | null;
}

/** The documentation site in a repository, as its files are now. */
export interface Site {
  kind: SiteKind;
  /** Folder that the paths of pages start from, without slashes at its ends; empty for the whole repository. */
  root: string;
  configPath: string | null;
  /** Of Mintlify's sites. */
  config: SiteConfig | null;
  /** Of the other sites that Docent knows. */
  generator: Generator | null;
  /** A site generator that Docent does not know, whose addresses are therefore unknown. */
  otherGenerator: string | null;
  /** Files that are parsed as pages: pages proper, and parts that pages include. Sorted. */
  pages: readonly string[];
  /** All files and all folders of the repository, without those that the site is told to ignore. */
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
  /** Symbolic links and submodules: what they lead to is unknown. */
  closed: ReadonlySet<string>;
  /** Whether git ignores a path: what is missing there may be made by a build. */
  isIgnored: (path: string) => boolean;
}

/** Finds the site: the folder with a known configuration in or above the docs folder, else plain Markdown. */
export function detectSite(files: SiteFiles, docsDir: string): Site {
  const all = files.paths();
  const paths = all.filter((path) => isPlainFile(files.kind(path)));
  const read = (path: string) => files.readText(path);
  const config = findConfig(paths, docsDir, read);
  const closed = new Set(all.filter((path) => !isPlainFile(files.kind(path))));
  const kind: SiteKind = config?.kind ?? 'plain';
  const base = {
    kind,
    configPath: config?.path ?? null,
    config: null,
    generator: null,
    otherGenerator: null,
    folders: foldersOf(paths),
    closed,
    isIgnored: gitIgnored(paths, read),
  };
  if (config && isGeneratorKind(config.kind)) {
    const generator = READERS[config.kind](config.path, read);
    const pages = paths.filter((path) => pageFormatOf(path) && isSitePath(path) && generator.isPage(path));
    return { ...base, generator, root: generator.root, pages, files: new Set(paths) };
  }
  const root = config ? folderOf(config.path) : docsDir;
  const ignored = config ? ignoreRules(read(root === '' ? '.mintignore' : `${root}/.mintignore`) ?? '') : () => false;
  const known = paths.filter((path) => !isBelow(path, root) || !ignored(insideOf({ root }, path)));
  return {
    ...base,
    root,
    config: config ? readSiteConfig(config.path, config.kind as ConfigKind, read) : null,
    otherGenerator: config ? null : otherGeneratorOf(paths, docsDir),
    pages: known.filter((path) => isBelow(path, root) && isSitePage(insideOf({ root }, path))),
    files: new Set(known),
  };
}

const READERS: Record<GeneratorKind, (path: string, read: (path: string) => string | null) => Generator> = {
  docusaurus: readDocusaurus,
  vitepress: readVitepress,
  mkdocs: readMkdocs,
};

function isGeneratorKind(kind: SiteKind): kind is GeneratorKind {
  return kind in READERS;
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

const CONFIGS: readonly (readonly [RegExp, (name: string) => Exclude<SiteKind, 'plain'>])[] = [
  [/(?:^|\/)(?:docs|mint)\.json$/, (path) => basename(path) as ConfigKind],
  [/(?:^|\/)docusaurus\.config\.(?:[cm]?[jt]s)$/, () => 'docusaurus'],
  [/(?:^|\/)\.vitepress\/config(?:\/index)?\.(?:[cm]?[jt]s)$/, () => 'vitepress'],
  [/(?:^|\/)mkdocs\.ya?ml$/, () => 'mkdocs'],
];

/** Sites that are there to be tested or copied. */
const NOT_MEANT =
  /(^|\/)(?:node_modules|tests?|__tests__|e2e|fixtures?|__fixtures__|examples?|templates?|samples?|create-[\w-]+|dist|build)\//;

function findConfig(
  paths: readonly string[],
  docsDir: string,
  read: (path: string) => string | null,
): { path: string; kind: Exclude<SiteKind, 'plain'> } | null {
  const candidates = paths
    .flatMap((path) => {
      const found = CONFIGS.find(([pattern]) => pattern.test(path));
      return found ? [{ path, kind: found[1](path), folder: configFolder(path) }] : [];
    })
    .filter(({ folder }) => folder === docsDir || isBelow(folder, docsDir) || isBelow(docsDir, folder))
    .filter(({ folder }) => !/(^|\/)(?:\.|node_modules\/)/.test(`${folder}/`.slice(docsDir.length)))
    .toSorted(
      (a, b) =>
        Number(isNotMeant(a.folder, docsDir)) - Number(isNotMeant(b.folder, docsDir)) ||
        distance(a.folder, docsDir) - distance(b.folder, docsDir) ||
        (a.path < b.path ? -1 : 1),
    );
  for (const { path, kind } of candidates.slice(0, 20)) {
    const text = read(path);
    if (text !== null && (isGeneratorKind(kind) || looksLikeConfig(path, text, kind as ConfigKind)))
      return { path, kind };
  }
  return null;
}

function isNotMeant(folder: string, docsDir: string): boolean {
  return isBelow(folder, docsDir) && NOT_MEANT.test(`${folder.slice(docsDir === '' ? 0 : docsDir.length + 1)}/`);
}

/** The folder of the site that a configuration is of. */
function configFolder(path: string): string {
  const inside = path.indexOf('.vitepress/');
  return inside === -1 ? folderOf(path) : path.slice(0, Math.max(0, inside - 1));
}

/** The nearest to the docs folder first; going down is preferred to going up. */
function distance(folder: string, docsDir: string): number {
  const steps = depthOf(folder) - depthOf(docsDir);
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

/** A path without the site's root; paths outside of it as they are. */
export function insideOf({ root }: Pick<Site, 'root'>, path: string): string {
  return root !== '' && path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
}

/** How a page is read; null for what is no page. */
export function dialectOf({ generator }: Pick<Site, 'generator'>, path: string): PageDialect | null {
  const format = pageFormatOf(path);
  return format && generator ? generator.dialectOf(path) : format;
}

/** A page's path in the site as the navigation writes it: without the root and the extension. */
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

/** Whether a Markdown file is no page, but speaks to contributors or agents. */
export function isMeta(site: Pick<Site, 'root' | 'kind'>, path: string): boolean {
  const inside = insideOf(site, path);
  return META.test(path) || (site.kind !== 'plain' && META_BESIDE_CONFIG.test(inside));
}

/** Folders and files that are parts of pages, or about the repository, and no pages of a configured site. */
export function isPartial(site: Pick<Site, 'root' | 'kind' | 'generator'>, path: string): boolean {
  if (site.generator) return site.generator.isPart(path);
  const inside = insideOf(site, path);
  return /(^|\/)(snippets|_snippets|partials)\//.test(inside) || /(^|\/)_[^/]*$/.test(inside) || isMeta(site, path);
}
