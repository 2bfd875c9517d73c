import { join } from 'node:path/posix';
import type { DocsSite } from '../read/docs-site.ts';
import { checkDocs, sorted, type KnownPage } from './check-docs.ts';
import { introducedProblems, type Key, type Likeness } from './introduced-problems.ts';
import { lostParts } from './lost-parts.ts';
import { isAboutChecks, subjectOf, type Problem } from './problem.ts';
import { NOTHING_ASKED, type AskedRules } from './style/asked-rules.ts';
import { pathAfter, renamedPages } from './renamed-pages.ts';

/** These problems hide further ones. */
const UNREAD: ReadonlySet<Problem['code']> = new Set(['page-syntax', 'front-matter', 'config-invalid', 'not-read']);
const LEADS_NOWHERE: ReadonlySet<Problem['code']> = new Set(['missing-page', 'missing-file', 'missing-image']);

export interface SiteProblems {
  /** Problems of the base. */
  before: Problem[];
  now: Problem[];
  /** Some of {@link SiteProblems.now}. */
  introduced: Problem[];
  /** Pages that were renamed, old paths to new ones. */
  renames: ReadonlyMap<string, string>;
}

/** Pages' own problems, as in `checkDocs`. */
export interface KnownProblems {
  now: Map<string, KnownPage>;
  before: Map<string, KnownPage>;
}

/**
 * All problems of a site now, and those introduced by the change from `base`. A problem equals one of the
 * base if it has the same kind on the same page, even if that moved, and the same subject: a link's text, or
 * its target, even if that moved. Lines and messages do not matter.
 * @param asked rules that are off by default and should be checked
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

/** The identities of a site's problems, before or after a change. Uses paths after the change. */
class Side {
  readonly #docs: DocsSite;
  readonly #pathNow: (path: string) => string;

  constructor(docs: DocsSite, pathNow: (path: string) => string) {
    this.#docs = docs;
    this.#pathNow = pathNow;
  }

  /** By the page and its text there. */
  readonly written: Key = (problem) => `${this.#place(problem.path)}\n${this.writtenAnywhere(problem)}`;

  /** By the page and the link's target. Null for other problems. */
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

  /** In the files of a site's configuration, the file of an entry does not matter. */
  #place(path: string): string {
    const { configPath, config, generator } = this.#docs.site;
    const isConfiguration =
      path === configPath || config?.sources.some((source) => source.path === path) || generator?.texts.has(path);
    return isConfiguration ? '' : this.#pathNow(path);
  }
}

/**
 * The target of a broken link or entry: the page without the anchor, or the missing path. Null for other
 * problems.
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
 * Recognizes problems that existed before but were invisible: in unreadable files, or links into unreadable
 * pages.
 * @param unread files of the base that could not be read
 * @param oldPaths of renamed pages
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
