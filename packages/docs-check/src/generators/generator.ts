import type { Place } from '../config/static-value.ts';
import type { LinkTarget } from '../read/link-target.ts';
import type { PageDialect } from '../read/page-dialect.ts';
import type { PageLink } from '../read/page-facts.ts';
import type { Unchecked } from './makers.ts';

export type Resolved =
  /** Another site, mail, a template. */
  | { kind: 'elsewhere' }
  | {
      kind: 'file';
      path: string;
      hash: string | null;
      /**
       * The base of the target: the site's root or the repository's (from `/`), the folder of the page, or,
       * for `address`, the addresses that readers see, which differ from those of files.
       */
      origin: 'site' | 'repository' | 'page' | 'address';
      /** The target names the folder; the file is its index. */
      asIndex: boolean;
      /** The target is a document name, without extension and, for a folder, without index. */
      asName?: true;
      /** Names in the target have another Unicode form (composed or decomposed) than the file's. */
      otherForm?: true;
    }
  | { kind: 'folder'; path: string }
  /** There is no file, but the site redirects readers. `destination` is the redirect's own. */
  | { kind: 'redirected'; destination: string; hash: string | null }
  /** Pages may be made by something that only a build runs: unknown. */
  | { kind: 'generated' }
  | {
      kind: 'missing';
      /** The expected path of the file in the repository, perhaps without an extension. */
      wanted: string;
      hash: string | null;
      /** A reason that the files do not show: the rest of a sentence that begins with `it`. */
      why?: string;
      /** The file name that the link must use instead. */
      instead?: string;
      /** The target is a label, not a file. */
      isLabel?: true;
    };

/** How a link was written: some syntaxes are followed by the site generator, others by the browser alone. */
export type Via = Pick<PageLink, 'kind' | 'syntax' | 'ofComponent' | 'asIs' | 'role'>;

/**
 * Whether the generator leaves the target as written, as most do in HTML elements: the browser resolves it.
 */
export function isRawHtml({ kind, syntax, ofComponent, asIs }: Via): boolean {
  return asIs === true || (syntax === 'attribute' && kind !== 'import' && !ofComponent);
}

/** The files of a repository at one moment. */
export interface FileSet {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
}

/** Fields of a page's front matter; null if they are not known. */
export type FieldsOf = (path: string) => Readonly<Record<string, string>> | null;

export interface GeneratorEntry {
  /** As the navigation writes it. */
  value: string;
  at: Place;
  /** The folder of its pages. */
  scope: string;
  /** The list of the navigation that must not name a page twice, if there are several. */
  list?: string;
}

/** A link that the configuration puts on every page, from the root of the site. */
export interface GeneratorLink {
  value: string;
  at: Place;
}

/** `at` is the position of the destination, in a file that can be edited. */
export interface GeneratorRedirect {
  from: string;
  to: string;
  at?: Place;
}

/** The navigation of a site that is not Mintlify's. */
export interface GeneratorNavigation {
  entries: readonly GeneratorEntry[];
  /** Whether a page without an entry is in no navigation; otherwise parts of it are made at build time. */
  isWhole: boolean;
  /** Whether a page needs no entry by the configuration. */
  mayBeLeftOut?: (path: string) => boolean;
  /** The build creates missing listed pages, with only their title. */
  makesMissing?: boolean;
  /** A file that is neither listed nor included is not a page. */
  isWholeSite?: boolean;
  /** How to edit it: by one of our editors, or only manually if it is code. */
  edit: { path: string; format: 'yaml' | 'json' | 'summary' | 'code' } | null;
}

/**
 * A site generator's view of a repository's files. It only depends on the configuration and the given files.
 */
export interface Generator {
  /** Folder of the generator's configuration. */
  folder: string;
  /** Folder that the paths of pages start from. */
  root: string;
  /** All folders that it makes pages of, inside its own folder or not. */
  content: readonly string[];
  /** Files whose text the configuration is read from. */
  texts: ReadonlyMap<string, string>;
  problems: readonly { path: string; offset: number; message: string }[];
  /** Checks that are off for this site. */
  unchecked: readonly Unchecked[];
  navigation: GeneratorNavigation | null;
  /** Links of the theme that are not entries of the navigation. */
  themeLinks?: readonly GeneratorLink[];
  /** Whether pages are Vue templates with `{{ }}`. */
  hasTemplates: boolean;
  /**
   * When a page's title is shown as a heading above its text: unless the first heading has level 1, unless
   * any heading does, never. Absent or null: unknown.
   */
  showsTitle?(path: string): 'unless-first' | 'unless-any' | 'never' | null;
  /** A function of the configuration, which is not run, makes the ids of headings: no anchor is known. */
  hasOwnIds?: boolean;
  /** Components that pages may use without an import; null if unknown. */
  components: ReadonlySet<string> | null;
  /** The site's redirects; null if the generator has none. */
  redirects: {
    path: string;
    format: 'yaml' | 'json' | 'code';
    pairs: readonly GeneratorRedirect[];
  } | null;
  /**
   * If `[text][label]` may be defined outside the page, by a plugin or in a file that is appended to every
   * page: the checks to skip.
   */
  definesLabels?: Unchecked | null;
  /** Whether components of a module that a page imports may have their own ids. */
  mayShowIds?(path: string, module: string): boolean;
  dialectOf(path: string): PageDialect;
  /** Whether a file is a page or a partial of the site. */
  isPage(path: string): boolean;
  /** Whether a page is a partial, which others include, or is about the repository. */
  isPartial(path: string): boolean;
  addresses(set: FileSet, fieldsOf: FieldsOf): SiteAddresses;
}

export interface SiteAddresses {
  /** From `/`, without the extension; null for a file without its own address. */
  addressOf(path: string): string | null;
  resolve(from: string, target: LinkTarget, via: Via): Resolved;
  /**
   * The target for raw HTML on page `from` that leads to `to`; null if unknown. Absent: the same as in
   * Markdown.
   */
  hrefTo?(from: string, to: string): string | null;
  /** The file of a navigation entry, null if there is none, undefined if unknown. Absent: always unknown. */
  fileOf?(entry: GeneratorEntry): string | null | undefined;
  /** Whether a redirect leads somewhere, as far as is known. Absent: unknown, so all do. */
  hasDestination?(to: string, from?: string): boolean;
  /** A page's name in the navigation; null if it does not name pages. Absent: it names none. */
  entryOf?(path: string): string | null;
  /** Whether an old address redirects readers. */
  isRedirected(address: string): boolean;
  /** Whether a hash has a target that no file shows. @param path its page */
  isOwnAnchor(hash: string, path?: string): boolean;
  /** Pages with the same address as this one: the reader's language decides which is shown. */
  translationsOf?(path: string): readonly string[];
}
