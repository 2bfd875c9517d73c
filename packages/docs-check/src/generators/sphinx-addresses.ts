import { dirname, extname, join, relative } from 'node:path/posix';
import { folderOf } from '../read/folder.ts';
import type { LinkTarget } from '../read/link-target.ts';
import { below, inRepository } from '../read/repository-path.ts';
import { docutilsId } from '../syntax/myst-syntax.ts';
import {
  isRawHtml,
  type FileSet,
  type GeneratorEntry,
  type Resolved,
  type SiteAddresses,
  type Via,
} from './generator.ts';
import type { Makers } from './makers.ts';
import { labelKey, withoutSuffix } from './sphinx-documents.ts';

export interface SphinxLayout {
  /** The folder of `conf.py` and of the sources. */
  folder: string;
  /** Files of documents by their names. */
  documents: ReadonlyMap<string, string>;
  /** All files that were there when the documents were read. */
  known: ReadonlySet<string>;
  suffixes: readonly string[];
  /** Normalized. */
  labels: ReadonlySet<string>;
  /** Whether there may be labels that no document shows. */
  isLabelOpen: boolean;
  /** Whether a program of the repository has a label, if such texts are shown. */
  inPrograms: (label: string) => boolean;
  /** Whether functions, classes, terms and similar objects are described, which links name like labels. */
  describesObjects: boolean;
  /** myst-parser leaves links as they are. */
  linksAreExternal: boolean;
  /** Whether `<img>` is read like an image of Markdown. */
  readsHtmlImages: boolean;
  staticFolders: readonly string[];
  extraFolders: readonly string[];
  makers: Makers;
  /** The builder `dirhtml` puts each page into its own folder. */
  hasFolders: boolean;
  /** Whether an extension makes redirects. */
  redirects: boolean;
}

/** Sphinx's own documents and labels. */
const OWN = /^(?:genindex|modindex|py-modindex|search)$/;
/** Extensions that MyST treats as files, not as labels. */
const FILE_ENDING =
  /\.(?:md|markdown|rst|ipynb|txt|html?|pdf|png|jpe?g|gif|svg|webp|avif|ico|mp4|webm|css|js|json|ya?ml|toml|csv|zip|gz|py|sh)$/i;

/**
 * Targets of MyST Markdown links and roles: files and documents by their paths, labels by their names.
 * https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html
 */
export class SphinxAddresses implements SiteAddresses {
  readonly #layout: SphinxLayout;
  readonly #set: FileSet;
  readonly #nameOf: ReadonlyMap<string, string>;
  readonly #ids: ReadonlySet<string>;
  readonly #folders: ReadonlySet<string>;

  constructor(layout: SphinxLayout, set: FileSet) {
    this.#layout = layout;
    this.#set = set;
    this.#nameOf = new Map([...layout.documents].map(([name, path]) => [path, name]));
    this.#ids = new Set([...layout.labels].map(docutilsId));
    this.#folders = new Set([...layout.documents.keys()].map(folderOf));
  }

  addressOf(path: string): string | null {
    const name = this.#name(path);
    return name === null ? null : `/${name.replace(/(^|\/)index$/, '')}`.replace(/(.)\/$/, '$1');
  }

  hrefTo(from: string, to: string): string | null {
    const [page, name] = [this.#name(from), this.#name(to)];
    return page === null || name === null ? null : `${relative(dirname(`/${page}`), `/${name}`)}.html`;
  }

  /** The name of a document, even if the page has moved since. */
  #name(path: string): string | null {
    const { folder, suffixes, known } = this.#layout;
    const moved = known.has(path) ? null : below(path, folder);
    const isDocument = moved !== null && suffixes.some((suffix) => moved.endsWith(suffix));
    return this.#nameOf.get(path) ?? (isDocument ? withoutSuffix(moved, suffixes) : null);
  }

