import {
  fieldOf,
  fieldsOf,
  flagOf,
  isClosed,
  itemsOf,
  textOf,
  UNKNOWN,
  type Place,
  type StaticValue,
} from '../config/static-value.ts';
import { parseYamlSource, type YamlSource } from '../config/yaml-value.ts';
import { folderOf } from '../read/folder.ts';
import type { PythonSlug } from '../read/heading-slug.ts';
import { ignoreRules } from '../read/ignore-rules.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { Generator, GeneratorEntry, GeneratorNavigation, GeneratorRedirect } from './generator.ts';
import { uncheckedBy, type Unchecked } from './makers.ts';
import { findsByName, mkdocsChanges, mkdocsMakers, mkdocsPlugins } from './mkdocs-plugins.ts';
import { labelsElsewhere } from './mkdocs-labels.ts';
import { mkdocsNavFiles } from './mkdocs-nav-files.ts';
import { MkdocsAddresses, type MkdocsLanguages, type MkdocsLayout } from './mkdocs-addresses.ts';

/** Plugins that make entries of the navigation while the site is built. */
/** Plugins that run templates in pages. */
const FILLING_IN = /^(?:macros|markdownextradata|jinja2?|mkdocs-jinja2?|simple-variables|variables|markdown-exec)$/;

/** Only a build knows the output of templates in pages. */
function fillingIn(plugins: ReadonlyMap<string, { at: Place }>): Unchecked[] {
  return [...plugins].flatMap(([name, { at }]) =>
    FILLING_IN.test(name)
      ? [
          {
            at,
            message:
              `The plugin ${name} adds content to pages during the build. Links, images and headings from ` +
              'its templates are not checked.',
          },
        ]
      : [],
  );
}

const NAVIGATING =
  /gen-files|api-autonav|autoapi|literate-nav|awesome|monorepo|multirepo|section-index|same-dir|mkdocs-nav|include_dir/;

/**
 * Reads `mkdocs.yml` (https://www.mkdocs.org/user-guide/configuration/), with inherited settings. Nothing of
 * it is run: the effects of `!!python` tags, hooks and plugins are unknown.
 */
export function readMkdocs(
  configPath: string,
  read: (path: string) => string | null,
  docsDir?: string,
  paths: readonly string[] = [],
): Generator {
  const { sources, value } = inherited(configPath, read);
  const folder = folderOf(configPath);
  const docs = inRepository(folder, textOf(fieldOf(value, 'docs_dir')) ?? 'docs') ?? folder;
  const plugins = mkdocsPlugins(fieldOf(value, 'plugins'));
  const names = [...plugins.keys()];
  const makers = mkdocsMakers(folder, docs, plugins, fieldOf(value, 'hooks'), read, docsDir);
  const changes = mkdocsChanges(folder, fieldOf(value, 'hooks'), read, docsDir);
  const navFiles = mkdocsNavFiles(plugins, docs, paths, read);
  const leftOut = ignoreRules(textOf(fieldOf(value, 'not_in_nav')) ?? '');
  const ignored = ignoreRules(textOf(fieldOf(value, 'exclude_docs')) ?? '');
  const globs = excludedGlobs(plugins.get('exclude')?.options);
  const excluded = (inside: string) => ignored(inside) || globs.some((glob) => matchesGlob(inside, glob));
  const extensions = pluginsOf(fieldOf(value, 'markdown_extensions'));
  const dialect = `mkdocs-${slugOf(fieldOf(extensions.get('toc'), 'slugify'))}` as const;
  const redirects = redirectsOf(plugins.get('redirects')?.options);
  const themeFolder = textOf(fieldOf(fieldOf(value, 'theme'), 'custom_dir'));
  const layout: MkdocsLayout = {
    folder,
    docs,
    useDirectoryUrls: flagOf(fieldOf(value, 'use_directory_urls')) ?? true,
    basePath: basePathOf(textOf(fieldOf(value, 'site_url'))),
    ...snippetLayout(extensions, folder),
    makers,
    findsByName: findsByName(names),
    mayReplace: changes.mayReplace,
    generatedFolders: blogFolders(plugins),
    languages: languagesOf(plugins),
    themeFolder: themeFolder === undefined ? null : inRepository(folder, themeFolder),
    built: builtFiles(plugins),
    redirects,
  };
  const isPage = (path: string) => {
    const inside = below(path, docs);
    return inside !== null && pageFormatOf(path) !== null && !/(^|\/)\./.test(inside) && !excluded(inside);
  };
  return {
    folder,
    root: docs,
    content: [docs],
    texts: new Map([...sources, ...navFiles.sources].map(({ path, text }) => [path, text])),
    problems: [...sources, ...navFiles.sources].flatMap(({ path, problem }) => (problem ? [{ path, ...problem }] : [])),
    showsTitle: () => titleIn(fieldOf(value, 'theme')),
    hasTemplates: false,
    components: null,
    // An invalid configuration is reported separately.
    unchecked: sources.some(({ problem }) => problem)
      ? []
      : [...uncheckedBy(makers), ...fillingIn(plugins), ...changes.unchecked],
    navigation: withEntries(
      navFiles.entries,
      navigationOf(fieldOf(value, 'nav'), configPath, docs, names, sources, (path) => {
        const inside = below(path, docs) ?? path;
        return leftOut(inside) || layout.generatedFolders.some((made) => below(inside, made) !== null);
      }),
    ),
    redirects: plugins.has('redirects') ? { path: configPath, format: 'yaml', pairs: redirects } : null,
    definesLabels: labelsElsewhere(plugins, fieldOf(value, 'hooks'), extensions.get('pymdownx.snippets')),
    dialectOf: () => dialect,
    isPage,
    isPartial: (path) =>
      /(^|\/)(snippets|_snippets|includes|partials)\//.test(below(path, docs) ?? path) || /(^|\/)_[^/]*$/.test(path),
    addresses: (set) => new MkdocsAddresses(layout, set, isPage),
  };
}

