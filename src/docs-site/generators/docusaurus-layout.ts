import { join } from 'node:path/posix';
import type { ScriptReader } from '../config/script-value.ts';
import { fieldOf, flagOf, isOpen, itemsOf, textOf, UNKNOWN, type StaticValue } from '../config/static-value.ts';
import { inRepository } from '../read/repository-path.ts';
import { redirectsOfFile } from './redirects-file.ts';

/** A folder whose pages get addresses below one base. */
export interface ContentRoot {
  kind: 'docs' | 'blog' | 'pages';
  folder: string;
  /** From `/`, without a slash at its end: '' for the top. */
  base: string;
  /** The folder that a translation stands for: links that find nothing in it are looked for there. */
  original?: string;
  /** The version's sidebars, where it has a file of them. */
  sidebars?: { path: string | null; value: StaticValue };
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
  redirects: [from: string, to: string][];
  /** Where redirects can be entered; null without the plugin. */
  hasRedirects: boolean;
  /** Something makes pages that no file shows: a plugin that is not Docusaurus' own, or options that only running tells. */
  isGenerated: boolean;
  /** `mdx`, or `detect`: `.md` is CommonMark. */
  format: 'mdx' | 'detect' | 'md';
}

interface Plugin {
  name: string;
  options: StaticValue | undefined;
}

/** Plugins that add no page of their own. */
const QUIET =
  /client-redirects|sitemap|gtag|google|analytics|pwa|ideal-image|debug|css-cascade|svgr|search|mermaid|live-codeblock|vercel|rsdoctor|sass|tailwind|webpack|webpack5|image-zoom|plausible|fathom|hotjar|gtm|segment|posthog|redirects|llms|theme/;

/** Reads `docusaurus.config.*` as far as it is written out; it is never run. https://docusaurus.io/docs/api/docusaurus-config */
export function readDocusaurusLayout(
  folder: string,
  config: StaticValue,
  reader: ScriptReader,
  read: (path: string) => string | null,
): DocusaurusLayout {
  const layout: DocusaurusLayout = {
    folder,
    baseUrl: (textOf(fieldOf(config, 'baseUrl')) ?? '/').replace(/^\/+|\/+$/g, ''),
    trailingSlash: flagOf(fieldOf(config, 'trailingSlash')),
    roots: [],
    statics: staticFolders(folder, fieldOf(config, 'staticDirectories')),
    locales: itemsOf(fieldOf(config, 'i18n', 'locales')).flatMap((item) => textOf(item) ?? []),
    redirects: [],
    hasRedirects: false,
    isGenerated: isOpen(fieldOf(config, 'presets')) || isOpen(fieldOf(config, 'plugins')) || isOpen(config),
    format: formatOf(textOf(fieldOf(config, 'markdown', 'format'))),
  };
  const add = new PluginReader(layout, reader, read);
  for (const plugin of [
    ...presetPlugins(fieldOf(config, 'presets'), layout),
    ...pluginsIn(fieldOf(config, 'plugins'), layout),
  ]) {
    add.plugin(plugin);
  }
  if (layout.roots.length === 0)
    for (const name of ['content-docs', 'content-blog', 'content-pages']) add.plugin({ name, options: undefined });
  for (const folderName of layout.statics) layout.redirects.push(...redirectsOfFile(read(`${folderName}/_redirects`)));
  add.translations(textOf(fieldOf(config, 'i18n', 'path')) ?? 'i18n');
  return layout;
}

function staticFolders(folder: string, value: StaticValue | undefined): string[] {
  const named = value?.type === 'list' ? itemsOf(value).flatMap((item) => textOf(item) ?? []) : ['static'];
  return named.flatMap((name) => inRepository(folder, name) ?? []);
}

function formatOf(format: string | undefined): DocusaurusLayout['format'] {
  return format === 'detect' || format === 'md' ? format : 'mdx';
}

function shortName(name: string): string {
  return name.replace(/^@docusaurus\/(?:plugin-|preset-|theme-)?|docusaurus-plugin-/g, '');
}

function pluginsIn(value: StaticValue | undefined, layout: DocusaurusLayout): Plugin[] {
  return itemsOf(value).flatMap((item): Plugin[] => {
    const name = textOf(item) ?? textOf(itemsOf(item)[0]);
    if (name !== undefined) return [{ name: shortName(name), options: itemsOf(item)[1] }];
    // `false` and `null` stand for nothing; a function is a plugin in place.
    if (item.type === 'unknown' || item.type === 'list') layout.isGenerated = true;
    return [];
  });
}

function presetPlugins(value: StaticValue | undefined, layout: DocusaurusLayout): Plugin[] {
  return itemsOf(value).flatMap((preset): Plugin[] => {
    const name = textOf(preset) ?? textOf(itemsOf(preset)[0]) ?? '';
    const options = itemsOf(preset)[1];
    if (shortName(name) !== 'classic') {
      layout.isGenerated = true;
      if (!/docs|blog|pages/.test([...(options?.type === 'object' ? options.fields.keys() : [])].join())) return [];
    }
    return ['docs', 'blog', 'pages'].flatMap((part): Plugin[] => {
      const own = fieldOf(options, part);
      return flagOf(own) === false ? [] : [{ name: `content-${part}`, options: own }];
    });
  });
}

class PluginReader {
  readonly #layout: DocusaurusLayout;
  readonly #reader: ScriptReader;
  readonly #read: (path: string) => string | null;
  readonly #instances: { kind: ContentRoot['kind']; id: string; root: ContentRoot; versions: string[] }[] = [];

  constructor(layout: DocusaurusLayout, reader: ScriptReader, read: (path: string) => string | null) {
    this.#layout = layout;
    this.#reader = reader;
    this.#read = read;
  }

  plugin({ name, options }: Plugin): void {
    if (name === 'content-docs') this.#docs(options);
    else if (name === 'content-blog') this.#content('blog', options, 'blog', 'blog');
    else if (name === 'content-pages') this.#content('pages', options, 'src/pages', '/');
    else if (name === 'client-redirects') this.#redirects(options);
    else if (!QUIET.test(name)) this.#layout.isGenerated = true;
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
    const root: ContentRoot = { kind, folder, base: base === '' ? '' : `/${base}`, keepsNumbers };
    this.#layout.roots.push(root);
    const id = textOf(fieldOf(options, 'id')) ?? 'default';
    this.#instances.push({ kind, id, root, versions: [] });
    return root;
  }

  /** The folder of the current version, and those of the ones before: https://docusaurus.io/docs/versioning */
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
    if (isOpen(list) || fieldOf(options, 'createRedirects')) this.#layout.isGenerated = true;
    for (const item of itemsOf(list)) {
      const to = textOf(fieldOf(item, 'to'));
      const from = fieldOf(item, 'from');
      for (const value of [from, ...itemsOf(from)]) {
        const text = textOf(value);
        if (text !== undefined && to !== undefined) this.#layout.redirects.push([text, to]);
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
