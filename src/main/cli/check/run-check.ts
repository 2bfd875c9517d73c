import { checkDocs } from '../../../docs-site/checks/check-docs.ts';
import { isAboutChecks, type Problem } from '../../../docs-site/checks/problem.ts';
import { siteProblems } from '../../../docs-site/checks/site-problems.ts';
import { withSuggestions } from '../../../docs-site/checks/suggestions.ts';
import { candidatesInWords, describeSite, type SiteDescription } from '../../../docs-site/read/describe-site.ts';
import { DocsSite } from '../../../docs-site/read/docs-site.ts';
import { FactsCache } from '../../../docs-site/read/facts-cache.ts';
import { PLAIN, type SiteCandidate, type SiteDoubt, type SitePlace } from '../../../docs-site/read/find-site.ts';
import { dialectOf } from '../../../docs-site/read/site.ts';
import { existsSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { CliFailure, EXIT } from '../../failures.ts';
import { BaseFiles } from './base-files.ts';
import { DiskFiles, git } from './disk-files.ts';
import { readAhead } from './read-ahead.ts';

export interface CheckOutcome {
  site: SiteDescription;
  pages: number;
  /** Paths are those in the repository, or below the checked folder where there is none. Sorted; what says how much was checked is last. */
  problems: Problem[];
  /** The commit that was compared with. */
  base: string | null;
}

export interface CheckOptions {
  /** Absolute. */
  folder: string;
  /** The configuration of the site, its folder, or `plain`; relative to the working folder or to the repository. */
  site?: string;
  /** Only problems that are new since this commit's common ancestor with the checkout. */
  changedSince?: string;
  /** A file in which facts of pages are kept from run to run. */
  cacheFile?: string;
  onProgress: (done: number, all: number) => void;
}

/** The folder may be part of several sites: a person has to say which is meant. */
export class SeveralSites extends CliFailure {
  readonly candidates: readonly SiteCandidate[];

  constructor(candidates: readonly SiteCandidate[]) {
    const sentence = `Several sites could be meant: ${candidatesInWords(candidates)}.`;
    super(`${sentence} Say which with --site PATH, the path of its configuration.`, EXIT.usage);
    this.candidates = candidates;
  }
}

/**
 * Checks the docs in a folder of this disk: the same checks as before a job publishes. Changes nothing but the cache file.
 * @throws SeveralSites; CliFailure where what is asked for is not there
 */
export function runCheck(options: CheckOptions): CheckOutcome {
  return checked(begun(options), options);
}

/** As {@link runCheck}, with several processors where there is much to read. */
export async function runCheckInThreads(options: CheckOptions): Promise<CheckOutcome> {
  const begin = begun(options);
  await readAhead(begin.docs, begin.files, begin.cache, options.onProgress);
  return checked(begin, { ...options, onProgress: () => undefined });
}

interface Begun {
  files: DiskFiles;
  cache: FactsCache;
  place: SitePlace;
  docs: DocsSite;
}

function begun({ folder, site, cacheFile }: CheckOptions): Begun {
  const files = new DiskFiles(folder);
  const cache = new FactsCache(Number.MAX_SAFE_INTEGER);
  if (cacheFile !== undefined) cache.load(cacheFile);
  const docsDir = path.relative(files.top, folder).split(path.sep).join('/');
  const place = { docsDir, site: siteInside(files, site) };
  const docs = new DocsSite(files, place, cache);
  mustBeFound(docs.site.doubt, site);
  return { files, cache, place, docs };
}

function checked({ files, cache, place, docs }: Begun, options: CheckOptions): CheckOutcome {
  const { changedSince, cacheFile, onProgress } = options;
  const all = docs.site.pages.length;
  let done = 0;
  for (const page of docs.site.pages) {
    docs.facts(page);
    onProgress(++done, all);
  }
  const commit = changedSince === undefined ? null : commonAncestor(files, changedSince);
  const base = commit === null ? undefined : new DocsSite(new BaseFiles(files, commit), place, cache);
  const counted = base ? introducedIn(docs, base) : checkDocs(docs);
  if (cacheFile !== undefined) {
    cache.save(
      cacheFile,
      docs.site.pages.flatMap((page) => {
        const dialect = dialectOf(docs.site, page);
        return dialect && files.exists(page) ? [{ blobKey: files.blobKey(page), dialect }] : [];
      }),
    );
  }
  // What links mean is a guess then, and what they should say instead would be one too.
  const problems = docs.site.doubt ? counted : withSuggestions(docs, counted, base);
  const [others, limits] = [false, true].map((says) => problems.filter((problem) => isAboutChecks(problem) === says));
  return { site: describeSite(docs.site), pages: all, problems: [...others!, ...limits!], base: commit };
}

/** New problems, and what is not checked, be it new or not. */
function introducedIn(docs: DocsSite, base: DocsSite): Problem[] {
  const { now, introduced } = siteProblems(docs, base);
  return [...introduced, ...now.filter(isAboutChecks)];
}

/** A path as the repository has it: people write it as their shell completes it. */
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

function mustBeFound(doubt: SiteDoubt | null, site: string | undefined): void {
  if (doubt?.reason === 'several') throw new SeveralSites(doubt.candidates);
  if (doubt?.reason !== 'not-found') return;
  const has = candidatesInWords(doubt.candidates, 'and');
  throw new CliFailure(
    `There is no configuration of a site at ${JSON.stringify(site)}. ${has === '' ? 'None was found in the repository' : `The repository has ${has}`}.`,
    EXIT.usage,
  );
}

function commonAncestor(files: DiskFiles, ref: string): string {
  if (!files.isRepository) {
    throw new CliFailure(
      '--changed-since compares with a commit, but this folder is in no git repository.',
      EXIT.usage,
    );
  }
  const resolve = (args: string[]) => git(files.top, args).toString('utf8').trim();
  let commit: string;
  try {
    commit = resolve(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]);
  } catch (thrown) {
    const hint = 'In CI, fetch it first: a shallow checkout has the newest commit only.';
    throw new CliFailure(`There is no commit ${JSON.stringify(ref)} here. ${hint}`, EXIT.usage, { cause: thrown });
  }
  try {
    return resolve(['merge-base', commit, 'HEAD']);
  } catch {
    return commit; // A shallow checkout, or histories without a common commit.
  }
}
