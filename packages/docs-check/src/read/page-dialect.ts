import type { Heading, Nodes } from 'mdast';
import { maskHeadingIds } from './heading-ids.ts';
import { pythonSlugger, slugger, vueSlugger, type Slugger } from './heading-slug.ts';
import { directiveText, githubText, sourceText, wholeText } from './heading-text.ts';
import type { PageFormat } from './page-format.ts';
import { isDocusaurusComponent, maskDocusaurus, maskDocusaurus2 } from '../syntax/docusaurus-syntax.ts';
import { unmasked, type MaskedPage } from '../syntax/masked-page.ts';
import { isMintlifyComponent, mintlifyIds, takesMintlifyId, type PageIds } from '../syntax/mintlify-ids.ts';
import { hugoSlugger, hugoText, maskHugo } from '../syntax/hugo-syntax.ts';
import { maskMdbook, mdbookSlugger, mdbookText } from '../syntax/mdbook-syntax.ts';
import { maskMkdocs } from '../syntax/mkdocs-syntax.ts';
import { maskMyst, mystIds } from '../syntax/myst-syntax.ts';
import { maskRst } from '../syntax/rst-syntax.ts';
import { isStarlightComponent, maskStarlight, starlightText } from '../syntax/starlight-syntax.ts';
import { maskVitepress } from '../syntax/vitepress-syntax.ts';

/** How a page is read: the parser, the site generator's own syntax, and the ids of headings. */
export interface Dialect {
  /** One letter, under which facts are kept. */
  letter: string;
  parser: PageFormat;
  mask(text: string): MaskedPage;
  /** @param taken ids that no heading can have */
  slugger(taken: Iterable<string>): Slugger;
  /** The text for a heading's id; default: its visible text. */
  headingText?(heading: Heading, source: string): string;
  /** If ids depend on more than the headings: replaces the slugger. */
  idsOf?(root: Nodes, ownIdOf: (heading: Heading) => string | undefined): PageIds;
  /** Whether the programs of components are checked for ids: `shownModules`. */
  looksIntoComponents?: boolean;
  /** Whether a component without text may show headings with ids, if its program is not read. */
  mayShowHeadings?(name: string): boolean;
  /** Whether headings of depth 1 have ids: by default, they do. */
  hasTopId?: boolean;
  /** Whether the build refuses a page whose second heading repeats an explicit id. */
  refusesTwice?: boolean;
  /** Whether a page that is valid YAML to its end needs no mark to close it: gray-matter. */
  mayEndInFrontMatter?: boolean;
  /** Whether the text after a Markdown link asks to leave its target unchanged. */
  leavesTarget?(after: string): boolean;
  /** Components that put their `id` on the page, and those without other ids. */
  components?: { takesId(name: string): boolean; isKnown(name: string): boolean };
}

