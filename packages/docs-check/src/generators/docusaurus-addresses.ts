import { basename, dirname, extname, join } from 'node:path/posix';
import { folderOf } from '../read/folder.ts';
import type { LinkTarget } from '../read/link-target.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { RedirectTable } from '../read/redirect-table.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { DocusaurusLayout } from './docusaurus-layout.ts';
import { basesOf, DocusaurusRoutes, joined, rootOf } from './docusaurus-routes.ts';
import { Makers } from './makers.ts';
import {
  isRawHtml,
  type FieldsOf,
  type FileSet,
  type GeneratorEntry,
  type Resolved,
  type SiteAddresses,
  type Via,
} from './generator.ts';

const MODULE_ENDINGS = [
  '',
  '.tsx',
  '.ts',
  '.jsx',
  '.js',
  '.mdx',
  '.md',
  '.json',
  '/index.tsx',
  '/index.ts',
  '/index.js',
  '/index.jsx',
];

/**
 * Sidebars of old versions named documents as `version-1.0/intro`, up to version 2: `docs.ts` of
 * @docusaurus/plugin-content-docs 2.4.
 */
function withoutVersion(scope: string, id: string): string {
  const prefix = `${basename(scope)}/`;
  return prefix.startsWith('version-') && id.startsWith(prefix) ? id.slice(prefix.length) : id;
}

/**
 * Links as Docusaurus takes them (https://docusaurus.io/docs/markdown-features/links): a Markdown link with
 * the extension means a file, any other the address of a page.
 */
export class DocusaurusAddresses implements SiteAddresses {
  readonly #layout: DocusaurusLayout;
  readonly #set: FileSet;
  readonly #fieldsOf: FieldsOf;
  readonly #main: string;
  readonly #redirects: RedirectTable;
  readonly #makers: Makers;
  #routes: DocusaurusRoutes | null = null;

  /** @param main the folder of pages for addresses that name no other */
  constructor(layout: DocusaurusLayout, set: FileSet, fieldsOf: FieldsOf, main: string) {
    this.#layout = layout;
    this.#set = set;
    this.#fieldsOf = fieldsOf;
    this.#main = main;
    this.#makers = new Makers(layout.makers);
    this.#redirects = new RedirectTable(layout.redirects.map(({ from, to }) => [from, to]));
  }

  addressOf(path: string): string | null {
    return this.#all.byFile.get(path)?.address ?? null;
  }

