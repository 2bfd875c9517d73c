import { basename } from 'node:path/posix';
import { isRawHtml, type FieldsOf, type Resolved, type SiteAddresses, type Via } from '../generators/generator.ts';
import { mayNameLabel } from '../generators/other-generators.ts';
import { parseTarget, type LinkTarget } from './link-target.ts';
import { RedirectTable } from './redirect-table.ts';
import { withoutPageExtension } from './page-format.ts';
import { inRepository } from './repository-path.ts';
import { findingEitherForm, respelled } from './spellings.ts';
import { addressOf, folderOf, isBelow, type Site } from './site.ts';

export type { Resolved } from '../generators/generator.ts';

const PAGE_EXTENSIONS = ['.mdx', '.md'];
const MODULES = ['.tsx', '.ts', '.jsx', '.js', '.mjs', '.json', '/index.tsx', '/index.ts', '/index.jsx', '/index.js'];
const INDEX_NAMES = ['index', 'README'];

const MARKDOWN_LINK: Via = { kind: 'link', syntax: 'markdown' };

/** Resolves a site's links as the site does: with and without extension, by folder, by redirect. */
export class LinkResolver {
  readonly site: Site;
  readonly #redirects: RedirectTable;
  readonly #known = new Map<string, Resolved>();
  #byName: Map<string, string[]> | null = null;
  /** How the site's generator sees it; null for Mintlify and plain Markdown. */
  readonly addresses: SiteAddresses | null;

  /** @param fieldsOf returns the front matter of pages, which may define their addresses */
  constructor(site: Site, fieldsOf: FieldsOf = () => null) {
    this.site = site;
    const addresses = site.generator?.addresses(site, fieldsOf);
    this.addresses = addresses ? findingEitherForm(addresses, site.files) : null;
    this.#redirects = new RedirectTable(site.config?.redirects.map(({ from, to }) => [from.value, to.value]) ?? []);
  }

  /** The address of a page, from `/`; null if only a build knows it. */
  addressOf(path: string): string | null {
    return this.addresses ? this.addresses.addressOf(path) : addressOf(this.site, path);
  }

  /**
   * @param from the path of the page with the link
   * @param via how the link is written
   */
  resolve(from: string, target: string, via: Via = MARKDOWN_LINK): Resolved {
    if (via.role && this.addresses) return this.#named(from, target, via, this.addresses);
    const at = target.indexOf('#');
    const path = at === -1 ? target : target.slice(0, at);
    if (path === '') return this.#onPage(from, target);
    // Links to many places of one page are resolved once.
    const isShared = !this.addresses && !path.startsWith('?');
    const place =
      path.startsWith('/') && isShared
        ? ''
        : isShared
          ? folderOf(from)
          : `${via.kind} ${via.syntax} ${via.ofComponent ?? ''} ${via.asIs ?? ''} ${from}`;
    const key = `${via.kind} ${place}\n${path}`;
    let resolved = this.#known.get(key);
    if (!resolved) this.#known.set(key, (resolved = this.#resolve(from, path, via)));
    return at !== -1 && 'hash' in resolved ? this.#withHash(resolved, target.slice(at)) : resolved;
  }

  /**
   * The target for raw HTML on page `from` that leads to `to`.
   * @returns undefined for other links, and if raw HTML is read like Markdown; null if unknown
   */
  hrefTo(from: string, to: string, via: Via): string | null | undefined {
    return isRawHtml(via) ? this.addresses?.hrefTo?.(from, to) : undefined;
  }

  /** The name in a role is not an address: `#` and `:` are part of it. */
  #named(from: string, target: string, via: Via, addresses: SiteAddresses): Resolved {
    if (via.role === 'file' && parseTarget(target) === null) return { kind: 'elsewhere' };
    const resolved = addresses.resolve(from, { path: target, query: '', hash: null }, via);
    const isFile = resolved.kind === 'missing' && !resolved.isLabel;
    return isFile && this.#isUnknown(resolved.wanted, target, via) ? { kind: 'generated' } : resolved;
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

