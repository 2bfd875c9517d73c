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
       * What the target starts from: the site's root or the repository's (from `/`), the folder of the page,
       * or, for `address`, the addresses that readers see, which are not those of files.
       */
      origin: 'site' | 'repository' | 'page' | 'address';
      /** The target names the folder; the file is its index. */
      asIndex: boolean;
      /** The target is the name of a document, which has no extension and, in a folder, no index. */
      asName?: true;
      /** Names in the target are composed or decomposed in Unicode, other than those of the file. */
      otherForm?: true;
    }
  | { kind: 'folder'; path: string }
  /** There is no file, but the site sends readers on. `destination` is the redirect's own. */
  | { kind: 'redirected'; destination: string; hash: string | null }
  /** Where pages are made by something that only a build runs: nobody can tell. */
  | { kind: 'generated' }
  | {
      kind: 'missing';
      /** Where the file should be, in the repository; it may have no extension. */
      wanted: string;
      hash: string | null;
      /** Why, where a look at the files does not tell: the rest of a sentence that begins with `it`. */
      why?: string;
      /** The name of the file that the link has to have instead of its own. */
      instead?: string;
      /** A label is meant, and no file. */
      isLabel?: true;
    };

/** How a link was written: some syntaxes are followed by the site generator, others by the browser alone. */
export type Via = Pick<PageLink, 'kind' | 'syntax' | 'ofComponent' | 'asIs' | 'role'>;

/**
 * Whether the generator leaves the target as written, as most do in elements of HTML: the browser follows it.
 */
export function isRawHtml({ kind, syntax, ofComponent, asIs }: Via): boolean {
  return asIs === true || (syntax === 'attribute' && kind !== 'import' && !ofComponent);
}

/** The files of a repository at one moment. */
export interface FileSet {
  files: ReadonlySet<string>;
  folders: ReadonlySet<string>;
}

/** Fields of a page's front matter; null where they are not known. */
export type FieldsOf = (path: string) => Readonly<Record<string, string>> | null;

export interface GeneratorEntry {
  /** As the navigation writes it. */
  value: string;
  at: Place;
  /** The folder whose pages it can mean. */
  scope: string;
}

/** A link that the configuration puts on every page, from the root of the site. */
export interface GeneratorLink {
  value: string;
  at: Place;
}

/** `at` is where the destination stands, in a file that can be edited. */
export interface GeneratorRedirect {
  from: string;
  to: string;
  at?: Place;
}

/** The navigation of a site that is not Mintlify's. */
export interface GeneratorNavigation {
  entries: readonly GeneratorEntry[];
  /** Whether a page that has no entry is in no navigation; otherwise parts of it are made at build time. */
  isWhole: boolean;
  /** Whether a page needs no entry by what the configuration says. */
  mayBeLeftOut?: (path: string) => boolean;
  /** The build makes pages that it lists and that are not there, with nothing but their title. */
  makesMissing?: boolean;
  /** What it does not list, and no page takes in, is no page. */
  isWholeSite?: boolean;
  /** How it may be changed: by an editor of ours, or only manually where it is code. */
  edit: { path: string; format: 'yaml' | 'json' | 'summary' | 'code' } | null;
}

/**
 * What a site generator makes of a repository's files. Plain knowledge of its configuration; files are given
 * to it.
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
  /** Links of the theme that are no entries of the navigation. */
  themeLinks?: readonly GeneratorLink[];
  /** Whether pages are templates of Vue with its own `{{ }}`. */
  hasTemplates: boolean;
  /**
   * Where the title of a page is shown as a heading above its text: unless the first heading of the text is
   * of level 1, unless the text has any such heading, never. Absent or null: no one can tell.
   */
  showsTitle?(path: string): 'unless-first' | 'unless-any' | 'never' | null;
  /** A function of the configuration, which is not run, makes the ids of headings: no anchor is known. */
  hasOwnIds?: boolean;
  /** Components that pages may use without importing them; null where no one can tell. */
  components: ReadonlySet<string> | null;
  /** Where redirects are kept; null where the generator has none. */
  redirects: {
    path: string;
    format: 'yaml' | 'json' | 'code';
    pairs: readonly GeneratorRedirect[];
  } | null;
  /**
   * Where `[text][label]` may be defined outside of the page, by a plugin or in a file that is put below
   * every page: what is not checked.
   */
  definesLabels?: Unchecked | null;
  /** Whether components of a module that a page imports may have ids of their own. */
  mayShowIds?(path: string, module: string): boolean;
  dialectOf(path: string): PageDialect;
  /** Whether a file is a page or a partial of the site. */
  isPage(path: string): boolean;
  /** Whether a page is a partial, which others include, or is about the repository. */
  isPartial(path: string): boolean;
  addresses(set: FileSet, fieldsOf: FieldsOf): SiteAddresses;
}

export interface SiteAddresses {
  /** From `/`, without the extension; null for what has none of its own. */
  addressOf(path: string): string | null;
  resolve(from: string, target: LinkTarget, via: Via): Resolved;
  /**
   * What raw HTML on page `from` must say to lead to `to`; null if unknown. Absent: the same as in Markdown.
   */
  hrefTo?(from: string, to: string): string | null;
  /** The file of a navigation entry, null if there is none, undefined if no one can tell. */
  fileOf(entry: GeneratorEntry): string | null | undefined;
  /** Whether a redirect leads somewhere, as far as that can be told. */
  hasDestination(to: string, from?: string): boolean;
  /** What the navigation calls a page; null where it does not name pages. */
  entryOf(path: string): string | null;
  /** Whether readers of an old address are sent on. */
  isRedirected(address: string): boolean;
  /** Whether a hash leads somewhere that no file shows. @param path the page that it is on */
  isOwnAnchor(hash: string, path?: string): boolean;
  /** Pages at the address of this one: which of them readers see, their language decides. */
  translationsOf?(path: string): readonly string[];
}