  resolve(from: string, target: LinkTarget, via: Via): Resolved {
    const { hash } = target;
    if (via.kind === 'import') return this.#module(from, target.path, hash);
    // Version 2 replaces the file's name by the address, whatever follows: `replaceMarkdownLinks` of
    // @docusaurus/utils 2.4.
    const hasSlash = this.#layout.isVersion2 && via.syntax === 'markdown' && /\.mdx?\/$/.test(target.path);
    const path = hasSlash ? target.path.slice(0, -1) : target.path;
    if (path.startsWith('@site/')) return this.#siteFile(path, hash);
    if (pageFormatOf(path) && !isRawHtml(via)) {
      const file = this.#byFile(from, path);
      if (file !== null)
        return { kind: 'file', path: file, hash, origin: path.startsWith('/') ? 'site' : 'page', asIndex: false };
    }
    const asset = isRawHtml(via) && !path.startsWith('/') ? null : this.#asset(from, path);
    if (asset !== null)
      return { kind: 'file', path: asset, hash, origin: path.startsWith('/') ? 'address' : 'page', asIndex: false };
    const addresses = this.#addresses(from, path);
    if (addresses.length === 0) return { kind: 'generated' };
    for (const address of addresses) {
      const served = isRawHtml(via) ? this.#asset(from, address) : null;
      const found = this.#all.byAddress.get(address) ?? this.#staticPage(address) ?? served;
      if (found) return { kind: 'file', path: found, hash, origin: 'address', asIndex: false };
    }
    for (const address of addresses) {
      const destination = this.#redirects.destinationOf(address);
      if (destination !== null) return { kind: 'redirected', destination, hash };
    }
    if (!pageFormatOf(path) && addresses.some((address) => this.#mayBeMade(address))) return { kind: 'generated' };
    if (this.#mayBePluginsOwn(path, addresses, via)) return { kind: 'generated' };
    return { kind: 'missing', wanted: this.#wanted(from, path, addresses[0]!), hash };
  }

  /** From the top of the site: a relative address depends on the trailing slash of the page's own. */
  hrefTo(_from: string, to: string): string | null {
    const base = this.#layout.baseUrl === '' ? '' : `/${this.#layout.baseUrl}`;
    const address = this.addressOf(to);
    if (address !== null) return address === '/' ? `${base}/` : base + address;
    const served = this.#layout.statics.flatMap((folder) => below(to, folder) ?? []);
    return served.length === 0 ? null : `${base}/${served[0]}`;
  }

  fileOf({ value, scope }: GeneratorEntry): string | null | undefined {
    const found = this.#all.fileOfId(scope, this.#layout.isVersion2 ? withoutVersion(scope, value) : value);
    if (found !== null) return found;
    const file = join(scope, value);
    const mayMake = this.#makers.mayMake({
      paths: [below(file, this.#layout.folder) ?? file],
      inside: value,
      hasSiblings: this.#all.hasIds(scope, dirname(value)),
    });
    return mayMake ? undefined : null;
  }

  entryOf(path: string): string | null {
    return this.#all.byFile.get(path)?.id ?? null;
  }

  hasDestination(to: string): boolean {
    const path = to.replace(/[?#].*$/s, '');
    if (!path.startsWith('/')) return true;
    const { kind } = this.resolve(
      '',
      { path, query: '', hash: null },
      { kind: 'link', syntax: 'attribute', ofComponent: true },
    );
    return kind !== 'missing';
  }

  isRedirected(address: string): boolean {
    return this.#redirects.destinationOf(address) !== null;
  }

  isOwnAnchor(hash: string): boolean {
    return /^(?:user-content-)?fn(?:ref)?-/.test(hash) || hash.startsWith('__docusaurus');
  }

  get #all(): DocusaurusRoutes {
    this.#routes ??= new DocusaurusRoutes(this.#layout, this.#set, this.#fieldsOf);
    return this.#routes;
  }

  /** In the order of Docusaurus' `resolveMarkdownLinkPathname`. */
  #byFile(from: string, path: string): string | null {
    const root = rootOf(this.#layout, from);
    const own = root && below(from, root.folder);
    const folders = [
      ...(path.startsWith('/') ? [] : [folderOf(from)]),
      ...(root?.original !== undefined && own !== null && !path.startsWith('/')
        ? [folderOf(`${root.original}/${own}`)]
        : []),
      ...(root ? [root.folder, ...(root.original === undefined ? [] : [root.original])] : []),
      this.#layout.folder,
    ];
    for (const folder of folders) {
      const candidate = inRepository(folder, `./${path}`);
      if (candidate !== null && this.#set.files.has(candidate)) return candidate;
    }
    return null;
  }

  #module(from: string, path: string, hash: string | null): Resolved {
    const base = path.startsWith('@site/')
      ? inRepository(this.#layout.folder, path.slice(6))
      : inRepository(folderOf(from), path);
    // An absolute import uses a bundler's alias.
    if (base === null || path.startsWith('/')) return { kind: 'elsewhere' };
    const found = MODULE_ENDINGS.map((ending) => base + ending).find((candidate) => this.#set.files.has(candidate));
    if (found !== undefined) return { kind: 'file', path: found, hash, origin: 'page', asIndex: false };
    const root = rootOf(this.#layout, from);
    const own = root?.original === undefined ? null : below(from, root.folder);
    if (root?.original !== undefined && own !== null) return this.#module(`${root.original}/${own}`, path, hash);
    return { kind: 'missing', wanted: base, hash };
  }

  #siteFile(path: string, hash: string | null): Resolved {
    const file = inRepository(this.#layout.folder, path.slice('@site/'.length));
    if (file !== null && this.#set.files.has(file))
      return { kind: 'file', path: file, hash, origin: 'address', asIndex: false };
    return { kind: 'missing', wanted: file ?? path, hash };
  }

  #asset(from: string, path: string): string | null {
    const isFile = (candidate: string | null) =>
      candidate !== null && this.#set.files.has(candidate) && !pageFormatOf(candidate);
    if (!path.startsWith('/')) {
      const own = inRepository(folderOf(from), path);
      if (isFile(own)) return own;
      const root = rootOf(this.#layout, from);
      const inside = root?.original === undefined ? null : below(from, root.folder);
      const original = inside === null ? null : inRepository(folderOf(`${root!.original}/${inside}`), path);
      return isFile(original) ? original : null;
    }
    for (const folder of this.#layout.statics) {
      for (const name of [path, this.#withoutBase(path)]) {
        const candidate = name === null ? null : inRepository(folder, `.${name}`);
        if (isFile(candidate)) return candidate;
      }
    }
    return null;
  }

  /** Possible addresses in a browser; empty if the page has no address of its own. */
  #addresses(from: string, path: string): string[] {
    if (path.startsWith('/')) {
      const [, first = ''] = path.split('/');
      const plain = [path, this.#withoutBase(path)].flatMap((address) =>
        address === null ? [] : [joined('', address)],
      );
      return this.#layout.locales.includes(first)
        ? [...plain, ...plain.map((address) => joined('', address.slice(first.length + 1)))]
        : plain;
    }
    const route = this.#all.byFile.get(from);
    if (!route) return [];
    return basesOf(route, this.#layout.trailingSlash).map((base) => joined(base, path));
  }

  #withoutBase(path: string): string | null {
    const { baseUrl } = this.#layout;
    if (baseUrl === '' || (path !== `/${baseUrl}` && !path.startsWith(`/${baseUrl}/`))) return null;
    return path.slice(baseUrl.length + 1) || '/';
  }

  #staticPage(address: string): string | undefined {
    for (const folder of this.#layout.statics) {
      for (const ending of ['.html', '/index.html']) {
        const candidate = join(folder, `.${address}${ending}`);
        if (this.#set.files.has(candidate)) return candidate;
      }
    }
    const bare = address.replace(/(?:\/index)?\.html$/, '');
    return bare === address ? undefined : this.#all.byAddress.get(bare === '' ? '/' : bare);
  }

  /** Lists of tags and posts, categories, and pages of plugins. */
  #mayBeMade(address: string): boolean {
    return (
      this.#layout.roots.some(({ kind, base }) => {
        const inside = below(address, base);
        if (address === base || (base === '' && address === '/')) return true;
        if (inside === null) return false;
        const own = inside.replace(/^\//, '');
        if (kind === 'blog') return /^(?:tags|authors|archive|page|rss\.xml|atom\.xml|feed\.json)(?:\/|$)/.test(own);
        return kind === 'docs' && (/^(?:tags|category)(?:\/|$)/.test(own) || this.#layout.slugs.has(`/${own}`));
      }) || this.#hasOwnSlug(address)
    );
  }

  /**
   * Files that a page names from its own folder, and images of Markdown, are taken from the disk, whatever
   * plugins make.
   */
  #mayBePluginsOwn(path: string, addresses: readonly string[], { kind, syntax }: Via): boolean {
    if (pageFormatOf(path) || (kind === 'image' && syntax === 'markdown')) return false;
    if (path.startsWith('/')) return addresses.some((address) => this.#isMade(address));
    return (extname(path) === '' || /\.html?$/.test(path)) && this.#isMade(addresses[0]!);
  }

  /** Plugins name files from the site's folder, and addresses from the top of the site or of the docs. */
  #isMade(address: string): boolean {
    if (this.#layout.makers.length === 0) return false;
    const roots = this.#layout.roots.filter(({ kind, original }) => kind !== 'pages' && original === undefined);
    const own = roots.flatMap(({ base, folder }) => {
      const inside = below(address, base)?.replace(/^\//, '');
      return inside === undefined || inside === '' ? [] : [{ base, inside, file: join(folder, inside) }];
    });
    const files = own.map(({ file }) => below(file, this.#layout.folder) ?? file);
    const innermost = own.toSorted((a, b) => b.base.length - a.base.length)[0];
    return this.#makers.mayMake({
      paths: [address.slice(1), ...files],
      inside: innermost?.inside ?? address.slice(1),
      hasSiblings:
        this.#all.hasAddresses(dirname(address)) ||
        this.#layout.statics.some((folder) => this.#set.folders.has(join(folder, `.${dirname(address)}`))),
    });
  }

  /** `link: { type: 'generated-index', slug: '/…' }` of a `_category_` file may name any address. */
  #hasOwnSlug(address: string): boolean {
    return this.#layout.roots.some(({ kind, base, folder }) => {
      const inside = kind === 'docs' ? below(address, base) : null;
      if (inside === null) return false;
      return [...this.#set.folders].some((name) => {
        const own = below(name, folder);
        return (
          own !== null &&
          joined('', own.replace(/(^|\/)\d+\s*[-_.]+\s*/g, '$1')) === joined('', inside) &&
          this.#hasCategory(name)
        );
      });
    });
  }

  #hasCategory(folder: string): boolean {
    return ['json', 'yml', 'yaml'].some((ending) => this.#set.files.has(`${folder}/_category_.${ending}`));
  }

  /** The expected file of an address. */
  #wanted(from: string, path: string, address: string): string {
    if (!path.startsWith('/') && (pageFormatOf(path) || extname(path) !== ''))
      return inRepository(folderOf(from), path) ?? path;
    const isAsset = extname(path) !== '' && !/\.html?$/.test(path);
    if (isAsset) return join(this.#layout.statics[0] ?? this.#layout.folder, `.${path}`);
    const roots = this.#layout.roots.filter(
      ({ base, original }) => original === undefined && below(address, base) !== null,
    );
    const root = roots.toSorted((a, b) => b.base.length - a.base.length)[0];
    return join(root?.folder ?? this.#main, `.${joined('', root ? (below(address, root.base) ?? '') : address)}`);
  }
}
