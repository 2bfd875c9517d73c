import GithubSlugger from 'github-slugger';
import type { Nodes } from 'mdast';

export function textOf(node: Nodes): string {
  if ('value' in node && typeof node.value === 'string') return isShown(node) ? node.value : '';
  if (node.type === 'image') return node.alt ?? '';
  if (node.type === 'break') return ' ';
  return 'children' in node ? node.children.map((child) => textOf(child)).join(isBlock(node) ? ' ' : '') : '';
}

/** Gives the headings of one page their ids, in order, as GitHub and Mintlify do. */
export function headingIds(): (text: string) => string {
  const slugs = new GithubSlugger();
  return (text) => slugs.slug(text);
}

/** The attribute of a component, if it is text. */
export function attributeOf(node: Nodes, name: string): string | null {
  if (node.type !== 'mdxJsxFlowElement' && node.type !== 'mdxJsxTextElement') return null;
  const found = node.attributes.find((attribute) => attribute.type === 'mdxJsxAttribute' && attribute.name === name);
  return typeof found?.value === 'string' ? found.value : null;
}

function isShown(node: Nodes): boolean {
  return node.type === 'text' || node.type === 'inlineCode' || node.type === 'code';
}

function isBlock(node: Nodes): boolean {
  return ['tableRow', 'table', 'list', 'listItem', 'blockquote', 'mdxJsxFlowElement', 'root'].includes(node.type);
}