/** https://github.com/apenwarr/mkdocs-exclude#readme; expressions are not read. */
function excludedGlobs(options: StaticValue | undefined): string[] {
  const globs = fieldOf(options, 'glob');
  return [textOf(globs), ...itemsOf(globs).map((item) => textOf(item))].filter((glob) => glob !== undefined);
}

/** As `fnmatch` of Python has it, whose `*` matches slashes too. Other signs of patterns match nothing. */
function matchesGlob(path: string, glob: string): boolean {
  const [first = '', ...parts] = glob.split('*');
  const last = parts.pop();
  if (last === undefined) return path === glob;
  if (!path.startsWith(first) || !path.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= path.length - last.length;
}

/** https://ultrabug.github.io/mkdocs-static-i18n/getting-started/quick-start/ */
function languagesOf(plugins: ReadonlyMap<string, { options: StaticValue }>): MkdocsLanguages | null {
  const found = [...plugins].find(([name]) => /^(?:static-)?i18n$/.test(name.replace(/^.*\//, '')));
  if (!found) return null;
  const { options } = found[1];
  const languages = itemsOf(fieldOf(options, 'languages'));
  const named = languages.flatMap((item) => textOf(fieldOf(item, 'locale')) ?? []);
  const main = languages.find((item) => flagOf(fieldOf(item, 'default')));
  // Until version 1, languages were the keys of a map.
  const all = named.length > 0 ? named : [...fieldsOf(fieldOf(options, 'languages')).keys()];
  return {
    structure: textOf(fieldOf(options, 'docs_structure')) === 'folder' ? 'folder' : 'suffix',
    main: textOf(fieldOf(main, 'locale')) ?? textOf(fieldOf(options, 'default_language')) ?? null,
    all,
    fallsBack: flagOf(fieldOf(options, 'fallback_to_default')) !== false,
  };
}

/** Files of MkDocs itself (1.6), and of plugins with known file names. */
function builtFiles(plugins: ReadonlyMap<string, { options: StaticValue }>): string[] {
  const built = ['sitemap.xml', 'sitemap.xml.gz', '404.html'];
  if (plugins.size === 0 || plugins.has('search')) built.push('search/search_index.json');
  for (const [name, { options }] of plugins) {
    // https://guts.github.io/mkdocs-rss-plugin/configuration/
    if (name === 'rss') {
      built.push('feed_rss_created.xml', 'feed_rss_updated.xml', 'feed_json_created.json', 'feed_json_updated.json');
      for (const file of fieldsOf(fieldOf(options, 'feeds_filenames')).values()) built.push(textOf(file) ?? '');
    }
    if (name === 'llmstxt') built.push('llms.txt', textOf(fieldOf(options, 'full_output')) ?? 'llms-full.txt');
    if (name === 'mkdocstrings') built.push('objects.inv');
  }
  return built;
}

/**
 * How themes show a page's title:
 * https://github.com/squidfunk/mkdocs-material/blob/master/material/templates/partials/content.html
 */
function titleIn(theme: StaticValue | undefined): 'unless-any' | 'never' | null {
  if (fieldOf(theme, 'custom_dir')) return null;
  const name = theme === undefined ? 'mkdocs' : (textOf(theme) ?? textOf(fieldOf(theme, 'name')));
  if (name === 'material') return 'unless-any';
  return name === 'mkdocs' || name === 'readthedocs' ? 'never' : null;
}

/**
 * The configuration on top of its `INHERIT`:
 * https://www.mkdocs.org/user-guide/configuration/#configuration-inheritance
 */
function inherited(
  configPath: string,
  read: (path: string) => string | null,
): { sources: YamlSource[]; value: StaticValue } {
  const sources: YamlSource[] = [];
  let path: string | null = configPath;
  let value: StaticValue = UNKNOWN;
  while (path !== null && sources.length < 5 && !sources.some((source) => source.path === path)) {
    const text = read(path);
    if (text === null) break;
    const source = parseYamlSource(path, text);
    sources.push(source);
    value = value.type === 'unknown' ? source.value : merged(value, source.value);
    const parent = textOf(fieldOf(source.value, 'INHERIT'));
    path = parent === undefined ? null : inRepository(folderOf(path), parent);
  }
  return { sources, value };
}

function merged(own: StaticValue, parent: StaticValue): StaticValue {
  if (own.type !== 'object' || parent.type !== 'object') return own;
  const fields = new Map(parent.fields);
  for (const [name, value] of own.fields) {
    const other = parent.fields.get(name);
    fields.set(name, other ? merged(value, other) : value);
  }
  return { ...own, fields };
}

/** Names and options: of `- name`, `- name: {…}` and `name: {…}`. */
function pluginsOf(value: StaticValue | undefined): Map<string, StaticValue> {
  const found = new Map<string, StaticValue>(fieldsOf(value));
  for (const item of itemsOf(value)) {
    const name = textOf(item);
    if (name !== undefined) found.set(name, UNKNOWN);
    for (const [key, options] of fieldsOf(item)) found.set(key, options);
  }
  return found;
}

/** The known function that `toc.slugify` names. */
function slugOf(value: StaticValue | undefined): PythonSlug {
  if (value?.type !== 'unknown') return 'ascii';
  const name = value.tag ?? '';
  if (/slugify_unicode/.test(name)) return 'unicode';
  const options = fieldOf(value.of, 'kwds') ?? fieldOf(value.of, 'kwargs');
  if (/slugs\.(?:uslugify|slugify)/.test(name)) {
    return name.endsWith('uslugify') || textOf(fieldOf(options, 'case'))?.startsWith('lower') ? 'lower' : 'case';
  }
  return 'ascii';
}

function redirectsOf(options: StaticValue | undefined): GeneratorRedirect[] {
  return [...fieldsOf(fieldOf(options, 'redirect_maps'))].flatMap(([from, to]): GeneratorRedirect[] => {
    const text = textOf(to);
    return text === undefined ? [] : [{ from, to: text, at: to.at }];
  });
}

function basePathOf(siteUrl: string | undefined): string | null {
  if (siteUrl === undefined || !URL.canParse(siteUrl)) return null;
  return new URL(siteUrl).pathname.replace(/\/+$/, '');
}

/**
 * Where included files are found: by pymdownx.snippets
 * (https://facelessuser.github.io/pymdown-extensions/extensions/snippets/#options), and by markdown-include.
 */
function snippetLayout(
  extensions: ReadonlyMap<string, StaticValue>,
  folder: string,
): Pick<MkdocsLayout, 'snippetFolders' | 'knowsSnippets'> {
  const used = ['pymdownx.snippets', 'markdown_include.include'].flatMap((name) => extensions.get(name) ?? []);
  const folders = used.flatMap((options) => {
    const base = fieldOf(options, 'base_path');
    const named = [base, ...itemsOf(base)].flatMap((value) => textOf(value) ?? []);
    return (named.length > 0 ? named : ['.']).flatMap((path) => inRepository(folder, path) ?? []);
  });
  const isKnown = used.every((options) => {
    const base = fieldOf(options, 'base_path');
    return options === UNKNOWN || base === undefined || (base.type !== 'unknown' && isClosed(base));
  });
  return { snippetFolders: folders, knowsSnippets: used.length > 0 && isKnown };
}

/** Folders of posts: https://squidfunk.github.io/mkdocs-material/plugins/blog/ */
function blogFolders(plugins: ReadonlyMap<string, { options: StaticValue }>): string[] {
  return [...plugins]
    .filter(([name]) => /(?:^|\/)blog(?:[/#-]\w+)?$/.test(name))
    .map(([, { options }]) => (textOf(fieldOf(options, 'blog_dir')) ?? 'blog').replace(/^\.?\/?|\/+$/g, ''));
}

function withEntries(
  entries: readonly GeneratorEntry[],
  navigation: GeneratorNavigation | null,
): GeneratorNavigation | null {
  if (entries.length === 0) return navigation;
  if (!navigation) return { entries, isWhole: false, edit: null };
  return { ...navigation, entries: [...navigation.entries, ...entries] };
}

function navigationOf(
  nav: StaticValue | undefined,
  configPath: string,
  docs: string,
  plugins: readonly string[],
  sources: readonly YamlSource[],
  mayBeLeftOut: (path: string) => boolean,
): GeneratorNavigation | null {
  if (!nav || nav.type !== 'list') return null;
  const entries: GeneratorEntry[] = [];
  const waiting: StaticValue[] = [nav];
  while (waiting.length > 0) {
    const node = waiting.pop()!;
    const value = textOf(node);
    if (value !== undefined && !/^(?:[a-z][a-z\d+.-]*:|\/\/|#)/i.test(value))
      entries.push({ value, at: node.at, scope: docs });
    waiting.push(...itemsOf(node), ...fieldsOf(node).values());
  }
  entries.sort((a, b) => a.at.start - b.at.start);
  const isWhole =
    isClosed(nav) &&
    !plugins.some((name) => NAVIGATING.test(name)) &&
    !entries.some(({ value }) => /[*]|\/$|^!/.test(value));
  const path = nav.at.path || configPath;
  return {
    entries,
    isWhole,
    mayBeLeftOut,
    edit: sources.some((source) => source.path === path) ? { path, format: 'yaml' } : null,
  };
}
