import { basename } from 'node:path/posix';
import { folderOf } from './folder.ts';
import { readDocusaurus } from '../generators/docusaurus.ts';
import type { Generator } from '../generators/generator.ts';
import { hugoFolder } from '../generators/hugo-config.ts';
import { isHugoConfig, readHugo } from '../generators/hugo.ts';
import { mdbookSummaryPath, readMdbook } from '../generators/mdbook.ts';
import { readMkdocs } from '../generators/mkdocs.ts';
import { hasNextraPages, isFumadocs, readFumadocs, readNextra } from '../generators/next-docs.ts';
import { isOtherConfig, otherGeneratorAt, otherGeneratorOf } from '../generators/other-generators.ts';
import { isSphinxConfig, readSphinx } from '../generators/sphinx.ts';
import { isStarlight, readStarlight } from '../generators/starlight.ts';
import { readVitepress } from '../generators/vitepress.ts';
import { parseJsonSource, propertyOf, stringOf } from './json-source.ts';
import { below } from './repository-path.ts';
import type { ConfigKind } from './site-config.ts';

export type GeneratorKind =
  | 'docusaurus'
  | 'vitepress'
  | 'mkdocs'
  | 'mdbook'
  | 'starlight'
  | 'hugo'
  | 'sphinx'
  | 'nextra'
  | 'fumadocs';
export type ConfiguredKind = ConfigKind | GeneratorKind;

/** Identifies the docs. */
export interface SitePlace {
  /** The folder of the docs, without slashes at its ends; empty for the whole repository. */
  docsDir: string;
  /**
   * The chosen site: the path of its configuration, the folder that has it, or {@link PLAIN}. Absent: it is
   * detected.
   */
  site?: string | null | undefined;
}

/** For docs without a site generator, which people read on their code host. */
export const PLAIN = 'plain';

/** The configuration of a site in the repository. */
export interface SiteCandidate {
  path: string;
  kind: ConfiguredKind;
  /** The folder that the site is in. */
  folder: string;
}

/** Why the site generator of the docs is uncertain, and with it the meaning of links. */
export type SiteDoubt =
  /** Several configurations fit. The first one is used if one is needed. */
  | { reason: 'several'; candidates: readonly SiteCandidate[] }
  /** There are sites, but none includes the docs folder. */
  | { reason: 'uncovered'; candidates: readonly SiteCandidate[] }
  | { reason: 'unknown-generator'; name: string; path: string }
  /** The site's configuration is there, but too large or no text. */
  | { reason: 'unread'; path: string }
  /** The path in {@link SitePlace.site} does not exist. */
  | { reason: 'not-found'; asked: string; candidates: readonly SiteCandidate[] };

export interface FoundSite {
  chosen: SiteCandidate | null;
  doubt: SiteDoubt | null;
  /** Other sites of the repository that are less related to the docs folder. */
  others: readonly SiteCandidate[];
}

type Read = (path: string) => string | null;

const CONFIGS: readonly (readonly [RegExp, (name: string) => ConfiguredKind])[] = [
  [/(?:^|\/)(?:docs|mint)\.json$/, (path) => basename(path) as ConfigKind],
  [/(?:^|\/)docusaurus\.config\.(?:[cm]?[jt]s)$/, () => 'docusaurus'],
  [/(?:^|\/)\.vitepress\/config(?:\/index)?\.(?:[cm]?[jt]s)$/, () => 'vitepress'],
  [/(?:^|\/)mkdocs(?:[-._][\w.-]+)?\.ya?ml$/, () => 'mkdocs'],
  [/(?:^|\/)book\.toml$/, () => 'mdbook'],
  [/(?:^|\/)astro\.config\.[cm]?[jt]s$/, () => 'starlight'],
  [/(?:^|\/)conf\.py$/, () => 'sphinx'],
  [/(?:^|\/)next\.config\.[cm]?[jt]s$/, () => 'nextra'],
  [/(?:^|\/)source\.config\.[cm]?[jt]s$/, () => 'fumadocs'],
  [/(?:^|\/)(?:hugo|config)\.(?:toml|ya?ml|json)$/, () => 'hugo'],
];

