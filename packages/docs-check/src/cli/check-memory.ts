import type { KnownPage } from '../checks/check-docs.ts';
import type { DocsSite } from '../read/docs-site.ts';
import { FactsCache } from '../read/facts-cache.ts';
import type { PageFacts } from '../read/page-facts.ts';
import { pageFormatOf } from '../read/page-format.ts';
import type { Site } from '../read/site.ts';
import { DiskFiles } from './disk-files.ts';

/**
 * The state that one check of a folder keeps for the next, so that only changes are read and checked again.
 */
export class CheckMemory {
  readonly cache = new FactsCache(Number.MAX_SAFE_INTEGER);
  /** Pages' own problems. */
  readonly known = new Map<string, KnownPage>();
  /** Whether no check has run yet. */
  isNew = true;
  #files: DiskFiles | null = null;
  #base: { commit: string; docs: DocsSite; known: Map<string, KnownPage> } | null = null;
  /** Files, some of which were added, deleted or changed since they were listed. */
  #before: { files: DiskFiles; changed: ReadonlySet<string> } | null = null;
  #docs: DocsSite | null = null;

  files(folder: string): DiskFiles {
    this.#files ??= new DiskFiles(folder, this.#before);
    this.#before = null;
    return this.#files;
  }

  /** The site at a commit. */
  base(commit: string, make: () => DocsSite): DocsSite {
    if (this.#base?.commit !== commit) this.#base = { commit, docs: make(), known: new Map() };
    return this.#base.docs;
  }

  /** Pages' own problems at the commit of {@link CheckMemory.base}. */
  knownOfBase(commit: string): Map<string, KnownPage> {
    return this.#base?.commit === commit ? this.#base.known : new Map();
  }

  /** The site, if nothing changed that makes it another one. */
  get site(): Site | undefined {
    return this.#docs?.site;
  }

  keep(docs: DocsSite): void {
    this.#docs = docs;
    this.isNew = false;
  }

  /**
   * Marks files as changed; others are kept. All pages are checked again if files were added or deleted, if
   * one is not a page, or if a page may have a new address or include other files. If a page has new ids,
   * only the pages that link to them are.
   * @param paths in the repository
   */
  changed(paths: readonly string[]): void {
    const [docs, files] = [this.#docs, this.#files];
    if (!docs || !files || paths.some((path) => !pageFormatOf(path) || !files.exists(path) || !files.isStill(path))) {
      const changed = new Set([...(this.#before?.changed ?? []), ...paths]);
      const last = files ?? this.#before?.files;
      this.#before = last ? { files: last, changed } : null;
      this.#files = null;
      this.#docs = null;
      this.#base = null;
      this.known.clear();
      return;
    }
    const before = paths.map((path) => docs.facts(path));
    for (const path of paths) files.forget(path);
    for (const [i, path] of paths.entries()) {
      const now = docs.facts(path);
      if (place(docs, now) !== place(docs, before[i]!)) {
        this.known.clear();
        return;
      }
      this.known.delete(path);
      if (content(now) === content(before[i]!)) continue;
      for (const [page, { asks }] of this.known) if (asks.has(path)) this.known.delete(page);
    }
  }
}

/** What may affect the targets of any page's links. */
function place({ site }: DocsSite, facts: PageFacts | null): string {
  if (!facts) return '';
  const { frontMatter, links, ignores, notRead } = facts;
  const imports = links.flatMap(({ kind, target }) => (kind === 'import' ? [target] : []));
  // A page of Mintlify, or of no site, is at the address of its file.
  const fields = site.generator ? [frontMatter?.fields, frontMatter?.flags?.['draft']] : null;
  return JSON.stringify([fields, imports, ignores, notRead]);
}

/** What links into the page depend on. */
function content(facts: PageFacts | null): string {
  if (!facts) return '';
  const { frontMatter, headings, anchors, hasMoreAnchors, problems } = facts;
  const slugs = headings.map(({ slug }) => slug);
  return JSON.stringify([frontMatter?.fields ?? null, slugs, anchors, hasMoreAnchors, problems.length]);
}
