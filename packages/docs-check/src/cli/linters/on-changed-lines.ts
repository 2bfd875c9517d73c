import { isAboutChecks, type Problem } from '../../checks/problem.ts';
import type { DocsSite } from '../../read/docs-site.ts';
import { changedLines } from '../changed-lines.ts';

/** Linters' findings on changed lines. @param renames renamed pages, old paths to new ones */
export function onChangedLines(
  problems: readonly Problem[],
  docs: DocsSite,
  base: DocsSite,
  renames: ReadonlyMap<string, string>,
): Problem[] {
  const oldPaths = new Map([...renames].map(([from, to]) => [to, from]));
  return [...Map.groupBy(problems, (problem) => problem.path)].flatMap(([page, itsProblems]) => {
    const isChanged = changedLines(base.readText(oldPaths.get(page) ?? page), docs.readText(page) ?? '');
    return itsProblems.filter((problem) => isAboutChecks(problem) || isChanged(problem.line));
  });
}
