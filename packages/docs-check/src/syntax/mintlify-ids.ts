import type { Heading, Nodes, Parents } from 'mdast';
import type { MdxJsxFlowElement, MdxJsxTextElement } from 'mdast-util-mdx';
import { plainText } from '../read/heading-text.ts';
import {
  cleanId,
  componentSlug,
  countingSlugger,
  distinctIds,
  ownId,
  smartText,
  textSlug,
  titleText,
  withoutQuotes,
} from './mintlify-slug.ts';

type Element = MdxJsxFlowElement | MdxJsxTextElement;

/** Ids of a page that its generator gives by the page as a whole. */
export interface PageIds {
  /** Of Markdown's headings; empty for one without an id. */
  headings: ReadonlyMap<Heading, string>;
  anchors: Iterable<string>;
  /** There may be ids that the page does not show. */
  hasMore: boolean;
}

/** Components of Mintlify that put their `id` nowhere: `COMPONENTS_WITHOUT_ID` of `@mintlify/common`. */
const WITHOUT_ID = new Set(
  'Info Warning Note Tip Check Danger Callout AccordionGroup Card CardGroup Tabs CodeGroup Column Columns CustomCode CustomComponent DynamicCustomComponent Expandable Frame GitHub Github Icon Latex Mermaid Panel Popup Prompt RequestExample ResponseExample SnippetGroup Steps Tile Tooltip Tree FileTree Variation Visibility MDX Badge Color ZoomImage'.split(
    ' ',
  ),
);
const WITH_CLEAN_ID = new Set(['Heading', 'Step', 'Update']);
const PARAMETERS = new Set(['ParamField', 'Param', 'ResponseField']);
/** All others are the site's own: their use of attributes is unknown. */
const OTHER_KNOWN =
  /^(?:Accordion|Tab|CodeBlock|Table|View|OptimizedFrame|OptimizedImage|OptimizedVideo|Snippet|(?:Tree|Tile|Color|FileTree)\..+)$/;
/** Headings in these get no id of the table of contents. */
const EXCLUDING = new Set(['Accordion', 'AccordionGroup', 'Expandable', 'Update', 'Prompt']);
const HEADING_TAG = /^h[1-4]$/;

export function isMintlifyComponent(name: string): boolean {
  return WITHOUT_ID.has(name) || WITH_CLEAN_ID.has(name) || PARAMETERS.has(name) || OTHER_KNOWN.test(name);
}

/** Of `allowedComponents` of `@mintlify/common`: they make no ids that are known here. */
const PROVIDED = /^(?:ApiPlayground|Link|MDXContentController|Fragment|React)$/;

/**
 * Whether Mintlify pages have a component without importing it: `remarkMdxRemoveUnknownJsx` removes any
 * other, with its content.
 * @param name without its members: `Tree` for `Tree.Folder`
 */
export function isProvidedByMintlify(name: string): boolean {
  return isMintlifyComponent(name) || isMintlifyComponent(`${name}.x`) || PROVIDED.test(name);
}

export function takesMintlifyId(name: string): boolean {
  return !WITHOUT_ID.has(name);
}

interface Found {
  node: Heading | Element;
  name: string;
  isExcluded: boolean;
  stepSize: string | undefined;
}

/**
 * Ids as `remarkComponentIds`, `remarkExtractTableOfContents` and `rehypeParamFieldIds` of `@mintlify/common`
 * give them. Straight quotes and dashes become typographic ones in Mintlify's own check of links; headings
 * that have some get both ids.
 */
export function mintlifyIds(root: Nodes, ownIdOf: (heading: Heading) => string | undefined): PageIds {
  const found = flowOf(root);
  const headings = new Map<Heading, string>();
  const anchors = new Set<string>();
  let hasMore = false;
  numberHeadings(found, ownIdOf, headings, anchors);
  for (const [name, slugs] of [
    ['Accordion', componentSlugs],
    ['View', componentSlugs],
    ['Tab', tabSlugs],
  ] as const) {
    const elements = found.filter((entry) => entry.name === name).map(({ node }) => node as Element);
    if (!slugs(elements, anchors)) hasMore = true;
  }
  if (!parameterIds(found, anchors)) hasMore = true;
  return { headings, anchors, hasMore };
}

/** Headings and block elements, in the order of the page; depth first with an explicit stack. */
function flowOf(root: Nodes): Found[] {
  const found: Found[] = [];
  const waiting: { node: Nodes; isFlow: boolean; isExcluded: boolean; stepSize?: string | undefined }[] = [
    { node: root, isFlow: true, isExcluded: false },
  ];
  while (waiting.length > 0) {
    const { node, isFlow, isExcluded, stepSize } = waiting.pop()!;
    const isElement = node.type === 'mdxJsxFlowElement' || node.type === 'mdxJsxTextElement';
    const name = isElement && isFlow ? (node.name ?? '') : '';
    if (node.type === 'heading' || (isElement && name !== '')) found.push({ node, name, isExcluded, stepSize });
    if (!('children' in node)) continue;
    const unravels = node.type === 'paragraph' && standsAlone(node);
    const isTransparent = unravels || (isElement && !node.name);
    const inner = {
      isExcluded: isExcluded || EXCLUDING.has(name),
      stepSize: name === 'Steps' ? textOf(node as Element, 'titleSize') : isTransparent ? stepSize : undefined,
    };
    for (let i = node.children.length - 1; i >= 0; i--) {
      const child = node.children[i]!;
      waiting.push({ node: child, isFlow: child.type === 'mdxJsxFlowElement' || unravels, ...inner });
    }
  }
  return found;
}

