import { describeProblem, type Problem } from './problem.ts';

/** So many places have one report between them; fewer are each told. */
export const MANY = 5;

type Known = Pick<Problem, 'path' | 'message' | 'cause'> & { code: string };

/**
 * What a problem comes from: where its link leads, however that is written, else its words, without places and numbers. Problems of one
 * code with the same cause are repaired by one change: a page that is missing, a partial, a template.
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

/** One line for one report: the first problem as compilers write it, and where else it is. */
export function describeProblems(group: readonly Problem[]): string {
  const [first, ...others] = group;
  const { suggestion, ...unsure } = first!;
  const line = describeProblem(others.every((one) => one.suggestion === suggestion) ? first! : unsure);
  if (others.length === 0) return line;
  const places = others.slice(0, MAX_PLACES).map(({ path, line: at }) => `${path}:${at}`);
  const left = others.length - places.length;
  return `${line} The same in ${others.length} more places: ${places.join(', ')}${left > 0 ? ` and ${left} more` : ''}.`;
}
