import { shuffled } from './change.ts';

/** What a new user does first. */
const ALWAYS = ['README.md', 'docs/quickstart.mdx'];
/** How many pages `.ci/run` takes. Every night, all are run. */
const MOST_PAGES = 10;

/**
 * The pages whose commands are run: the first steps, pages that changed, and some of the others: a change of
 * the code can break the commands of any page.
 *
 * @param changed paths of the repository
 * @param all paths of all pages with commands
 * @param seed decides which of several come first
 */
export function pagesFor(changed: readonly string[], all: readonly string[], seed: string): string[] {
  const others = shuffled(all, seed);
  const inTurn = new Set([...ALWAYS, ...others.filter((page) => changed.includes(page)), ...others]);
  return [...inTurn].slice(0, MOST_PAGES).toSorted();
}
