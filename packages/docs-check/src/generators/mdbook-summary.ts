import type { Nodes, Root } from 'mdast';
import type { Place } from '../config/static-value.ts';
import { parseMarkdown } from '../read/markdown-tree.ts';
import { NotRead } from '../read/parse-work.ts';

export interface Chapter {
  /** As it is written, from the folder of `SUMMARY.md`. */
  value: string;
  at: Place;
}

/**
 * The chapters in `SUMMARY.md` (https://rust-lang.github.io/mdBook/format/summary.html), in order; null if it
 * cannot be parsed. Drafts have no file. The first link of a list item counts.
 */
export function readSummary(path: string, text: string): Chapter[] | null {
  let root: Root;
  try {
    ({ root } = parseMarkdown(text, 'markdown'));
  } catch (thrown) {
    if (thrown instanceof NotRead) return null;
    throw thrown;
  }
  const definitions = new Map<string, Extract<Nodes, { type: 'definition' }>>();
  for (const node of root.children) if (node.type === 'definition') definitions.set(node.identifier, node);
  const chapters: Chapter[] = [];
  const waiting: Nodes[] = [root];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    if (node.type === 'heading') continue;
    const link = node.type === 'linkReference' ? definitions.get(node.identifier) : node.type === 'link' ? node : null;
    const destination = link?.data?.destination;
    if (link && destination && link.url !== '' && !/^[a-z][a-z\d+.-]+:/i.test(link.url)) {
      const [start, end] = destination;
      chapters.push({ value: link.url, at: { path, start, end } });
    }
    if (link || !('children' in node)) continue;
    const isItem = node.type === 'listItem';
    const children = isItem ? node.children.map((child) => withFirstLink(child)) : node.children;
    for (let i = children.length - 1; i >= 0; i--) waiting.push(children[i]!);
  }
  return chapters;
}

function withFirstLink(node: Nodes): Nodes {
  if (node.type !== 'paragraph') return node;
  const first = node.children.find(({ type }) => type === 'link' || type === 'linkReference');
  return { ...node, children: first ? [first] : [] };
}
