import { diffArrays } from 'diff';
import type { PageNode } from './parse.ts';

const CONTAINERS = new Set(['root', 'list', 'listItem', 'blockquote', 'mdxJsxFlowElement', 'footnoteDefinition']);
/** Deeper blocks are not compared. */
const MAX_DEPTH = 50;

interface Block {
  node: PageNode;
  source: string;
}

/**
 * The blocks of two versions of a page that the other one does not have. For a component, that is its tag
 * without its content.
 */
export function changedBlocks(
  before: { tree: PageNode; text: string } | null,
  after: { tree: PageNode; text: string } | null,
): Set<PageNode> {
  const [olds, news] = [before ? blocksOf(before) : [], after ? blocksOf(after) : []];
  const changed = new Set<PageNode>();
  const parts = diffArrays(olds, news, { comparator: (a, b) => a.source === b.source, maxEditLength: 2_000 });
  if (!parts) return changed;
  for (const { added, removed, value } of parts) if (added || removed) for (const { node } of value) changed.add(node);
  return changed;
}

function blocksOf({ tree, text }: { tree: PageNode; text: string }): Block[] {
  const blocks: Block[] = [];
  const walk = (node: PageNode, depth: number): void => {
    if (node.type === 'mdxJsxFlowElement')
      blocks.push({ node, source: `<${node.name ?? ''} ${JSON.stringify(node.attributes, withoutPlaces)}` });
    if (CONTAINERS.has(node.type) && depth < MAX_DEPTH) {
      for (const child of node.children ?? []) walk(child, depth + 1);
      return;
    }
    const { start, end } = node.position ?? {};
    blocks.push({ node, source: `${node.type} ${text.slice(start?.offset, end?.offset)}` });
  };
  walk(tree, 0);
  return blocks;
}

function withoutPlaces(key: string, value: unknown): unknown {
  return key === 'position' || key === 'data' ? undefined : value;
}
