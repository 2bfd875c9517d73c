import { MAX_READABLE_BYTES } from '@docent/base/files/memory-base-tree';
import { MAX_CHECKED_BYTES } from '@docent/base/files/large-files';
import type { FactsCache } from './facts-cache.ts';
import { LinkResolver } from './link-resolver.ts';
import type { PageFacts, PageLink } from './page-facts.ts';
import { detectSite, dialectOf, spelledPlace, type Site, type SiteFiles, type SitePlace } from './site.ts';

/** The part of the repository that is needed to read a site. A `Workspace` is one. */
export interface DocsFiles extends SiteFiles {
  exists(path: string): boolean;
  /** Bytes of a file; 0 if it is unknown. */
  size(path: string): number;
  blobKey(path: string): string;
  /** How a file that is not UTF-8 seems to be encoded; null for all others. */
  encoding?(path: string): string | null;
}

/** A site with the facts of its pages, as the files are when it is created. */
export class DocsSite {
  readonly site: Site;
  readonly resolver: LinkResolver;
  readonly #files: DocsFiles;
  readonly #place: SitePlace;
  readonly #cache: FactsCache;
  readonly #anchors = new Map<string, ReadonlySet<string>>();
  readonly #sources = new Map<string, ReadonlySet<string>>();
  readonly #open = new Set<string>();
  #hasUnknownPages: boolean | null = null;

  /** @param site the site, if it is already known or should be interpreted differently */
  constructor(files: DocsFiles, place: SitePlace, cache: FactsCache, site: Site = detectSite(files, place)) {
    this.#files = files;
    this.#place = spelledPlace(files.paths(), place);
    this.#cache = cache;
    this.site = site;
    this.resolver = new LinkResolver(this.site, (path) => {
      const { fields, flags } = this.facts(path)?.frontMatter ?? {};
      return fields && flags?.['draft'] ? { ...fields, draft: 'true' } : (fields ?? null);
    });
  }

