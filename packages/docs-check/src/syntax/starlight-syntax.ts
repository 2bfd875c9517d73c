import type { Heading, Nodes } from 'mdast';
import { blankMark, maskLines, unmasked, type MaskedPage } from './masked-page.ts';

/** `:::note[Title]{icon="x"}` and its end: https://starlight.astro.build/components/asides/ */
const DIRECTIVE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(:{3,}.*|::[a-z].*)$/i;
/** Of `@astrojs/starlight/components`: they make no ids of their attributes. */
const COMPONENTS = new Set(
  'Aside Badge Card CardGrid Code FileTree Fragment Icon LinkButton LinkCard Steps TabItem Tabs Image Picture'.split(
    ' ',
  ),
);

export function isStarlightComponent(name: string): boolean {
  return COMPONENTS.has(name);
}

/** Starlight's additions to Markdown and MDX: asides. */
export function maskStarlight(text: string): MaskedPage {
  const page = unmasked(text);
  page.text = maskLines(text, (line) => {
    const directive = line.includes('::') ? DIRECTIVE.exec(line)?.[1] : undefined;
    return directive === undefined ? null : line.slice(0, line.length - directive.length) + blankMark(directive);
  });
  return page;
}

/**
 * A heading as read by `rehypeHeadingIds` of @astrojs/markdown-remark: with typographic punctuation, without
 * images and tags.
 */
export function starlightText(heading: Heading): string {
  const textOf = (node: Nodes): string => {
    if (node.type === 'text') return node.value.replace(/(?<!-)--(?!-)/g, '');
    if (node.type === 'inlineCode' || node.type === 'mdxTextExpression') return node.value;
    return 'children' in node ? node.children.map(textOf).join('') : '';
  };
  // Spaces at the ends, as beside a picture, become dashes.
  return textOf(heading).replace(/^\s+|\s+$/g, (blanks) => '-'.repeat(blanks.length));
}