const MINTLIFY = {
  mask: maskCommon,
  slugger,
  idsOf: mintlifyIds,
  components: { takesId: takesMintlifyId, isKnown: isMintlifyComponent },
};
const DOCUSAURUS = {
  mask: maskDocusaurus,
  slugger,
  headingText: wholeText,
  // https://github.com/facebook/docusaurus/blob/main/packages/docusaurus-theme-classic/src/theme/Heading/index.tsx
  hasTopId: false,
  mayEndInFrontMatter: true,
  components: { takesId: () => true, isKnown: isDocusaurusComponent },
};
const STARLIGHT = {
  slugger,
  headingText: starlightText,
  looksIntoComponents: true,
  components: { takesId: () => true, isKnown: isStarlightComponent },
};
const VITEPRESS = {
  headingText: sourceText,
  refusesTwice: true,
  mayEndInFrontMatter: true,
  // https://vitepress.dev/guide/routing#linking-to-non-vitepress-pages
  leavesTarget: (after: string) => /^\{[^{}\n]*\b(?:target|download)\b/.test(after),
};
/** Components of Nextra and Fumadocs, and of Next.js, that show no headings. */
const WITHOUT_HEADINGS =
  /^(?:Accordion|Badge|Banner|Bleed|Button|Callout|Cards?|Cards?\.\w+|File|Files|FileTree|Folder|Head|I[Mm][Gg]|Image|ImageZoom|InlineTOC|Link|Playground|Spacer|Steps?|Tabs?|Video|YouTube|\w*Icon|\w*Logo)$/;
const NEXT_DOCS = {
  slugger,
  mayShowHeadings: (name: string) => /^[A-Z]/.test(name) && !WITHOUT_HEADINGS.test(name),
};
/** @param depth `myst_heading_anchors` */
const myst = (depth: number) =>
  ({ letter: String(depth), parser: 'markdown', mask: maskMyst, slugger, idsOf: mystIds(depth) }) as const;
const MKDOCS = { parser: 'markdown', mask: maskMkdocs } as const;

export const DIALECTS = {
  markdown: { letter: 'm', parser: 'markdown', mask: maskCommon, slugger, headingText: githubText },
  mdx: { letter: 'x', parser: 'mdx', mask: maskCommon, slugger, headingText: githubText },
  nextra: { letter: 'n', parser: 'mdx', mask: maskNextra, ...NEXT_DOCS },
  'nextra-markdown': { letter: 'o', parser: 'markdown', mask: maskNextra, slugger },
  fumadocs: { letter: 'i', parser: 'mdx', mask: maskFumadocs, ...NEXT_DOCS },
  'fumadocs-markdown': { letter: 'j', parser: 'markdown', mask: maskFumadocs, slugger },
  mintlify: { letter: 'y', parser: 'mdx', ...MINTLIFY },
  'mintlify-markdown': { letter: 'z', parser: 'markdown', ...MINTLIFY },
  docusaurus: { letter: 'd', parser: 'mdx', ...DOCUSAURUS, headingText: directiveText },
  'docusaurus-markdown': { letter: 'e', parser: 'markdown', ...DOCUSAURUS },
  'docusaurus-2': { letter: 'f', parser: 'markdown', ...DOCUSAURUS, mask: maskDocusaurus2 },
  vitepress: { letter: 'v', parser: 'markdown', mask: maskVitepress, slugger: vueSlugger, ...VITEPRESS },
  mdbook: { letter: 'b', parser: 'markdown', mask: maskMdbook, slugger: mdbookSlugger, headingText: mdbookText },
  hugo: { letter: 'g', parser: 'markdown', mask: maskHugo, slugger: hugoSlugger(false), headingText: hugoText },
  'hugo-ascii': { letter: 'h', parser: 'markdown', mask: maskHugo, slugger: hugoSlugger(true), headingText: hugoText },
  starlight: { letter: 'a', parser: 'mdx', mask: maskStarlight, ...STARLIGHT },
  'starlight-markdown': { letter: 'c', parser: 'markdown', mask: maskStarlight, ...STARLIGHT },
  'myst-0': myst(0),
  'myst-1': myst(1),
  'myst-2': myst(2),
  'myst-3': myst(3),
  'myst-4': myst(4),
  'myst-5': myst(5),
  'myst-6': myst(6),
  rst: { letter: 'w', parser: 'markdown', mask: maskRst, slugger },
  'mkdocs-ascii': { letter: 'p', ...MKDOCS, slugger: pythonSlugger('ascii') },
  'mkdocs-unicode': { letter: 'q', ...MKDOCS, slugger: pythonSlugger('unicode') },
  'mkdocs-lower': { letter: 'r', ...MKDOCS, slugger: pythonSlugger('lower') },
  'mkdocs-case': { letter: 's', ...MKDOCS, slugger: pythonSlugger('case') },
} satisfies Record<string, Dialect>;

export type PageDialect = keyof typeof DIALECTS;

function maskCommon(text: string): MaskedPage {
  return { ...unmasked(text), ...maskHeadingIds(text) };
}

/**
 * `## Title [#id]`: https://nextra.site/docs/guide/markdown#custom-heading-id,
 * https://fumadocs.dev/docs/headless/mdx/headings
 */
function maskNextra(text: string): MaskedPage {
  return { ...unmasked(text), ...maskHeadingIds(text, 'brackets') };
}

/** `## Title [!toc]` and `[toc]` are marks, and no part of the title. */
function maskFumadocs(text: string): MaskedPage {
  return maskNextra(
    text.includes('toc]')
      ? text.replace(
          /^([ \t>]*#{1,6}[ \t].*?)(\[!?toc\])(?=[ \t]*(?:\[#[^[\]\r\n]{1,200}\])?[ \t]*$)/gm,
          (_, title: string, mark: string) => title + ' '.repeat(mark.length),
        )
      : text,
  );
}
