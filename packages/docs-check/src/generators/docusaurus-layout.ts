import { join } from 'node:path/posix';
import type { ScriptReader } from '../config/script-value.ts';
import {
  fieldOf,
  flagOf,
  isOpen,
  itemsOf,
  textOf,
  UNKNOWN,
  type Place,
  type StaticValue,
} from '../config/static-value.ts';
import { folderOf } from '../read/folder.ts';
import { compileGlob } from '@docent/base/glob';
import { inRepository } from '../read/repository-path.ts';
import { isQuiet, PluginSources } from './docusaurus-plugins.ts';
import type { GeneratorRedirect } from './generator.ts';
import { isVersion2 } from './docusaurus-version.ts';
import { declaredHarmless, type Maker } from './makers.ts';
import { programText } from './program-text.ts';
import { redirectsOfFile } from './redirects-file.ts';

/** A folder whose pages have addresses below one base. */
export interface ContentRoot {
  kind: 'docs' | 'blog' | 'pages';
  folder: string;
  /** From `/`, without a slash at its end: '' for the top. */
  base: string;
  /**
   * The folder of the original for a translation: links without a target in the translation are resolved
   * there.
   */
  original?: string;
  /** The version's sidebars, if it has a file for them. */
  sidebars?: { path: string | null; value: StaticValue };
  /** Whether the option `exclude` excludes a file, by its path in the folder. */
  leavesOut: (inside: string) => boolean;
  /** Number prefixes such as `01-` are part of names. */
  keepsNumbers: boolean;
}

export interface DocusaurusLayout {
  folder: string;
  /** Without slashes at its ends. */
  baseUrl: string;
  trailingSlash: boolean | undefined;
  roots: ContentRoot[];
  statics: string[];
  locales: string[];
  redirects: GeneratorRedirect[];
  /** Where redirects can be added; null without the plugin. */
  hasRedirects: boolean;
  /** Possible sources of pages without files: unknown plugins, and values that only a run shows. */
  makers: Maker[];
  /** `mdx`, or `detect`: `.md` is CommonMark. */
  format: 'mdx' | 'detect' | 'md';
  isVersion2: boolean;
  /** Addresses that the configuration and the sidebars give to lists of pages, below that of their docs. */
  slugs: Set<string>;
}

interface Plugin {
  /** Short, without `docusaurus-plugin-` and the like. */
  name: string;
  /** As it is written. */
  written: string;
  options: StaticValue | undefined;
  at: Place;
}

interface Reading {
  layout: DocusaurusLayout;
  sources: PluginSources;
  harmless: ReadonlySet<string>;
}

/**
 * Reads `docusaurus.config.*` as far as it is written out; it is never run.
 * https://docusaurus.io/docs/api/docusaurus-config
 */
export function readDocusaurusLayout(
  configPath: string,
  config: StaticValue,
  reader: ScriptReader,
  read: (path: string) => string | null,
  docsDir?: string,
): DocusaurusLayout {
  const folder = folderOf(configPath);
  const layout: DocusaurusLayout = {
    folder,
    baseUrl: (textOf(fieldOf(config, 'baseUrl')) ?? '/').replace(/^\/+|\/+$/g, ''),
    trailingSlash: flagOf(fieldOf(config, 'trailingSlash')),
    roots: [],
    statics: staticFolders(folder, fieldOf(config, 'staticDirectories')),
    locales: itemsOf(fieldOf(config, 'i18n', 'locales')).flatMap((item) => textOf(item) ?? []),
    redirects: [],
    hasRedirects: false,
    makers: [],
    format: formatOf(textOf(fieldOf(config, 'markdown', 'format'))),
    isVersion2: isVersion2(read(join(folder, 'package.json'))),
    slugs: new Set(),
  };
  const sources = new PluginSources(folder, configPath, reader.texts, read);
  const reading = { layout, sources, harmless: declaredHarmless(folder, read, docsDir) };
  const whole = { path: configPath, start: config.at.start, end: config.at.end };
  for (const part of [config, fieldOf(config, 'presets'), fieldOf(config, 'plugins')]) {
    if (part && isOpen(part)) addOpen(layout, part.at.path === '' ? whole : part.at);
  }
  const add = new PluginReader(reading, reader, read);
  for (const plugin of [
    ...presetPlugins(fieldOf(config, 'presets'), reading),
    ...pluginsIn(fieldOf(config, 'plugins'), reading),
  ]) {
    add.plugin(plugin);
  }
  if (layout.roots.length === 0)
    for (const name of ['content-docs', 'content-blog', 'content-pages'])
      add.plugin({ name, written: name, options: undefined, at: whole });
  for (const folderName of layout.statics)
    layout.redirects.push(...redirectsOfFile(read(`${folderName}/_redirects`)).map(([from, to]) => ({ from, to })));
  add.translations(textOf(fieldOf(config, 'i18n', 'path')) ?? 'i18n');
  for (const path of new Set(layout.roots.flatMap(({ sidebars }) => sidebars?.path ?? [])))
    for (const [, slug] of (programText(path, read) ?? '').matchAll(SLUG)) layout.slugs.add(`/${slug}`);
  return layout;
}

