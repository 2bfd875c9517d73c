import { readDiff } from '@docent/client';
import type { StoredAddresses } from '../store/jobs/changes-schema.ts';

/**
 * The changed pages of a pull request, from the last check of each push, oldest first. A page that moved
 * twice keeps its earlier addresses.
 */
export function changedAddresses(rounds: readonly (readonly StoredAddresses[])[]): StoredAddresses[] {
  const pages = new Map<string, string[]>();
  for (const { path, addresses } of rounds.flat()) {
    const all = new Set([...addresses, ...(pages.get(path) ?? [])]);
    const [, ...earlier] = addresses;
    for (const [other, known] of pages) {
      const [current = ''] = known;
      if (other === path || !earlier.includes(current)) continue;
      for (const address of known) all.add(address);
      pages.delete(other);
    }
    pages.set(path, [...all]);
  }
  return [...pages].map(([path, addresses]) => ({ path, addresses }));
}

const PAGE = /\.(?:mdx?|markdown)$/i;

/** The pages of an unchecked diff, at the addresses that follow from their names in the docs folder. */
export function addressesInDiff(diff: string, docsDir: string): StoredAddresses[] {
  const isInside = (path: string) => docsDir === '' || path.startsWith(`${docsDir}/`);
  const addressOf = (path: string) => {
    const inside = docsDir === '' ? path : path.slice(docsDir.length + 1);
    return `/${inside.replace(PAGE, '').replace(/(^|\/)(?:index|README)$/i, '')}`;
  };
  return readDiff(diff)
    .files.filter(({ path }) => PAGE.test(path) && isInside(path))
    .map(({ path, oldPath }) => ({
      path,
      addresses: [path, ...(oldPath && isInside(oldPath) ? [oldPath] : [])].map(addressOf),
    }));
}
