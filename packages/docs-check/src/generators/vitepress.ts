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
export function readVitepress(
  configPath: string,
  read: (path: string) => string | null,
  _docsDir?: string,
  paths: readonly string[] = [],
): Generator {
  const reader = new ScriptReader(read);
  const value = reader.exported(configPath);
  const folder = configPath.replace(/(?:^|\/)\.vitepress\/.*$/, '');
  const source = inRepository(folder, textOf(fieldOf(value, 'srcDir')) ?? '.') ?? folder;
  const excluded = itemsOf(fieldOf(value, 'srcExclude')).flatMap((item) => globOf(textOf(item)));
  const rewrites = fieldOf(value, 'rewrites');
  const built = builtFiles(value, [configPath, ...viteConfigs(folder)], read);
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
    built,
    copiesMarkdown: built.includes(LLMS_FILES),
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
    hasOwnIds: ownIdsOf(value, configPath, read) !== undefined,
    unchecked: uncheckedIn(value, configPath, layout, reader.texts, ownIdsOf(value, configPath, read)),
    navigation: navigationOf(fieldOf(value, 'themeConfig'), fieldOf(value, 'locales'), source),
    redirects: null,
    mayShowIds: componentsWithIds(folder, paths, read),
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

/** With a copy of each page in Markdown. */
const LLMS_FILES = /^llms(?:-full)?\.txt$/;
/** Files that plugins write, by their packages: their defaults in November 2026. */
const PLUGIN_FILES: readonly (readonly [name: RegExp, files: RegExp])[] = [
  [/vitepress-plugin-llms/, LLMS_FILES],
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

/** In a template of Vue, without its program and styles. */
const ELEMENT_IDS = /[\s:]id\s*=|\bv-html\b|\bv-bind\s*=|<component\b|<Content\b|\bid\s*:|\binnerHTML\b/;
const VUE_TAG = /<([A-Z]\w{0,99}|[a-z]\w{0,50}(?:-\w{1,50}){1,9})(?=[\s/>])/g;
const MAX_COMPONENTS = 30;

const keyOf = (name: string) =>
  name
    .replace(/^.*\//s, '')
    .replace(/\.\w+$/, '')
    .replaceAll('-', '')
    .toLowerCase();

/**
 * Whether a component of the site, or one that it shows, gives ids to its elements. Components are found by
 * the names of their files, however they are registered; those of packages count as without ids.
 */
function componentsWithIds(
  folder: string,
  paths: readonly string[],
  read: (path: string) => string | null,
): (from: string, module: string) => boolean {
  let files: Map<string, string[]> | null = null;
  const known = new Map<string, boolean>();
  const find = (name: string): boolean => {
    if (files === null) {
      files = new Map();
      for (const path of paths) {
        if (!/\.(?:vue|[jt]sx)$/.test(path) || below(path, folder) === null) continue;
        files.set(keyOf(path), [...(files.get(keyOf(path)) ?? []), path]);
      }
    }
    const waiting = [keyOf(name)];
    const seen = new Set<string>();
    while (waiting.length > 0) {
      const next = waiting.pop()!;
      if (seen.has(next)) continue;
      if (seen.size >= MAX_COMPONENTS) return true;
      seen.add(next);
      for (const path of files.get(next) ?? []) {
        const text = read(path) ?? '';
        const shown = path.endsWith('.vue') ? text.replace(/<(script|style)\b[^>]*>[\s\S]*?<\/\1>/g, '') : text;
        if (ELEMENT_IDS.test(shown)) return true;
        waiting.push(...[...shown.matchAll(VUE_TAG)].map(([, tag]) => keyOf(tag!)));
      }
    }
    return false;
  };
  return (_, module) => {
    const name = module.replace(/^vue:/, '');
    if (!known.has(name)) known.set(name, find(name));
    return known.get(name)!;
  };
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
  ownIds: ReturnType<typeof ownIdsOf>,
): Unchecked[] {
  const found: Unchecked[] = [];
  const add = (name: string, message: string) => {
    const at = fieldOf(value, name)?.at;
    found.push({ at: at && at.path !== '' ? at : { path: configPath, start: 0 }, message });
  };
  if (layout.isRewritten)
    add(
      'rewrites',
      'The configuration computes `rewrites`, so links to missing pages are not checked. Write its names as literal texts to have them checked.',
    );
  if (hasOwnTemplates(texts))
    found.push({
      at: { path: configPath, start: 0 },
      message:
        'The configuration changes the template syntax (`delimiters`, `v-pre`, `isCustomElement` or ' +
        '`html`), so templates in pages are not checked. Remove these settings to have them checked.',
    });
  if (layout.ignored === 'all')
    add(
      'ignoreDeadLinks',
      'The configuration ignores all dead links, or uses a function to decide, so Markdown links to ' +
        'missing pages are not checked. List the links to ignore in `ignoreDeadLinks` to have the others ' +
        'checked.',
    );
  if (layout.built.includes(HOOK_FILES))
    add(
      'buildEnd',
      'The `buildEnd` hook may write files, so links to feeds, data and text files without a file are ' +
        'not checked. Remove the hook to have them checked.',
    );
  if (ownIds)
    found.push({
      at: ownIds.at.at.path === '' ? { path: configPath, start: 0 } : ownIds.at.at,
      message:
        'The configuration generates heading IDs with a custom function, so anchors are not checked. ' +
        `Remove \`${ownIds.name}\` to have them checked.`,
    });
  return found;
}

/** Plugins of markdown-it that give ids to headings, and programs that do so themselves. */
const GIVES_IDS =
  /markdown-it-(?:anchor|github-headings|named-headings|heading|toc-and-anchor|title|attribution)|\bheading_open\b|attrSet\(\s*['"]id['"]|attrPush\(\s*\[\s*['"]id['"]/;

/** The setting by which headings may get other ids than VitePress gives them. */
function ownIdsOf(
  value: StaticValue,
  configPath: string,
  read: (path: string) => string | null,
): { name: string; at: StaticValue } | undefined {
  const markdown = fieldOf(value, 'markdown');
  const slugify = fieldOf(markdown, 'anchor', 'slugify');
  if (slugify) return { name: 'markdown.anchor.slugify', at: slugify };
  if (!GIVES_IDS.test(programText(configPath, read) ?? '')) return undefined;
  for (const name of ['config', 'preConfig']) {
    const at = fieldOf(markdown, name);
    if (at) return { name: `markdown.${name}`, at };
  }
  return undefined;
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