/** Also in a sidebar that a function makes. */
const SLUG = /\bslug["']?\s*:\s*["'`]\/?([^"'`\s]{1,200}?)\/?["'`]/g;

function staticFolders(folder: string, value: StaticValue | undefined): string[] {
  const named = value?.type === 'list' ? itemsOf(value).flatMap((item) => textOf(item) ?? []) : ['static'];
  return named.flatMap((name) => inRepository(folder, name) ?? []);
}

/** https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-content-docs#exclude */
function excluded(value: StaticValue | undefined): (inside: string) => boolean {
  const matchers = itemsOf(value).flatMap((item) => {
    const pattern = textOf(item);
    try {
      if (pattern === undefined) return [];
      const matches = compileGlob(pattern);
      return pattern.includes('/') ? [matches] : [(inside: string) => !inside.includes('/') && matches(inside)];
    } catch (thrown) {
      if (thrown instanceof RangeError) return [];
      throw thrown;
    }
  });
  return (inside) => matchers.some((matches) => matches(inside));
}

function formatOf(format: string | undefined): DocusaurusLayout['format'] {
  return format === 'detect' || format === 'md' ? format : 'mdx';
}

function shortName(name: string): string {
  return name.replace(/^@docusaurus\/(?:plugin-|preset-|theme-)?|docusaurus-plugin-/g, '');
}

/** If a list of plugins or presets cannot be read to its end. */
function addOpen({ makers }: DocusaurusLayout, at: Place): void {
  if (makers.some(({ at: known }) => known.start === at.start && known.path === at.path)) return;
  makers.push({
    name: 'What the configuration takes from elsewhere',
    at,
    key: null,
    source: null,
    folders: [],
  });
}

function pluginsIn(value: StaticValue | undefined, { layout, sources, harmless }: Reading): Plugin[] {
  return itemsOf(value).flatMap((item): Plugin[] => {
    const named = textOf(item) === undefined ? itemsOf(item)[0] : item;
    const name = textOf(named);
    if (name !== undefined) {
      return [{ name: shortName(name), written: name, options: itemsOf(item)[1], at: named!.at }];
    }
    // `false` and `null` mean nothing; a function is an inline plugin.
    const plugin = item.type === 'list' ? named : item;
    const maker = plugin && plugin.type !== 'scalar' ? sources.inPlace(plugin) : null;
    if (maker && !(maker.key !== null && harmless.has(maker.key))) layout.makers.push(maker);
    return [];
  });
}

function presetPlugins(value: StaticValue | undefined, reading: Reading): Plugin[] {
  return itemsOf(value).flatMap((preset): Plugin[] => {
    const named = textOf(preset) === undefined ? itemsOf(preset)[0] : preset;
    const name = textOf(named) ?? '';
    const options = itemsOf(preset)[1];
    if (named === undefined) return [];
    if (shortName(name) !== 'classic') {
      const maker = name === '' ? reading.sources.inPlace(named) : reading.sources.named(name, name, options, named.at);
      if (maker && !reading.harmless.has(name)) {
        reading.layout.makers.push({ ...maker, name: maker.name.replace('plugin', 'preset') });
      }
      if (!/docs|blog|pages/.test([...(options?.type === 'object' ? options.fields.keys() : [])].join())) return [];
    }
    return ['docs', 'blog', 'pages'].flatMap((part): Plugin[] => {
      const own = fieldOf(options, part);
      const plugin = { name: `content-${part}`, written: name, options: own, at: named.at };
      return flagOf(own) === false ? [] : [plugin];
    });
  });
}

class PluginReader {
  readonly #layout: DocusaurusLayout;
  readonly #reading: Reading;
  readonly #reader: ScriptReader;
  readonly #read: (path: string) => string | null;
  readonly #instances: { kind: ContentRoot['kind']; id: string; root: ContentRoot; versions: string[] }[] = [];

  constructor(reading: Reading, reader: ScriptReader, read: (path: string) => string | null) {
    this.#layout = reading.layout;
    this.#reading = reading;
    this.#reader = reader;
    this.#read = read;
  }

  plugin({ name, written, options, at }: Plugin): void {
    if (name === 'content-docs') this.#docs(options);
    else if (name === 'content-blog') this.#content('blog', options, 'blog', 'blog');
    else if (name === 'content-pages') this.#content('pages', options, 'src/pages', '/');
    else if (name === 'client-redirects') this.#redirects(options);
    else if (!isQuiet(name)) this.#unknown(written, name, options, at);
  }

