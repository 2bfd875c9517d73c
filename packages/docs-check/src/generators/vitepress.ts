import { fieldOf, fieldsOf, flagOf, isClosed, itemsOf, textOf, type StaticValue } from '../config/static-value.ts';
import { ScriptReader } from '../config/script-value.ts';
import { compileGlob } from '@docent/base/glob';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { Unchecked } from './makers.ts';
import type { Generator, GeneratorEntry, GeneratorNavigation } from './generator.ts';
import { vueSlug } from '../read/heading-slug.ts';
import { programText } from './program-text.ts';
import { redirectsOfFile } from './redirects-file.ts';
import { VitepressAddresses, type VitepressLayout } from './vitepress-addresses.ts';

/**
 * Reads a VitePress configuration (https://vitepress.dev/reference/site-config) as far as it is written out;
 * it is never run.
 */
export function readVitepress(configPath: string, read: (path: string) => string | null): Generator {
  const reader = new ScriptReader(read);
  const value = reader.exported(configPath);
  const folder = configPath.replace(/(?:^|\/)\.vitepress\/.*$/, '');
  const source = inRepository(folder, textOf(fieldOf(value, 'srcDir')) ?? '.') ?? folder;
  const excluded = itemsOf(fieldOf(value, 'srcExclude')).flatMap((item) => globOf(textOf(item)));
  const rewrites = fieldOf(value, 'rewrites');
  const layout: VitepressLayout = {
    folder,
    source,
    base: (textOf(fieldOf(value, 'base')) ?? '/').replace(/\/+$/, ''),
    rewrites: [...fieldsOf(rewrites)].flatMap(([from, to]): [string, string][] => {
      const text = textOf(to);
      return text === undefined ? [] : [[from, text]];
    }),
    cleanUrls: flagOf(fieldOf(value, 'cleanUrls')) ?? false,
    isRewritten: !isClosed(rewrites),
    redirects: redirectsOfFile(read(source === '' ? 'public/_redirects' : `${source}/public/_redirects`)),
    ignored: ignoredLinks(fieldOf(value, 'ignoreDeadLinks')),
    ownAnchors: headingsOf([configPath, ...viteConfigs(folder)], read),
    built: builtFiles(value, [configPath, ...viteConfigs(folder)], read),
  };
  const isPage = (path: string) => {
    const inside = below(path, source);
    return (
      inside !== null &&
      pageFormatOf(path) === 'markdown' &&
      !/(^|\/)(\.|node_modules\/|public\/)/.test(inside) &&
      !excluded.some((matches) => matches(inside))
    );
  };
  return {
    folder,
    root: source,
    content: [source],
    texts: reader.texts,
    problems: reader.problems,
    showsTitle: () => 'never',
    hasTemplates: !hasOwnTemplates(reader.texts),
    components: null,
    hasOwnIds: slugifyOf(value) !== undefined,
    unchecked: uncheckedIn(value, configPath, layout, reader.texts),
    navigation: navigationOf(fieldOf(value, 'themeConfig'), fieldOf(value, 'locales'), source),
    redirects: null,
    dialectOf: () => 'vitepress',
    isPage,
    isPartial: (path) => isPartial(below(path, source) ?? path),
    addresses: (set) => new VitepressAddresses(layout, set, isPage),
  };
}

/**
 * VitePress reads Vite plugins from its own configuration, and from Vite's in `.vitepress` or the site's
 * folder.
 */
function viteConfigs(folder: string): string[] {
  return ['.vitepress/vite.config', 'vite.config'].map((name) => (folder === '' ? name : `${folder}/${name}`));
}

/** Ids of headings that programs of the site write into pages, if they contain them as Markdown. */
function headingsOf(paths: readonly string[], read: (path: string) => string | null): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const path of paths) {
    for (const [, heading] of (programText(path, read) ?? '').matchAll(HEADING)) ids.add(vueSlug(heading!.trim()));
  }
  return ids;
}

/** Files that plugins write, by their packages: their defaults in November 2026. */
const PLUGIN_FILES: readonly (readonly [name: RegExp, files: RegExp])[] = [
  [/vitepress-plugin-llms/, /^llms(?:-full)?\.txt$|\.md$/],
  [/vite-plugin-pwa|@vite-pwa\/vitepress/, /^(?:sw|registerSW)\.js$|^manifest\.webmanifest$/],
  [/vitepress-plugin-rss/, /^feed\.rss$|^[\w-]+\.xml$/],
];
/** A hook may write any file, usually feeds and data. */
const HOOK_FILES = /\.(?:xml|rss|atom|json|txt)$/i;

function builtFiles(value: StaticValue, paths: readonly string[], read: (path: string) => string | null): RegExp[] {
  const program = paths.map((path) => programText(path, read) ?? '').join('\n');
  return [
    ...PLUGIN_FILES.flatMap(([name, files]) => (name.test(program) ? [files] : [])),
    ...(fieldOf(value, 'sitemap') ? [/^sitemap\.xml$/] : []),
    ...(fieldOf(value, 'buildEnd') ? [HOOK_FILES] : []),
  ];
}

