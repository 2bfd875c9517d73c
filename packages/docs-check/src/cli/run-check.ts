import { checkDocs } from '../checks/check-docs.ts';
import { isAboutChecks, type Problem } from '../checks/problem.ts';
import { introducedProblems } from '../checks/introduced-problems.ts';
import { EXTERNAL_CODES, externalLinks, possibleProblems } from '../checks/external/external-links.ts';
import { entriesOf, readBaseline, type Baseline } from '../checks/known/baseline.ts';
import { readCheckSettings, type CheckSettings } from '../checks/known/check-settings.ts';
import { judge, type Judged, type Suppressed, type Maintenance } from '../checks/known/known-problems.ts';
import { RULES } from '../checks/rules.ts';
import { siteProblems } from '../checks/site-problems.ts';
import { withSuggestions } from '../checks/suggestions.ts';
import { candidatesText, describeSite, type SiteDescription } from '../read/describe-site.ts';
import { DocsSite, type DocsFiles } from '../read/docs-site.ts';
import { PLAIN, type SiteCandidate, type SiteDoubt } from '../read/find-site.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { dialectOf } from '../read/site.ts';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { BaseFiles, commonAncestor } from './base-files.ts';
import { CheckMemory } from './check-memory.ts';
import { choiceAmong, insideOf, type Chosen } from './chosen-files.ts';
import type { DiskFiles } from './disk-files.ts';
import { onChangedLines } from './linters/on-changed-lines.ts';
import { NOT_LINTED, runLinters, type Linted } from './linters/run-linters.ts';
import type { ExternalCounts, ExternalFindings, ExternalOptions } from './external/check-external.ts';
import { oneLine } from './one-line.ts';
import { OverlaidFiles } from './overlaid-files.ts';
import { readAhead } from './read-ahead.ts';

export interface CheckOutcome {
  site: SiteDescription;
  pages: number;
  /**
   * The problems that count. Paths are relative to the repository, or without one to the checked folder.
   * Sorted; reports of skipped checks come last.
   */
  problems: Problem[];
  /** The commit that was compared with. */
  base: string | null;
  /** How many more problems there are, and why they do not count. */
  left: Pick<Judged, 'ignored' | 'known' | 'off'>;
  /** Named files that are not part of the site, and so were not checked. */
  foreign: string[];
  settings: CheckSettings;
  /** The repository's folder, or the checked one. Absolute. */
  top: string;
  /** Problems that would count, were they not ignored by a comment or known by the baseline. */
  suppressed: Suppressed[];
  /** The result for external links; null if not requested. */
  external: ExternalCounts | null;
  /** All problems that a baseline would know. */
  baselined: Problem[];
  docs: DocsSite;
}

export interface CheckOptions {
  /** Absolute. */
  folder: string;
  /**
   * The configuration of the site, its folder, or `plain`; relative to the working folder or to the
   * repository.
   */
  site?: string;
  /** Only problems that are new since this commit's common ancestor with the checkout. */
  changedSince?: string;
  /** Only problems of these files, relative to the working folder. The whole site is read. */
  chosen?: Pick<Chosen, 'files' | 'globs'>;
  /** A page's text that replaces the disk's; only its problems are wanted. */
  stdin?: { path: string; text: string };
  /** Whether problems in the baseline are left out. Default: yes. */
  baseline?: boolean;
  /** Runs the repository's configured linters, which {@link runCheck} cannot. Absent: none. */
  linters?: {
    /** As of `PATH`. */
    searchPath: string;
    onProgress: (news: string) => void;
  };
  /** A file that caches facts of pages between runs. */
  cacheFile?: string;
  /**
   * How to request external links; absent: not at all, whatever the settings. `always`: whatever the
   * settings.
   */
  external?: ExternalOptions & { always?: boolean };
  onProgress: (done: number, all: number) => void;
}

/** The folder may be part of several sites: a person must choose. */
export class SeveralSites extends CliFailure {
  readonly candidates: readonly SiteCandidate[];

  constructor(candidates: readonly SiteCandidate[]) {
    const sentence = `Several sites match: ${candidatesText(candidates)}.`;
    super(`${sentence} Choose one with --site PATH, the path of its configuration.`, EXIT.usage);
    this.candidates = candidates;
  }
}

/**
 * Checks the docs in a folder of this disk: the same checks as before a job publishes. Changes only the cache
 * file.
 * @param memory of an earlier check of the same folder with the same options
 * @throws SeveralSites; CliFailure if something requested is missing, or the repository's settings are
 *   invalid
 */
export function runCheck(options: CheckOptions, memory = new CheckMemory()): CheckOutcome {
  return checked(begun(options, memory), options);
}

/** As {@link runCheck}, with several processors if there is much to read. */
export async function runCheckInThreads(options: CheckOptions, memory = new CheckMemory()): Promise<CheckOutcome> {
  const begin = begun(options, memory);
  await readAhead(begin.docs, begin.disk, memory.cache, options.onProgress);
  const external = await askedOutside(begin, options);
  return checked(
    begin,
    { ...options, onProgress: () => undefined },
    { external, linted: await linted(begin, options) },
  );
}

