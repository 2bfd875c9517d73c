import type { DocsSite } from '../read/docs-site.ts';
import { bareAnchor, slugger } from '../read/heading-slug.ts';
import { retarget } from '../read/link-format.ts';
import { pageFormatOf } from '../read/page-format.ts';
import type { PageLink } from '../read/page-facts.ts';
import { isBelow, isPartial, type Site } from '../read/site.ts';
import { parseTarget, suffixOf } from '../read/link-target.ts';
import { respelled } from '../read/spellings.ts';
import { clearlyNearest } from '../read/similar-text.ts';
import { navigationSuggestion } from './navigation-suggestions.ts';
import { checkLink } from './check-docs.ts';
import { isMisspelt, nameKey, nearest, pathKey } from './near-paths.ts';
import type { Problem } from './problem.ts';
import { renamedPages } from './renamed-pages.ts';

/**
 * Finding the nearest of thousands takes time: this many problems get a suggestion, the others are only
 * listed.
 */
const MAX_SUGGESTIONS = 500;

/**
 * Adds likely corrections to broken links, if there is a clear one: moved, misspelled, another case or
 * extension, a heading that was reworded since `base`.
 */
export function withSuggestions(docs: DocsSite, problems: readonly Problem[], base?: DocsSite): Problem[] {
  const finder = new Finder(docs, base);
  let left = MAX_SUGGESTIONS;
  return problems.map((problem) => {
    if (left === 0 || problem.target === undefined) return problem;
    const suggestion = finder.suggest(problem);
    if (suggestion === null || suggestion === problem.target || !finder.works(problem, suggestion)) return problem;
    left--;
    return { ...problem, suggestion };
  });
}

class Finder {
  readonly #docs: DocsSite;
  readonly #base: DocsSite | undefined;
  readonly #byName = new Map<string, string[]>();
  readonly #byPath = new Map<string, string[]>();
  #renames: { now: ReadonlyMap<string, string>; before: ReadonlyMap<string, string> } | null = null;

