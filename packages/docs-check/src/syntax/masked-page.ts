import type { LinkRole, Range } from '../read/page-facts.ts';

/**
 * A page whose own syntax is blanked out, so that a Markdown parser can read it. All offsets stay the same.
 */
export interface MaskedPage {
  text: string;
  /** Start of a heading's line → the id that it gives itself. */
  ids: Map<number, string>;
  /** Ids that other elements give themselves. */
  anchors: string[];
  /** Those of them that no heading can have. */
  takenIds: string[];
  /** Something makes headings here that the page does not show. */
  hasMoreAnchors: boolean;
  comments: Range[];
  /** Files that the page includes at this position. */
  includes: {
    target: string;
    start: number;
    end: number;
    syntax?: 'include' | 'script';
    /** It is in a block of code. */ isCode?: boolean;
  }[];
  /**
   * Targets in templates, directives and roles of the page: pages, files or labels; or addresses, which stay
   * unchanged; or entries of the navigation.
   */
  references?: {
    target: string;
    start: number;
    end: number;
    kind?: 'image';
    role?: LinkRole;
    isAddress?: true;
    isEntry?: true;
  }[];
  /** For a syntax other than Markdown: replaces the headings of its parser. */
  headings?: { depth: number; text: string; slug: string; start: number; end: number }[];
  /** Front matter that the page begins with, an object of JSON. */
  json?: string;
  undefinedLabels?: { label: string; start: number }[];
  /** Content of the page that only programs of the site show, as in `shownModules`. */
  shown?: ReadonlySet<string>;
}

export function unmasked(text: string): MaskedPage {
  return { text, ids: new Map(), anchors: [], takenIds: [], hasMoreAnchors: false, comments: [], includes: [] };
}

/** Longer lines hold data: they are only processed in linear time. */
export const MAX_LINE = 4_000;

/**
 * Goes through the lines of a page that are not in fenced code. `change` gives a line of the same length, or
 * null.
 */
export function maskLines(
  text: string,
  change: (line: string, start: number, next: string) => string | null,
  fenceOf: (line: string) => RegExpExecArray | null = (line) => FENCE.exec(line),
  inFence: (line: string, start: number) => string = (line) => line,
): string {
  const lines = text.split('\n');
  let fence: string | null = null;
  let start = 0;
  for (const [i, line] of lines.entries()) {
    const mark = fenceOf(line)?.[1];
    if (fence !== null) {
      const isEnd = mark?.startsWith(fence) && line.slice(line.indexOf(mark) + mark.length).trim() === '';
      if (isEnd) fence = null;
      else lines[i] = inFence(line, start);
    } else if (
      mark !== undefined &&
      !(mark.startsWith('`') && line.slice(line.indexOf(mark) + mark.length).includes('`'))
    ) {
      fence = mark;
    } else {
      const changed = change(line, start, lines[i + 1] ?? '');
      if (changed !== null) lines[i] = changed;
    }
    start += line.length + 1;
  }
  return lines.join('\n');
}

/** A fence may be in a list or a quotation. */
export const FENCE = /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(`{3,}|~{3,})/;

export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, ' ');
}

/** Blanks out a mark of a container, but not the end of a comment behind it. */
export function blankMark(text: string): string {
  const end = /-->|\*\/\s*\}/.exec(text)?.index ?? text.length;
  return blank(text.slice(0, end)) + text.slice(end);
}

/** `## Title {#id}`, with more attributes and `{: … }` if the syntax allows them. */
export function maskHeadingId(line: string, next: string, pattern: RegExp): { line: string; id: string | null } | null {
  if (line.length > MAX_LINE) return null;
  const isHeading = /^[ \t>]*#{1,6}[ \t]/.test(line) || (/^[ \t]*(?:=+|-+)[ \t]*\r?$/.test(next) && line.trim() !== '');
  const found = isHeading ? pattern.exec(line) : null;
  if (!found) return null;
  const masked = line.slice(0, found.index) + blank(found[0]) + line.slice(found.index + found[0].length);
  return { line: masked, id: (found[1] ?? found[2])?.trim() || null };
}