/** If the check compares with a base, only for changed pages. */
async function linted({ disk, docs, base, settings, named }: Begun, { linters }: CheckOptions): Promise<Linted> {
  if (!linters) return NOT_LINTED;
  const isMeant = (page: string) =>
    pageFormatOf(page) !== null &&
    (!named || named.has(page)) &&
    settings.reports(page) &&
    !(base?.exists(page) && base.blobKey(page) === disk.blobKey(page));
  return runLinters({ docs, top: disk.top, pages: docs.site.pages.filter(isMeant), ...linters });
}

async function askedOutside(
  { docs, base, settings, named }: Begun,
  { external, cacheFile }: CheckOptions,
): Promise<ExternalFindings | null> {
  if (!external || !(external.always || settings.external.always)) return null;
  const { checkExternal } = await import('./external/check-external.ts');
  const isWanted = (path: string) => (!named || named.has(path)) && settings.reports(path);
  return checkExternal(
    { docs, base, settings: settings.external, isWanted },
    { ...external, ...(cacheFile !== undefined && { cacheFile }) },
  );
}

interface Begun {
  memory: CheckMemory;
  /** Whether the memory is empty. */
  isFirst: boolean;
  disk: DiskFiles;
  files: DocsFiles;
  docs: DocsSite;
  /** The commit that is compared with, and the site as it was then. */
  commit: string | null;
  base: DocsSite | undefined;
  settings: CheckSettings;
  /** The files whose problems are wanted; null for all. */
  named: ReadonlySet<string> | null;
}

function begun(
  { folder, site, cacheFile, stdin, changedSince, chosen = NO_CHOICE }: CheckOptions,
  memory: CheckMemory,
): Begun {
  const disk = memory.files(folder);
  const stdinPath = stdin && insideOf(disk.top, stdin.path);
  const files = stdin && stdinPath !== undefined ? new OverlaidFiles(disk, stdinPath, stdin.text) : disk;
  const isFirst = memory.isNew;
  if (cacheFile !== undefined && isFirst) memory.cache.load(cacheFile);
  const docsDir = path.relative(disk.top, folder).split(path.sep).join('/');
  const place = { docsDir, site: siteInside(disk, site) };
  const docs = new DocsSite(files, place, memory.cache, memory.site);
  assertSiteFound(docs.site.doubt, site);
  const settings = validSettings(docs);
  const named = stdinPath === undefined ? choiceAmong(chosen, disk.top, files.paths()) : new Set([stdinPath]);
  const commit = changedSince === undefined ? null : commonAncestor(disk, changedSince);
  const base =
    commit === null
      ? undefined
      : memory.base(commit, () => new DocsSite(new BaseFiles(disk, commit), place, memory.cache));
  return { memory, isFirst, disk, files, docs, commit, base, settings, named };
}

function checked(
  { memory, isFirst, disk, files, docs, commit, base, settings, named }: Begun,
  options: CheckOptions,
  { external = null, linted = NOT_LINTED }: { external?: ExternalFindings | null; linted?: Linted } = {},
): CheckOutcome {
  const { folder, cacheFile, onProgress } = options;
  const { cache } = memory;
  const all = docs.site.pages.length;
  let done = 0;
  for (const page of docs.site.pages) {
    docs.facts(page);
    onProgress(++done, all);
  }
  memory.keep(docs);
  const knownProblems = { now: memory.known, before: commit === null ? new Map() : memory.knownOfBase(commit) };
  const compared = base && siteProblems(docs, base, settings.asked, knownProblems);
  const outside = external?.problems ?? [];
  const found = [
    ...(compared?.now ?? checkDocs(docs, undefined, settings.asked, memory.known)),
    ...outside,
    ...linted.problems,
  ];
  const possible = (one = docs) =>
    one === docs && external ? external.possible : possibleProblems(externalLinks(one));
  if (cacheFile !== undefined && isFirst) {
    cache.save(
      cacheFile,
      docs.site.pages.flatMap((page) => {
        const dialect = dialectOf(docs.site, page);
        return dialect && files.exists(page) ? [{ blobKey: files.blobKey(page), dialect }] : [];
      }),
    );
  }
  if (all === 0 && found.length === 0) throw nothingToCheck(folder);
  // For some pages only, linters' other findings are unknown.
  const ran = compared || named ? NOT_LINTED.ran : linted.ran;
  const judgedBy = (one: DocsSite, itsProblems: readonly Problem[], baseline: Baseline | null) =>
    judge(one, itsProblems, {
      settings,
      baseline: options.baseline === false ? null : baseline,
      linted: ran,
      possible: { codes: EXTERNAL_CODES, problems: () => possible(one) },
    });
  const known = validBaseline(baselineOf(docs, settings));
  const judged = judgedBy(docs, found, known);
  const wanted = (problem: Problem, about = problem.path) => !named || named.has(about) || isAboutChecks(problem);
  // Skipped checks are reported, whether new or not.
  const asked = compared
    ? [
        ...compared.introduced,
        ...compared.now.filter(isAboutChecks),
        ...outside,
        ...onChangedLines(linted.problems, docs, base, compared.renames),
      ]
    : found;
  const counted = asked.flatMap((problem) => judged.counted.get(problem) ?? []);
  const maintenance = judged.maintenance();
  const oldMaintenance =
    base && compared ? judgedBy(base, compared.before, baselineOf(base, settings)).maintenance() : [];
  const fresh = new Set(
    introducedProblems(oldMaintenance, maintenance, [{ before: maintenanceKey, now: maintenanceKey }]),
  );
  const listed = [
    ...counted.filter((problem) => wanted(problem)),
    ...maintenance.filter((one) => fresh.has(one) && wanted(one, one.about)).map(withoutAbout),
  ].toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
  // The meaning of links is a guess then, and so would be any suggestion.
  const problems = docs.site.doubt ? listed : withSuggestions(docs, listed, base);
  const [others, limits] = [false, true].map((says) => problems.filter((one) => isAboutChecks(one) === says));
  const { ignored, off } = judged;
  const pages = new Set(docs.site.pages);
  const foreign = [...(named ?? [])].filter((name) => !pages.has(name) && !isConfiguration(docs, name));
  // Unchecked problems stay in the baseline.
  const entries = known?.entries.filter(({ code }) => EXTERNAL_CODES.some((one) => one === code)) ?? [];
  const ofLinters = (known?.entries ?? []).filter(({ code }) => RULES[code]?.needs === 'linters' && !ran.has(code));
  const kept = entries.length > 0 ? entriesOf(possible(), { entries }, (one) => !docs.exists(one)) : [];
  const baselined = options.baseline === false ? [...judged.counted.values(), ...kept, ...ofLinters] : [];
  return {
    site: describeSite(docs.site),
    pages: all,
    problems: [...others!, ...limits!],
    base: commit,
    left: { ignored, known: judged.known, off },
    foreign,
    settings,
    top: disk.top,
    suppressed: asked
      .flatMap((problem) => judged.suppressed.get(problem) ?? [])
      .filter(({ problem }) => wanted(problem)),
    external: external?.counts ?? null,
    baselined,
    docs,
  };
}

