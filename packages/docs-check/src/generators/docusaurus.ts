import { ScriptReader } from '../config/script-value.ts';
import { fieldsOf, fieldOf, isClosed, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import { folderOf } from '../read/folder.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below } from '../read/repository-path.ts';
import { DocusaurusAddresses } from './docusaurus-addresses.ts';
import { docusaurusComponents, providerIn } from './docusaurus-components.ts';
import { readDocusaurusLayout, type ContentRoot } from './docusaurus-layout.ts';
import { isExcluded, rootOf } from './docusaurus-routes.ts';
import { docusaurusThemeLinks } from './docusaurus-theme-links.ts';
import { uncheckedBy, type Unchecked } from './makers.ts';
import type { Generator, GeneratorEntry, GeneratorNavigation } from './generator.ts';

/** Reads a Docusaurus site's configuration and sidebars without running them. */
export function readDocusaurus(configPath: string, read: (path: string) => string | null, docsDir?: string): Generator {
  const reader = new ScriptReader(read);
  const folder = folderOf(configPath);
  const config = reader.exported(configPath);
  const layout = readDocusaurusLayout(configPath, config, reader, read, docsDir);
  const main = layout.roots.find(({ kind }) => kind === 'docs') ?? layout.roots[0];
  return {
    folder,
    root: main?.folder ?? folder,
    content: layout.roots.map((root) => root.folder),
    texts: reader.texts,
    problems: reader.problems,
    hasTemplates: false,
    // https://github.com/facebook/docusaurus/tree/main/packages/docusaurus-mdx-loader/src/remark/contentTitle
    showsTitle: (path) => (rootOf(layout, path)?.kind === 'pages' ? 'never' : 'unless-first'),
    components: layout.isVersion2 ? null : docusaurusComponents(folder, config, reader.texts, read),
    unchecked: [
      ...uncheckedBy(layout.makers),
      ...uncheckedComponents(config, reader.texts),
      ...(layout.isVersion2 ? [uncheckedSyntax(configPath)] : []),
    ],
    navigation: navigationOf(layout.roots),
    themeLinks: docusaurusThemeLinks(config),
    redirects: layout.hasRedirects ? { path: configPath, format: 'code', pairs: layout.redirects } : null,
    dialectOf(path) {
      const isMarkdown = pageFormatOf(path) === 'markdown' && layout.format === 'detect';
      if (layout.isVersion2) return 'docusaurus-2';
      return isMarkdown || layout.format === 'md' ? 'docusaurus-markdown' : 'docusaurus';
    },
    isPage(path) {
      const root = pageFormatOf(path) === null ? null : rootOf(layout, path);
      const inside = root && (below(path, root.folder) ?? path);
      return root !== null && inside !== null && (isExcluded(inside) || !root.leavesOut(inside));
    },
    isPartial(path) {
      const root = rootOf(layout, path);
      return isExcluded(root ? (below(path, root.folder) ?? path) : path);
    },
    addresses: (set, fields) => new DocusaurusAddresses(layout, set, fields, main?.folder ?? folder),
  };
}

function uncheckedSyntax(path: string): Unchecked {
  const message =
    'Docusaurus 2 reads pages with MDX 1, which has no rules for what is valid: tags, braces and components of pages are not checked. They are with Docusaurus 3.';
  return { at: { path, start: 0 }, message };
}

function uncheckedComponents(config: StaticValue, texts: ReadonlyMap<string, string>): Unchecked[] {
  const provider = providerIn(config, texts);
  if (!provider || provider.at.path === '') return [];
  const message = `${provider.name} may provide components: those that pages use without importing them are not checked. Provide them in src/theme/MDXComponents instead to have them checked.`;
  return [{ at: provider.at, message }];
}

/** https://docusaurus.io/docs/sidebar/items */
function navigationOf(roots: readonly ContentRoot[]): GeneratorNavigation | null {
  const entries: GeneratorEntry[] = [];
  let isWhole = true;
  let edit: GeneratorNavigation['edit'] = null;
  for (const { sidebars, folder, kind, original } of roots) {
    if (kind !== 'docs' || original !== undefined || !sidebars) continue;
    if (sidebars.path === null || !isClosed(sidebars.value)) isWhole = false;
    if (sidebars.path !== null)
      edit ??= { path: sidebars.path, format: sidebars.path.endsWith('.json') ? 'json' : 'code' };
    for (const sidebar of fieldsOf(sidebars.value).values()) walk(sidebar, folder, 0);
  }
  return edit === null ? null : { entries, isWhole, edit };

  function walk(node: StaticValue, scope: string, depth: number): void {
    if (depth > 50) return;
    const id = textOf(node);
    if (id !== undefined) entries.push({ value: id, at: node.at, scope });
    for (const item of itemsOf(node)) walk(item, scope, depth + 1);
    if (node.type !== 'object') return;
    const type = textOf(node.fields.get('type'));
    if (type === undefined) {
      // Short for categories: `{ Label: ['id'] }`.
      for (const items of node.fields.values()) walk(items, scope, depth + 1);
      return;
    }
    if (type === 'autogenerated') isWhole = false;
    const own = type === 'doc' || type === 'ref' ? node.fields.get('id') : fieldOf(node.fields.get('link'), 'id');
    const text = textOf(own);
    if (own && text !== undefined) entries.push({ value: text, at: own.at, scope });
    const items = node.fields.get('items');
    if (items) walk(items, scope, depth + 1);
  }
}
