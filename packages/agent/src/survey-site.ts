import { problemsToCount } from '@docent/docs-check/checks/known/job-problems';
import { isAboutChecks, type Problem } from '@docent/docs-check/checks/problem';
import { withSuggestions } from '@docent/docs-check/checks/suggestions';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import type { FactsCache } from '@docent/docs-check/read/facts-cache';
import { isBelow, isPartial } from '@docent/docs-check/read/site';
import type { SitePlace } from '@docent/docs-check/read/find-site';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import { checkedFiles } from './checked-files.ts';
import { LINK_PROBLEMS } from './builtin/fix-links.ts';

export interface SurveyAt extends SitePlace {
  snapshotPath: string;
  /** Milliseconds for reading pages. The checks take a fraction of it on top. */
  readMs: number;
}

/** The docs checks' results for a site as it is. */
export interface SiteSurvey {
  pages: number;
  /** Without a description in their front matter. */
  pagesWithoutDescription: number;
  /** Problems by kind, most severe, then most frequent first, each with an example. */
  problems: { code: string; severity: Problem['severity']; count: number; example: SurveyExample }[];
  /** Broken links that have one clear target, and the first of them; null if there are none. */
  fixable: { count: number; path: string; target: string } | null;
  /** Addresses of pages that old addresses can be redirected to. Empty for a site without redirects. */
  redirectTargets: string[];
}

export interface SurveyExample {
  path: string;
  line: number;
  message: string;
}

/** As many pages as can be read while a person waits. */
const MAX_PAGES = 5_000;
const MAX_MESSAGE = 300;
/** If there are more pages, none are listed: whether a name is unique would be unknown. */
const MAX_TARGETS = 1_000;
const ORDER = { error: 0, warning: 1, notice: 2 };

/** Checks the docs in a commit as far as that goes in the time; null if they are too many. */
export function surveySite({ snapshotPath, readMs, ...place }: SurveyAt, cache: FactsCache): SiteSurvey | null {
  const until = performance.now() + readMs;
  const policy = { docsDir: place.docsDir, maxFiles: 0, maxFileBytes: 0, maxTotalBytes: 0 };
  const docs = new DocsSite(checkedFiles(new Workspace(openSnapshot(snapshotPath), [], policy)), place, cache);
  if (docs.site.pages.length > MAX_PAGES) return null;
  let pages = 0;
  let pagesWithoutDescription = 0;
  for (const { facts } of docs.pages()) {
    if (performance.now() > until) return null;
    pages += 1;
    if (!facts.frontMatter?.fields.description) pagesWithoutDescription += 1;
  }
  const kinds = new Map<string, SiteSurvey['problems'][number]>();
  const found = problemsToCount(docs);
  for (const { code, severity, path, line, message } of found) {
    if (isAboutChecks({ code })) continue;
    const kind = kinds.get(code);
    if (kind) kind.count += 1;
    else kinds.set(code, { code, severity, count: 1, example: { path, line, message: message.slice(0, MAX_MESSAGE) } });
  }
  const problems = [...kinds.values()].toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity] || b.count - a.count);
  return {
    pages,
    pagesWithoutDescription,
    problems,
    fixable: fixableIn(docs, found),
    redirectTargets: redirectTargetsIn(docs),
  };
}

function fixableIn(docs: DocsSite, problems: readonly Problem[]): SiteSurvey['fixable'] {
  // On a site whose kind is a guess, links are not fixed.
  if (docs.site.doubt !== null) return null;
  const broken = problems.filter(({ code, path }) => LINK_PROBLEMS.has(code) && isBelow(path, docs.docsDir));
  const clear = withSuggestions(docs, broken).filter(({ suggestion }) => suggestion !== undefined);
  const [first] = clear;
  return first ? { count: clear.length, path: first.path, target: (first.target ?? '').slice(0, MAX_MESSAGE) } : null;
}

function redirectTargetsIn({ site, resolver }: DocsSite): string[] {
  if (!site.config || site.config.problems.length > 0) return [];
  const pages = site.pages.filter((path) => !isPartial(site, path));
  return pages.length > MAX_TARGETS ? [] : pages.flatMap((path) => resolver.addressOf(path) ?? []);
}
