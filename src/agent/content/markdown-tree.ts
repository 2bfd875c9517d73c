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
}

export interface MarkdownTree {
  root: Root;
  /** The first thing that the parser could not read; the tree is then the page read as plain Markdown. */
  problem: { message: string; line: number } | null;
}

const MARKDOWN = {
  extensions: [frontmatter(), gfm()],
  mdastExtensions: [frontmatterFromMarkdown(), gfmFromMarkdown(), destinations()],
};
const MDX = {
  extensions: [frontmatter(), gfm(), mdxjs()],
  mdastExtensions: [frontmatterFromMarkdown(), gfmFromMarkdown(), mdxFromMarkdown(), destinations()],
};

/** More of these in a row nest deeper than any page, and than the parser's call stack. */
const TOO_DEEP = /(?:>[ \t]?){400}|(?:[*+-][ \t]){400}|^[ \t]{300,}(?:[-*+>]|\d+[.)])[ \t]|(?:[[*_~<({!] ?){2000}/m;

/** Parses a page. Never throws: a page that is not valid is read as far as plain Markdown goes. */
export function parseMarkdown(text: string, format: PageFormat): MarkdownTree {
  const deep = TOO_DEEP.exec(text);
  if (deep)
    return { root: EMPTY, problem: { message: 'it is nested too deeply to be read', line: lineOf(text, deep.index) } };
  try {
    return { root: fromMarkdown(text, format === 'mdx' ? MDX : MARKDOWN), problem: null };
  } catch (thrown) {
    const problem = problemOf(thrown);
    if (format === 'markdown') return { root: EMPTY, problem };
    return { root: parseMarkdown(text, 'markdown').root, problem };
  }
}

const EMPTY: Root = { type: 'root', children: [] };

function problemOf(thrown: unknown): { message: string; line: number } {
  if (thrown instanceof RangeError) return { message: 'it is nested too deeply to be read', line: 1 };
  // A `VFileMessage`: `reason` and `line`. Some have their place in the words alone, others have it twice.
  const { reason, line, message } = thrown as { reason?: string; line?: number; message?: string };
  const words = String(reason ?? message ?? thrown).split('\n')[0]!;
  const inWords = /\((\d+):\d+(?:-\d+:\d+)?\)/.exec(words)?.[1];
  return { message: words.replace(/ ?\(\d+:\d+(?:-\d+:\d+)?\)/g, ''), line: line ?? Number(inWords ?? 1) };
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