/** At the beginning of a line, or of a text in quotation marks. */
const HEADING = /(?:^|['"`]|\\n)#{1,6} ([^\n\\'"`${]{1,200})/gm;

/** Whether the configuration changes templates: other delimiters, or a Markdown plugin that escapes them. */
function hasOwnTemplates(texts: ReadonlyMap<string, string>): boolean {
  return [...texts.values()].some((text) => /delimiters|v-pre|isCustomElement|\{\{|html:\s*false/.test(text));
}

/** Decisions of functions, which are not run, disable checks. */
function uncheckedIn(
  value: StaticValue,
  configPath: string,
  layout: VitepressLayout,
  texts: ReadonlyMap<string, string>,
): Unchecked[] {
  const found: Unchecked[] = [];
  const add = (name: string, message: string) => {
    const at = fieldOf(value, name)?.at;
    found.push({ at: at && at.path !== '' ? at : { path: configPath, start: 0 }, message });
  };
  if (layout.isRewritten)
    add(
      'rewrites',
      'A function rewrites paths, so links to missing pages are not checked. Write `rewrites` as an object to have them checked.',
    );
  if (hasOwnTemplates(texts))
    found.push({
      at: { path: configPath, start: 0 },
      message:
        'The configuration changes the template syntax (`delimiters`, `v-pre`, `isCustomElement` or `html`), so templates in pages are not checked. Remove these settings to have them checked.',
    });
  if (layout.ignored === 'all')
    add(
      'ignoreDeadLinks',
      'The configuration ignores all dead links, or uses a function to decide, so Markdown links to missing pages are not checked. List the links to ignore in `ignoreDeadLinks` to have the others checked.',
    );
  if (layout.built.includes(HOOK_FILES))
    add(
      'buildEnd',
      'The `buildEnd` hook may write files, so links to feeds, data and text files without a file are not checked. Remove the hook to have them checked.',
    );
  const slugify = slugifyOf(value);
  if (slugify)
    found.push({
      at: slugify.at,
      message:
        'The configuration generates heading IDs with a custom function, so anchors are not checked. Remove `markdown.anchor.slugify` to have them checked.',
    });
  return found;
}

function slugifyOf(value: StaticValue): StaticValue | undefined {
  return fieldOf(fieldOf(fieldOf(value, 'markdown'), 'anchor'), 'slugify');
}

function isPartial(path: string): boolean {
  return /(^|\/)(snippets|_snippets|parts|partials|includes)\//.test(path) || /(^|\/)_[^/]*$/.test(path);
}

function globOf(pattern: string | undefined): ((path: string) => boolean)[] {
  if (pattern === undefined) return [];
  try {
    const matches = compileGlob(pattern);
    return pattern.includes('/') ? [matches] : [(path) => !path.includes('/') && matches(path)];
  } catch (thrown) {
    if (thrown instanceof RangeError) return [];
    throw thrown;
  }
}

/**
 * https://vitepress.dev/reference/site-config#ignoredeadlinks; a function or a pattern may ignore any link.
 */
function ignoredLinks(value: StaticValue | undefined): VitepressLayout['ignored'] {
  if (value === undefined) return [];
  if (value.type === 'scalar') return value.value === true ? 'all' : [];
  if (value.type !== 'list') return 'all';
  const ignored = value.items.map((item) => {
    if (item.type === 'pattern') return { pattern: item.source, flags: item.flags };
    return textOf(item) ?? null;
  });
  return ignored.includes(null) || value.open ? 'all' : ignored.filter((item) => item !== null);
}

/** Links of the navigation bar and the sidebars, in every language, as far as they are literal. */
function navigationOf(
  theme: StaticValue | undefined,
  locales: StaticValue | undefined,
  source: string,
): GeneratorNavigation | null {
  const entries: GeneratorEntry[] = [];
  const walk = (node: StaticValue | undefined, base: string, depth: number): void => {
    if (!node || depth > 40) return;
    for (const item of itemsOf(node)) walk(item, base, depth + 1);
    if (node.type !== 'object') return;
    const own = textOf(node.fields.get('base')) ?? base;
    const link = node.fields.get('link');
    const text = textOf(link);
    if (link && text !== undefined && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(text)) {
      const value =
        text.startsWith('/') && own === ''
          ? text
          : own + text.replace(own === '' ? /^(?!\/)/ : /^\//, own === '' ? '/' : '');
      entries.push({ value, at: link.at, scope: source });
    }
    for (const [name, value] of node.fields) {
      if (name !== 'base' && name !== 'link') walk(value, own, depth + 1);
    }
  };
  const themes = [theme, ...[...fieldsOf(locales).values()].map((locale) => fieldOf(locale, 'themeConfig'))];
  for (const value of themes) {
    walk(fieldOf(value, 'sidebar'), '', 0);
    walk(fieldOf(value, 'nav'), '', 0);
  }
  if (entries.length === 0) return null;
  const path = entries[0]!.at.path;
  return { entries, isWhole: false, edit: { path, format: 'code' } };
}
