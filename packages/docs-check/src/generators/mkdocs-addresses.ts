import { basename, dirname, extname, join, relative } from 'node:path/posix';
import type { LinkTarget } from '../read/link-target.ts';
import { pageFormatOf, withoutPageExtension } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import { Makers, type Maker } from './makers.ts';
import {
  isRawHtml,
  type FileSet,
  type GeneratorEntry,
  type GeneratorRedirect,
  type Resolved,
  type SiteAddresses,
  type Via,
} from './generator.ts';

export interface MkdocsLayout {
  folder: string;
  docs: string;
  useDirectoryUrls: boolean;
  /** Path of `site_url`, without a trailing slash; null if the site has none. */
  basePath: string | null;
  snippetFolders: string[];
  /** Whether these are all folders of snippets. */
  knowsSnippets: boolean;
  /** Hooks and plugins that may make files during the build. */
  makers: readonly Maker[];
  /** A link may name a file without its folder. */
  findsByName: boolean;
  /** Whether a hook may replace a target that is not there. */
  mayReplace: (target: string) => boolean;
  /** Folders below `docs` in which a plugin makes pages. */
  generatedFolders: string[];
  /** Translations of the pages by mkdocs-static-i18n; null without them. */
  languages: MkdocsLanguages | null;
  /** Folder of the theme's own files, `custom_dir`; null if there is none. */
  themeFolder: string | null;
  /** Files that the build writes, from the top of the site. */
  built: readonly string[];
  redirects: readonly GeneratorRedirect[];
}

export interface MkdocsLanguages {
  /** Where a page's name has its language: `page.fr.md`, or `fr/page.md`. */
  structure: 'suffix' | 'folder';
  /** The language without a prefix in its addresses; null if unknown. */
  main: string | null;
  all: readonly string[];
  /** A page or picture without a translation is there in the main language: `fallback_to_default`. */
  fallsBack: boolean;
}

/**
 * Files of a theme's folder that MkDocs leaves out: `Theme` and `Files.add_files_from_theme` of MkDocs 1.6.
 */
const NOT_SERVED = /(?:^|\/)(?:\.[^/]*|[^/]*\.(?:py|pyc|html)|[^/]*readme[^/]*|mkdocs_theme\.yml)$/i;

/**
 * Links as MkDocs resolves them (https://www.mkdocs.org/user-guide/writing-your-docs/#internal-links): to the
 * file from the page's folder. Without a file, it is a URL that the browser resolves from the page's address.
 */
export class MkdocsAddresses implements SiteAddresses {
  readonly #layout: MkdocsLayout;
  readonly #set: FileSet;
  readonly #isPage: (path: string) => boolean;
  readonly #makers: Makers;
  #byAddress: Map<string, string> | null = null;
  #folders: Set<string> | null = null;
  #names: Set<string> | null = null;

  constructor(layout: MkdocsLayout, set: FileSet, isPage: (path: string) => boolean) {
    this.#layout = layout;
    this.#set = set;
    this.#isPage = isPage;
    this.#makers = new Makers(layout.makers);
  }

