import type { Problem } from './problem.ts';

/** Identifies a problem: equal before and after a change. Null: not identified by this. */
export type Key = (problem: Problem) => string | null;

/** One way to know a problem of the base again. */
export interface Likeness {
  before: Key;
  now: Key;
}

/**
 * The problems that a change introduced: those of `now` that `base` lacks. Each problem of the base matches
 * one: a second broken link is new if there was only one.
 * @param likenesses most reliable first
 */
export function introducedProblems(
  base: readonly Problem[],
  now: readonly Problem[],
  likenesses: readonly Likeness[],
): Problem[] {
  let [old, fresh] = [[...base], [...now]];
  for (const likeness of likenesses) {
    const left = new Map<string, Problem[]>();
    for (const problem of old) {
      const key = likeness.before(problem);
      const same = key === null ? undefined : left.get(key);
      if (same) same.push(problem);
      else if (key !== null) left.set(key, [problem]);
    }
    const found = new Set<Problem>();
    fresh = fresh.filter((problem) => {
      const key = likeness.now(problem);
      const known = key === null ? undefined : left.get(key)?.shift();
      if (known) found.add(known);
      return !known;
    });
    old = old.filter((problem) => !found.has(problem));
  }
  return fresh;
}
