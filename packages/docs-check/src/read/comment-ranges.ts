import type { Range } from './page-facts.ts';

const HTML = { open: /<!--/g, close: /-->/g };
const MDX = { open: /\{\s*\/\*/g, close: /\*\/\s*\}/g };

/** Comments in an unparsed text, sorted. Takes time in proportion to the text, whatever it contains. */
export function commentRanges(text: string, mdx: boolean): Range[] {
  const html = rangesBetween(text, HTML);
  if (!mdx) return html;
  return [...html, ...rangesBetween(text, MDX)].toSorted((a, b) => a[0] - b[0]);
}

/** From each opening mark to the next closing one after it. */
function rangesBetween(text: string, { open, close }: { open: RegExp; close: RegExp }): Range[] {
  const ends = [...text.matchAll(close)].map((match): Range => [match.index, match.index + match[0].length]);
  const found: Range[] = [];
  let next = 0;
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(open)) {
    if (index < from) continue;
    while (next < ends.length && ends[next]![0] < index + mark.length) next++;
    const end = ends[next];
    if (!end) break;
    found.push([index, end[1]]);
    from = end[1];
  }
  return found;
}