/** Whether a file of this name is a site's configuration in any folder. */
export function isSiteConfig(name: string): boolean {
  return (CONFIGS.some(([pattern]) => pattern.test(name)) && !/^conf(?:ig)?\./.test(name)) || isOtherConfig(name);
}

/** Sites for tests and templates. */
const NOT_MEANT =
  /(^|\/)(?:node_modules|tests?|__tests__|e2e|fixtures?|__fixtures__|exampleSite|examples?|templates?|samples?|create-[\w-]+|dist|build)\//;

/** The most configurations that are read, because each has to be parsed. */
const MAX_READ = 20;

/** @param paths all files of the repository */
type ReadGenerator = (path: string, read: Read, docsDir?: string, paths?: readonly string[]) => Generator;

export const GENERATORS: Record<GeneratorKind, ReadGenerator> = {
  docusaurus: readDocusaurus,
  vitepress: readVitepress,
  mkdocs: readMkdocs,
  mdbook: readMdbook,
  starlight: readStarlight,
  hugo: readHugo,
  sphinx: readSphinx,
  nextra: readNextra,
  fumadocs: readFumadocs,
};

export function isGeneratorKind(kind: string): kind is GeneratorKind {
  return kind in GENERATORS;
}

/**
 * Finds the docs' site generator, anywhere in the repository: a configuration is often beside the docs folder
 * and points to it (`website/docusaurus.config.js` with its pages in `docs/`).
 * @param paths all files of the repository
 */
export function findSite(paths: readonly string[], { docsDir, site }: SitePlace, read: Read): FoundSite {
  if (site === PLAIN) return { chosen: null, doubt: null, others: [] };
  if (site !== undefined && site !== null) return siteThatIsNamed(site, paths, docsDir, read);
  const all = candidatesIn(paths).filter(({ folder }) => !isHidden(folder, docsDir));
  const ranked = rankedFor(docsDir, all, read);
  const meant = all.filter(({ folder }) => !NOT_MEANT.test(`${folder}/`));
  const [first] = ranked;
  if (!first) {
    const other = otherGeneratorOf(paths, docsDir, read);
    const real = meant.slice(0, MAX_READ).filter((candidate) => isReal(candidate, read));
    const doubt: SiteDoubt | null = other
      ? { reason: 'unknown-generator', ...other }
      : real.length > 0
        ? { reason: 'uncovered', candidates: real }
        : null;
    return { chosen: null, doubt, others: real };
  }
  if (read(first.candidate.path) === null) {
    return { chosen: null, doubt: { reason: 'unread', path: first.candidate.path }, others: [] };
  }
  const equal = ranked.filter(({ rank }) => rank === first.rank).map(({ candidate }) => candidate);
  const several = equal.filter((one, i) => equal.findIndex((other) => isSameSite(one, other)) === i);
  const taken = several.length > 1 ? several : [first.candidate];
  const others = meant.filter((one) => !taken.some((other) => isSameSite(one, other)) && isReal(one, read));
  return {
    chosen: first.candidate,
    doubt: several.length > 1 ? { reason: 'several', candidates: several } : null,
    others: others.slice(0, MAX_READ),
  };
}

function siteThatIsNamed(site: string, paths: readonly string[], docsDir: string, read: Read): FoundSite {
  const wanted = cleanedSite(site);
  const all = candidatesIn(paths);
  const named = all.filter(({ path, folder }) => path === wanted || folder === wanted);
  const [first, ...more] = named.filter((one) => one.path === wanted || isReal(one, read));
  if (first && read(first.path) === null)
    return { chosen: null, doubt: { reason: 'unread', path: first.path }, others: [] };
  if (first) {
    const others = more.filter((other) => !isSameSite(first, other));
    const doubt: SiteDoubt | null = others.length > 0 ? { reason: 'several', candidates: [first, ...others] } : null;
    return { chosen: first, doubt, others: [] };
  }
  const unknown = otherGeneratorAt(paths, wanted, read);
  const real = all
    .filter(({ folder }) => !isHidden(folder, docsDir) && !NOT_MEANT.test(`${folder}/`))
    .slice(0, MAX_READ)
    .filter((candidate) => isReal(candidate, read));
  return {
    chosen: null,
    doubt: unknown
      ? { reason: 'unknown-generator', ...unknown }
      : { reason: 'not-found', asked: site, candidates: real },
    others: real,
  };
}

