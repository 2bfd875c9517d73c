import type { Nodes } from 'mdast';

/** The text that most generators make a heading's id of: without markup and without images. */
export function plainText(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

/** As `mdast-util-to-string`, which Docusaurus uses: alternative texts and expressions too, but no HTML. */
export function wholeText(node: Nodes): string {
  if (node.type === 'html') return '';
  if (node.type === 'image') return node.alt ?? '';
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(wholeText).join('') : '';
}
