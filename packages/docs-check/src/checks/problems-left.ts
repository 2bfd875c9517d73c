import type { DocsSite } from '../read/docs-site.ts';
import { introducedProblems, type Key } from './introduced-problems.ts';
import { subjectOf, type Problem } from './problem.ts';

const anywhere: Key = (problem) => `${problem.code}\n${subjectOf(problem)}`;
const onPage: Key = (problem) => `${problem.path}\n${anywhere(problem)}`;

/**
 * The earlier problems that remain: the same on the same page or, if that page is gone, anywhere.
 * @param now all current problems
 * @param fresh the new ones among them: none of these existed earlier
 */
export function problemsLeft(
  earlier: readonly Problem[],
  now: readonly Problem[],
  fresh: readonly Problem[],
  docs: Pick<DocsSite, 'site'>,
): Problem[] {
  if (earlier.length === 0) return [];
  const isFresh = new Set(fresh);
  const old = now.filter((problem) => !isFresh.has(problem));
  const ofGone: Key = (problem) => (docs.site.files.has(problem.path) ? null : anywhere(problem));
  const others = new Set(
    introducedProblems(earlier, old, [
      { before: onPage, now: onPage },
      { before: ofGone, now: anywhere },
    ]),
  );
  return old.filter((problem) => !others.has(problem));
}