/** MDX takes elements that fill a paragraph out of it. */
function standsAlone({ children }: Parents): boolean {
  return children.every(
    (child) =>
      child.type === 'mdxJsxTextElement' ||
      child.type === 'mdxTextExpression' ||
      (child.type === 'text' && child.value.trim() === ''),
  );
}

function numberHeadings(
  found: readonly Found[],
  ownIdOf: (heading: Heading) => string | undefined,
  headings: Map<Heading, string>,
  anchors: Set<string>,
): void {
  const count = countingSlugger();
  const plain = countingSlugger();
  const slugs = new Map<Heading, string>();
  for (const { node } of found) {
    if (node.type !== 'heading' || node.depth > 4 || ownIdOf(node) !== undefined) continue;
    const text = plainText(node);
    slugs.set(node, count(smartText(text)));
    // Whether and how a site uses typographic punctuation is uncertain.
    const simple = plain(text);
    if (simple !== slugs.get(node)) anchors.add(cleanId(simple)).add(withoutQuotes(slugs.get(node)!));
  }
  const distinct = distinctIds();
  for (const { node, name, isExcluded, stepSize } of found) {
    if (node.type === 'heading') {
      const own = ownIdOf(node);
      const id = own === undefined ? cleanId(slugs.get(node) ?? '') : ownId(own);
      const needsNone = node.depth > 4 || isExcluded;
      const slug = id || textSlug(smartText(plainText(node)));
      headings.set(node, needsNone ? id : cleanId(distinct(slug)));
      continue;
    }
    const own = textOf(node, 'id');
    if (own !== undefined && !WITHOUT_ID.has(name)) anchors.add(WITH_CLEAN_ID.has(name) ? cleanId(own) : own);
    const title = isExcluded ? null : listedTitle(node, name, stepSize);
    if (title === null) continue;
    const slug = (own && cleanId(own)) || textSlug(smartText(title));
    if (slug !== '') anchors.add(cleanId(distinct(slug)));
    const simple = cleanId(textSlug(title));
    if (own === undefined && simple !== cleanId(slug)) anchors.add(simple).add(withoutQuotes(slug));
  }
}

/** The title under which an element is in the table of contents; null if it does not. */
function listedTitle(node: Element, name: string, stepSize: string | undefined): string | null {
  if (name === 'Heading' || HEADING_TAG.test(name)) return plainText(node);
  if (name === 'Update') return textOf(node, 'label') ?? (attributeOf(node, 'label') ? '' : null);
  if (name !== 'Step' || !/^h[23]$/.test(textOf(node, 'titleSize') ?? stepSize ?? '')) return null;
  const title = titleText(textOf(node, 'title') ?? '');
  const noAnchor = attributeOf(node, 'noAnchor');
  return title.trim() === '' || (noAnchor && !/false/.test(sourceOf(noAnchor.value))) ? null : title;
}

/** The second of two gets `-1`. False if an id is made in a way that is not known. */
function componentSlugs(elements: readonly Element[], anchors: Set<string>): boolean {
  const counts = new Map<string, number>();
  let known = true;
  for (const node of elements) {
    const title = textOf(node, 'title');
    if (!title || attributeOf(node, 'id')) continue;
    const slug = componentSlug(titleText(title));
    if (slug === null) known = false;
    if (!slug) continue;
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    // Accordions open by their title alone, too.
    anchors.add(slug).add(count === 0 ? slug : `${slug}-${count}`);
  }
  return known;
}

function tabSlugs(elements: readonly Element[], anchors: Set<string>): boolean {
  const taken = new Set(elements.flatMap((node) => textOf(node, 'id') ?? []));
  const count = countingSlugger();
  for (const node of elements) {
    const title = textOf(node, 'title');
    if (!title || textOf(node, 'id')) continue;
    let slug = count(titleText(title));
    while (slug !== '' && taken.has(slug)) slug = count(titleText(title));
    taken.add(slug);
    anchors.add(slug).add(cleanId(slug));
  }
  return true;
}

function parameterIds(found: readonly Found[], anchors: Set<string>): boolean {
  const elements = found.flatMap(({ node, name }) => (PARAMETERS.has(name) ? [node as Element] : []));
  const taken = new Set(elements.flatMap((node) => textOf(node, 'id') ?? []));
  const counts = new Map<string, number>();
  let known = true;
  for (const node of elements) {
    if (attributeOf(node, 'id')) continue;
    const names = node.name === 'ResponseField' ? ['name'] : ['query', 'path', 'body', 'header'];
    const name = names.map((attribute) => textOf(node, attribute)).find((value) => value);
    if (!name) continue;
    const base = componentSlug(`param-${name}`, true);
    if (base === null) known = false;
    if (!base) continue;
    let count = counts.get(base) ?? 0;
    const numbered = () => (count === 0 ? base : componentSlug(`param-${name}_${count}`, true)!);
    while (taken.has(numbered())) count++;
    counts.set(base, count + 1);
    taken.add(numbered());
    anchors.add(numbered());
  }
  return known;
}

function attributeOf(node: Element, name: string) {
  return node.attributes.find((attribute) => attribute.type === 'mdxJsxAttribute' && attribute.name === name);
}

/** A quoted attribute; not one in braces, which Mintlify does not evaluate. */
function textOf(node: Element, name: string): string | undefined {
  const value = attributeOf(node, name)?.value;
  return typeof value === 'string' ? value : undefined;
}

function sourceOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'value' in value ? String(value.value) : '';
}
