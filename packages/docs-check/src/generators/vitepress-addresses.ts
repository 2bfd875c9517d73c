import { RE2JS } from 're2js';
import { dirname, extname, join, relative } from 'node:path/posix';
import type { LinkTarget } from '../read/link-target.ts';
import { pageFormatOf, withoutPageExtension } from '../read/page-format.ts';
import { RedirectTable } from '../read/redirect-table.ts';
import { below, inRepository } from '../read/repository-path.ts';
import {
  isRawHtml,
  type FileSet,
  type GeneratorEntry,
  type Resolved,
  type SiteAddresses,
  type Via,
} from './generator.ts';

export interface VitepressLayout {
  folder: string;
  /** `srcDir`, in the repository. */
  source: string;
  /** Without a trailing slash. */
  base: string;
  rewrites: readonly (readonly [from: string, to: string])[];
  /** Whether addresses of pages have no `.html` at their ends. */
  cleanUrls: boolean;
  /** Whether a function, which is not run, rewrites paths. */
  isRewritten: boolean;
  /** Redirects of the web server, from a file beside the pages. */
  redirects: readonly (readonly [from: string, to: string])[];
  /** Ids that programs of the site put into pages. */
  ownAnchors: ReadonlySet<string>;
  /** Paths of files that only the build writes. */
  built: readonly RegExp[];
  /** Each page is also served as Markdown. */
  copiesMarkdown: boolean;
  ignored: 'all' | readonly (string | { pattern: string; flags: string })[];
}

/** Links as VitePress takes them: https://vitepress.dev/guide/routing#linking-between-pages */
export class VitepressAddresses implements SiteAddresses {
  readonly #layout: VitepressLayout;
  readonly #set: FileSet;
  readonly #isPage: (path: string) => boolean;
  readonly #redirects: RedirectTable;
  readonly #patterns: { matches: RE2JS; names: string[]; to: string }[];
  #rewritten: Map<string, string> | null = null;
  #dynamic: string[] | null = null;

  constructor(layout: VitepressLayout, set: FileSet, isPage: (path: string) => boolean) {
    this.#layout = layout;
    this.#set = set;
    this.#isPage = isPage;
    this.#redirects = new RedirectTable(layout.redirects);
    this.#patterns = layout.rewrites.flatMap(([from, to]) => patternOf(from, to));
  }

  addressOf(path: string): string | null {
    const inside = this.#isPage(path) ? below(path, this.#layout.source) : null;
    if (inside === null || inside.includes('[')) return null;
    return `/${withoutPageExtension(this.#rewrite(inside)).replace(/(^|\/)index$/, '')}`.replace(/(.)\/$/, '$1');
  }