  resolve(from: string, { path, hash }: LinkTarget, via: Via): Resolved {
    if (via.role === 'doc') return this.#document(from, path);
    if (via.role === 'ref' || via.role === 'numref') return this.#label(path);
    if (via.role === 'any') {
      const document = this.#document(from, path);
      if (document.kind !== 'missing') return document;
      return this.#layout.describesObjects && !this.#hasLabel(path) ? { kind: 'generated' } : this.#label(path);
    }
    if (isRawHtml(via)) return this.#inHtml(from, path, hash, via);
    if (via.role === 'file' || via.syntax === 'include') return this.#file(from, path, hash);
    if (via.kind === 'image') return this.#file(from, path, hash);
    return this.#link(from, path, hash);
  }

  fileOf({ value, scope }: GeneratorEntry): string | null | undefined {
    const name = this.#inside(scope, value)?.replace(/\/$/, '');
    if (name === undefined) return undefined;
    const found = this.#documentAt(withoutSuffix(name, this.#layout.suffixes));
    if (found !== null) return found;
    const file = join(this.#layout.folder, name);
    // A file that exists, but is excluded from the site, is not missing.
    const isThere = this.#set.files.has(file) || this.#layout.suffixes.some((one) => this.#set.files.has(file + one));
    return isThere || OWN.test(name) || this.#mayMake(name) ? undefined : null;
  }

  entryOf(path: string): string | null {
    return this.#nameOf.get(path) ?? null;
  }

  isRedirected(): boolean {
    return this.#layout.redirects;
  }

  /** `#label` leads to a label of any page, by its name or by its id. */
  isOwnAnchor(hash: string): boolean {
    const { labels, isLabelOpen, inPrograms, describesObjects } = this.#layout;
    return (
      labels.has(labelKey(hash)) ||
      this.#ids.has(hash) ||
      inPrograms(labelKey(hash)) ||
      // Ids of headings have no capital letters: `#Spawner` is a class.
      (describesObjects && /[._]|^[A-Z][A-Za-z\d]*$/.test(hash)) ||
      (isLabelOpen && /[:._]|^[A-Z][A-Za-z\d]*$/.test(hash))
    );
  }

  #document(from: string, target: string): Resolved {
    // Sphinx normalizes names: a slash at the end has no meaning.
    const name = this.#inside(folderOf(from), target)?.replace(/\/$/, '');
    if (name === undefined) return { kind: 'generated' };
    const path = this.#documentAt(name);
    if (path !== null) return { kind: 'file', path, hash: null, origin: 'page', asIndex: false, asName: true };
    // A reference to another project's document begins with that project's name.
    if (this.#layout.isLabelOpen && /^[\w.-]+:/.test(target)) return { kind: 'generated' };
    if (OWN.test(name) || this.#mayMake(name)) return { kind: 'generated' };
    const wanted = join(this.#layout.folder, name);
    const bare = withoutSuffix(name, this.#layout.suffixes);
    return bare !== name && this.#documentAt(bare) !== null
      ? {
          kind: 'missing',
          wanted,
          hash: null,
          why: 'the name of a document has no extension',
          instead: bare.replace(/^.*\//, ''),
        }
      : { kind: 'missing', wanted, hash: null };
  }

  #label(target: string): Resolved {
    const { isLabelOpen, inPrograms } = this.#layout;
    if (this.#hasLabel(target) || isLabelOpen || inPrograms(labelKey(target))) return { kind: 'generated' };
    return { kind: 'missing', wanted: target, hash: null, isLabel: true, why: 'no page defines this label' };
  }

  #hasLabel(target: string): boolean {
    const key = labelKey(target);
    return this.#layout.labels.has(key) || OWN.test(key);
  }

  #file(from: string, path: string, hash: string | null): Resolved {
    const wanted = path.startsWith('/')
      ? inRepository(this.#layout.folder, `.${path}`)
      : inRepository(dirname(from), path);
    if (wanted === null) return { kind: 'generated' };
    if (this.#set.files.has(wanted))
      return { kind: 'file', path: wanted, hash, origin: path.startsWith('/') ? 'site' : 'page', asIndex: false };
    // `image.*`: the best of those that are there.
    if (wanted.endsWith('.*') && [...this.#set.files].some((file) => file.startsWith(wanted.slice(0, -1))))
      return { kind: 'generated' };
    const inside = below(wanted, this.#layout.folder);
    return inside !== null && this.#mayMake(inside) ? { kind: 'generated' } : { kind: 'missing', wanted, hash };
  }

  #link(from: string, path: string, hash: string | null): Resolved {
    if (this.#layout.linksAreExternal) return { kind: 'generated' };
    const file = this.#file(from, path, hash);
    if (file.kind !== 'missing') return file;
    const document = this.#document(from, path);
    // A document's name has no anchor.
    if (document.kind === 'file' && hash === null) return document;
    if (document.kind === 'generated' || this.#hasLabel(path)) return { kind: 'generated' };
    const mayBeName = !path.includes('/') && !FILE_ENDING.test(path);
    if (!mayBeName) return file;
    return this.#layout.describesObjects ? { kind: 'generated' } : this.#label(path);
  }

  /** As browsers resolve it from `page.html`, which is at the file's path. */
  #inHtml(from: string, path: string, hash: string | null, via: Via): Resolved {
    if (via.kind === 'image' && this.#layout.readsHtmlImages) return this.#file(from, path, hash);
    if (path.startsWith('/') || this.#layout.hasFolders) return { kind: 'generated' };
    const inside = this.#inside(folderOf(from), path);
    if (inside === null) return { kind: 'generated' };
    const name = inside.replace(/\.html$/, '').replace(/(^|\/)$/, '$1index');
    const document = this.#documentAt(name);
    if (document !== null && !/\.(?:md|rst)$/.test(path))
      return { kind: 'file', path: document, hash, origin: 'address', asIndex: false };
    const served = [
      ...this.#layout.extraFolders,
      ...this.#layout.staticFolders.map((folder) => (inside.startsWith('_static/') ? folder : null)),
    ]
      .flatMap((folder) =>
        folder === null
          ? []
          : (inRepository(join(this.#layout.folder, folder), inside.replace(/^_static\//, '')) ?? []),
      )
      .find((file) => this.#set.files.has(file));
    if (served !== undefined) return { kind: 'file', path: served, hash, origin: 'address', asIndex: false };
    const wanted = join(this.#layout.folder, inside);
    const isSource = this.#set.files.has(wanted);
    if (
      /^_(?:static|images|downloads|sources|modules)\//.test(inside) ||
      OWN.test(name) ||
      this.#layout.extraFolders.length > 0
    )
      return { kind: 'generated' };
    if (isSource && via.kind === 'image')
      return { kind: 'missing', wanted, hash, why: 'Sphinx copies no image that raw HTML names' };
    if (isSource)
      return { kind: 'missing', wanted, hash, why: 'raw HTML must name the page that is built, with .html' };
    return this.#mayMake(inside) || (extname(inside) === '' && via.kind === 'link')
      ? { kind: 'generated' }
      : { kind: 'missing', wanted, hash };
  }

  #documentAt(name: string): string | null {
    const { documents, suffixes, folder, known } = this.#layout;
    const path = documents.get(name);
    if (path !== undefined && this.#set.files.has(path)) return path;
    // A page that has moved there since.
    const moved = suffixes.map((suffix) => join(folder, name + suffix));
    return moved.find((file) => this.#set.files.has(file) && !known.has(file)) ?? null;
  }

  /** From the folder of the sources; null outside it. */
  #inside(folder: string, target: string): string | null {
    const { folder: root } = this.#layout;
    const path = target.startsWith('/') ? inRepository(root, `.${target}`) : inRepository(folder, target);
    const inside = path === null ? null : path === root ? '' : below(path, root);
    return inside !== null && target.endsWith('/') && inside !== '' ? `${inside}/` : inside;
  }

  #mayMake(inside: string): boolean {
    const bare = withoutSuffix(inside, this.#layout.suffixes);
    return this.#layout.makers.mayMake({
      paths: [bare, inside],
      inside: bare,
      hasSiblings: this.#folders.has(folderOf(bare)),
    });
  }
}
