import type { Nodes, Parents } from 'mdast';

export interface UndefinedLabel {
  label: string;
  start: number;
  end: number;
}

/** `[text][label]` between words, not what looks like `list[0][1]`, a template or a footnote. */
const REFERENCE =
  /(?<![^\s("'*_~>])\[([^[\]\n\\]{2,300})\]\[([\p{L}\p{N}][\p{L}\p{N} ._:/@#+-]{1,100})\](?![[(\p{L}\p{N}:=])/gu;
/** In no alphabet, and in no page. */
const STANDS_FOR_MARKUP = '\uFFFF';

/**
 * Positions in a node's children with a literal `[text][label]` although the label is defined: readers see
 * the brackets. Offsets are those of the source, of the whole reference.
 */
export function undefinedLabels(parent: Parents, source: string): UndefinedLabel[] {
  if (!parent.children.some((child) => child.type === 'text' && child.value.includes(']['))) return [];
  const start = parent.children[0]?.position?.start.offset ?? 0;
  const text = parent.children.map((child) => seen(child, source)).join('');
  const found: UndefinedLabel[] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, shown, label] = match as unknown as [string, string, string];
    if ((!/\p{L}/u.test(shown) && !shown.includes(STANDS_FOR_MARKUP)) || !/\p{L}/u.test(label)) continue;
    found.push({ label, start: start + match.index, end: start + match.index + whole.length });
  }
  return found;
}

/** A text as it is written, and something of the same length for everything else. */
function seen(node: Nodes, source: string): string {
  const [from = 0, to = 0] = [node.position?.start.offset, node.position?.end.offset];
  return node.type === 'text' ? source.slice(from, to) : STANDS_FOR_MARKUP.repeat(to - from);
}