  #unknown(written: string, short: string, options: StaticValue | undefined, at: Place): void {
    const { sources, harmless, layout } = this.#reading;
    if (harmless.has(written) || harmless.has(short)) return;
    const maker = sources.named(written, written, options, at);
    if (maker) layout.makers.push(maker);
  }

  #content(
    kind: ContentRoot['kind'],
    options: StaticValue | undefined,
    path: string,
    route: string,
  ): ContentRoot | null {
    const folder = inRepository(this.#layout.folder, textOf(fieldOf(options, 'path')) ?? path);
    if (folder === null) return null;
    const base = (textOf(fieldOf(options, 'routeBasePath')) ?? route).replace(/^\/+|\/+$/g, '');
    const keepsNumbers = flagOf(fieldOf(options, 'numberPrefixParser')) === false;
    const leavesOut = excluded(fieldOf(options, 'exclude'));
    const root: ContentRoot = { kind, folder, base: base === '' ? '' : `/${base}`, leavesOut, keepsNumbers };
    this.#layout.roots.push(root);
    const id = textOf(fieldOf(options, 'id')) ?? 'default';
    this.#instances.push({ kind, id, root, versions: [] });
    return root;
  }

  /** The folders of the current and of earlier versions: https://docusaurus.io/docs/versioning */
  #docs(options: StaticValue | undefined): void {
    const root = this.#content('docs', options, 'docs', 'docs');
    if (!root) return;
    const instance = this.#instances.at(-1)!;
    const prefix = instance.id === 'default' ? '' : `${instance.id}_`;
    const site = this.#layout.folder;
    root.sidebars = this.#sidebars(fieldOf(options, 'sidebarPath'));
    const isVersioned = flagOf(fieldOf(options, 'disableVersioning')) !== true;
    const listed = isVersioned && this.#read(join(site, `${prefix}versions.json`)) !== null;
    const versions = listed
      ? itemsOf(this.#reader.exported(join(site, `${prefix}versions.json`))).flatMap((item) => textOf(item) ?? [])
      : [];
    if (versions.length === 0) return;
    const last = textOf(fieldOf(options, 'lastVersion')) ?? versions[0]!;
    const routeOf = (version: string, own: string) => {
      const path = textOf(fieldOf(options, 'versions', version, 'path'));
      const route = (path ?? (version === last ? '' : own)).replace(/^\/+|\/+$/g, '');
      return route === '' ? root.base : `${root.base}/${route}`;
    };
    const base = routeOf('current', 'next');
    instance.versions = versions;
    for (const version of versions) {
      const path = join(site, `${prefix}versioned_sidebars/version-${version}-sidebars.json`);
      this.#layout.roots.push({
        ...root,
        folder: join(site, `${prefix}versioned_docs/version-${version}`),
        base: routeOf(version, version),
        sidebars: { path, value: this.#read(path) === null ? UNKNOWN : this.#reader.exported(path) },
      });
    }
    root.base = base;
  }

  #sidebars(value: StaticValue | undefined): NonNullable<ContentRoot['sidebars']> {
    const named = textOf(value);
    const names =
      named === undefined
        ? value?.type === 'unknown'
          ? ['sidebars.js', 'sidebars.ts', 'sidebars.json']
          : []
        : [named];
    for (const name of names) {
      const path = inRepository(this.#layout.folder, name);
      if (path !== null && this.#read(path) !== null) return { path, value: this.#reader.exported(path) };
    }
    return { path: null, value: UNKNOWN };
  }

  /** https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-client-redirects */
  #redirects(options: StaticValue | undefined): void {
    this.#layout.hasRedirects = true;
    const list = fieldOf(options, 'redirects');
    for (const made of [list, fieldOf(options, 'createRedirects')]) {
      if (made && isOpen(made)) this.#layout.makers.push(this.#reading.sources.redirects(made));
    }
    for (const item of itemsOf(list)) {
      const to = textOf(fieldOf(item, 'to'));
      const at = fieldOf(item, 'to')?.at;
      const from = fieldOf(item, 'from');
      for (const value of [from, ...itemsOf(from)]) {
        const text = textOf(value);
        if (text !== undefined && to !== undefined)
          this.#layout.redirects.push({ from: text, to, ...(at === undefined ? {} : { at }) });
      }
    }
  }

  /** https://docusaurus.io/docs/i18n/introduction#translation-files-location */
  translations(folderName: string): void {
    const names = {
      docs: 'docusaurus-plugin-content-docs',
      blog: 'docusaurus-plugin-content-blog',
      pages: 'docusaurus-plugin-content-pages',
    };
    for (const locale of this.#layout.locales) {
      for (const { kind, id, root, versions } of this.#instances) {
        const suffix = id === 'default' ? '' : `-${id}`;
        const base = join(this.#layout.folder, folderName, locale, names[kind] + suffix);
        const translated = (folder: string, original: ContentRoot) => {
          this.#layout.roots.push({
            ...original,
            folder,
            original: original.folder,
            sidebars: { path: null, value: UNKNOWN },
          });
        };
        if (kind !== 'docs') translated(base, root);
        else {
          translated(join(base, 'current'), root);
          for (const version of versions) {
            const own = this.#layout.roots.find(({ folder }) => folder.endsWith(`versioned_docs/version-${version}`));
            if (own) translated(join(base, `version-${version}`), own);
          }
        }
      }
    }
  }
}