  resolve(from: string, target: LinkTarget, via: Via): Resolved {
    const { hash } = target;
    const { source, folder } = this.#layout;
    const path = target.path.replace(/^@\//, '/');
    const isImport = via.kind === 'import';
    // `@` is the folder of the pages; an alias that the configuration makes is unknown.
    if (path.startsWith('@') || path.startsWith('~')) return { kind: 'elsewhere' };
    const wanted = path.startsWith('/') ? inRepository(source, `.${path}`) : inRepository(dirname(from), path);
    if (wanted === null) return { kind: 'missing', wanted: path, hash };
    const origin = path.startsWith('/') ? 'site' : 'page';
    const inside = below(wanted, source) ?? (wanted === source ? '' : null);
    const isPage = inside !== null && this.#isPage(wanted);
    const isRaw = isRawHtml(via) && via.kind === 'link';
    const isCopy = this.#layout.copiesMarkdown && inside !== null && this.#page(inside) !== null;
    if (isRaw && inside !== null && /\.md$/i.test(path) && !isCopy && this.#asset(inside, true) === null) {
      const why = 'VitePress does not rewrite the link, and no page has this address';
      return { kind: 'missing', wanted, hash, why };
    }
    // VitePress only serves files with known extensions unchanged; it treats anything else as a page.
    const isServed = isPage || via.kind !== 'link' || via.syntax !== 'markdown' || isRaw || isAsset(path);
    if (wanted !== '' && isServed && this.#set.files.has(wanted))
      return { kind: 'file', path: wanted, hash, origin, asIndex: false };
    if (isImport || inside === null) {
      const module = via.syntax === 'script' ? this.#module(wanted) : null;
      if (module !== null) return { kind: 'file', path: module, hash, origin: 'page', asIndex: false };
      return via.syntax === 'script' && inside === null && below(wanted, folder) === null
        ? { kind: 'elsewhere' }
        : { kind: 'missing', wanted, hash };
    }
    const found = this.#page(path.endsWith('/') ? `${inside}/` : inside);
    if (found)
      return {
        kind: 'file',
        path: found.path,
        hash,
        origin: found.rewritten ? 'address' : origin,
        asIndex: found.asIndex,
      };
    const asset = this.#asset(inside, isServed);
    if (asset !== null) return { kind: 'file', path: asset, hash, origin: 'address', asIndex: false };
    const withoutBase = this.#layout.base !== '' && path.startsWith(`${this.#layout.base}/`);
    if (withoutBase) return this.resolve(from, { ...target, path: path.slice(this.#layout.base.length) }, via);
    const destination = this.#redirects.destinationOf(`/${inside}`);
    if (destination !== null) return { kind: 'redirected', destination, hash };
    const isBuilt = isServed && via.kind === 'link' && this.#layout.built.some((files) => files.test(inside));
    // Only pages get other addresses: Vite finds pictures by their files.
    const mayBePage = via.kind !== 'image' && this.#isUnknown(inside);
    if (isBuilt || mayBePage || this.#isIgnored(path, via)) return { kind: 'generated' };
    return { kind: 'missing', wanted, hash };
  }

  hrefTo(from: string, to: string): string | null {
    const [page, address] = [this.addressOf(from), this.addressOf(to)];
    if (page === null) return null;
    if (address === null) return to === from ? null : relative(dirname(from), to);
    const { base, cleanUrls } = this.#layout;
    const isFolder = address === '/' || /(^|\/)index\.md$/.test(to);
    return base + (isFolder ? `${address}/`.replace('//', '/') : cleanUrls ? address : `${address}.html`);
  }

  fileOf({ value, scope }: GeneratorEntry): string | null | undefined {
    const resolved = this.resolve(
      join(scope, 'index.md'),
      { path: value.replace(/[?#].*$/s, ''), query: '', hash: null },
      IN_NAVIGATION,
    );
    if (resolved.kind === 'file') return resolved.path;
    return resolved.kind === 'missing' ? null : undefined;
  }

  entryOf(path: string): string | null {
    return this.addressOf(path);
  }

  /** VitePress has no redirects: the web server makes them. */
  isRedirected(address: string): boolean {
    return this.#redirects.destinationOf(address) !== null;
  }

  isOwnAnchor(hash: string): boolean {
    return /^(?:fn|fnref)\d/.test(hash) || hash === 'app' || hash === 'VPContent' || this.#layout.ownAnchors.has(hash);
  }

  #page(inside: string): { path: string; asIndex: boolean; rewritten: boolean } | null {
    const isFolder = inside.endsWith('/');
    const bare = inside.replace(/\/+$/, '').replace(/\.(?:html|md)$/i, '');
    const names = bare === '' ? ['index'] : isFolder ? [`${bare}/index`] : [bare, `${bare}/index`];
    for (const name of names) {
      const asIndex = name !== bare;
      const rewritten = this.#sources().get(`${name}.md`);
      if (rewritten !== undefined) return { path: rewritten, asIndex, rewritten: true };
      const path = join(this.#layout.source, `${name}.md`);
      if (this.#set.files.has(path)) return { path, asIndex, rewritten: false };
    }
    return null;
  }

  /** As Vite finds modules: https://vite.dev/config/shared-options#resolve-extensions */
  #module(path: string): string | null {
    for (const index of ['', '/index']) {
      for (const ending of ['.mjs', '.js', '.mts', '.ts', '.jsx', '.tsx', '.json']) {
        if (this.#set.files.has(path + index + ending)) return path + index + ending;
      }
    }
    // TypeScript is imported under the name that it will have.
    const source = path.replace(/\.([mc]?)js(x?)$/, '.$1ts$2');
    return source !== path && this.#set.files.has(source) ? source : null;
  }

  #asset(inside: string, isServed: boolean): string | null {
    for (const name of [...(isServed ? [inside] : []), `${inside}.html`, join(inside, 'index.html')]) {
      const path = inRepository(this.#layout.source, join('public', name));
      if (path !== null && this.#set.files.has(path)) return path;
    }
    return null;
  }

  /** Dynamic routes (`[name].md`) and paths that a function rewrites. */
  #isUnknown(inside: string): boolean {
    if (this.#layout.isRewritten) return true;
    this.#dynamic ??= [...this.#set.files].flatMap((path) => {
      const own = below(path, this.#layout.source);
      return own !== null && /\[[^\]/]+\]/.test(own) && pageFormatOf(own) ? [withoutPageExtension(own)] : [];
    });
    const segments = inside.replace(/\.(?:html|md)$/i, '').split('/');
    return this.#dynamic.some((route) => {
      const parts = route.split('/');
      return parts.length === segments.length && parts.every((part, i) => part.includes('[') || part === segments[i]);
    });
  }

  /**
   * The build ignores dead Markdown links; patterns also name pages that are served elsewhere. Images are
   * always required.
   */
  #isIgnored(path: string, { kind, syntax }: Via): boolean {
    const { ignored } = this.#layout;
    if (kind === 'image') return false;
    if (ignored === 'all') return syntax === 'markdown';
    return ignored.some((rule) => {
      if (typeof rule === 'string') return rule === path;
      try {
        return RE2JS.compile(rule.pattern, rule.flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0)
          .matcher(path)
          .find();
      } catch {
        return true; // A pattern that only JavaScript has: it may well mean this link.
      }
    });
  }

  /** Rewritten path → file. */
  #sources(): Map<string, string> {
    if (this.#rewritten) return this.#rewritten;
    this.#rewritten = new Map();
    if (this.#patterns.length === 0) return this.#rewritten;
    for (const path of this.#set.files) {
      const inside = this.#isPage(path) ? below(path, this.#layout.source) : null;
      const to = inside === null ? null : this.#rewrite(inside);
      if (to !== null && to !== inside) this.#rewritten.set(to, path);
    }
    return this.#rewritten;
  }

  #rewrite(inside: string): string {
    for (const { matches, names, to } of this.#patterns) {
      const matcher = matches.matcher(inside);
      if (!matcher.matches()) continue;
      const values = new Map(names.map((name, i) => [name, matcher.group(i + 1) ?? '']));
      return to.replace(/:(\w+)(?:\([^)]*\))?[*+?]?/g, (whole, name: string) => values.get(name) ?? whole);
    }
    return inside;
  }
}

const IN_NAVIGATION: Via = { kind: 'link', syntax: 'attribute', ofComponent: true };

/**
 * Extensions that links may have without meaning a page: `treatAsHtml` of VitePress 1.6
 * (`src/shared/shared.ts`).
 */
const ASSETS = new Set(
  (
    '3g2 3gp aac ai apng au avif bin bmp cer class conf crl css csv dll doc eps epub exe gif gz ics ief jar jpe jpeg ' +
    'jpg js json jsonld m4a man mid midi mjs mov mp2 mp3 mp4 mpe mpeg mpg mpp oga ogg ogv ogx opus otf p10 p7c p7m ' +
    'p7s pdf png ps qt roff rtf rtx ser svg t tif tiff tr ts tsv ttf txt vtt wav weba webm webp woff woff2 xhtml xml ' +
    'yaml yml zip'
  ).split(' '),
);

function isAsset(path: string): boolean {
  return ASSETS.has(extname(path).slice(1).toLowerCase());
}

/**
 * `packages/:pkg/src/:slug*`, as path-to-regexp reads it:
 * https://vitepress.dev/guide/routing#dynamic-path-mapping
 */
function patternOf(from: string, to: string): { matches: RE2JS; names: string[]; to: string }[] {
  const names: string[] = [];
  const expression = from.replace(
    /:(\w+)(\([^)]*\))?([*+?]?)|[.+^$()|[\]{}\\*?]/g,
    (whole, name?: string, group?: string, many?: string) => {
      if (name === undefined) return `\\${whole}`;
      names.push(name);
      return group ?? (many === '*' ? '(.*)' : many === '+' ? '(.+)' : '([^/]+)');
    },
  );
  try {
    return [{ matches: RE2JS.compile(from.startsWith('^') ? from : expression), names, to }];
  } catch {
    return []; // Only JavaScript has it.
  }
}
