import type { Heading, Nodes } from 'mdast';
import { plainText } from './heading-text.ts';
import type { Dialect } from './page-dialect.ts';

/** A heading of Markdown, and the id that it gives itself. */
export interface NamedHeading {
  node: Heading;
  own: string | undefined;
}

/** The ids of a page's headings, empty for a heading without one; and other findings on the way. */
export function headingIds(
  page: { root: Nodes; text: string; headings: readonly NamedHeading[]; takenIds: Iterable<string> },
  { slugger, headingText = plainText, idsOf, hasTopId = true, refusesTwice = false }: Dialect,
): { ids: string[]; anchors: Iterable<string>; hasMore: boolean; twice: number[] } {
  const { root, text, headings, takenIds } = page;
  const own = new Map(headings.map((heading) => [heading.node, heading.own]));
  const known = idsOf?.(root, (node) => own.get(node));
  const slug = slugger(takenIds);
  const given = new Set<string>();
  const twice: number[] = [];
  const ids = headings.map(({ node, own }, i) => {
    if (refusesTwice && own !== undefined && given.has(own)) twice.push(i);
    const id = known ? (known.headings.get(node) ?? '') : slug(headingText(node, text).trim(), own);
    given.add(id);
    return !hasTopId && node.depth === 1 ? '' : id;
  });
  return { ids, anchors: known?.anchors ?? [], hasMore: known?.hasMore ?? false, twice };
}
