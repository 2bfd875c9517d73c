import { basename, dirname, join } from 'node:path/posix';
import type { LinkTarget } from '../read/link-target.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import { RedirectTable } from '../read/redirect-table.ts';
import { isRawHtml, type FieldsOf, type FileSet, type Resolved, type SiteAddresses, type Via } from './generator.ts';

export interface HugoMount {
  /** A folder or a file of the repository. */
  source: string;
  /** `content`, `static` or `assets`, or a folder below. */
  target: string;
  /** For content in one language; null if file names decide. */
  language: string | null;
}

export interface HugoLanguage {
  name: string;
  contentDir: string | null;
  /** Prefix of addresses; usually empty for the first language. */
  prefix: string;
  isFirst: boolean;
}

export interface HugoLayout {
  /** Content folders. The first one that has a file wins. */
  content: readonly HugoMount[];
  files: readonly HugoMount[];
  assets: readonly HugoMount[];
  languages: readonly HugoLanguage[];
  /** Path of `baseURL`, without a slash at its end. */
  basePath: string;
  /** Pages are `/page.html`. */
  isUgly: boolean;
  keepsCase: boolean;
  /** Whether raw HTML is shown at all. */
  showsHtml: boolean;
  /** Whether a page may be found for a Markdown link by its file. */
  followsPages: boolean;
  /** The same for images and files of `assets`. */
  followsAssets: boolean;
  /** Targets that the site's template for links names. */
  ownTargets: ReadonlySet<string>;
  /** Themes or modules are not in the repository. */
  isForeign: boolean;
  permalinks: readonly { section: string; pattern: string }[];
  /** Folders of addresses below which the build makes pages. */
  generated: readonly string[];
  /** Folders of other page formats than HTML. */
  formats: readonly string[];
  /** Addresses that the host redirects. */
  redirects: readonly string[];
  /** Whether there are more of them, which only the build knows. */
  computesRedirects: boolean;
  /** Pages that are built despite their settings: `buildDrafts` and similar options. */
  builds: { drafts: boolean; future: boolean; expired: boolean };
}

const CONTENT = /\.(?:md|markdown|html?|adoc|asciidoc|ad|org|rst|pandoc|pdc)$/i;
/** Forms of pages and lists that sites have beside HTML. */
const MADE = /\.(?:xml|json|txt|ics|csv|webmanifest|rss|atom|md|css|js)$/i;
const MAX_PATH = 2_000;

/** A page, as Hugo identifies it. */
interface Entry {
  path: string;
  language: HugoLanguage;
  /** Its path in the content, in lower case and without `index`, extension and language. */
  key: string;
}

/**
 * Links of pages of Hugo: as browsers follow them from the page's address, by the page that a link names
 * where something may look for it, and by `ref`, as https://gohugo.io/methods/page/ref/ has it.
 */
export class HugoAddresses implements SiteAddresses {
  readonly #layout: HugoLayout;
  readonly #set: FileSet;
  readonly #entries = new Map<string, Entry>();
  /** By address, from the site's top. */
  readonly #pages = new Map<string, string>();
  readonly #addressOf = new Map<string, string>();
  readonly #byKey = new Map<string, Entry[]>();
  readonly #byName = new Map<string, Entry[]>();
  readonly #resources = new Map<string, string>();
  readonly #aliases = new Map<string, string>();
  /** Pages that are not published, by path, and why. */
  readonly #leftOut = new Map<string, string>();
  /** Addresses of the build without files. */
  readonly #lists = new Set<string>();
  /** For permalinks that only a build can compute. */
  readonly #patterns: readonly string[];
  readonly #tops = new Set<string>();
  readonly #redirects: RedirectTable;

