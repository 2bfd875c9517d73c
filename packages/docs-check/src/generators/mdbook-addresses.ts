import { dirname, extname, join } from 'node:path/posix';
import type { LinkTarget } from '../read/link-target.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { FileSet, GeneratorEntry, GeneratorRedirect, Resolved, SiteAddresses, Via } from './generator.ts';
import type { Preprocessed } from './mdbook-preprocessors.ts';

export interface MdbookLayout {
  /** `book.src`, in the repository. */
  source: string;
  summaryPath: string;
  /** Files of chapters, in their order. */
  chapters: readonly string[];
  /** Whether `README.md` becomes `index.html`. */
  indexesReadme: boolean;
  /** Whether `{{#include}}` is followed. */
  takesIn: boolean;
  /** Whether the build creates missing chapters, empty. */
  makesMissing: boolean;
  /** Path of `site-url`, without a trailing slash; null if the book has none. */
  basePath: string | null;
  redirects: readonly GeneratorRedirect[];
  /** From `source`. */
  notFoundPage: string;
  /** Files beside `source` that are copied into the book. */
  copied: readonly string[];
  made: Preprocessed;
}

/** mdBook's own pages. */
const OWN_PAGES = new Set(['print.html', 'toc.html']);
/** Ids of the page around chapters. */
const OWN_ANCHOR = /^(?:fr-|mdbook-|menu-bar$|sidebar|searchbar|searchresults|content$|body-container$|page-wrapper$)/;

/**
 * Links as browsers resolve them from a chapter's page, which is at the path of its file: mdBook replaces
 * `.md` by `.html` and nothing else (`fix_link` of mdBook 0.5.4).
 */
export class MdbookAddresses implements SiteAddresses {
  readonly #layout: MdbookLayout;
  readonly #set: FileSet;
  /** By the page's path in the book. */
  readonly #chapters = new Map<string, string>();
  readonly #pageOf = new Map<string, string>();
  readonly #redirects = new Map<string, string>();
  readonly #movedIds = new Set<string>();
  readonly #folders: ReadonlySet<string>;

