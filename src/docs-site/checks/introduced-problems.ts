import type { Problem } from './problem.ts';

/**
 * The problems that a change introduced: those of `now` that `base` does not have, whatever line they moved to. Equal
 * problems of one page are counted. A page that was moved takes its old problems with it.
 * @param isGone tells whether a page of the base is there no more
 */
export function introducedProblems(
  base: readonly Problem[],
  now: readonly Problem[],
  isGone: (path: string) => boolean = () => false,
): Problem[] {
  const left = counted(base.map(keyOf));
  const unmatched = now.filter((problem) => !take(left, keyOf(problem)));
  const ofGonePages = counted(base.filter((problem) => isGone(problem.path)).map(keyWithoutPath));
  return unmatched.filter((problem) => !take(ofGonePages, keyWithoutPath(problem)));
}

function keyWithoutPath({ code, target, message }: Problem): string {
  return `${code}\n${target ?? message}`;
}

function keyOf(problem: Problem): string {
  return `${problem.path}\n${keyWithoutPath(problem)}`;
}

function counted(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function take(counts: Map<string, number>, key: string): boolean {
  const count = counts.get(key) ?? 0;
  if (count > 0) counts.set(key, count - 1);
  return count > 0;
}
