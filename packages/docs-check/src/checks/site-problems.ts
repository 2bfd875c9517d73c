import { join } from 'node:path/posix';
import type { DocsSite } from '../read/docs-site.ts';
import { checkDocs, sorted, type KnownPage } from './check-docs.ts';
import { introducedProblems, type Key, type Likeness } from './introduced-problems.ts';
import { lostParts } from './lost-parts.ts';
import { isAboutChecks, subjectOf, type Problem } from './problem.ts';
import { NOTHING_ASKED, type AskedRules } from './style/asked-rules.ts';
import { pathAfter, renamedPages } from './renamed-pages.ts';

/** Where these are, further problems are not seen. */
const UNREAD: ReadonlySet<Problem['code']> = new Set(['page-syntax', 'front-matter', 'config-invalid', 'not-read']);
const LEADS_NOWHERE: ReadonlySet<Problem['code']> = new Set(['missing-page', 'missing-file', 'missing-image']);

export interface SiteProblems {
  /** Those of the base. */
  before: Problem[];
  now: Problem[];
  /** Some of {@link SiteProblems.now}. */
  introduced: Problem[];
  /** Pages that were renamed, old paths to new ones. */
  renames: ReadonlyMap<string, string>;
}

/** Problems that pages have by themselves, as of `checkDocs`. */
export interface KnownProblems {
  now: Map<string, KnownPage>;
  before: Map<string, KnownPage>;
}

/**
 * All problems of a site as it is now, and those of them that the change from `base` introduced. A problem is
 * the same as one of the base if it is of the same kind on the same page, wherever that is now, and is about
 * the same thing: a link as it is written, or where it leads, wherever that is now. Lines, and the words of
 * messages, tell nothing.
 * @param asked rules that are off as a rule, and are looked for too
 */
export function siteProblems(
  docs: DocsSite,
  base: DocsSite,
  asked: AskedRules = NOTHING_ASKED,
  known?: KnownProblems,
): SiteProblems {
  const renames = renamedPages(base, docs);
  const now = sorted([...checkDocs(docs, base, asked, known?.now), ...lostParts(docs, base, renames)]);
  const before = checkDocs(base, undefined, asked, known?.before);
  const unread = new Set(before.filter(({ code }) => UNREAD.has(code)).map(({ path }) => path));
  const wasUnseen = unseenIn(base, unread, docs, new Map([...renames].map(([from, to]) => [to, from])));
  const isGone = (path: string) => !docs.site.files.has(path) && !renames.has(path);
  const likenesses = likenessesOf(new Side(base, pathAfter(renames, docs)), new Side(docs, (path) => path), isGone);
  const introduced = introducedProblems(before, now, likenesses);
  const isNew = (problem: Problem) => !isAboutChecks(problem) && !wasUnseen(problem);
  return { before, now, introduced: introduced.filter(isNew), renames };
}

/** Surest first. */
function likenessesOf(before: Side, now: Side, isGone: (path: string) => boolean): Likeness[] {
  const ofGone =
    (key: Key): Key =>
    (problem) =>
      isGone(problem.path) ? key(problem) : null;
  return [
    { before: before.written, now: now.written },
    { before: before.ending, now: now.ending },
    // A link that led nowhere, and leads to a page now, though not to its anchor: it never worked.
    {
      before: (problem) => (LEADS_NOWHERE.has(problem.code) ? before.link(problem) : null),
      now: (problem) => (problem.code === 'missing-anchor' ? now.link(problem) : null),
    },
    // The text of a page that went away may have become a part of others.
    { before: ofGone(before.writtenAnywhere), now: now.writtenAnywhere },
    { before: ofGone(before.endingAnywhere), now: now.endingAnywhere },
  ];
}

/**
 * What the problems of a site, before or after a change, are known by. Paths in it are those after the
 * change.
 */
class Side {
  readonly #docs: DocsSite;
  readonly #pathNow: (path: string) => string;

  constructor(docs: DocsSite, pathNow: (path: string) => string) {
    this.#docs = docs;
    this.#pathNow = pathNow;
  }

  /** By the page, and by what it has there. */
  readonly written: Key = (problem) => `${this.#place(problem.path)}\n${this.writtenAnywhere(problem)}`;

  /** By the page, and by where the link leads. Null for what is no link. */
  readonly ending: Key = (problem) => {
    const ending = this.endingAnywhere(problem);
    return ending && `${this.#place(problem.path)}\n${ending}`;
  };

  readonly link: Key = ({ path, target }) => `${this.#place(path)}\n${target}`;

  readonly writtenAnywhere = (problem: Problem): string => `${problem.code}\n${subjectOf(problem)}`;

  readonly endingAnywhere: Key = (problem) => {
    const end = endOf(this.#docs, problem);
    return end && `${problem.code}\n${this.#pathNow(end.path)}#${end.hash}`;
  };

  /** Of the files that configure a site, it does not matter in which an entry stands. */
  #place(path: string): string {
    const { configPath, config, generator } = this.#docs.site;
    const isConfiguration =
      path === configPath || config?.sources.some((source) => source.path === path) || generator?.texts.has(path);
    return isConfiguration ? '' : this.#pathNow(path);
  }
}

/**
 * Where a broken link or entry leads: the page whose anchor is missing, or the path where nothing is. Null
 * for what is no link.
 */
function endOf(docs: DocsSite, problem: Problem): { path: string; hash: string } | null {
  const { code, path, target, line, column } = problem;
  if (target === undefined) return null;
  if (code === 'navigation-missing-page') {
    return docs.site.config && { path: join(docs.site.root, target.replace(/^\/+/, '')), hash: '' };
  }
  const links = docs.facts(path)?.links ?? [];
  const link = links.find((one) => one.target === target && one.line === line && one.column === column);
  const resolved = docs.resolver.resolve(path, target, link);
  if (resolved.kind === 'missing') return { path: resolved.wanted, hash: '' };
  const leadsToPage = resolved.kind === 'file' && code === 'missing-anchor';
  return leadsToPage ? { path: resolved.path, hash: resolved.hash ?? '' } : null;
}

/**
 * Tells problems that were there before, where no one could see them: in what could not be read, or links
 * into a page that could not.
 * @param unread files of the base that could not be read
 * @param oldPaths of pages that were renamed
 */
function unseenIn(
  base: DocsSite,
  unread: ReadonlySet<string>,
  docs: DocsSite,
  oldPaths: ReadonlyMap<string, string>,
): (problem: Problem) => boolean {
  return (problem) => {
    const { code, path, target } = problem;
    if (target === undefined || unread.size === 0) return false;
    const place = oldPaths.get(path) ?? path;
    if (unread.has(place)) return base.readText(place)?.includes(target) ?? true;
    const end = code === 'missing-anchor' ? endOf(docs, problem) : null;
    if (end === null || !unread.has(oldPaths.get(end.path) ?? end.path)) return false;
    return base.facts(place)?.links.some((link) => link.target === target) ?? false;
  };
}