  /** The site as if these files were still there, so that what points to them can be found. */
  assuming(paths: readonly string[]): DocsSite {
    const site = { ...this.site, files: new Set([...this.site.files, ...paths]) };
    return new DocsSite(this.#files, this.#place, this.#cache, site);
  }

  /** The facts of a page; null for a file that is not a page or not text. */
  facts(path: string): PageFacts | null {
    const dialect = dialectOf(this.site, path);
    if (!dialect || !this.site.files.has(path) || !this.#files.exists(path)) return null;
    const key = this.#files.blobKey(path);
    if (this.#cache.has(key, dialect)) return this.#cache.get(key, dialect, () => '');
    const text = this.#files.readText(path);
    return text === null ? null : this.#cache.get(key, dialect, () => text);
  }

  /** The folder that the docs are in, from the top of the repository; empty for all of it. */
  get docsDir(): string {
    return this.#place.docsDir;
  }

  /** Whether the file exists, in the site or not. */
  exists(path: string): boolean {
    return this.#files.exists(path);
  }

  /**
   * Why the content of a page or other file is unknown: the rest of a sentence that begins with `it`. Null if
   * it is known.
   */
  whyUnread(path: string): string | null {
    if (!this.#files.exists(path)) return null;
    const facts = this.facts(path);
    if (facts) return facts.notRead?.why ?? null;
    return this.#files.readText(path) === null
      ? whyNoText(this.#files.size(path), this.#files.encoding?.(path) ?? null)
      : null;
  }

  /** Whether an unread page may define its own address or name. */
  get hasUnknownPages(): boolean {
    this.#hasUnknownPages ??= this.site.pages.some((path) => {
      const facts = this.facts(path);
      return !facts || (facts.notRead !== undefined && !facts.frontMatter);
    });
    return this.#hasUnknownPages;
  }

  /** Whether a page must be parsed before its facts are known. */
  isNew(path: string): boolean {
    const dialect = dialectOf(this.site, path);
    return dialect !== null && (this.#cache.isEmpty || !this.#cache.has(this.#files.blobKey(path), dialect));
  }

  /** Equal for files with the same content. */
  blobKey(path: string): string {
    return this.#files.blobKey(path);
  }

  /** A file's text; null if it is not one. */
  readText(path: string): string | null {
    return this.#files.readText(path);
  }

  /** All pages with their facts. */
  *pages(): Generator<{ path: string; facts: PageFacts }> {
    for (const path of this.site.pages) {
      const facts = this.facts(path);
      if (facts) yield { path, facts };
    }
  }

  /** The ids of a page that a link may use, including those of its partials. */
  anchors(path: string): ReadonlySet<string> {
    const known = this.#anchors.get(path);
    if (known) return known;
    const ids = new Set<string>();
    const visited = new Set<string>();
    const isWhole = this.#collectAnchors(path, ids, visited);
    if (visited.size > 1) for (const id of this.#numberedOn([...visited])) ids.add(id);
    if (!isWhole || [...visited].some((partial) => this.#mayHaveMore(partial))) this.#open.add(path);
    this.#anchors.set(path, ids);
    this.#sources.set(path, visited);
    return ids;
  }

  /** The page and all partials that its ids are of. */
  sourcesOfAnchors(path: string): ReadonlySet<string> {
    this.anchors(path);
    return this.#sources.get(path)!;
  }

  #mayHaveMore(path: string): boolean {
    const facts = this.facts(path);
    if (facts?.shownModules?.some((module) => this.site.generator?.mayShowIds?.(path, module))) return true;
    return facts ? facts.hasMoreAnchors : dialectOf(this.site, path) !== null && this.#files.exists(path);
  }

  /** Whether a page or its partials may have ids that only the build shows. */
  hasMoreAnchors(path: string): boolean {
    this.anchors(path);
    return this.#open.has(path);
  }

  /** Ids of headings that partials and the page have in common: their order decides the numbers. */
  #numberedOn(paths: readonly string[]): string[] {
    const places = new Map<string, { headings: number; files: Set<string> }>();
    for (const path of paths) {
      for (const { slug } of this.facts(path)?.headings ?? []) {
        const stem = slug.replace(/[-_]\d{1,4}$/, '');
        const place = places.get(stem) ?? { headings: 0, files: new Set() };
        places.set(stem, place);
        place.headings++;
        place.files.add(path);
      }
    }
    return [...places].flatMap(([stem, { headings, files }]) =>
      files.size < 2
        ? []
        : Array.from({ length: Math.min(headings, 1_000) }, (_, i) => [`${stem}-${i + 1}`, `${stem}_${i + 1}`]).flat(),
    );
  }

  /**
   * @returns whether all imported pages exist: the ids of a page that a build makes are unknown
   */
  #collectAnchors(path: string, ids: Set<string>, visited: Set<string>): boolean {
    if (visited.has(path) || visited.size > 100) return true;
    visited.add(path);
    const facts = this.facts(path);
    if (!facts) return true;
    let isWhole = true;
    for (const { slug } of facts.headings) if (slug !== '') ids.add(slug);
    for (const id of facts.anchors) ids.add(id);
    for (const link of facts.links) {
      if (link.kind !== 'import') continue;
      const partial = this.resolver.resolve(path, link.target, link);
      if (partial.kind === 'file') isWhole = this.#collectAnchors(partial.path, ids, visited) && isWhole;
      else if (/\.mdx?$/.test(link.target)) isWhole = false;
    }
    return isWhole;
  }

  /** Links of all pages that lead to a file: a page, an image or a partial. */
  linksTo(target: string): { page: string; link: PageLink }[] {
    const found: { page: string; link: PageLink }[] = [];
    for (const { path, facts } of this.pages()) {
      for (const link of facts.links) {
        const resolved = link.target.startsWith('#') ? null : this.resolver.resolve(path, link.target, link);
        if (resolved?.kind === 'file' && resolved.path === target) found.push({ page: path, link });
      }
    }
    return found;
  }
}

function whyNoText(bytes: number, encoding: string | null): string {
  if (bytes > MAX_CHECKED_BYTES) return 'is larger than 16 MB';
  if (bytes > MAX_READABLE_BYTES) return 'is larger than 1 MB, and could not be fetched separately';
  return encoding === null ? 'is not UTF-8 text' : `is not UTF-8 text, but ${encoding}`;
}