  #resolve(from: string, target: string, via: Via): Resolved {
    const parsed = parseTarget(target);
    if (!parsed) return { kind: 'elsewhere' };
    const { path, hash } = parsed;
    if (path === '') return { kind: 'file', path: from, hash, origin: 'page', asIndex: false };
    const find = (target: LinkTarget) =>
      this.addresses ? this.addresses.resolve(from, target, via) : this.#inFiles(from, target.path, hash, via.kind);
    const resolved = find(parsed);
    const otherPath = resolved.kind === 'missing' ? respelled(this.site.files, path) : path;
    const other = otherPath === path ? null : find({ ...parsed, path: otherPath });
    if (other?.kind === 'file') return { ...other, otherForm: true };
    return resolved.kind === 'missing' && this.#isUnknown(resolved.wanted, path, via)
      ? { kind: 'generated' }
      : resolved;
  }

  /** Behind a symbolic link or in a submodule; or if only the unknown site generator knows the addresses. */
  #isUnknown(wanted: string, path: string, { kind: linkKind, ofComponent }: Via): boolean {
    const { closed, doubt, mayBeMade, kind } = this.site;
    if (doubt !== null && kind === 'plain') {
      if (path.startsWith('/') || !/\.\w+$/.test(path) || /\.html?$/.test(path)) return true;
      if (doubt.reason === 'unknown-generator') {
        if (this.#isElsewhere(path) || (linkKind === 'link' && mayNameLabel(doubt.name, path))) return true;
      }
    }
    if (mayBeMade(wanted)) return true;
    // A component of the site may look for its picture in any folder.
    if (linkKind === 'image' && ofComponent && this.#isNamed(path)) return true;
    // Mintlify serves sites below /docs of another address, and components' links may include it.
    if (kind === 'docs.json' && path.startsWith('/docs/') && this.#inFiles('', path.slice(5), null).kind === 'file')
      return true;
    if (closed.size === 0) return false;
    for (let at = wanted; at !== ''; at = folderOf(at)) if (closed.has(at)) return true;
    return false;
  }

  /**
   * The page's address may be in another folder than its file: then a relative target is somewhere else in
   * the repository.
   */
  #isElsewhere(path: string): boolean {
    const named = path.replace(/^(?:\.{1,2}\/)+/, '');
    return named.includes('/') && this.#isNamed(named);
  }

  /** Whether the path of a file ends like this. */
  #isNamed(path: string): boolean {
    const end = `/${path.replace(/^(?:\.{0,2}\/)+/, '')}`;
    if (!this.#byName) {
      this.#byName = new Map();
      for (const file of this.site.files) {
        const name = basename(file);
        const known = this.#byName.get(name);
        if (known) known.push(file);
        else this.#byName.set(name, [file]);
      }
    }
    return (this.#byName.get(basename(end)) ?? []).some((file) => `/${file}`.endsWith(end));
  }

  #inFiles(from: string, path: string, hash: string | null, kind: Via['kind'] = 'link'): Resolved {
    const starts = this.#starts(from, path);
    for (const { origin, wanted } of starts) {
      const module = wanted === null || kind !== 'import' ? null : this.#module(wanted);
      if (module !== null) return { kind: 'file', path: module, asIndex: false, hash, origin };
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
    // For code hosts, a leading slash means the top of the repository.
    if (kind === 'plain' && root !== '') starts.push({ origin: 'repository', wanted: inRepository('', `.${path}`) });
    return starts;
  }

  #find(wanted: string): { kind: 'file'; path: string; asIndex: boolean } | { kind: 'folder'; path: string } | null {
    const { files, folders } = this.site;
    const path = wanted.replace(/\/+$/, '');
    // Mintlify treats both page extensions alike: `Graph` of @mintlify/link-rot 3.0.1419.
    const bare = this.site.config ? withoutPageExtension(path) : path;
    const asPage = this.#pageAt(bare.replace(/\.html?$/i, ''));
    if (path !== '' && files.has(path)) return { kind: 'file', path, asIndex: false };
    if (asPage) return { kind: 'file', path: asPage, asIndex: false };
    for (const name of INDEX_NAMES) {
      const index = this.#pageAt(path === '' ? name : `${path}/${name}`);
      if (index) return { kind: 'file', path: index, asIndex: true };
    }
    if (this.site.kind === 'plain' && (path === '' || folders.has(path))) return { kind: 'folder', path };
    return null;
  }

  /** A program that is imported without its extension. */
  #module(wanted: string): string | null {
    return MODULES.map((ending) => wanted + ending).find((path) => this.site.files.has(path)) ?? null;
  }

  #hasPages(folder: string): boolean {
    return this.site.pages.some((page) => isBelow(page, folder));
  }

  #pageAt(route: string): string | null {
    if (route === '') return null;
    for (const extension of PAGE_EXTENSIONS) if (this.site.files.has(route + extension)) return route + extension;
    return null;
  }

  #withoutFile(wanted: string, hash: string | null): Resolved {
    const { root, config, folders } = this.site;
    // Mintlify sends readers of the top, and of a folder without an index, to a page in it.
    if (config && wanted === root) return { kind: 'folder', path: root };
    if (!config || !isBelow(wanted, root)) return { kind: 'missing', wanted, hash };
    const inside = root === '' ? wanted : wanted.slice(root.length + 1);
    const destination = this.#redirects.destinationOf(`/${inside}`);
    if (destination !== null) return { kind: 'redirected', destination, hash };
    if (folders.has(wanted) && this.#hasPages(wanted)) return { kind: 'folder', path: wanted };
    if (config.generated.some((folder) => inside === folder || isBelow(inside, folder))) return { kind: 'generated' };
    return { kind: 'missing', wanted, hash };
  }

  /**
   * The page that a redirect ends at, through further redirects; null if it leads out of the site or
   * nowhere.
   */
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

  /** Whether the old address of a page redirects readers. */
  isRedirected(address: string): boolean {
    return this.addresses ? this.addresses.isRedirected(address) : this.#redirects.destinationOf(address) !== null;
  }
}