  constructor(layout: MdbookLayout, set: FileSet) {
    this.#layout = layout;
    this.#set = set;
    for (const path of layout.chapters) {
      const page = htmlOf(path, layout.source, layout.indexesReadme);
      if (page === null) continue;
      this.#pageOf.set(path, page);
      if (!this.#chapters.has(page)) this.#chapters.set(page, path);
    }
    // The first chapter is the book's front page, too.
    const [first] = layout.chapters;
    if (first !== undefined && !this.#chapters.has('index.html')) this.#chapters.set('index.html', first);
    for (const { from, to } of layout.redirects) {
      const page = from.replace(/^\/+/, '');
      if (page.includes('#')) this.#movedIds.add(page);
      else this.#redirects.set(page, to);
    }
    this.#folders = new Set(layout.chapters.map((path) => dirname(path)));
  }

  addressOf(path: string): string | null {
    const { source, indexesReadme, summaryPath } = this.#layout;
    // An unlisted page has the address that it would have.
    const page = pageFormatOf(path) && path !== summaryPath ? htmlOf(path, source, indexesReadme) : null;
    if (page === null) return null;
    return `/${page.replace(/\.html$/, '').replace(/(^|\/)index$/, '')}`.replace(/(.)\/$/, '$1');
  }

  resolve(from: string, { path, hash }: LinkTarget, via: Via): Resolved {
    if (via.syntax === 'include') return this.#taken(from, path, hash);
    const { source, basePath } = this.#layout;
    if (from === this.#layout.summaryPath) return this.#listed(path, hash);
    if (path.startsWith('/')) {
      const isBelow = basePath !== null && (path === basePath || path.startsWith(`${basePath}/`));
      const found = this.#at(isBelow ? path.slice(basePath.length + 1) : path.slice(1), hash, 'address');
      // The book's server may have other content.
      return found.kind === 'missing' && (!isBelow || basePath === '') ? { kind: 'elsewhere' } : found;
    }
    const wanted = inRepository(dirname(from), path);
    const inside = wanted === null ? null : wanted === source ? '' : below(wanted, source);
    if (inside === null) return { kind: 'elsewhere' };
    return this.#at(path.endsWith('/') && inside !== '' ? `${inside}/` : inside, hash, 'page');
  }

  fileOf({ value, scope }: GeneratorEntry): string | null | undefined {
    const path = value.startsWith('/') ? null : inRepository(scope, value.replaceAll('%20', ' '));
    return path !== null && this.#set.files.has(path) ? path : null;
  }

  entryOf(path: string): string | null {
    return below(path, this.#layout.source)?.replaceAll(' ', '%20') ?? null;
  }

  /** From the redirected page. */
  hasDestination(to: string, from = ''): boolean {
    const path = to.replace(/[?#].*$/s, '');
    if (path === '' || /^[a-z][a-z\d+.-]*:|^\//i.test(path)) return true;
    const wanted = join(dirname(from.replace(/^\/+/, '').replace(/#.*$/s, '')), path);
    return wanted.startsWith('../') || this.#at(wanted, null, 'page').kind !== 'missing';
  }

  isRedirected(address: string): boolean {
    const page = address.replace(/^\/+|\/+$/g, '');
    return [`${page}.html`, page === '' ? 'index.html' : `${page}/index.html`].some((one) => this.#redirects.has(one));
  }

  isOwnAnchor(hash: string, path?: string): boolean {
    const { anyId, idPrefixes } = this.#layout.made;
    if (anyId || OWN_ANCHOR.test(hash) || idPrefixes.some((prefix) => hash.startsWith(prefix))) return true;
    return path !== undefined && this.#movedIds.has(`${this.#pageOf.get(path) ?? ''}#${hash}`);
  }

  /** @param inside the target's path in the book; with a trailing slash for a folder */
  #at(inside: string, hash: string | null, origin: 'page' | 'address'): Resolved {
    const extension = extname(inside);
    const isFolder = inside === '' || inside.endsWith('/');
    // As in mdBook, whatever follows it.
    const page = isFolder ? `${inside}index.html` : inside.replace(/\.md$/, '.html');
    const file = join(this.#layout.source, inside);
    const chapter = this.#chapters.get(page);
    if (chapter !== undefined) {
      return { kind: 'file', path: chapter, hash, origin: chapter === file ? origin : 'address', asIndex: isFolder };
    }
    const destination = this.#redirects.get(page);
    if (destination !== undefined) return { kind: 'redirected', destination: this.#fromTop(destination, page), hash };
    if (page === this.#layout.notFoundPage.replace(/\.md$/, '.html')) {
      const own = join(this.#layout.source, this.#layout.notFoundPage);
      return this.#set.files.has(own)
        ? { kind: 'file', path: own, hash, origin, asIndex: false }
        : { kind: 'generated' };
    }
    if (OWN_PAGES.has(page) || this.#layout.copied.includes(inside)) return { kind: 'generated' };
    const asset = isFolder ? join(this.#layout.source, page) : file;
    if (extension !== '.md' && this.#set.files.has(asset))
      return { kind: 'file', path: asset, hash, origin, asIndex: isFolder };
    if (extension === '' && !isFolder) {
      // Many servers answer so.
      const served = this.#chapters.get(`${inside}.html`);
      if (served !== undefined) return { kind: 'file', path: served, hash, origin: 'address', asIndex: false };
      if (this.#chapters.has(`${inside}/index.html`)) return this.#at(`${inside}/`, hash, origin);
    }
    const isNamed = /^\.(?:md|html|png|jpe?g|gif|svg|webp|avif|pdf)$/i.test(extension);
    if (this.#layout.made.ownLinks && !(isNamed && this.#folders.has(dirname(file)))) return { kind: 'generated' };
    // The page that would be there.
    const wanted = isFolder ? file.replace(/\/$/, '') : file.replace(/\.html$/, '.md');
    return { kind: 'missing', wanted, hash, ...this.#whyMissing(file) };
  }

  #whyMissing(file: string): { why?: string; instead?: string } {
    if (!this.#set.files.has(file) || !file.endsWith('.md')) return {};
    if (!this.#layout.chapters.includes(file)) return { why: 'it is not listed in SUMMARY.md, so it is not a page' };
    return { why: 'mdBook renames the page to index.html but does not update the link', instead: 'index.md' };
  }

  /** A file that a chapter includes, from the folder of the including file. */
  #taken(from: string, path: string, hash: string | null): Resolved {
    const wanted = this.#layout.takesIn && !path.startsWith('/') ? inRepository(dirname(from), path) : null;
    if (wanted === null) return { kind: 'generated' };
    if (this.#set.files.has(wanted)) return { kind: 'file', path: wanted, hash, origin: 'page', asIndex: false };
    return { kind: 'missing', wanted, hash };
  }

  /** Links of `SUMMARY.md` are files; the navigation check reports missing ones. */
  #listed(path: string, hash: string | null): Resolved {
    const wanted = inRepository(this.#layout.source, path);
    return wanted !== null && this.#set.files.has(wanted)
      ? { kind: 'file', path: wanted, hash, origin: 'page', asIndex: false }
      : { kind: 'generated' };
  }

  /** A redirect's destination, which is relative to the redirected page, from `/`. */
  #fromTop(destination: string, page: string): string {
    if (/^[a-z][a-z\d+.-]*:|^\//i.test(destination)) return destination;
    const joined = join('/', dirname(page), destination);
    return joined;
  }
}

/** The page of a chapter, from the book's top; null if the chapter is outside of it. */
export function htmlOf(path: string, source: string, indexesReadme: boolean): string | null {
  const inside = below(path, source);
  if (inside === null) return null;
  const page = inside.replace(/\.[^./]*$/, '') || inside;
  return `${indexesReadme ? page.replace(/(^|\/)readme$/i, '$1index') : page}.html`;
}
