import type { Heading, Nodes } from 'mdast';
import { blank, blankMark, maskLines, MAX_LINE, unmasked, type MaskedPage } from './masked-page.ts';

/** `:::note[Title]{icon="x"}` and its end: https://starlight.astro.build/components/asides/ */
const DIRECTIVE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(:{3,}.*|::[a-z].*)$/i;
/** Attributes of a directive in a text: `:name[text]{.a href="/b"}`. */
const IN_TEXT = /(:[a-z][\w-]{0,50}(?:\[[^[\]\n]{0,300}\])?)(\{[^{}\n]{0,500}\})/gi;
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
    if (directive !== undefined) return line.slice(0, line.length - directive.length) + blankMark(directive);
    if (line.length > MAX_LINE || !/:[a-z]/i.test(line) || !line.includes('{')) return null;
    return line.replace(IN_TEXT, (_, name: string, attributes: string) => name + blank(attributes));
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
