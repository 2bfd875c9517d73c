import type { Nodes, Root } from 'mdast';
import { fromMarkdown, type CompileContext, type Extension, type Token } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import type { PageFormat } from './page-format.ts';
import type { Range } from './page-facts.ts';

declare module 'mdast' {
  interface Data {
    /** Where a link's, an image's or a definition's destination stands, without its `<>`. */
    destination?: Range;
  }
  interface Toml extends Literal {
    type: 'toml';
  }
  interface FrontmatterContentMap {
    toml: Toml;
  }
  interface RootContentMap {
    toml: Toml;
  }
}

export interface MarkdownTree {
  root: Root;
  /** The first thing that the parser could not read; the tree is then the page read as plain Markdown. */
  problem: { message: string; line: number; column: number } | null;
}

const FRONT_MATTER: ('yaml' | 'toml')[] = ['yaml', 'toml'];
const MARKDOWN = {
  extensions: [frontmatter(FRONT_MATTER), gfm()],
  mdastExtensions: [frontmatterFromMarkdown(FRONT_MATTER), gfmFromMarkdown(), destinations()],
};
const MDX = {
  extensions: [frontmatter(FRONT_MATTER), gfm(), mdxjs()],
  mdastExtensions: [frontmatterFromMarkdown(FRONT_MATTER), gfmFromMarkdown(), mdxFromMarkdown(), destinations()],
};

/** More of these in a row nest deeper than any page, and than the parser's call stack. */
const TOO_DEEP = /(?:>[ \t]?){400}|(?:[*+-][ \t]){400}|^[ \t]{300,}(?:[-*+>]|\d+[.)])[ \t]|(?:[[*_~<({!] ?){2000}/m;

/** Parses a page. Never throws: a page that is not valid is read as far as plain Markdown goes. */
export function parseMarkdown(text: string, format: PageFormat): MarkdownTree {
  const deep = TOO_DEEP.exec(text);
  if (deep)
    return {
      root: EMPTY,
      problem: { message: 'it is nested too deeply to be read', line: lineOf(text, deep.index), column: 1 },
    };
  try {
    return { root: fromMarkdown(text, format === 'mdx' ? MDX : MARKDOWN), problem: null };
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (format === 'markdown') return { root: EMPTY, problem };
    return { root: parseMarkdown(text, 'markdown').root, problem };
  }
}

const EMPTY: Root = { type: 'root', children: [] };

function problemOf(thrown: unknown): NonNullable<MarkdownTree['problem']> {
  if (thrown instanceof RangeError) return { message: 'it is nested too deeply to be read', line: 1, column: 1 };
  // A `VFileMessage`: `reason` and `line`. Some have their place in the words alone, others have it twice.
  const { reason, line, column, message } = thrown as Partial<Record<'reason' | 'message', string>> &
    Partial<Record<'line' | 'column', number>>;
  const words = String(reason ?? message ?? thrown).split('\n')[0]!;
  const [, lineInWords = 1, columnInWords = 1] = /\((\d+):(\d+)(?:-\d+:\d+)?\)/.exec(words) ?? [];
  return {
    message: words.replace(/ ?\(\d+:\d+(?:-\d+:\d+)?\)/g, ''),
    line: line ?? Number(lineInWords),
    column: column ?? Number(columnInWords),
  };
}

function lineOf(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** Notes where destinations stand, which the tree itself does not say. */
function destinations(): Extension {
  return {
    enter: {
      resourceDestinationLiteral: noteLiteral,
      resourceDestinationRaw: noteRaw,
      definitionDestinationLiteral: noteLiteral,
      definitionDestinationRaw: noteRaw,
    },
  };
}

function noteLiteral(this: CompileContext, token: Token): void {
  note(this, token.start.offset + 1, token.end.offset - 1);
}

function noteRaw(this: CompileContext, token: Token): void {
  note(this, token.start.offset, token.end.offset);
}

function note(context: CompileContext, start: number, end: number): void {
  const node = context.stack.at(-1) as Nodes | undefined;
  if (node && (node.type === 'link' || node.type === 'image' || node.type === 'definition')) {
    node.data = { ...node.data, destination: [start, end] };
  }
}
