import type { DocsSite } from '@docent/docs-check/read/docs-site';
import { isPartial } from '@docent/docs-check/read/site';

/** A changed page, and where readers find it. */
export interface PageAddresses {
  /** In the repository. */
  path: string;
  /** Where it is now, or was before it was deleted; then the addresses of pages that were moved to it. */
  addresses: string[];
}

/** Of one change. */
const MAX_PAGES = 500;
/** Deleted pages that are compared with added ones, and the other way around. */
const MAX_COMPARED = 50;
/** As git finds renames. */
const LEAST_COMMON = 0.5;

/**
 * The pages among changed files, with their addresses. A deleted page counts to the page to which its address
 * redirects; without a redirect, to an added page that has at least half of its lines.
 */
export function pageAddresses(before: DocsSite, after: DocsSite, changed: readonly string[]): PageAddresses[] {
  const was = pagesOf(before);
  const is = pagesOf(after);
  const pages = new Map<string, Set<string>>();
  const add = (path: string, addresses: readonly (string | null)[]) => {
    const known = pages.get(path) ?? new Set();
    for (const address of addresses) if (address !== null) known.add(address);
    if (known.size > 0) pages.set(path, known);
  };
  const addressBefore = (path: string) => (was.has(path) ? before.resolver.addressOf(path) : null);
  const addressNow = (path: string) => after.resolver.addressOf(path);
  for (const path of changed) if (is.has(path)) add(path, [addressNow(path), addressBefore(path)]);
  const gone = changed.filter((path) => was.has(path) && !is.has(path));
  const added = changed.filter((path) => is.has(path) && !was.has(path));
  const isMove = movesIn(before, after, added);
  for (const [i, path] of gone.entries()) {
    const address = addressBefore(path);
    if (address === null) continue;
    const end = after.resolver.endOfRedirect(address)?.path ?? (i < MAX_COMPARED ? isMove(path) : null);
    if (end !== null && is.has(end)) add(end, [addressNow(end), address]);
    else add(path, [address]);
  }
  return [...pages].slice(0, MAX_PAGES).map(([path, addresses]) => ({ path, addresses: [...addresses] }));
}

function pagesOf({ site }: DocsSite): ReadonlySet<string> {
  return new Set(site.pages.filter((path) => !isPartial(site, path)));
}

/** Finds the added page that a deleted one became; null for none. */
function movesIn(before: DocsSite, after: DocsSite, added: readonly string[]): (path: string) => string | null {
  const candidates = added.slice(0, MAX_COMPARED).map((path) => ({ path, lines: linesOf(after.readText(path)) }));
  return (gone) => {
    const lines = linesOf(before.readText(gone));
    const shares = candidates.map((candidate) => ({ ...candidate, share: commonShare(lines, candidate.lines) }));
    const [best] = shares.toSorted((a, b) => b.share - a.share);
    return best && best.share >= LEAST_COMMON ? best.path : null;
  };
}

const linesOf = (text: string | null): string[] => (text ?? '').split('\n').filter((line) => line.trim() !== '');

/** Of the longer page's lines, how many the other one has, too: 0 to 1. */
function commonShare(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of left) counts.set(line, (counts.get(line) ?? 0) + 1);
  let common = 0;
  for (const line of right) {
    const count = counts.get(line) ?? 0;
    if (count > 0) common += 1;
    counts.set(line, count - 1);
  }
  return common / Math.max(left.length, right.length, 1);
}
