import { extname } from 'node:path/posix';
import { folderOf } from '../read/folder.ts';
import type { LinkTarget } from '../read/link-target.ts';
import { pageFormatOf, withoutPageExtension } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { FileSet, GeneratorEntry, Resolved, SiteAddresses, Via } from './generator.ts';

/** A folder of pages, and the address at which they are shown: empty for the top. */
export interface ContentRoot {
  dir: string;
  base: string;
  /** Each page has its own folder: `app/guide/page.mdx`. */
  isApp?: true;
}

export interface NextDocsLayout {
  /** Of the site, with `public/`. */
  folder: string;
  roots: readonly ContentRoot[];
  /** How translations are named: by the file's name, or by the first folder. */
  locales: 'dot' | 'dir' | null;
  basePath: string;
  /** Routes of Next.js other than pages. */
  routes: readonly RegExp[];
  redirects: readonly RegExp[];
  /** There may be pages or redirects without files. */
  isOpen: boolean;
}

const ENDINGS = [
  '',
  '.mdx',
  '.md',
  '.tsx',
  '.ts',
  '.jsx',
  '.js',
  '/index.tsx',
  '/index.ts',
  '/index.jsx',
  '/index.js',
  '/index.mdx',
];

const PROGRAM_OR_PAGE = /\.(?:mdx?|[jt]sx?)$/;

/** Pages of Nextra and Fumadocs: addresses as browsers follow them, and files by their paths. */
export class NextDocsAddresses implements SiteAddresses {
  readonly #layout: NextDocsLayout;
  readonly #set: FileSet;
  /** By address; those of the default language first. */
  readonly #pages = new Map<string, { path: string; locale: string | null }[]>();
  readonly #addresses = new Map<string, string>();
  /** Of folders and of files that may be pages, without groups, languages and extensions. */
  readonly #names = new Set<string>();

