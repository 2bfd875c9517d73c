import type { Problem } from '../../../docs-site/checks/problem.ts';
import type { DocsSite } from '../../../docs-site/read/docs-site.ts';
import { FactsCache } from '../../../docs-site/read/facts-cache.ts';
import type { PageFacts } from '../../../docs-site/read/page-facts.ts';
import { pageFormatOf } from '../../../docs-site/read/page-format.ts';
import type { Site } from '../../../docs-site/read/site.ts';
import { DiskFiles } from './disk-files.ts';

/** What one check of a folder leaves for the next, so that only what changed is read and looked at again. */
export class CheckMemory {
  readonly cache = new FactsCache(Number.MAX_SAFE_INTEGER);
  /** Problems that pages have by themselves. */
  readonly problems = new Map<string, Problem[]>();
  #files: DiskFiles | null = null;
  #base: { commit: string; docs: DocsSite; problems: Map<string, Problem[]> } | null = null;
  #docs: DocsSite | null = null;

  files(folder: string): DiskFiles {
    this.#files ??= new DiskFiles(folder);
    return this.#files;
  }

  /** The site at a commit. */
  base(commit: string, make: () => DocsSite): DocsSite {
    if (this.#base?.commit !== commit) this.#base = { commit, docs: make(), problems: new Map() };
    return this.#base.docs;
  }

  /** Problems that pages have by themselves at the commit of {@link CheckMemory.base}. */
  baseProblems(commit: string): Map<string, Problem[]> {
    return this.#base?.commit === commit ? this.#base.problems : new Map();
  }

  /** The site, where nothing changed that makes it another one. */
  get site(): Site | undefined {
    return this.#docs?.site;
  }

  keep(docs: DocsSite): void {
    this.#docs = docs;
  }

  /**
   * These files are not what they were: others are kept. Where files came or went, where one is no page, and where a page shows itself
   * otherwise to other pages (its headings, its front matter, what it includes), all pages are looked at again.
   * @param paths in the repository
   */
  changed(paths: readonly string[]): void {
    const [docs, files] = [this.#docs, this.#files];
    if (!docs || !files || paths.some((path) => !pageFormatOf(path) || !files.exists(path) || !files.isStill(path))) {
      this.#files = null;
      this.#docs = null;
      this.#base = null;
      this.problems.clear();
      return;
    }
    const before = paths.map((path) => outside(docs.facts(path)));
    for (const path of paths) files.forget(path);
    const isSame = paths.every((path, i) => outside(docs.facts(path)) === before[i]);
    if (isSame) for (const path of paths) this.problems.delete(path);
    else this.problems.clear();
  }
}

/** What other pages see of a page. */
function outside(facts: PageFacts | null): string {
  if (!facts) return '';
  const { frontMatter, title, headings, anchors, hasMoreAnchors, links, problems, ignores } = facts;
  const slugs = headings.map(({ slug }) => slug);
  const imports = links.flatMap(({ kind, target }) => (kind === 'import' ? [target] : []));
  const fields = frontMatter?.fields ?? null;
  return JSON.stringify([fields, title, slugs, anchors, hasMoreAnchors, imports, problems.length, ignores]);
}
