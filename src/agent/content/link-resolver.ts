import { join } from 'node:path/posix';
import { parseTarget } from './link-target.ts';
import { RedirectTable } from './redirect-table.ts';
import { addressOf, folderOf, isBelow, type Site } from './site.ts';

export type Resolved =
  /** Another site, mail, a template. */
  | { kind: 'elsewhere' }
  | {
      kind: 'file';
      path: string;
      hash: string | null;
      /** What a target that starts with `/` starts from. */
      origin: 'site' | 'repository' | 'page';
      /** The target names the folder; the file is its index. */
      asIndex: boolean;
    }
  | { kind: 'folder'; path: string }
  /** There is no file, but the site sends readers on. `destination` is the redirect's own. */
  | { kind: 'redirected'; destination: string; hash: string | null }
  /** Below a folder whose pages come from an API description: nobody can tell. */
  | { kind: 'generated' }
  /** `wanted` is where the file should be, in the repository; it may have no extension. */
  | { kind: 'missing'; wanted: string; hash: string | null };

const PAGE_EXTENSIONS = ['.mdx', '.md'];
const INDEX_NAMES = ['index', 'README'];

/** Finds what links of a site lead to, as sites do it: with and without extension, by folder, by redirect. */
export class LinkResolver {
  readonly site: Site;
  readonly #redirects: RedirectTable;
  readonly #known = new Map<string, Resolved>();

  constructor(site: Site) {
    this.site = site;
    this.#redirects = new RedirectTable(site.config?.redirects.map(({ from, to }) => [from.value, to.value]) ?? []);
  }

  /** @param from the path of the page with the link */
  resolve(from: string, target: string): Resolved {
    const at = target.indexOf('#');
    const path = at === -1 ? target : target.slice(0, at);
    if (path === '') return this.#onPage(from, target);
    // Links to many places of one page are resolved once.
    const key = `${path.startsWith('/') ? '' : path.startsWith('?') ? from : folderOf(from)}\n${path}`;
    let resolved = this.#known.get(key);
    if (!resolved) this.#known.set(key, (resolved = this.#resolve(from, path)));
    return at !== -1 && 'hash' in resolved ? this.#withHash(resolved, target.slice(at)) : resolved;
  }

  #onPage(from: string, target: string): Resolved {
    const hash = parseTarget(target)?.hash;
    if (hash === undefined) return { kind: 'elsewhere' };
    return { kind: 'file', path: from, hash, origin: 'page', asIndex: false };
  }

  #withHash(resolved: Extract<Resolved, { hash: string | null }>, hash: string): Resolved {
    const parsed = parseTarget(hash);
    return parsed ? { ...resolved, hash: parsed.hash } : { kind: 'elsewhere' };
  }

  #resolve(from: string, target: string): Resolved {
    const parsed = parseTarget(target);
    if (!parsed) return { kind: 'elsewhere' };
    const { path, hash } = parsed;
    if (path === '') return { kind: 'file', path: from, hash, origin: 'page', asIndex: false };
    const starts = this.#starts(from, path);
    for (const { origin, wanted } of starts) {
      const found = wanted === null ? null : this.#find(wanted);
      if (found?.kind === 'file') return { ...found, hash, origin };
      if (found) return found;
    }
    const wanted = starts[0]?.wanted ?? null;
    if (wanted === null) return { kind: 'missing', wanted: path, hash };
    return this.#withoutFile(wanted, hash);
  }

  #starts(from: string, path: string): { origin: 'site' | 'repository' | 'page'; wanted: string | null }[] {
    const { root, kind } = this.site;
    if (!path.startsWith('/')) return [{ origin: 'page', wanted: inRepository(folderOf(from), path) }];
    const starts: { origin: 'site' | 'repository'; wanted: string | null }[] = [
      { origin: 'site', wanted: inRepository(root, `.${path}`) },
    ];
    // Code hosts take a leading slash for the top of the repository.
    if (kind === 'plain' && root !== '') starts.push({ origin: 'repository', wanted: inRepository('', `.${path}`) });
    return starts;
  }

  #find(wanted: string): { kind: 'file'; path: string; asIndex: boolean } | { kind: 'folder'; path: string } | null {
    const { files, folders } = this.site;
    const path = wanted.replace(/\/+$/, '');
    const asPage = this.#pageAt(path.replace(/\.html?$/i, ''));
    if (path !== '' && files.has(path)) return { kind: 'file', path, asIndex: false };
    if (asPage) return { kind: 'file', path: asPage, asIndex: false };
    for (const name of INDEX_NAMES) {
      const index = this.#pageAt(path === '' ? name : `${path}/${name}`);
      if (index) return { kind: 'file', path: index, asIndex: true };
    }
    if (this.site.kind === 'plain' && (path === '' || folders.has(path))) return { kind: 'folder', path };
    return null;
  }

  #pageAt(route: string): string | null {
    if (route === '') return null;
    for (const extension of PAGE_EXTENSIONS) if (this.site.files.has(route + extension)) return route + extension;
    return null;
  }

  #withoutFile(wanted: string, hash: string | null): Resolved {
    const { root, config } = this.site;
    if (!config || !isBelow(wanted, root)) return { kind: 'missing', wanted, hash };
    const inside = root === '' ? wanted : wanted.slice(root.length + 1);
    const destination = this.#redirects.destinationOf(`/${inside}`);
    if (destination !== null) return { kind: 'redirected', destination, hash };
    if (config.generated.some((folder) => inside === folder || isBelow(inside, folder))) return { kind: 'generated' };
    return { kind: 'missing', wanted, hash };
  }

  /** The page that a redirect ends at, through further redirects; null where it leads out of the site or nowhere. */
  endOfRedirect(destination: string): { path: string; hash: string | null } | null {
    let current = destination;
    let hash: string | null = null;
    for (let i = 0; i < 10; i++) {
      const resolved = this.resolve('', current);
      if (resolved.kind === 'file') return { path: resolved.path, hash: resolved.hash ?? hash };
      if (resolved.kind !== 'redirected') return null;
      hash = resolved.hash ?? hash;
      current = resolved.destination;
    }
    return null;
  }

  /** Whether readers who follow the old address of a page are sent on. */
  isRedirected(pagePath: string): boolean {
    return this.#redirects.destinationOf(addressOf(this.site, pagePath)) !== null;
  }
}

/** A path joined to a folder; null where it leads out of the repository. */
function inRepository(folder: string, path: string): string | null {
  const joined = join(folder === '' ? '.' : folder, path);
  if (joined === '..' || joined.startsWith('../')) return null;
  return joined === '.' || joined === './' ? '' : joined;
}