  constructor(layout: HugoLayout, set: FileSet, fieldsOf: FieldsOf) {
    this.#layout = layout;
    this.#set = set;
    this.#redirects = new RedirectTable(layout.redirects.map((from) => [from, '/']));
    const others: string[] = [];
    for (const path of set.files) {
      const found = this.#placeOf(path);
      if (!found) continue;
      if (CONTENT.test(path)) this.#addPage(path, found.language, found.inside);
      else others.push(path);
    }
    const leaves = this.#leaves();
    for (const entry of this.#entries.values()) this.#addAddress(entry, fieldsOf(entry.path) ?? {}, leaves);
    for (const path of others) this.#addResource(path, leaves);
    for (const mount of layout.files) this.#addFiles(mount);
    for (const { pattern } of layout.permalinks)
      for (const top of pattern.match(/^\/?([^:/]+)/)?.slice(1) ?? []) this.#tops.add(top);
    this.#patterns = layout.permalinks.flatMap(({ pattern }) => (isComputed(pattern) ? [] : [pattern]));
  }

  addressOf(path: string): string | null {
    return this.#addressOf.get(path) ?? null;
  }

  /** A link to an unpublished page is broken, unless it comes from such a page. */
  resolve(from: string, target: LinkTarget, via: Via): Resolved {
    const found = this.#found(from, target, via);
    const why = found.kind === 'file' && !this.#leftOut.has(from) ? this.#leftOut.get(found.path) : undefined;
    return found.kind === 'file' && why !== undefined && found.path !== from
      ? { kind: 'missing', wanted: found.path, hash: found.hash, why }
      : found;
  }

  #found(from: string, { path, hash }: LinkTarget, via: Via): Resolved {
    if (via.syntax === 'include') return this.#byReference(from, path, hash);
    if (path.length > MAX_PATH || this.#layout.ownTargets.has(path)) return { kind: 'elsewhere' };
    if (isRawHtml(via) && !this.#layout.showsHtml) return { kind: 'elsewhere' };
    const address = this.#addressOf.get(from);
    // Content that is shown by another page, or by the build, is resolved from there.
    if (address === undefined && !path.startsWith('/')) return this.#fromUnknown(from, path, hash);
    const wanted = path.startsWith('/') ? this.#withoutBase(path) : join(this.#folderOf(address!), path);
    if (wanted === null) return { kind: 'elsewhere' };
    const found = this.#at(wanted, hash);
    if (found) return found;
    const followed = this.#followed(from, path, hash, via);
    if (followed) return followed;
    if (this.#isMade(wanted, path, via)) return { kind: 'generated' };
    const top = this.#layout.content[0]?.source ?? '';
    const inside = wanted.replace(/^\/+|\/+$/g, '');
    return { kind: 'missing', wanted: [top, inside].filter((part) => part !== '').join('/'), hash };
  }

  hrefTo(_from: string, to: string): string | null {
    const address = this.#addressOf.get(to);
    return address === undefined ? null : `${this.#layout.basePath}${slashed(address)}`;
  }

  isRedirected(address: string): boolean {
    const plain = normal(address);
    return this.#aliases.has(plain) || this.#redirects.destinationOf(plain) !== null;
  }

  isOwnAnchor(hash: string, path?: string): boolean {
    if (/^fn(?:ref)?\d*:/.test(hash) || hash === 'TableOfContents') return true;
    // Pages at the top of a site or a section usually consist of parts of the theme.
    return path !== undefined && /(?:^|\/)_index(?:\.[\w-]+)?\.\w+$/.test(path);
  }

  #placeOf(path: string): { inside: string; language: HugoLanguage } | null {
    for (const mount of this.#layout.content) {
      const inside = path === mount.source ? '' : below(path, mount.source);
      if (inside === null) continue;
      const place = [mount.target.replace(/^content\/?/, ''), inside].filter((part) => part !== '').join('/');
      const { languages } = this.#layout;
      const [, stem, suffix] = /^(.*)\.([\w-]+)(?=\.\w+$)/.exec(place) ?? [];
      const named = languages.find(({ name }) => name === suffix?.toLowerCase());
      const language =
        named ??
        languages.find(({ name }) => name === mount.language) ??
        languages.find(({ isFirst }) => isFirst) ??
        languages[0]!;
      return { inside: named && stem !== undefined ? `${stem}${/\.\w+$/.exec(place)?.[0] ?? ''}` : place, language };
    }
    return null;
  }

  #addPage(path: string, language: HugoLanguage, inside: string): void {
    const bare = inside.replace(CONTENT, '');
    const isIndex = /(?:^|\/)_?index$/.test(bare);
    const key = sanitized(isIndex ? folderOf(bare) : bare).toLowerCase();
    const entry: Entry = { path, language, key };
    this.#entries.set(path, entry);
    push(this.#byKey, key, entry);
    push(this.#byName, basename(key), entry);
  }

  /** Folders of the repository whose `index` includes everything below. */
  #leaves(): Map<string, string> {
    const found = new Map<string, string>();
    for (const path of this.#entries.keys()) {
      if (/(?:^|\/)index(?:\.[\w-]+)?\.\w+$/.test(path)) found.set(folderOf(path), path);
    }
    return found;
  }

  #addAddress(entry: Entry, fields: Readonly<Record<string, string>>, leaves: ReadonlyMap<string, string>): void {
    const { path, language, key } = entry;
    const name = basename(path);
    const isIndex = /^_?index(?:\.[\w-]+)?\.\w+$/.test(name);
    const [top] = key.split('/');
    if (top && key.includes('/')) {
      // Folders at the top are sections, with a list of their pages.
      this.#lists.add(normal(`/${language.prefix}/${top}`));
    }
    this.#lists.add(normal(`/${language.prefix}`));
    this.#tops.add(top ?? '');
    const isResource = !isIndex && leafOf(path, leaves) !== null;
    if (isResource) return;
    const addresses = this.#addressesOf(entry, isIndex, fields);
    // The list page of a section always exists.
    const why = name.startsWith('_') ? null : this.#whyLeftOut(fields);
    if (why !== null) this.#leftOut.set(path, why);
    for (const address of addresses) if (!this.#pages.has(address)) this.#pages.set(address, path);
    this.#addressOf.set(path, addresses[0]!);
    for (const alias of fields['aliases']?.split('\n') ?? []) {
      const from = alias.startsWith('/') ? alias : join(folderOf(addresses[0]!) || '/', alias);
      for (const prefix of ['', language.prefix]) this.#aliases.set(normal(`/${prefix}/${from}`), addresses[0]!);
    }
  }

  /** https://gohugo.io/getting-started/usage/#draft-future-and-expired-content */
  #whyLeftOut(fields: Readonly<Record<string, string>>): string | null {
    const { builds } = this.#layout;
    const isBefore = (name: string, sign: 1 | -1) => sign * (Date.parse(fields[name] ?? '') - Date.now()) > 0;
    if (fields['draft'] === 'true' && !builds.drafts) return 'the page is a draft';
    const publishes = 'publishDate' in fields ? 'publishDate' : 'date';
    if (isBefore(publishes, 1) && !builds.future) return `the page is not published before ${fields[publishes]!}`;
    return isBefore('expiryDate', -1) && !builds.expired ? `the page expired on ${fields['expiryDate']!}` : null;
  }

  /** The first one is the page's own. */
  #addressesOf(
    { path, language: { prefix }, key }: Entry,
    isIndex: boolean,
    fields: Readonly<Record<string, string>>,
  ): string[] {
    const { url, slug } = fields;
    if (url !== undefined) {
      if (url.includes(':')) return [normal(`/${prefix}/${key}`)];
      const forms = [normal(`/${prefix}/${url}`), normal(`/${url}`)];
      return url.startsWith('/') ? forms.toReversed() : forms;
    }
    const written = this.#layout.keepsCase ? this.#casedKey(path) : key;
    const plain = normal(`/${prefix}/${written}`);
    const own = slug === undefined || key === '' ? [] : [normal(join(dirname(plain), sanitized(slug).toLowerCase()))];
    const section = key.split('/')[0] ?? '';
    const permalink = this.#layout.permalinks.find((one) => one.section === section && isComputed(one.pattern));
    if (permalink && !/(?:^|\/)_index\b/.test(path)) {
      const last = slug === undefined ? basename(key) : sanitized(slug).toLowerCase();
      const sections = isIndex || key.includes('/') ? dirname(key) : '';
      const filled = permalink.pattern
        .replace(/:sections\b/g, sections === '.' ? '' : sections)
        .replace(/:section\b/g, section)
        .replace(/:(?:slugorcontentbasename|slugorfilename)\b/g, last)
        .replace(/:(?:contentbasename|filename)\b/g, basename(key));
      return [normal(`/${prefix}/${filled}`)];
    }
    // Lists take no slug.
    return /(?:^|\/)_index\b/.test(path) ? [plain, ...own] : [...own, ...(own.length > 0 ? [] : [plain])];
  }