function withoutAbout({ path: file, line, column, code, message, severity, target }: Maintenance): Problem {
  return {
    path: file,
    line,
    ...(column !== undefined && { column }),
    code,
    message,
    severity,
    ...(target !== undefined && { target }),
  };
}

const NO_CHOICE = { files: [], globs: [] };

const maintenanceKey = ({ path: file, code, target, message }: Problem): string =>
  [file, code, target ?? message.replace(/\d+/g, '0')].join('\n');

function nothingToCheck(folder: string): CliFailure {
  return new CliFailure(
    `Nothing to check in ${JSON.stringify(folder)}: it has no pages (.md or .mdx, not ignored by git) ` +
      'and no site configuration. Pass the folder of the docs.',
    EXIT.usage,
  );
}

/** @throws CliFailure with every mistake in them */
function validSettings(docs: DocsSite): CheckSettings {
  const settings = readCheckSettings(docs, docs.docsDir, docs.site.root);
  if (settings.problems.length === 0) return settings;
  const lines = settings.problems.map(({ path: file, line, column, message }) =>
    oneLine(`${file}:${line}:${column ?? 1} ${message}`),
  );
  throw new CliFailure(lines.join('\n'), EXIT.usage);
}

function baselineOf(docs: DocsSite, { baselinePath }: CheckSettings): Baseline | null {
  return docs.exists(baselinePath) ? readBaseline(baselinePath, docs.readText(baselinePath)) : null;
}

/** @throws CliFailure if it cannot be read */
function validBaseline(baseline: Baseline | null): Baseline | null {
  if (baseline === null || baseline.problem === null) return baseline;
  throw new CliFailure(`${oneLine(baseline.path)} cannot be read. ${baseline.problem}`, EXIT.usage);
}

function isConfiguration({ site }: DocsSite, name: string): boolean {
  return (
    name === site.configPath ||
    (site.config?.sources.some((source) => source.path === name) ?? false) ||
    (site.generator?.texts.has(name) ?? false)
  );
}

/** A path in the repository's form: people write paths as their shell completes them. */
function siteInside(files: DiskFiles, site: string | undefined): string | undefined {
  if (site === undefined || site === PLAIN) return site;
  const inside = path
    .relative(realpathSync(files.top), realOf(path.resolve(site)))
    .split(path.sep)
    .join('/');
  const isThere = existsSync(path.resolve(site)) && inside !== '..' && !inside.startsWith('../');
  return isThere ? inside || '.' : site;
}

function realOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

function assertSiteFound(doubt: SiteDoubt | null, site: string | undefined): void {
  if (doubt?.reason === 'several') throw new SeveralSites(doubt.candidates);
  if (doubt?.reason !== 'not-found') return;
  const has = candidatesText(doubt.candidates, 'and');
  throw new CliFailure(
    `No site configuration at ${JSON.stringify(site)}. ${has === '' ? 'None was found in the repository' : `The repository has ${has}`}.`,
    EXIT.usage,
  );
}
