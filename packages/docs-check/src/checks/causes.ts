import { plural } from '@docent/base/plural';
import { describeProblem, placeOf, type Problem } from './problem.ts';

/** So many places have one report between them; fewer are each told. */
export const MANY = 5;

type Known = Pick<Problem, 'path' | 'message' | 'cause'> & { code: string };

/**
 * What a problem comes from: where its link leads, however that is written, else its words, without places
 * and numbers. Problems of one code with the same cause are repaired by one change: a page that is missing, a
 * partial, a template.
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

/** As {@link byCause}, where a cause with few problems is taken apart: each of those is told for itself. */
export function reports<T extends Known>(problems: readonly T[]): T[][] {
  return byCause(problems).flatMap((group) => (group.length < MANY ? group.map((problem) => [problem]) : [group]));
}

const MAX_PLACES = 20;

/**
 * Where else a problem is: ` The same in 2 more places: a.md:3, b.md:4.` Empty where it is nowhere else.
 * @param shown a place
 */
export function elsewhereInWords<T extends { path: string; line?: number }>(
  others: readonly T[],
  shown: (place: string) => string = (place) => place,
): string {
  if (others.length === 0) return '';
  const places = others.slice(0, MAX_PLACES).map((one) => shown(placeOf(one)));
  const left = others.length - places.length;
  return ` The same problem in ${plural(others.length, 'more place')}: ${places.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
}

/** Of problems of one cause, the first; what it should say only where all should say the same. */
export function exampleOf<T extends Pick<Problem, 'suggestion'>>(group: readonly T[]): T {
  const { suggestion, ...unsure } = group[0]!;
  return group.every((one) => one.suggestion === suggestion) ? group[0]! : (unsure as T);
}

/** One line for one report: the first problem as compilers write it, and where else it is. */
export function describeProblems(group: readonly Problem[]): string {
  return describeProblem(exampleOf(group)) + elsewhereInWords(group.slice(1));
}