  #casedKey(path: string): string {
    const bare = (this.#placeOf(path)?.inside ?? '').replace(CONTENT, '');
    return sanitized(/(?:^|\/)_?index$/.test(bare) ? folderOf(bare) : bare);
  }

  #addResource(path: string, leaves: ReadonlyMap<string, string>): void {
    const place = this.#placeOf(path);
    if (!place) return;
    const add = (address: string) => this.#resources.set(normal(address).toLowerCase(), path);
    for (const { prefix } of this.#layout.languages) add(`/${prefix}/${place.inside}`);
    add(`/${place.inside}`);
    const leaf = leafOf(path, leaves);
    const address = leaf === null ? undefined : this.#addressOf.get(leaf.page);
    if (leaf !== null && address !== undefined) add(`${address}/${path.slice(leaf.folder.length + 1)}`);
  }

  #addFiles({ source, target }: HugoMount): void {
    const top = target.replace(/^static\/?/, '');
    for (const path of this.#set.files) {
      const inside = path === source ? '' : below(path, source);
      if (inside !== null) this.#resources.set(normal(`/${top}/${inside}`).toLowerCase(), path);
    }
  }

  #at(wanted: string, hash: string | null): Resolved | null {
    const address = normal(wanted);
    const page = this.#pages.get(address);
    if (page !== undefined) {
      const isText = pageFormatOf(page) !== null;
      return isText ? { kind: 'file', path: page, hash, origin: 'address', asIndex: false } : { kind: 'generated' };
    }
    const bare = this.#layout.isUgly ? address.replace(/\.html$/, '') : address;
    const ugly = bare === address ? undefined : this.#pages.get(bare);
    if (ugly !== undefined) return { kind: 'file', path: ugly, hash, origin: 'address', asIndex: false };
    const file = this.#resources.get(address.toLowerCase());
    if (file !== undefined) return { kind: 'file', path: file, hash, origin: 'address', asIndex: false };
    if (this.#lists.has(address)) return { kind: 'generated' };
    const alias = this.#aliases.get(address);
    if (alias !== undefined) return { kind: 'redirected', destination: slashed(alias), hash };
    return this.#redirects.destinationOf(address) === null ? null : { kind: 'generated' };
  }

  /** The target of a file link by a theme, or Hugo's own link template. */
  #followed(from: string, path: string, hash: string | null, via: Via): Resolved | null {
    const { followsPages, followsAssets, assets } = this.#layout;
    const isImage = via.kind === 'image';
    if (!isImage && followsPages && !isRawHtml(via)) {
      const entry = this.#entryFor(from, path);
      if (entry) return { kind: 'file', path: entry.path, hash, origin: 'page', asIndex: false };
    }
    if (isImage ? followsAssets : followsPages) {
      const starts = path.startsWith('/') ? [] : [folderOf(from), folderOf(folderOf(from))];
      for (const start of [
        ...starts,
        ...assets.map(({ source }) => source),
        ...this.#layout.content.map(({ source }) => source),
      ]) {
        const file = inRepository(start, `./${path}`);
        if (file !== null && this.#set.files.has(file)) {
          return { kind: 'file', path: file, hash, origin: path.startsWith('/') ? 'site' : 'page', asIndex: false };
        }
      }
    }
    return null;
  }

  #isMade(wanted: string, path: string, via: Via): boolean {
    const address = normal(wanted);
    const { generated, formats, languages, isForeign } = this.#layout;
    const inside = address.slice(1);
    const parts = inside.split('/');
    const own = languages.some(({ prefix }) => prefix !== '' && prefix === parts[0])
      ? parts.slice(1).join('/')
      : inside;
    const isBelow = (folder: string) => folder === '' || own === folder || own.startsWith(`${folder}/`);
    if (generated.some((folder) => isBelow(folder.replace(/\/x$/, '')))) return true;
    if (formats.some((name) => parts.includes(name))) return true;
    if (/(?:^|\/)page\/\d+$/.test(own) || parts[0]?.startsWith('_')) return true;
    if (via.kind !== 'image' && MADE.test(address) && this.#isPageOrList(address.replace(/\/?[^/]*$/, ''))) {
      if (!/\.md$/i.test(address) || (isForeign && !path.startsWith('.'))) return true;
    }
    if (this.#patterns.some((pattern) => fits(pattern, own))) return true;
    if (this.#layout.computesRedirects && path.startsWith('/') && via.kind === 'link') return true;
    // A theme's own pages and files.
    return isForeign && !this.#tops.has(own.split('/')[0] ?? '') && !this.#hasFilesBelow(own.split('/')[0] ?? '');
  }

  #isPageOrList(address: string): boolean {
    return this.#pages.has(normal(address)) || this.#lists.has(normal(address));
  }

  #hasFilesBelow(folder: string): boolean {
    if (folder === '') return false;
    return this.#layout.files.some(({ source }) => this.#set.folders.has(join(source, folder)));
  }

  /** From a page without its own address. */
  #fromUnknown(from: string, path: string, hash: string | null): Resolved {
    const file = inRepository(folderOf(from), path);
    return file !== null && this.#set.files.has(file)
      ? { kind: 'file', path: file, hash, origin: 'page', asIndex: false }
      : { kind: 'generated' };
  }

  #byReference(from: string, path: string, hash: string | null): Resolved {
    if (path === '' || path === '.') return { kind: 'file', path: from, hash, origin: 'page', asIndex: false };
    const own = this.#entries.get(from)?.language;
    // A part of a page has no address of its own.
    const all = this.#entriesFor(from, path).filter((one) => this.#addressOf.has(one.path));
    const entry = all.find(({ language }) => own === undefined || language === own);
    if (entry) {
      if (pageFormatOf(entry.path) === null) return { kind: 'generated' };
      return { kind: 'file', path: entry.path, hash, origin: path.startsWith('/') ? 'site' : 'page', asIndex: false };
    }
    const key = keyOf(path, this.#layout.languages).replace(/^\/+/, '');
    const isList = this.#layout.languages.some(({ prefix }) => this.#lists.has(normal(`/${prefix}/${key}`)));
    const isGenerated = this.#layout.generated.some(
      (folder) => key === folder || key.startsWith(folder.replace(/x$/, '')),
    );
    if (
      isList ||
      isGenerated ||
      (this.#layout.isForeign && !this.#tops.has(key.split('/')[0]!) && !path.startsWith('.'))
    ) {
      return { kind: 'generated' };
    }
    const start = path.startsWith('/') ? (this.#layout.content[0]?.source ?? '') : folderOf(from);
    const wanted = inRepository(start, `./${path}`) ?? path;
    const why = all.length > 0 ? 'the page is not in this language' : undefined;
    return { kind: 'missing', wanted, hash, ...(why !== undefined && { why }) };
  }

  /** Hugo looks for pages in the language of the page that has the link. A theme outside may do otherwise. */
  #entryFor(from: string, path: string): Entry | undefined {
    const all = this.#entriesFor(from, path);
    const own = this.#entries.get(from)?.language;
    const others = own === undefined || this.#layout.isForeign ? all : all.filter((entry) => this.#isIn(entry, own));
    return others.find(({ language }) => language === own) ?? others[0];
  }

  /** Folders may be mounted in several languages, so that pages without a translation are shown in the first. */
  #isIn({ path, language }: Entry, wanted: HugoLanguage): boolean {
    const isMounted = (mount: HugoMount) => mount.language === wanted.name && below(path, mount.source) !== null;
    return language === wanted || this.#layout.content.some(isMounted);
  }

  /** Pages with a name, in all languages: from the page's folder, from the top, or alone. */
  #entriesFor(from: string, path: string): Entry[] {
    const key = keyOf(path, this.#layout.languages);
    const own = this.#entries.get(from);
    const places: string[] = [];
    if (!path.startsWith('/')) {
      const folder = sanitized(folderOf(this.#placeOf(from)?.inside ?? '')).toLowerCase();
      places.push(join('/', folder, key), join('/', own?.key ?? folder, key), join('/', folder, '..', key));
    }
    places.push(join('/', key));
    for (const place of places) {
      const found = this.#byKey.get(place.replace(/^\/+|\/+$/g, ''));
      if (found) return found;
    }
    return key.includes('/') ? [] : (this.#byName.get(key) ?? []);
  }

  #folderOf(address: string): string {
    return this.#layout.isUgly ? dirname(address) : address;
  }

  #withoutBase(path: string): string | null {
    const { basePath } = this.#layout;
    if (basePath === '') return path;
    if (path === basePath || path.startsWith(`${basePath}/`)) return path.slice(basePath.length) || '/';
    return null;
  }
}

