import type { SiteKind } from './site.ts';

/** Display names of the kinds of sites. */
export const SITE_KIND_NAMES: Record<SiteKind, string> = {
  'docs.json': 'Mintlify',
  'mint.json': 'Mintlify',
  docusaurus: 'Docusaurus',
  vitepress: 'VitePress',
  mkdocs: 'MkDocs',
  mdbook: 'mdBook',
  starlight: 'Starlight',
  hugo: 'Hugo',
  sphinx: 'Sphinx',
  nextra: 'Nextra',
  fumadocs: 'Fumadocs',
  plain: 'plain Markdown',
};
