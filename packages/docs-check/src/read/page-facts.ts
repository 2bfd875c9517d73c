/** Offsets in the file's text, end exclusive. */
export type Range = [start: number, end: number];

/** What a Sphinx role or directive names: a document, a label, either of them, or a file. */
export type LinkRole = 'doc' | 'ref' | 'numref' | 'any' | 'file';

export interface PageLink {
  kind: 'link' | 'image' | 'import' | 'autolink';
  /** The syntax, which decides how a new target must be escaped. */
  syntax: 'markdown' | 'attribute' | 'script' | 'include';
  /** The target, decoded. */
  target: string;
  /** The position of the target, without quotes or brackets. */
  start: number;
  end: number;
  line: number;
  /** From 1, in UTF-16 units as editors count. */
  column: number;
  /** The range of `[text](target)` and its text, for links that could become plain text. */
  whole?: Range;
  text?: Range;
  /** The name under which a definition's links refer to it. */
  definition?: string;
  /** A definition that nothing on the page refers to. */
  isUnused?: true;
  /** An entry of the navigation, which is checked as such. */
  isEntry?: true;
  /** An attribute of a component, which may interpret it differently. */
  ofComponent?: true;
  /** For Sphinx; its target is not an address. */
  role?: LinkRole;
  /** The page asks the generator to leave the target as written. */
  asIs?: true;
}

/** `[text][name]` */
export interface LinkReference {
  definition: string;
  whole: Range;
  text: Range;
}

export interface Heading {
  depth: number;
  text: string;
  /** Its id; empty if it has none. */
  slug: string;
  line: number;
  start: number;
  end: number;
  /** Something between it and the previous heading may have headings: a component, an inclusion. */
  afterUnknown?: true;
  /** It is in a quotation. */
  isQuoted?: true;
}

/** A heading that is written as an element, `<h2>`. */
export interface ElementHeading {
  depth: number;
  line: number;
  column: number;
  /** As of {@link Heading}. */
  afterUnknown?: true;
}

/** An image without alternative text. */
export interface SilentImage {
  /** The image; empty if only running the page shows it. */
  target: string;
  line: number;
  column: number;
}

/** A component of MDX that the page itself does not declare, where it is used first. */
export interface UsedComponent {
  name: string;
  line: number;
  column: number;
}

/** Text that is not prose, so that a replacement in prose leaves it alone. */
export interface Opaque {
  kind: 'code' | 'comment' | 'markup';
  start: number;
  end: number;
}

/** The facts of a page from its text alone. Plain data, so that it can be cached by the text's blob id. */
export interface PageFacts {
  frontMatter: {
    fields: Record<string, string>;
    /** Those that are true or false; absent if there are none. */
    flags?: Record<string, boolean>;
    /** Names of fields with lists or objects; absent if there are none. */
    others?: string[];
    start: number;
    end: number;
  } | null;
  /** The front matter's title, else the first heading of depth 1. */
  title: string | null;
  headings: Heading[];
  /** Absent if there are none. */
  elementHeadings?: ElementHeading[];
  /** The first ones; absent if there are none. */
  silentImages?: SilentImage[];
  /** Something on the page may show headings that its text does not have. Absent: nothing. */
  mayShowMore?: true;
  /** Ids that a link may point to, other than those of headings. */
  anchors: string[];
  /** Other ids may come from invisible content: text of a package, or components. */
  hasMoreAnchors: boolean;
  links: PageLink[];
  references: LinkReference[];
  /** Absent if there are none, and outside MDX. */
  components?: UsedComponent[];
  /**
   * Modules whose components the page shows without text of their own: only their programs show the content.
   * Absent if there are none.
   */
  shownModules?: string[];
  /** `[text][label]` without a definition in the page and its inclusions: each with its position. */
  undefinedLabels: { label: string; line: number; column: number }[];
  /** Why the compiler of Vue would refuse the page; absent if it would not. */
  templateFaults?: { message: string; line: number; column: number }[];
  /** Sorted, not overlapping. */
  opaque: Opaque[];
  problems: { kind: 'syntax' | 'front-matter'; message: string; line: number; column: number }[];
  /**
   * The page was skipped, and its content is unknown. `why`: the rest of a sentence that begins with `it`.
   */
  notRead?: { why: string; /** On this machine, at this time: nothing to keep. */ byTime?: true };
  /** Absent if there are none. */
  ignores?: IgnoreComment[];
}

/** A comment about intentional problems. */
export interface IgnoreComment {
  scope: 'line' | 'block' | 'file';
  /** As written: they need not be codes of problems. */
  codes: string[];
  reason: string;
  /** Its line, from 1. */
  line: number;
  column: number;
  /** The lines that it is for, from 1, the last one included. */
  from: number;
  to: number;
  /** Its mistake; it then ignores nothing. */
  problem?: string;
}

/** Raise it when the facts change: kept facts of another version are thrown away. */
export const FACTS_VERSION = 22;