/** Whether a permalink pattern only needs file names and `slug`. */
export function isComputed(pattern: string): boolean {
  return !/:(?!(?:sections?|slugorcontentbasename|slugorfilename|contentbasename|filename)(?![\w[]))/.test(pattern);
}

/** Whether an address may match a pattern whose values only a build knows. */
function fits(pattern: string, address: string): boolean {
  const parts = address.split('/').filter((part) => part !== '');
  const wanted = pattern.split('/').filter((part) => part !== '');
  for (const [i, part] of wanted.entries()) {
    if (part.startsWith(':sections')) return true;
    const given = parts[i];
    if (given === undefined) return false;
    if (/^:(?:year|month|day)$/.test(part) ? !/^\d+$/.test(given) : !part.includes(':') && part !== given) return false;
  }
  return parts.length === wanted.length;
}

/** A page's name in links: without extension, language and `index`. */
function keyOf(path: string, languages: readonly HugoLanguage[]): string {
  let bare = path.replace(/\/+$/, '').replace(CONTENT, '');
  const suffix = /\.([\w-]+)$/.exec(bare)?.[1]?.toLowerCase();
  if (bare !== path && languages.some(({ name }) => name === suffix)) bare = bare.slice(0, -suffix!.length - 1);
  return sanitized(bare.replace(/(^|\/)_?index$/, '$1').replace(/(.)\/$/, '$1')).toLowerCase();
}

/** As Hugo's `Sanitize` makes paths of names: spaces become one dash, other signs go. */
function sanitized(path: string): string {
  return path.replace(/[^\p{L}\p{Nd}\p{M}\s./\\_#+~@%-]/gu, '').replace(/-?\s+-|-?\s+/g, '-');
}

/** The nearest folder above that is one page with all that is in it. */
function leafOf(path: string, leaves: ReadonlyMap<string, string>): { folder: string; page: string } | null {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    const page = leaves.get(folder);
    if (page !== undefined && page !== path) return { folder, page };
    if (folder === '') return null;
  }
}

/** From `/`, without the slash at its end and `index.html`. */
function normal(address: string): string {
  const joined = join('/', address).replace(/\/index\.html?$/, '');
  return joined.replace(/\/+$/, '') || '/';
}

function slashed(address: string): string {
  return address.endsWith('/') || /\.\w+$/.test(address) ? address : `${address}/`;
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
