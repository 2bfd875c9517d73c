import type { Nodes } from 'mdast';

/** The text from which most generators make a heading's id: without markup and images. */
export function plainText(node: Nodes): string {
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

/**
 * As GitHub reads it: an image has no text, but the space beside it counts; `!` keeps that space and is in no
 * id.
 */
export function githubText(node: Nodes): string {
  if (node.type === 'image' || node.type === 'imageReference') return '!';
  if (node.type === 'text' || node.type === 'inlineCode') return node.value;
  return 'children' in node ? node.children.map(githubText).join('') : '';
}

/** As VitePress reads it: `&amp;` stays as written. @param source the page's text */
export function sourceText(node: Nodes, source: string): string {
  if (node.type === 'text' && node.position) {
    return source.slice(node.position.start.offset, node.position.end.offset);
  }
  if (node.type === 'inlineCode') return node.value;
  return 'children' in node ? node.children.map((child) => sourceText(child, source)).join('') : '';
}

/**
 * As in `mdast-util-to-string`, which Docusaurus uses: includes alternative texts and expressions, but no
 * HTML.
 */
export function wholeText(node: Nodes): string {
  if (node.type === 'html') return '';
  if (node.type === 'image') return node.alt ?? '';
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(wholeText).join('') : '';
}

/** The same since Docusaurus 3, where `:name` is a directive without a text. */
export function directiveText(node: Nodes): string {
  if (node.type === 'text') return node.value.replace(/(?<!:):[a-z][\w-]*(?![\w:-])/gi, '');
  if ('children' in node) return node.children.map(directiveText).join('');
  return wholeText(node);
}
