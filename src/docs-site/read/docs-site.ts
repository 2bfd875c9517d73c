import type { FactsCache } from './facts-cache.ts';
import { bareAnchor } from './heading-slug.ts';
import { LinkResolver } from './link-resolver.ts';
import type { PageFacts, PageLink } from './page-facts.ts';
import { detectSite, dialectOf, type Site, type SiteFiles, type SitePlace } from './site.ts';

/** What reading a site needs of the repository. A `Workspace` is one. */
export interface DocsFiles extends SiteFiles {
  exists(path: string): boolean;
  blobKey(path: string): string;
}

/** A site with the facts of its pages, as the files are at the moment it is made. */
export class DocsSite {
  readonly site: Site;
  readonly resolver: LinkResolver;
  readonly #files: DocsFiles;
  readonly #place: SitePlace;
  readonly #cache: FactsCache;
  readonly #anchors = new Map<string, ReadonlySet<string>>();
  readonly #open = new Set<string>();
  readonly #bareAnchors = new Map<string, ReadonlySet<string>>();

  /** @param site the site, where it is known already or is to be seen otherwise than it is */
  constructor(files: DocsFiles, place: SitePlace, cache: FactsCache, site: Site = detectSite(files, place)) {
    this.#files = files;
    this.#place = place;
    this.#cache = cache;
    this.site = site;
    this.resolver = new LinkResolver(this.site, (path) => this.facts(path)?.frontMatter?.fields ?? null);
  }

  /** The site as if these files were still there, so that what points to them can be found. */
  assuming(paths: readonly string[]): DocsSite {
    const site = { ...this.site, files: new Set([...this.site.files, ...paths]) };
    return new DocsSite(this.#files, this.#place, this.#cache, site);
  }

  /** The facts of a page; null for what is no page or cannot be read as text. */
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

  /** Whether there is such a file, be it of the site or not. */
  exists(path: string): boolean {
    return this.#files.exists(path);
  }

  /** Equal for files with the same content. */
  blobKey(path: string): string {
    return this.#files.blobKey(path);
  }

  /** A file's text; null where it is none. */
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

  /** The ids in a page that a link may point to, those of the partials that it includes among them. */
  anchors(path: string): ReadonlySet<string> {
    const known = this.#anchors.get(path);
    if (known) return known;
    const ids = new Set<string>();
    const visited = new Set<string>();
    this.#collectAnchors(path, ids, visited);
    if ([...visited].some((partial) => this.facts(partial)?.hasMoreAnchors)) this.#open.add(path);
    this.#anchors.set(path, ids);
    return ids;
  }

  /** Whether a page may have ids that nobody sees before the build, itself or in what it includes. */
  hasMoreAnchors(path: string): boolean {
    this.anchors(path);
    return this.#open.has(path);
  }

  /** As {@link DocsSite.anchors}, each by its letters and digits alone. */
  bareAnchors(path: string): ReadonlySet<string> {
    let known = this.#bareAnchors.get(path);
    if (!known) this.#bareAnchors.set(path, (known = new Set([...this.anchors(path)].map(bareAnchor))));
    return known;
  }

  #collectAnchors(path: string, ids: Set<string>, visited: Set<string>): void {
    const facts = this.facts(path);
    if (!facts || visited.has(path) || visited.size > 100) return;
    visited.add(path);
    for (const { slug } of facts.headings) ids.add(slug);
    for (const id of facts.anchors) ids.add(id);
    for (const link of facts.links) {
      if (link.kind !== 'import') continue;
      const partial = this.resolver.resolve(path, link.target, link);
      if (partial.kind === 'file') this.#collectAnchors(partial.path, ids, visited);
    }
  }

  /** Links of all pages that lead to a file, be it a page, an image or a partial. */
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