  constructor(layout: NextDocsLayout, set: FileSet) {
    this.#layout = layout;
    this.#set = set;
    for (const path of set.files) {
      if (PROGRAM_OR_PAGE.test(path)) {
        const bare = withoutGroups(path).replace(/\.[^/]*$/, '');
        for (let name = bare; name !== '' && !this.#names.has(name); name = folderOf(name)) this.#names.add(name);
      }
      if (pageFormatOf(path) === null) continue;
      const found = this.#placeOf(path);
      if (!found) continue;
      this.#addresses.set(path, found.address);
      const known = this.#pages.get(found.address) ?? [];
      this.#pages.set(found.address, [...known, { path, locale: found.locale }]);
    }
  }

  addressOf(path: string): string | null {
    const address = this.#addresses.get(path);
    return address === '' ? '/' : (address ?? null);
  }

  resolve(from: string, { path, hash }: LinkTarget, via: Via): Resolved {
    if (via.kind === 'import') return this.#module(from, path, hash);
    const isImage = via.kind === 'image';
    if (path.startsWith('/')) return this.#absolute(from, path, hash, isImage);
    const file = inRepository(folderOf(from), path);
    if (file === null) return { kind: 'generated' };
    const found = this.#file(file, hash, 'page');
    if (found) return found;
    if (isImage) return { kind: 'missing', wanted: file, hash };
    const here = this.#addresses.get(from);
    if (here === undefined) return { kind: 'generated' };
    // From the page's address, with or without a trailing slash, which is a setting.
    const seen = [here || '/', `${here}/`].map((base) => new URL(encodeURI(path), `http://x${base}`).pathname);
    for (const address of seen) {
      const page = this.#absolute(from, decodeURI(address), hash, false);
      if (page.kind !== 'missing') return page;
    }
    return this.#layout.isOpen ? { kind: 'generated' } : { kind: 'missing', wanted: file, hash };
  }

  translationsOf(path: string): readonly string[] {
    const address = this.#addresses.get(path);
    return address === undefined ? [] : (this.#pages.get(address) ?? []).map((page) => page.path);
  }

  fileOf({ value, scope }: GeneratorEntry): string | null | undefined {
    const wanted = inRepository(scope, value);
    if (wanted === null) return undefined;
    const page = ['', '.mdx', '.md'].map((ending) => wanted + ending).find((path) => this.#set.files.has(path));
    if (page !== undefined) return pageFormatOf(page) === null ? undefined : page;
    const { folder, roots, routes, isOpen } = this.#layout;
    const names = [wanted, ...(value === 'index' ? [inRepository(scope, 'page')!] : [])];
    // Next.js also serves files of its own folders.
    for (const { dir, base } of roots) {
      const inside = wanted === dir ? '' : below(wanted, dir);
      if (inside === null) continue;
      const address = `${base}/${inside}`;
      if (routes.some((route) => route.test(address))) return undefined;
      for (const app of ['app', 'src/app']) names.push(`${folder === '' ? app : `${folder}/${app}`}${address}`);
    }
    const isThere = this.#set.folders.has(wanted) || names.some((name) => this.#names.has(withoutGroups(name)));
    return isOpen || isThere ? undefined : null;
  }

  isRedirected(address: string): boolean {
    return this.#layout.redirects.some(
      (pattern) => pattern.test(this.#layout.basePath + address) || pattern.test(address),
    );
  }

  /** Layouts around the pages have their own ids. */
  isOwnAnchor(hash: string): boolean {
    return /^(?:nd-|nextra-|main$|content$)/.test(hash);
  }

  #absolute(from: string, written: string, hash: string | null, isImage: boolean): Resolved {
    const { basePath, folder, routes, roots, isOpen } = this.#layout;
    const isBelow = basePath !== '' && (written === basePath || written.startsWith(`${basePath}/`));
    const path = (isBelow ? written.slice(basePath.length) : written).replace(/(.)\/+$/, '$1') || '/';
    const asset = inRepository(folder, `public${path}`);
    if (asset !== null && this.#set.files.has(asset))
      return {
        kind: 'file',
        path: asset,
        hash,
        origin: 'address',
        asIndex: false,
      };
    if (isImage) {
      const isMade =
        extname(path) === '' ||
        /^\/(?:_next|api|og)\//.test(path) ||
        routes.some((route) => route.test(path)) ||
        this.isRedirected(path);
      return isMade || asset === null ? { kind: 'generated' } : { kind: 'missing', wanted: asset, hash };
    }
    const address = this.#withoutLocale(withoutPageExtension(path) || '/');
    const page =
      this.#pageAt(from, address === '/' ? '' : address.path) ?? this.#pageAt(from, path === '/' ? '' : path);
    if (page)
      return {
        kind: 'file',
        path: page,
        hash,
        origin: 'address',
        asIndex: false,
      };
    const others = [path, address === '/' ? '/' : address.path];
    if (others.some((one) => this.isRedirected(one) || routes.some((route) => route.test(one === '/' ? '' : one))))
      return { kind: 'generated' };
    const root = roots.find(({ base }) => others.some((one) => one === base || one.startsWith(`${base}/`)));
    // Another program may serve anything outside the pages' address.
    if (!root || isOpen || /^\/(?:_next|api)(?:\/|$)/.test(path) || /\.(?!mdx?$)\w{1,6}$/.test(path))
      return { kind: 'generated' };
    const inside = (address === '/' ? '/' : address.path).slice(root.base.length);
    return { kind: 'missing', wanted: root.dir + inside, hash };
  }

  #withoutLocale(path: string): '/' | { path: string } {
    const [, first = '', rest = ''] = /^\/([^/]*)(\/.*)?$/.exec(path) ?? [];
    if (path === '/') return '/';
    return this.#layout.locales !== null && LOCALE.test(first) ? { path: rest } : { path };
  }

  /** In the language of the page with the link, if there is one. */
  #pageAt(from: string, address: string): string | null {
    const found = this.#pages.get(address);
    if (!found) return null;
    const locale = this.#placeOf(from)?.locale ?? null;
    return (found.find((page) => page.locale === locale) ?? found.find((page) => page.locale === null) ?? found[0]!)
      .path;
  }

  #file(path: string, hash: string | null, origin: 'page'): Resolved | null {
    if (this.#set.files.has(path)) return { kind: 'file', path, hash, origin, asIndex: false };
    for (const ending of ['.mdx', '.md']) {
      if (this.#set.files.has(path + ending))
        return {
          kind: 'file',
          path: path + ending,
          hash,
          origin,
          asIndex: false,
        };
    }
    return null;
  }

  #module(from: string, path: string, hash: string | null): Resolved {
    if (!path.startsWith('.')) return { kind: 'generated' };
    const wanted = inRepository(folderOf(from), path);
    if (wanted === null) return { kind: 'generated' };
    const found = ENDINGS.map((ending) => wanted + ending).find((file) => this.#set.files.has(file));
    if (found !== undefined)
      return {
        kind: 'file',
        path: found,
        hash,
        origin: 'page',
        asIndex: false,
      };
    return extname(wanted) === '' ? { kind: 'generated' } : { kind: 'missing', wanted, hash };
  }

  #placeOf(path: string): { address: string; locale: string | null } | null {
    const { roots, folder, locales } = this.#layout;
    for (const { dir, base, isApp } of roots) {
      const inside = isApp ? null : below(path, dir);
      if (inside === null) continue;
      const { slug, locale } = slugOf(inside, locales);
      return { address: base + slug, locale };
    }
    const app = /^(?:src\/)?app\/(.*\/)?page\.mdx?$/.exec(below(path, folder) ?? '');
    if (!app || (app[1] ?? '').includes('[')) return null;
    const parts = (app[1] ?? '').split('/').filter((part) => part !== '' && !/^(?:\(.*\)|@.*)$/.test(part));
    return { address: parts.map((part) => `/${part}`).join(''), locale: null };
  }
}

/** A page's address below that of its folder, without the locale in its name or folder. */
function slugOf(inside: string, locales: NextDocsLayout['locales']): { slug: string; locale: string | null } {
  let parts = withoutPageExtension(inside).split('/');
  let locale: string | null = null;
  if (locales === 'dir' && parts.length > 1 && LOCALE.test(parts[0]!)) locale = parts.shift()!;
  const [, name, ending] = locales === 'dot' ? (/^(.+)\.([a-z]{2}(?:-[A-Za-z]{2,4})?)$/.exec(parts.at(-1)!) ?? []) : [];
  if (name !== undefined) {
    locale = ending!;
    parts = [...parts.slice(0, -1), name];
  }
  parts = parts.filter((part) => !/^\(.*\)$/.test(part));
  if (parts.at(-1) === 'index') parts.pop();
  return { slug: parts.map((part) => `/${part}`).join(''), locale };
}

/** `(guides)/start` is at the address of `start`. */
function withoutGroups(path: string): string {
  return path
    .split('/')
    .filter((part) => !/^\(.*\)$/.test(part))
    .join('/');
}

const LOCALE = /^[a-z]{2}(?:-[A-Za-z]{2,4})?$/;