/** As paths are compared: `.` and `/` are the top of the repository. */
function cleanedSite(site: string): string {
  return site
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.?\/)+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '')
    .replace(/(?:^|\/)\.vitepress$/, '');
}

function candidatesIn(paths: readonly string[]): SiteCandidate[] {
  const all = paths.flatMap((path) => {
    const found = CONFIGS.find(([pattern]) => pattern.test(path));
    return found ? [{ path, kind: found[1](path), folder: configFolder(path) }] : [];
  });
  const hugos = all.some(({ kind }) => kind === 'hugo') ? hugoFolders(paths) : new Set();
  const plainly = new Set(all.filter(({ path }) => MKDOCS.test(path)).map(({ folder }) => folder));
  return all.filter(({ path, kind, folder }) => {
    if (kind === 'hugo') return !PART_OF_HUGO.test(path) && hugos.has(folder);
    if (kind === 'nextra') return hasNextraPages(path, paths);
    return kind !== 'mkdocs' || MKDOCS.test(path) || !plainly.has(folder);
  });
}

/** Configurations of Hugo's themes, and for other environments than a build's. */
const PART_OF_HUGO = /(?:^|\/)(?:(?:themes|_vendor)\/|config\/(?!_default\/)[^/]+\/[^/]+$)/;

/**
 * Folders of sites: those that have pages where Hugo looks for them, or a `hugo.toml` and are not a theme.
 */
