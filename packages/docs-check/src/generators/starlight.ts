import { ScriptReader } from '../config/script-value.ts';
import { fieldOf, fieldsOf, isClosed, isOpen, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import { compileGlob } from '@docent/base/glob';
import { folderOf } from '../read/folder.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { Generator, GeneratorEntry, GeneratorNavigation, GeneratorRedirect } from './generator.ts';
import { uncheckedBy, type Unchecked } from './makers.ts';
import { hostRedirects, redirectsOfFile } from './redirects-file.ts';
import { StarlightAddresses, type StarlightLayout } from './starlight-addresses.ts';
import { StarlightModules } from './starlight-modules.ts';
import { starlightPlugins } from './starlight-plugins.ts';

type Read = (path: string) => string | null;

const CONTENT_CONFIGS = [
  'content.config.ts',
  'content.config.mts',
  'content.config.js',
  'content.config.mjs',
  'content/config.ts',
  'content/config.js',
  'content/config.mjs',
];

/** Whether an Astro configuration is that of a Starlight site. */
export function isStarlight(text: string): boolean {
  return /['"]@astrojs\/starlight['"]/.test(text);
}

/**
 * Reads the configuration of Astro with Starlight (https://starlight.astro.build/reference/configuration/) as
 * far as it is written out; it is never run.
 */
export function readStarlight(configPath: string, read: Read): Generator {
  const reader = new ScriptReader(read, { keepsCalls: true });
  const value = reader.exported(configPath);
  const folder = folderOf(configPath);
  const source = inRepository(folder, textOf(fieldOf(value, 'srcDir')) ?? 'src') ?? folder;
  const docs = join(source, 'content/docs');
  const options = starlightOptions(fieldOf(value, 'integrations'));
  const contentConfig = CONTENT_CONFIGS.map((name) => read(join(source, name))).find((text) => text !== null) ?? null;
  const plugins = starlightPlugins(configPath, folder, reader.texts, fieldOf(value, 'redirects'), contentConfig, read);
  const modules = new StarlightModules(folder, read);
  const locales = fieldOf(options, 'locales');
  const names = [...fieldsOf(locales).keys()];
  const hasOwnSlugs =
    contentConfig !== null && !/\bdocsLoader\(\s*\)/.test(contentConfig) && /\bloader\b/.test(contentConfig);
  const layout: StarlightLayout = {
    folder,
    source,
    docs,
    publicFolder: inRepository(folder, textOf(fieldOf(value, 'publicDir')) ?? 'public') ?? folder,
    base: `/${(textOf(fieldOf(value, 'base')) ?? '').replace(/^\/+|\/+$/g, '')}`.replace(/^\/$/, ''),
    slash: textOf(fieldOf(value, 'trailingSlash')) ?? 'ignore',
    asFiles:
      fieldOf(value, 'build', 'format') === undefined
        ? false
        : textOf(fieldOf(value, 'build', 'format')) !== 'directory',
    locales: options === undefined || isOpen(locales) ? null : names,
    defaultLocale:
      textOf(fieldOf(options, 'defaultLocale')) ??
      (names.includes('root') || names.length === 0 ? 'root' : names.length === 1 ? names[0]! : null),
    hasOwnSlugs,
    makers: plugins.makers,
    anyId: plugins.anyId,
    rewritesLinks: plugins.rewritesLinks,
    excluded: excludedLinks(fieldOf(options, 'plugins')),
    filesOf: (name) => modules.filesOf(name),
    redirects: redirectsOf(fieldOf(value, 'redirects')),
    served: [...redirectsOfFile(read(join(folder, 'public/_redirects'))), ...hostRedirects(folder, read)],
  };
  const isPage = (path: string) => {
    const inside = below(path, docs);
    return inside !== null && pageFormatOf(path) !== null && !/(^|\/)(?:\.|_[^/]*$)/.test(inside);
  };
  const unchecked: Unchecked[] = [...plugins.unchecked, ...uncheckedBy(plugins.makers)];
  if (hasOwnSlugs) unchecked.push({ at: { path: configPath, start: 0 }, message: OWN_SLUGS });
  return {
    folder,
    root: docs,
    content: [docs],
    texts: reader.texts,
    problems: reader.problems,
    unchecked,
    navigation: navigationOf(
      fieldOf(options, 'sidebar'),
      layout,
      plugins.ordersPages || fieldOf(options, 'routeMiddleware') !== undefined,
    ),
    hasTemplates: false,
    components: plugins.givesComponents ? null : new Set(['Fragment']),
    redirects: { path: configPath, format: 'code', pairs: layout.redirects },
    mayShowIds: (path, module) => modules.mayShowIds(path, module),
    dialectOf: (path) => (pageFormatOf(path) === 'markdown' ? 'starlight-markdown' : 'starlight'),
    isPage,
    isPartial: (path) => !isPage(path),
    addresses: (set, fieldsOf) => new StarlightAddresses(layout, set, isPage, fieldsOf),
  };
}

const OWN_SLUGS =
  'The docs collection uses a custom loader or `generateId`, so links and sidebar entries without a page ' +
  'are not checked. Use `docsLoader()` to have them checked.';

function starlightOptions(integrations: StaticValue | undefined): StaticValue | undefined {
  for (const item of itemsOf(integrations)) {
    if (item.type === 'unknown' && item.tag === '@astrojs/starlight') return itemsOf(item.of)[0];
  }
  return undefined;
}

/** Links that the site's own check skips: https://starlight-links-validator.vercel.app/configuration/#exclude */
function excludedLinks(plugins: StaticValue | undefined): ((path: string) => boolean)[] {
  const validator = itemsOf(plugins).find((one) => one.type === 'unknown' && one.tag === 'starlight-links-validator');
  const options = validator?.type === 'unknown' ? itemsOf(validator.of)[0] : undefined;
  return itemsOf(fieldOf(options, 'exclude')).flatMap((item) => {
    const text = textOf(item);
    if (text === undefined) return [];
    try {
      // A name in front keeps patterns of one part from matching the end of any path.
      const matches = compileGlob(`/site/${bare(text)}`);
      return [(path: string) => matches(`site/${bare(path)}`)];
    } catch (thrown) {
      if (thrown instanceof RangeError) return [() => true];
      throw thrown;
    }
  });
}

function bare(path: string): string {
  return path.replace(/^\/+|\/+$/g, '');
}

/**
 * https://docs.astro.build/en/reference/configuration-reference/#redirects, with its patterns as redirects
 * elsewhere have them.
 */
function redirectsOf(value: StaticValue | undefined): GeneratorRedirect[] {
  return [...fieldsOf(value)].flatMap(([from, target]): GeneratorRedirect[] => {
    const written = target.type === 'object' ? target.fields.get('destination') : target;
    const to = textOf(written);
    return to === undefined
      ? [{ from: patterned(from), to: '' }]
      : [{ from: patterned(from), to: patterned(to), at: written!.at }];
  });
}

function patterned(path: string): string {
  return path.replace(/\[\.{3}(\w+)\]/g, ':$1*').replace(/\[(\w+)\]/g, ':$1');
}

function navigationOf(
  sidebar: StaticValue | undefined,
  { docs, defaultLocale, locales }: StarlightLayout,
  isOrdered: boolean,
): GeneratorNavigation | null {
  if (sidebar === undefined || sidebar.type === 'unknown') return null;
  const entries: GeneratorEntry[] = [];
  const folders: string[] = [];
  let isWhole = !isOrdered && isClosed(sidebar) && locales !== null;
  const add = (value: StaticValue, text: string) => entries.push({ value: text, at: value.at, scope: docs });
  const walk = (node: StaticValue, depth: number): void => {
    if (depth > 40) return;
    if (node.type === 'unknown') {
      isWhole = false;
      for (const given of itemsOf(node.of)) if (given.type === 'object') walk(given, depth + 1);
    } else if (node.type === 'list') {
      for (const item of node.items) walk(item, depth + 1);
    } else if (node.type === 'object') {
      const [link, slug, items] = ['link', 'slug', 'items'].map((name) => node.fields.get(name));
      const [linked, named] = [textOf(link), textOf(slug)];
      if (link && linked !== undefined && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?)/i.test(linked))
        add(link, `/${linked.replace(/^\//, '')}`);
      if (slug && named !== undefined) add(slug, named);
      const directory = textOf(fieldOf(node.fields.get('autogenerate'), 'directory'));
      if (directory !== undefined) folders.push(directory.replace(/^\/+|\/+$/g, ''));
      if (items) walk(items, depth + 1);
    } else if (node.type === 'scalar' && typeof node.value === 'string') add(node, node.value);
  };
  walk(sidebar, 0);
  if (entries.length === 0 && folders.length === 0) return null;
  const root = defaultLocale === null || defaultLocale === 'root' ? docs : join(docs, defaultLocale);
  return {
    entries,
    isWhole,
    mayBeLeftOut: (path) => {
      const inside = below(path, root);
      if (inside === null || /^(?:index|404)\.\w+$/.test(inside)) return true;
      if (root === docs && (locales ?? []).some((locale) => below(inside, locale) !== null)) return true;
      return folders.some(
        (folder) => folder === '' || below(inside, folder) !== null || inside.replace(/\.\w+$/, '') === folder,
      );
    },
    edit: { path: sidebar.at.path, format: 'code' },
  };
}

function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
