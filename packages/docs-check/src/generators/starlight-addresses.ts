import { slug as githubSlug } from 'github-slugger';
import { basename, dirname, extname, join } from 'node:path/posix';
import type { LinkTarget } from '../read/link-target.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { RedirectTable } from '../read/redirect-table.ts';
import { below, inRepository } from '../read/repository-path.ts';
import {
  isRawHtml,
  type FieldsOf,
  type FileSet,
  type GeneratorEntry,
  type GeneratorRedirect,
  type Resolved,
  type SiteAddresses,
  type Via,
} from './generator.ts';
import { Makers, type Maker } from './makers.ts';

export interface StarlightLayout {
  /** Of the configuration. */
  folder: string;
  /** `srcDir`, in the repository. */
  source: string;
  /** The collection of pages. */
  docs: string;
  publicFolder: string;
  /** Without a trailing slash. */
  base: string;
  /** `trailingSlash` */
  slash: string;
  /** Pages are files with `.html`, not folders. */
  asFiles: boolean;
  /** Folders of languages, and `root`; null if only running the configuration shows them. */
  locales: readonly string[] | null;
  /** Null if it is not known. */
  defaultLocale: string | null;
  /** The addresses of pages differ from those of their files. */
  hasOwnSlugs: boolean;
  makers: readonly Maker[];
  anyId: boolean;
  rewritesLinks: boolean;
  /** The folder of an alias; empty for other names. */
  filesOf(name: string): string[];
  redirects: readonly GeneratorRedirect[];
  /** Redirects of the web server. */
  served: readonly (readonly [from: string, to: string])[];
  /** Links that the site's own check skips. */
  excluded: readonly ((path: string) => boolean)[];
}

const MODULE_ENDINGS = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mjs',
  '.mts',
  '.json',
  '.astro',
  '.svelte',
  '.vue',
  '/index.ts',
  '/index.js',
  '/index.tsx',
];
const PAGE = /\.(?:md|mdx|markdown|mdoc|mdown|mkdn|mkd|mdwn)$/;
const LOCALE = /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i;
/** Files that are there after a build. */
const BUILT = /^(?:sitemap(?:-index|-\d+)?\.xml|pagefind\/|_astro\/|_image$|404(?:\.html)?$|rss\.xml$)/;

/**
 * Addresses of Starlight's pages, by Astro's rules for collections: each part of a path through
 * github-slugger, or `slug` of the front matter instead. Astro leaves links as they are written; a page of
 * the first language replaces missing translations.
 */
export class StarlightAddresses implements SiteAddresses {
  readonly #layout: StarlightLayout;
  readonly #set: FileSet;
  readonly #isPage: (path: string) => boolean;
  readonly #fieldsOf: FieldsOf;
  readonly #makers: Makers;
  readonly #redirects: RedirectTable;
  #routes: Map<string, string> | null = null;
  #folders: Set<string> | null = null;
  #pages: { segments: string[]; path: string }[] | null = null;
  #locales: ReadonlySet<string> | null = null;