  addressOf(path: string): string | null {
    const inside = this.#isPage(path) ? below(path, this.#layout.docs) : null;
    if (inside === null || this.#isPost(inside)) return null;
    return `/${this.#addressed(withoutPageExtension(inside)).replace(/(^|\/)(index|README)$/i, '')}`.replace(
      /(.)\/$/,
      '$1',
    );
  }

  resolve(from: string, target: LinkTarget, via: Via): Resolved {
    const found = this.#resolve(from, target, via);
    return found.kind === 'missing' && this.#layout.mayReplace(target.path) ? { kind: 'generated' } : found;
  }

  #resolve(from: string, { path, hash }: LinkTarget, via: Via): Resolved {
    if (via.syntax === 'include') return this.#snippet(path, hash);
    // Raw HTML is unchanged: only the page's address decides.
    const wanted = path.startsWith('/') || isRawHtml(via) ? null : inRepository(dirname(from), path);
    if (wanted !== null) {
      const found = this.#localized(wanted, from) ?? (this.#isUntranslated(wanted, from) ? null : this.#file(wanted));
      if (found !== null) return { kind: 'file', path: found, hash, origin: 'page', asIndex: false };
    }
    const page = this.addressOf(from);
    // A partial is in pages whose addresses are unknown, and a blog plugin decides the addresses of its
    // posts.
    if (page === null) {
      const isFile =
        wanted !== null &&
        via.syntax === 'markdown' &&
        extname(path) !== '' &&
        this.#isPost(below(from, this.#layout.docs));
      return isFile ? this.#missing(wanted, hash) : { kind: 'generated' };
    }
    const address = this.#address(path, page, from);
    if (address === null) return path.startsWith('/') ? { kind: 'elsewhere' } : this.#missing(wanted ?? path, hash);
    const found = this.#atAddress(address);
    if (found !== null) return { kind: 'file', path: found, hash, origin: 'address', asIndex: false };
    const redirect = this.#redirect(wanted ?? join(this.#layout.docs, address), address);
    if (redirect !== null) return { kind: 'redirected', destination: redirect, hash };
    const isFile = wanted !== null && extname(path) !== '' && !/\.html?$/.test(path);
    const place = isFile ? below(wanted, this.#layout.docs) : address;
    if (place !== null && this.#mayBeMade(place)) return { kind: 'generated' };
    return this.#missing(wanted ?? join(this.#layout.docs, address), hash);
  }

  hrefTo(from: string, to: string): string | null {
    const page = this.addressOf(from);
    const inside = below(to, this.#layout.docs);
    if (page === null || inside === null) return null;
    const address = this.addressOf(to);
    const isFolder = this.#isFolder(to);
    const served = address === null ? `/${inside}` : isFolder ? `${address}/`.replace('//', '/') : `${address}.html`;
    const href = relative(this.#isFolder(from) ? page : dirname(page), served) || '.';
    return served.endsWith('/') ? `${href}/` : href;
  }

  fileOf({ value, scope }: GeneratorEntry): string | null | undefined {
    const path = inRepository(scope, value.replace(/^\.?\//, '').replace(/#.*$/s, ''));
    if (path !== null && this.#set.files.has(path)) return path;
    if (/[*]|\/$|^!|\{/.test(value)) return undefined;
    // An address in the site or a folder that a plugin takes.
    if (
      extname(value) === '' &&
      (path === null || this.#atAddress(`/${value}`) !== null || this.#set.folders.has(path))
    )
      return undefined;
    const localized = path === null ? null : this.#localized(path, join(scope, 'index.md'));
    return localized ?? (this.#mayBeMade(`/${value}`) ? undefined : null);
  }

  entryOf(path: string): string | null {
    return below(path, this.#layout.docs);
  }

  /** A page's file below `docs_dir`: other targets are left out of the build, with a warning. */
  hasDestination(to: string): boolean {
    const path = to.replace(/#.*$/s, '');
    if (/^https?:/i.test(path)) return true;
    const file = inRepository(this.#layout.docs, path);
    if (file !== null && (this.#set.files.has(file) || this.#localized(file, file) !== null)) return true;
    return this.#mayBeMade(`/${path}`);
  }

  isRedirected(address: string): boolean {
    return this.#redirect(null, address) !== null;
  }

  /** Footnotes, tabs and lines of code have their own ids. */
  isOwnAnchor(hash: string): boolean {
    return /^(?:fn|fnref\d*|__\w+)(?::|$|_|-)/.test(hash) || hash.startsWith('__');
  }

  /**
   * Posts are in `posts/` of their blog:
   * https://squidfunk.github.io/mkdocs-material/plugins/blog/#config.post_dir
   */
  #isPost(inside: string | null): boolean {
    return inside !== null && this.#layout.generatedFolders.some((blog) => below(inside, `${blog}/posts`) !== null);
  }

  #file(path: string): string | null {
    if (this.#set.files.has(path)) return path;
    const inside = below(path, this.#layout.docs);
    return inside === null ? null : this.#ofTheme(inside);
  }

  /** A file that the theme's folder has in place of the docs folder. */
  #ofTheme(inside: string): string | null {
    const { themeFolder } = this.#layout;
    const path = themeFolder === null || NOT_SERVED.test(inside) ? null : inRepository(themeFolder, inside);
    return path !== null && this.#set.files.has(path) ? path : null;
  }

  #snippet(path: string, hash: string | null): Resolved {
    for (const folder of [...this.#layout.snippetFolders, this.#layout.docs]) {
      const candidate = inRepository(folder, path);
      if (candidate !== null && this.#set.files.has(candidate)) {
        return { kind: 'file', path: candidate, hash, origin: 'repository', asIndex: false };
      }
    }
    const isKnown = this.#layout.knowsSnippets && path !== '' && !/^\w+:|^\.{1,2}\/|[{}*]/.test(path);
    return isKnown
      ? { kind: 'missing', wanted: join(this.#layout.snippetFolders[0] ?? '', path), hash }
      : { kind: 'generated' };
  }

  #missing(wanted: string, hash: string | null): Resolved {
    if (!this.#layout.findsByName) return { kind: 'missing', wanted, hash };
    this.#names ??= new Set([...this.#set.files].map((path) => basename(path)));
    return this.#names.has(basename(wanted)) ? { kind: 'generated' } : { kind: 'missing', wanted, hash };
  }

  /** The file of a page in the language of the page that links to it, else in the main one. */
  #localized(path: string, from: string): string | null {
    const { languages, docs } = this.#layout;
    if (!languages) return null;
    const own = this.#languageOf(from);
    const extension = extname(path);
    const bare = path.slice(0, path.length - extension.length);
    const inside = below(path, docs);
    const others = languages.main === null ? languages.all : [languages.main];
    const names = own === null || languages.fallsBack ? [...(own === null ? [] : [own]), ...others] : [own];
    const candidates =
      languages.structure === 'suffix'
        ? names.flatMap((name) => [`${bare}.${name}${extension}`, ...(name === languages.main ? [path] : [])])
        : names.flatMap((name) => (inside === null ? [] : [join(docs, name, inside.replace(/^[^/]+\//, ''))]));
    if (languages.structure === 'folder') candidates.unshift(path);
    return candidates.find((candidate) => this.#set.files.has(candidate)) ?? null;
  }

  /** Whether a file is missing in the build of the page's language. */
  #isUntranslated(path: string, from: string): boolean {
    const own = this.#languageOf(from);
    const { languages } = this.#layout;
    if (!languages || languages.fallsBack || own === null || own === languages.main) return false;
    return this.#languageOf(path) !== own;
  }

  /** The language in a page's path; null for none. */
  #languageOf(path: string): string | null {
    const { languages, docs } = this.#layout;
    if (!languages) return null;
    const name =
      languages.structure === 'suffix' ? /\.([\w-]+)\.\w+$/.exec(path)?.[1] : (below(path, docs) ?? path).split('/')[0];
    return name !== undefined && languages.all.includes(name) ? name : null;
  }

  /** A path below the docs folder, without its extension, as readers see it: `page.fr` is `fr/page`. */
  #addressed(inside: string): string {
    const { languages } = this.#layout;
    if (!languages) return inside;
    if (languages.structure === 'folder') {
      return languages.main === null || below(inside, languages.main) === null
        ? inside
        : below(inside, languages.main)!;
    }
    const [, bare = inside, name] = /^(.*)\.([\w-]+)$/.exec(inside) ?? [];
    if (name === undefined || !languages.all.includes(name)) return inside;
    return name === languages.main ? bare : `${name}/${bare}`;
  }

  /** The address that a browser goes to; null if that is not in the site. */
  #address(path: string, page: string, from: string): string | null {
    if (path.startsWith('/')) {
      const { basePath } = this.#layout;
      if (basePath === null) return null;
      if (basePath !== '' && path !== basePath && !path.startsWith(`${basePath}/`)) return null;
      return path.slice(basePath.length) || '/';
    }
    const base = this.#isFolder(from) ? `${page}/x` : page;
    const joined = join(base, '..', path);
    return joined.startsWith('/') ? joined : null;
  }

  /** Whether a page is the index of its own folder. */
  #isFolder(page: string): boolean {
    return this.#layout.useDirectoryUrls || /(^|\/)(index|README)\.\w+$/i.test(page);
  }

  #atAddress(address: string): string | null {
    const { docs } = this.#layout;
    const key = address
      .replace(/(^|\/)index\.html$/, '$1')
      .replace(/\.html$/, '')
      .replace(/(.)\/+$/, '$1');
    const asset = inRepository(docs, `.${address}`);
    if (asset !== null && asset !== docs && this.#set.files.has(asset) && !pageFormatOf(asset)) return asset;
    const themed = this.#ofTheme(address.replace(/^\//, ''));
    if (themed !== null) return themed;
    if (!this.#byAddress) {
      this.#byAddress = new Map();
      for (const path of this.#set.files) {
        const own = pageFormatOf(path) ? this.addressOf(path) : null;
        if (own !== null) this.#byAddress.set(own, path);
      }
    }
    const found = this.#byAddress.get(key === '' ? '/' : key);
    if (found !== undefined) return found;
    // Untranslated pages are shown in the main language.
    const { languages } = this.#layout;
    const [, language = '', rest = '/'] = /^\/([^/]+)(\/.*)?$/.exec(key) ?? [];
    return (languages?.fallsBack && languages.all.includes(language) && this.#byAddress.get(rest)) || null;
  }

  /** `redirect_maps` names files below `docs`: https://github.com/mkdocs/mkdocs-redirects */
  #redirect(file: string | null, address: string): string | null {
    const { redirects, docs } = this.#layout;
    const key = keyOf(address);
    const inside = file === null ? null : below(file, docs);
    const found = redirects.find(({ from }) => from === inside || keyOf(from) === key);
    if (!found) return null;
    const [to, fragment = ''] = found.to.split('#');
    return /^[a-z]+:/i.test(found.to)
      ? found.to
      : `/${withoutPageExtension(to ?? '').replace(/(^|\/)(index|README)$/i, '$1')}${fragment && `#${fragment}`}`;
  }

  #mayBeMade(address: string): boolean {
    const inside = address.replace(/^\/|\/+$/g, '');
    if (this.#layout.built.includes(inside)) return true;
    const isMadeFolder = this.#layout.generatedFolders.some(
      (folder) => inside === folder || below(inside, folder) !== null,
    );
    if (!isMadeFolder && this.#layout.makers.length === 0) return false;
    this.#folders ??= new Set(
      [...this.#set.files].flatMap((path) => {
        const own = below(path, this.#layout.docs);
        return own === null ? [] : [dirname(own)];
      }),
    );
    // Posts have their own addresses, and lists of them have no files; but none beside files.
    if (isMadeFolder && !(extname(inside) !== '' && this.#folders.has(dirname(inside)))) return true;
    return this.#makers.mayMake({ paths: [inside], inside, hasSiblings: this.#folders.has(dirname(inside)) });
  }
}

function keyOf(path: string): string {
  return `/${withoutPageExtension(path.replace(/[?#].*$/s, ''))
    .replace(/\.html$/, '')
    .replace(/^\/+|\/+$/g, '')
    .replace(/(^|\/)(index|README)$/i, '')}`.replace(/(.)\/$/, '$1');
}
