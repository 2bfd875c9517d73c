import { maskHeadingIds } from './heading-ids.ts';
import { pythonSlugger, slugger, vueSlugger, type Slugger } from './heading-slug.ts';
import type { PageFormat } from './page-format.ts';
import { maskDocusaurus } from '../syntax/docusaurus-syntax.ts';
import { unmasked, type MaskedPage } from '../syntax/masked-page.ts';
import { maskMkdocs } from '../syntax/mkdocs-syntax.ts';
import { maskVitepress } from '../syntax/vitepress-syntax.ts';

/** How a page is read: which parser, the site generator's own syntax, and how headings get their ids. */
export interface Dialect {
  /** One letter, under which facts are kept. */
  letter: string;
  parser: PageFormat;
  mask(text: string): MaskedPage;
  slugger(): Slugger;
}

export const DIALECTS = {
  markdown: { letter: 'm', parser: 'markdown', mask: maskCommon, slugger },
  mdx: { letter: 'x', parser: 'mdx', mask: maskCommon, slugger },
  docusaurus: { letter: 'd', parser: 'mdx', mask: maskDocusaurus, slugger },
  'docusaurus-markdown': { letter: 'e', parser: 'markdown', mask: maskDocusaurus, slugger },
  vitepress: { letter: 'v', parser: 'markdown', mask: maskVitepress, slugger: vueSlugger },
  'mkdocs-ascii': { letter: 'p', parser: 'markdown', mask: maskMkdocs, slugger: pythonSlugger('ascii') },
  'mkdocs-unicode': { letter: 'q', parser: 'markdown', mask: maskMkdocs, slugger: pythonSlugger('unicode') },
  'mkdocs-lower': { letter: 'r', parser: 'markdown', mask: maskMkdocs, slugger: pythonSlugger('lower') },
  'mkdocs-case': { letter: 's', parser: 'markdown', mask: maskMkdocs, slugger: pythonSlugger('case') },
} satisfies Record<string, Dialect>;

export type PageDialect = keyof typeof DIALECTS;

function maskCommon(text: string): MaskedPage {
  return { ...unmasked(text), ...maskHeadingIds(text) };
}
