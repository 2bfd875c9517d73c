import { plural } from '@docent/base/plural';
import { describeProblem, placeOf, type Problem } from './problem.ts';

/** From this many positions on, one report covers them all; fewer are reported individually. */
export const MANY = 5;

type Known = Pick<Problem, 'path' | 'message' | 'cause'> & { code: string };

/**
 * The cause of a problem: the target of its link, in any spelling, else its message without positions and
 * numbers. Problems of one code with the same cause are fixed by one change: a missing page, a partial, a
 * template.
 */
export function causeOf({ code, path, message, cause }: Known): string {
  return `${code} ${cause ?? message.replaceAll(path, '').replace(/\d+/g, '0')}`;
}

/** Problems by their cause, in the order of the first of each; those within a cause as they come. */
export function byCause<T extends Known>(problems: readonly T[]): T[][] {
  const groups = new Map<string, T[]>();
  for (const problem of problems) {
    const cause = causeOf(problem);
    const group = groups.get(cause);
    if (group) group.push(problem);
    else groups.set(cause, [problem]);
  }
  return [...groups.values()];
}

/** Like {@link byCause}, but a cause with few problems is split: each of those is reported individually. */
export function reports<T extends Known>(problems: readonly T[]): T[][] {
  return byCause(problems).flatMap((group) => (group.length < MANY ? group.map((problem) => [problem]) : [group]));
}

const MAX_PLACES = 20;

/**
 * Other positions of a problem: ` The same in 2 more places: a.md:3, b.md:4.` Empty without any.
 * @param shown a position
 */
export function elsewhereText<T extends { path: string; line?: number }>(
  others: readonly T[],
  shown: (place: string) => string = (place) => place,
): string {
  if (others.length === 0) return '';
  const places = others.slice(0, MAX_PLACES).map((one) => shown(placeOf(one)));
  const left = others.length - places.length;
  return ` The same problem in ${plural(others.length, 'more place')}: ${places.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
}

/** The first problem of one cause; with a suggestion only if all have the same. */
export function exampleOf<T extends Pick<Problem, 'suggestion'>>(group: readonly T[]): T {
  const { suggestion, ...unsure } = group[0]!;
  return group.every((one) => one.suggestion === suggestion) ? group[0]! : (unsure as T);
}

/** One line for one report: the first problem as compilers write it, and where else it is. */
export function describeProblems(group: readonly Problem[]): string {
  return describeProblem(exampleOf(group)) + elsewhereText(group.slice(1));
}