function hugoFolders(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  const themes = new Set(paths.filter((path) => /(?:^|\/)theme\.toml$/.test(path)).map(folderOf));
  for (const path of paths) {
    if (/(?:^|\/)hugo\.\w+$/.test(path) && !themes.has(configFolder(path))) found.add(configFolder(path));
    for (const { index } of path.matchAll(/(?<=^|\/)content\//g)) found.add(path.slice(0, Math.max(0, index - 1)));
  }
  return found;
}

const MKDOCS = /(?:^|\/)mkdocs\.ya?ml$/;
/** A part of a configuration, such as `mkdocs-nav.yml`, does not count. */
const MKDOCS_SETTING = /^(?:INHERIT|site_name):/m;

/** The folder of the site that a configuration is of. */
function configFolder(path: string): string {
  const inside = path.indexOf('.vitepress/');
  if (/(?:^|\/)config\/_default\/[^/]+$/.test(path)) return hugoFolder(path);
  return inside === -1 ? folderOf(path) : path.slice(0, Math.max(0, inside - 1));
}

/** In a private folder of a tool, unless the docs are there too. */
function isHidden(folder: string, docsDir: string): boolean {
  const inside = folder === docsDir ? '' : (below(folder, docsDir) ?? folder);
  return /(^|\/)(?:\.|node_modules\/)/.test(`${inside}/`);
}

/** Configurations that are related to the docs folder, the nearest first. */
function rankedFor(
  docsDir: string,
  all: readonly SiteCandidate[],
  read: Read,
): { candidate: SiteCandidate; rank: number }[] {
  // Reading a configuration takes time: the likeliest are read first.
  const byPlace = all.toSorted(
    (a, b) =>
      Number(isNotMeant(a.folder, docsDir)) - Number(isNotMeant(b.folder, docsDir)) ||
      depthOf(a.folder) - depthOf(b.folder) ||
      (a.path < b.path ? -1 : 1),
  );
  const ranked = byPlace.slice(0, 2 * MAX_READ).flatMap((candidate) => {
    const rank = rankOf(candidate, docsDir, read);
    return rank === null ? [] : [{ candidate, rank }];
  });
  const meant = ranked.filter(({ candidate }) => !isNotMeant(candidate.folder, docsDir));
  const found = (meant.length > 0 ? meant : ranked).toSorted(
    (a, b) => a.rank - b.rank || completeness(b.candidate, read) - completeness(a.candidate, read),
  );
  const real: typeof found = [];
  for (const one of found) {
    if (real.length > MAX_READ) break;
    if (isReal(one.candidate, read)) real.push(one);
  }
  return real;
}

/**
 * For several configurations with other names than MkDocs' default: `mkdocs-online.yml` extends
 * `mkdocs-common.yml`, and has the site's address.
 */
function completeness({ path, kind }: SiteCandidate, read: Read): number {
  if (kind !== 'mkdocs' || MKDOCS.test(path)) return 0;
  const text = read(path) ?? '';
  return Number(/^INHERIT:/m.test(text)) + 2 * Number(/^site_url:/m.test(text));
}

/**
 * How near a site is to the docs folder; null if they are unrelated. A site of exactly this folder comes
 * before sites in it, and those before sites that it is a part of.
 */
function rankOf(candidate: SiteCandidate, docsDir: string, read: Read): number | null {
  const { folder } = candidate;
  if (docsDir === '') return depthOf(folder);
  const ranks = [folder === docsDir ? 0 : below(folder, docsDir) === null ? null : 1 + stepsDown(folder, docsDir)];
  if (ranks[0] !== 0) {
    for (const content of contentOf(candidate, read)) {
      if (content === docsDir) ranks.push(0);
      else if (below(content, docsDir) !== null) ranks.push(1 + stepsDown(content, docsDir));
      else if (below(docsDir, content) !== null) ranks.push(1_000 + stepsDown(docsDir, content));
    }
  }
  const known = ranks.filter((rank) => rank !== null);
  return known.length === 0 ? null : Math.min(...known);
}

/** The folders that a site makes pages of. */
function contentOf({ path, kind, folder }: SiteCandidate, read: Read): readonly string[] {
  return isGeneratorKind(kind) ? GENERATORS[kind](path, read).content : [folder];
}

function stepsDown(inner: string, outer: string): number {
  return depthOf(inner) - depthOf(outer);
}

function depthOf(folder: string): number {
  return folder === '' ? 0 : folder.split('/').length;
}

function isNotMeant(folder: string, docsDir: string): boolean {
  if (folder === docsDir || below(docsDir, folder) !== null) return false;
  return NOT_MEANT.test(`${below(folder, docsDir) ?? folder}/`);
}

function isSameSite(a: SiteCandidate, b: SiteCandidate): boolean {
  return a.folder === b.folder && familyOf(a.kind) === familyOf(b.kind);
}

function familyOf(kind: ConfiguredKind): string {
  return isGeneratorKind(kind) ? kind : 'mintlify';
}

function isReal({ path, kind }: SiteCandidate, read: Read): boolean {
  const text = read(path);
  // An unreadable file may be one; it is not ruled out.
  if (kind === 'starlight' && text !== null) return isStarlight(text);
  if (kind === 'nextra' && text !== null) return /\bnextra\b/.test(text);
  if (kind === 'fumadocs' && text !== null) return isFumadocs(path, text, read);
  if (kind === 'sphinx' && text !== null) return isSphinxConfig(path, text, read);
  if (kind === 'hugo' && text !== null) return isHugoConfig(path, text);
  if (kind === 'mdbook' && text !== null) return read(mdbookSummaryPath(path, read)) !== null;
  if (kind === 'mkdocs' && text !== null && !MKDOCS.test(path)) return MKDOCS_SETTING.test(text);
  return text === null || isGeneratorKind(kind) || looksLikeConfig(path, text, kind);
}

/**
 * Other tools have files of this name: it must have a navigation or Mintlify's schema, or be too broken to
 * tell.
 */
function looksLikeConfig(path: string, text: string, kind: ConfigKind): boolean {
  const { root, problem } = parseJsonSource(path, text);
  if (propertyOf(root, 'navigation')) return true;
  if (stringOf(propertyOf(root, '$schema'))?.includes('mintlify')) return true;
  return kind === 'mint.json' || (problem !== null && text.includes('"navigation"'));
}