  constructor(docs: DocsSite, base: DocsSite | undefined) {
    this.#docs = docs;
    this.#base = base;
    for (const path of docs.site.files) {
      if (/(^|\/)(\.|node_modules\/)/.test(path) || (pageFormatOf(path) && isPartial(docs.site, path))) continue;
      add(this.#byName, nameKey(path), path);
      add(this.#byPath, pathKey(path), path);
    }
  }

  /** Whether a suggestion passes the checks. */
  works(problem: Problem, suggestion: string): boolean {
    const link = this.#linkOf(problem);
    return !link || checkLink(this.#docs, problem.path, { ...link, target: suggestion }) === null;
  }

  suggest(problem: Problem): string | null {
    const { code, path, target = '' } = problem;
    if (code === 'navigation-missing-page') return navigationSuggestion(this.#docs, path, target);
    const via = this.#linkOf(problem);
    const resolved = this.#docs.resolver.resolve(path, target, via);
    if (code === 'missing-anchor') {
      const end = resolved.kind === 'redirected' ? this.#docs.resolver.endOfRedirect(resolved.destination) : resolved;
      if (!end || !('path' in end) || !('hash' in end)) return null;
      const anchor = this.#anchor(end.path, end.hash ?? ('hash' in resolved ? resolved.hash : null) ?? '');
      // Sites with a configuration have no empty words in their ids.
      const id = anchor !== null && this.#docs.site.config ? anchor.replace(/-{2,}/g, '-') : anchor;
      return id === null ? null : target.replace(/#.*$/s, `#${id}`);
    }
    if (resolved.kind === 'file' && resolved.otherForm) return spelledLikeFile(target, this.#docs.site);
    if (resolved.kind === 'redirected') return this.#pastRedirect(path, target, resolved.destination);
    if (resolved.kind !== 'missing' || code === 'missing-redirect' || code === 'redirect-to-nowhere') return null;
    if (resolved.instead !== undefined) return target.replace(/[^/?#]*(?=[?#]|$)/, resolved.instead);
    const moved = this.#moved(path, target);
    const found = moved?.to ?? this.#file(resolved.wanted, path, code);
    if (found === null) return null;
    const href = via && this.#docs.resolver.hrefTo(path, found, via);
    if (href === null) return null;
    const suggestion =
      via?.role === 'doc'
        ? this.#named(path, target, found)
        : this.#spell(path, target, moved?.was ?? resolved.wanted, found, href);
    // A suggestion that leads out of the site, or that the site reads otherwise, does not help.
    const leads = this.#docs.resolver.resolve(path, suggestion, via);
    return leads.kind === 'file' && leads.path === found ? suggestion : null;
  }

  /** A page that was renamed since `base`, where the link led to it there. */
  #moved(path: string, target: string): { was: string; to: string } | null {
    const base = this.#base;
    if (!base) return null;
    if (!this.#renames) {
      const now = renamedPages(base, this.#docs);
      this.#renames = { now, before: new Map([...now].map(([from, to]) => [to, from])) };
    }
    const place = this.#renames.before.get(path) ?? path;
    const was = base.resolver.resolve(place, target);
    const to = was.kind === 'file' ? this.#renames.now.get(was.path) : undefined;
    return was.kind === 'file' && to !== undefined ? { was: was.path, to } : null;
  }

  #linkOf({ path, line, column, target }: Problem): PageLink | undefined {
    const links = this.#docs.facts(path)?.links;
    return links?.find((link) => link.target === target && link.line === line && link.column === column);
  }

  #pastRedirect(path: string, target: string, destination: string): string | null {
    const end = this.#docs.resolver.endOfRedirect(destination);
    if (!end) return null;
    const origin = this.#docs.site.generator ? ('address' as const) : ('site' as const);
    const was = { path: end.path, origin };
    const hash = end.hash === null ? {} : { hash: end.hash };
    return retarget({
      site: this.#docs.site,
      page: path,
      written: target,
      was,
      to: end.path,
      addresses: this.#addresses,
      ...hash,
    });
  }

  #spell(page: string, written: string, wanted: string, to: string, href: string | undefined): string {
    const guess = pageFormatOf(wanted) || !/\.\w+$/.test(wanted) ? to : wanted;
    // A target without extension is an address, if addresses differ from paths of files.
    const isAddress = this.#docs.site.generator !== null && !pageFormatOf(written.replace(/[?#].*$/s, ''));
    const was = { path: guess, origin: isAddress ? ('address' as const) : ('site' as const) };
    return retarget({ site: this.#docs.site, page, written, was, to, href, addresses: this.#addresses });
  }

  /** As a role of Sphinx names a document. */
  #named(page: string, written: string, to: string): string {
    const was = { path: to, origin: 'page' as const, asName: true as const };
    return retarget({ site: this.#docs.site, page, written, was, to, isPlain: true });
  }

  get #addresses() {
    const addressOf = (path: string) => this.#docs.resolver.addressOf(path);
    return { before: addressOf, after: addressOf };
  }

  #file(wanted: string, page: string, code: Problem['code']): string | null {
    const own = editionOf(page);
    const fits = (path: string) =>
      path !== page &&
      (code === 'missing-import' || isInSite(this.#docs.site, path)) &&
      (editionOf(path) === own || editionOf(path) === editionOf(wanted)) &&
      (code === 'missing-page' ? this.#isPage(path) : !this.#isPage(path) || code === 'missing-import');
    const samePath = this.#byPath.get(pathKey(wanted))?.filter(fits) ?? [];
    if (samePath.length === 1) return samePath[0]!;
    const sameName = nearest(this.#byName.get(nameKey(wanted))?.filter(fits) ?? [], wanted, page);
    if (sameName) return sameName;
    const misspelt = [...this.#byPath].filter(([key, paths]) => paths.some(fits) && isMisspelt(pathKey(wanted), key));
    const found = misspelt.flatMap(([, paths]) => paths.filter(fits));
    return found.length === 1 ? found[0]! : null;
  }

  #isPage(path: string): boolean {
    return pageFormatOf(path) !== null || this.#docs.site.generator?.isPage(path) === true;
  }

  /** The heading at the position of the one with this id in the base, if no heading was added or removed. */
  #rewordedHeading(path: string, hash: string): string | null {
    const [before, now] = [this.#base?.facts(path)?.headings ?? [], this.#docs.facts(path)?.headings ?? []];
    const at = before.findIndex(({ slug }) => slug === hash || bareAnchor(slug) === bareAnchor(hash));
    return at !== -1 && before.length === now.length ? now[at]!.slug || null : null;
  }

  #anchor(path: string, hash: string): string | null {
    const reworded = this.#rewordedHeading(path, hash);
    if (reworded !== null) return reworded;
    const anchors = [...this.#docs.anchors(path)];
    const slug = slugger()(hash.replace(/[_+]/g, '-'));
    const same =
      anchors.find((anchor) => anchor === slug) ?? anchors.find((anchor) => bareAnchor(anchor) === bareAnchor(hash));
    if (same !== undefined) return same;
    const headings = this.#docs.facts(path)?.headings.flatMap((heading) => heading.slug || []) ?? [];
    const near = clearlyNearest(slug, headings);
    if (near !== null) return near;
    const words = slug.split('-').filter((word) => word !== '');
    const holding = headings.filter((heading) => words.every((word) => heading.split('-').includes(word)));
    return holding.length === 1 && words.length > 0 ? holding[0]! : null;
  }
}

/** Percent-encoded: the two forms look alike, and a model writes only one of them. */
function spelledLikeFile(target: string, { files }: Site): string | null {
  const parsed = parseTarget(target);
  return parsed && encodeURI(respelled(files, parsed.path)) + suffixOf(target);
}

/**
 * The possible targets of a site's links: the folders of its pages, and for Docusaurus its own, with static
 * files.
 */
function isInSite(site: Site, path: string): boolean {
  if (site.kind === 'plain') return true;
  const content = site.generator?.content ?? [site.root];
  const folders = site.kind === 'docusaurus' && site.generator ? [...content, site.generator.folder] : content;
  return folders.some((folder) => isBelow(path, folder));
}

/** The version or translation that a page of Docusaurus belongs to: another one's page is not an answer. */
function editionOf(path: string): string {
  return /(?:versioned_docs|i18n)\/[^/]+/.exec(path)?.[0] ?? '';
}

function add(map: Map<string, string[]>, key: string, path: string): void {
  const known = map.get(key);
  if (known) known.push(path);
  else map.set(key, [path]);
}
