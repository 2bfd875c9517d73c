import type { ChangedPage } from '../contract.ts';
import type { BaseTree } from '@docent/base/files/base-tree';
import { changedPaths } from './diff-trees.ts';

const PAGE = /\.(?:mdx?|markdown)$/i;
/** Characters of one version of a page; longer ones are shown as their diff alone. */
const MAX_PAGE = 256 * 1024;
/** Characters of all of them. */
const MAX_TOTAL = 1024 * 1024;
const MAX_PAGES = 200;

/**
 * The Markdown and MDX pages that differ, by path, as many as the limits allow: what readers see before and
 * after. A page is left out if its text is unknown on one side (a link, binary, or too large), because it
 * would look missing there.
 */
export function changedPages(from: BaseTree, to: BaseTree): ChangedPage[] {
  const pages: ChangedPage[] = [];
  let left = MAX_TOTAL;
  for (const path of changedPaths(from, to)) {
    if (!PAGE.test(path)) continue;
    const [before, after] = [from.readText(path), to.readText(path)];
    if ((from.file(path) && before === null) || (to.file(path) && after === null) || before === after) continue;
    const sizes = [before?.length ?? 0, after?.length ?? 0];
    const size = sizes.reduce((sum, n) => sum + n, 0);
    if (Math.max(...sizes) > MAX_PAGE || size > left) continue;
    left -= size;
    if (pages.push({ path, before, after }) === MAX_PAGES) break;
  }
  return pages;
}