  constructor(layout: StarlightLayout, set: FileSet, isPage: (path: string) => boolean, fieldsOf: FieldsOf) {
    this.#layout = layout;
    this.#set = set;
    this.#isPage = isPage;
    this.#fieldsOf = fieldsOf;
    this.#makers = new Makers(layout.makers);
    this.#redirects = new RedirectTable([
      ...layout.redirects.map(({ from, to }) => [from, to || '/'] as const),
      ...layout.served,
    ]);
  }

  addressOf(path: string): string | null {
    if (!this.#isPage(path)) return null;
    const slug = this.#slugOf(path);
    return slug === null ? null : `/${slug}`;
  }

  resolve(from: string, { path, hash }: LinkTarget, via: Via): Resolved {
    if (via.kind === 'import') return this.#module(from, path, hash);
    // Names that the configuration of TypeScript gives to folders.
    if (/^[~@#]/.test(path)) {
      const named = via.kind === 'image' && via.syntax === 'markdown' ? this.#layout.filesOf(path) : [];
      return named.length === 0 || named.some((one) => this.#set.files.has(one))
        ? { kind: 'elsewhere' }
        : { kind: 'missing', wanted: named[0]!, hash };
    }
    if (path.startsWith('/')) return this.#site(path, hash);
    const file = inRepository(dirname(from), path);
    const page = this.addressOf(from);
    if (via.kind === 'image') {
      if (!isRawHtml(via) && file !== null && this.#set.files.has(file))
        return { kind: 'file', path: file, hash, origin: 'page', asIndex: false };
      if (via.syntax === 'markdown')
        return file === null ? { kind: 'elsewhere' } : { kind: 'missing', wanted: file, hash };
    }
    // A partial is in pages whose addresses are unknown.
    if (page === null) return { kind: 'generated' };
    if (file !== null && PAGE.test(file) && !this.#set.files.has(file)) {
      // A plugin that cuts off the extension does not ask which one the file has.
      const other = this.#layout.rewritesLinks ? this.#otherEnding(file) : undefined;
      return other === undefined
        ? { kind: 'missing', wanted: file, hash }
        : { kind: 'file', path: other, hash, origin: 'page', asIndex: false };
    }
    const found = this.#relative(path, page, hash);
    if (found.kind !== 'missing' && found.kind !== 'elsewhere') return found;
    const isFile = file !== null && this.#set.files.has(file);
    if (isFile && (via.kind === 'image' ? !isRawHtml(via) : this.#layout.rewritesLinks))
      return { kind: 'file', path: file, hash, origin: 'page', asIndex: false };
    if (isFile && PAGE.test(file)) {
      return {
        kind: 'missing',
        wanted: file,
        hash,
        why: 'Astro does not rewrite the link, and the page has another address',
      };
    }
    if (via.kind === 'image' && file !== null) return { kind: 'missing', wanted: file, hash };
    return found;
  }

  #otherEnding(file: string): string | undefined {
    const bare = file.replace(PAGE, '');
    return ['.md', '.mdx'].map((ending) => bare + ending).find((one) => this.#set.files.has(one));
  }

  fileOf({ value }: GeneratorEntry): string | null | undefined {
    const path = decodeURI(value.replace(/[?#].*$/s, '')).replace(/^\/+|\/+$/g, '');
    const slug = path === 'index' ? '' : path;
    const { defaultLocale } = this.#layout;
    const prefixed =
      defaultLocale === null || defaultLocale === 'root' ? slug : `${defaultLocale}/${slug}`.replace(/\/$/, '');
    const found = this.#route(prefixed) ?? this.#route(slug);
    if (found !== null) return found;
    if (this.#layout.locales === null || this.#layout.hasOwnSlugs) return undefined;
    // A `slug` has to be one of the collection; a `link` may lead anywhere.
    if (!value.startsWith('/')) return this.#mayBeMade(prefixed) ? undefined : null;
    return this.#at(prefixed, null).kind === 'missing' && this.#at(slug, null).kind === 'missing' ? null : undefined;
  }

  entryOf(path: string): string | null {
    return this.#isPage(path) ? this.#slugOf(path) : null;
  }

  hasDestination(to: string): boolean {
    if (!/^\/(?!\/)/.test(to) || /[:*]/.test(to)) return true;
    const path = to.replace(/[?#].*$/s, '');
    return (
      this.#site(path, null).kind !== 'missing' || this.#at(path.replace(/^\/+|\/+$/g, ''), null).kind !== 'missing'
    );
  }

  isRedirected(address: string): boolean {
    return this.#redirects.destinationOf(address) !== null;
  }

  isOwnAnchor(hash: string): boolean {
    return this.#layout.anyId || /^(?:_top$|starlight__|tab(?:-panel)?-\d|user-content-fn|footnote-label$)/.test(hash);
  }

  /** From the page as browsers resolve it: with and without a trailing slash, if both are possible. */
  #relative(path: string, page: string, hash: string | null): Resolved {
    const { base, slash, asFiles } = this.#layout;
    const here = base + page;
    const withSlash = join(here, path);
    const without = join(dirname(here), path);
    const isFolder = page === '/' || slash === 'always';
    const tries = isFolder ? [withSlash] : slash === 'never' || asFiles ? [without, withSlash] : [withSlash, without];
    const found = tries.map((address) => this.#site(address, hash));
    return found.find(({ kind }) => kind !== 'missing' && kind !== 'elsewhere') ?? found[0]!;
  }

  #site(path: string, hash: string | null): Resolved {
    const { base } = this.#layout;
    const isInside = path === base || path.startsWith(`${base}/`);
    const inside = (isInside ? path.slice(base.length) : path).replace(/^\/+|\/+$/g, '');
    const found = this.#at(inside, hash, path.endsWith('/'));
    if (found.kind === 'missing' && this.#layout.excluded.some((matches) => matches(path)))
      return { kind: 'generated' };
    if (isInside || base === '') return found;
    // Another site may be there, unless it is a page of this one.
    return found.kind === 'file' && PAGE.test(found.path)
      ? { kind: 'missing', wanted: found.path, hash, why: `it does not begin with ${base}, the base of the site` }
      : { kind: 'elsewhere' };
  }

  /** @param inside an address without its base, and without slashes around it */
  #at(inside: string, hash: string | null, isFolder = false): Resolved {
    const { docs, publicFolder, folder, asFiles, hasOwnSlugs } = this.#layout;
    const bare = inside.replace(/(?:^|\/)index\.html$/, '').replace(asFiles ? /\.html$/ : /$^/, '');
    const page = this.#route(bare);
    if (page !== null) return { kind: 'file', path: page, hash, origin: 'address', asIndex: false };
    for (const place of [publicFolder, folder]) {
      const file = inRepository(place, inside);
      if (
        file !== null &&
        file !== place &&
        this.#set.files.has(file) &&
        (place === publicFolder || below(file, this.#layout.source) !== null)
      ) {
        return { kind: 'file', path: file, hash, origin: 'site', asIndex: false };
      }
    }
    const index = inRepository(publicFolder, join(inside, 'index.html'));
    if (index !== null && this.#set.files.has(index))
      return { kind: 'file', path: index, hash, origin: 'site', asIndex: true };
    const destination = this.#redirects.destinationOf(`/${inside}`);
    if (destination !== null) return { kind: 'redirected', destination, hash };
    if (BUILT.test(inside) || this.#isRoute(inside) || this.#mayBeMade(inside)) return { kind: 'generated' };
    if (hasOwnSlugs && extname(inside) === '') return { kind: 'generated' };
    const isFile = !isFolder && extname(inside) !== '' && !/\.html?$/.test(inside) && !PAGE.test(inside);
    return { kind: 'missing', wanted: join(isFile ? publicFolder : docs, inside), hash };
  }

  /** The file of a page; for a missing translation, that of the first language. */
  #route(slug: string): string | null {
    const routes = this.#allRoutes();
    const own = routes.get(slug.normalize());
    if (own !== undefined) return own;
    const { defaultLocale, locales } = this.#layout;
    const [first = '', ...rest] = slug.split('/');
    if (defaultLocale === null) return null;
    const prefix = defaultLocale === 'root' ? [] : [defaultLocale];
    if (this.#knownLocales().has(first) && first !== defaultLocale)
      return routes.get([...prefix, ...rest].join('/')) ?? null;
    return defaultLocale !== 'root' && locales?.includes('root')
      ? (routes.get([...prefix, slug].filter(Boolean).join('/')) ?? null)
      : null;
  }

  #knownLocales(): ReadonlySet<string> {
    this.#locales ??= new Set(
      this.#layout.locales ??
        [...this.#allRoutes().keys()].flatMap((slug) =>
          LOCALE.test(slug.split('/')[0]!) ? [slug.split('/')[0]!] : [],
        ),
    );
    return this.#locales;
  }

  #allRoutes(): Map<string, string> {
    if (this.#routes) return this.#routes;
    this.#routes = new Map();
    for (const path of this.#set.files) {
      if (below(path, this.#layout.docs) === null || !PAGE.test(path) || basename(path).startsWith('_')) continue;
      const slug = this.#slugOf(path);
      if (slug !== null && (!this.#routes.has(slug) || this.#isPage(path))) this.#routes.set(slug, path);
    }
    return this.#routes;
  }

  /** `generateIdDefault` of Astro, and `slugToParam` of Starlight. */
  #slugOf(path: string): string | null {
    const inside = below(path, this.#layout.docs);
    if (inside === null) return null;
    const own = pageFormatOf(path) ? this.#fieldsOf(path)?.['slug'] : undefined;
    const parts = inside
      .replace(PAGE, '')
      .split('/')
      .map((part) => githubSlug(part));
    return (own ?? parts.join('/'))
      .replace(/^\/+|\/+$/g, '')
      .replace(/(^|\/)index$/, '')
      .normalize();
  }

  /**
   * Whether `src/pages` has it. A dynamic route there may match anything, unless a docs page has the address.
   */
  #isRoute(inside: string): boolean {
    const { source } = this.#layout;
    this.#pages ??= [...this.#set.files].flatMap((path) => {
      const own = below(path, join(source, 'pages'));
      if (own === null || /(?:^|\/)_/.test(own) || !/\.(?:astro|mdx?|html|[jt]s)$/.test(own)) return [];
      return [
        {
          segments: own
            .replace(/\.(?:astro|mdx?|html|[jt]s)$/, '')
            .replace(/(^|\/)index$/, '')
            .replace(/\/$/, '')
            .split('/'),
          path,
        },
      ];
    });
    const wanted = inside.split('/');
    return this.#pages.some(({ segments }) => {
      const isDynamic = segments.some((segment) => segment.includes('['));
      return matches(segments, wanted) && (!isDynamic || !this.#hasSiblings(inside));
    });
  }

  #mayBeMade(inside: string): boolean {
    if (this.#layout.makers.length === 0) return false;
    return this.#makers.mayMake({ paths: [inside], inside, hasSiblings: this.#hasSiblings(inside) });
  }

  #hasSiblings(inside: string): boolean {
    this.#folders ??= new Set([
      ...[...this.#allRoutes().keys()].map((slug) => dirname(slug)),
      ...[...this.#set.files].flatMap((path) => {
        const served = below(path, this.#layout.publicFolder);
        return served === null ? [] : [dirname(served)];
      }),
    ]);
    return this.#folders.has(dirname(inside));
  }

  #module(from: string, path: string, hash: string | null): Resolved {
    const { folder, publicFolder } = this.#layout;
    const wanted = path.startsWith('/') ? inRepository(folder, `.${path}`) : inRepository(dirname(from), path);
    if (wanted === null) return { kind: 'elsewhere' };
    const found = MODULE_ENDINGS.map((ending) => wanted + ending).find((file) => this.#set.files.has(file));
    if (found !== undefined) return { kind: 'file', path: found, hash, origin: 'page', asIndex: false };
    // TypeScript is imported under the name that it will have.
    const source = wanted.replace(/\.([mc]?)js(x?)$/, '.$1ts$2');
    if (source !== wanted && this.#set.files.has(source))
      return { kind: 'file', path: source, hash, origin: 'page', asIndex: false };
    if (path.startsWith('/') && below(wanted, this.#layout.source) === null) {
      const served = inRepository(publicFolder, `.${path}`);
      return served !== null && this.#set.files.has(served)
        ? { kind: 'file', path: served, hash, origin: 'site', asIndex: false }
        : { kind: 'elsewhere' };
    }
    // Outside of the site, packages are built before it.
    const isBuilt = below(wanted, folder) === null && !this.#set.folders.has(dirname(wanted));
    return isBuilt ? { kind: 'elsewhere' } : { kind: 'missing', wanted, hash };
  }
}

/** `[lang]`, `[...path]` and parts with either in them. */
function matches(segments: readonly string[], wanted: readonly string[]): boolean {
  for (const [i, segment] of segments.entries()) {
    if (segment.startsWith('[...')) return true;
    if (wanted[i] === undefined) return false;
    if (!segment.includes('[') && segment !== wanted[i]) return false;
  }
  return segments.length === wanted.length;
}
