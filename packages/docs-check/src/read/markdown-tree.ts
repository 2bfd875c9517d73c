import type { Nodes, Root } from 'mdast';
import { fromMarkdown, type CompileContext, type Extension, type Token } from 'mdast-util-from-markdown';
import { frontmatterFromMarkdown } from 'mdast-util-frontmatter';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { frontmatter } from 'micromark-extension-frontmatter';
import { gfm } from 'micromark-extension-gfm';
import { mdxjs } from 'micromark-extension-mdxjs';
import { countedAcorn } from './counted-acorn.ts';
import { countedConstructs } from './counted-constructs.ts';
import { NotRead, withinWork } from './parse-work.ts';
import type { PageFormat } from './page-format.ts';
import type { Range } from './page-facts.ts';

declare module 'mdast' {
  interface Data {
    /** The destination of a link, an image or a definition, without its `<>`. */
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
  /** The first syntax error; the tree is then the page parsed as plain Markdown. */
  problem: { message: string; line: number; column: number } | null;
}

const FRONT_MATTER: ('yaml' | 'toml')[] = ['yaml', 'toml'];
/** Skips the search of the whole tree for addresses in text, which the parser has already found. */
const GFM = gfmFromMarkdown().map((extension) => ({ ...extension, transforms: [] }));
const MDAST = { markdown: [...GFM], mdx: [...GFM, mdxFromMarkdown()] };

type ParserOptions = NonNullable<Parameters<typeof fromMarkdown>[1]> & object;

function parserOptions(format: PageFormat): ParserOptions {
  const mdx = format === 'mdx' ? [mdxjs({ acorn: countedAcorn() })] : [];
  return {
    extensions: [frontmatter(FRONT_MATTER), gfm(), ...mdx, countedConstructs()],
    mdastExtensions: [frontmatterFromMarkdown(FRONT_MATTER), ...MDAST[format], destinations()],
  };
}

const OPTIONS = { markdown: parserOptions('markdown'), mdx: parserOptions('mdx') };

/**
 * More of these in a row nest deeper than any page, and than the parser's call stack. Each level of lists
 * takes the time of all below it.
 */
const TOO_DEEP =
  /^[ \t]*(?:>[ \t]*|(?:[*+-]|\d{1,9}[.)])[ \t]+|\[\^[^\]\s]{1,99}\]:[ \t]*){100}(?![ \t*-]*$)|^[ \t]{300,}(?:[-*+>]|\d+[.)])[ \t]|(?:[[*_~<({!] ?){2000}/m;

/**
 * Parses a page. A page that is not valid is read as far as plain Markdown goes.
 * @throws NotRead if it takes more work than any page, or nests deeper
 */
export function parseMarkdown(text: string, format: PageFormat): MarkdownTree {
  if (TOO_DEEP.test(text)) throw new NotRead(DEEP);
  return withinWork(text.length, () => parsed(text, format));
}

const DEEP = 'is nested too deeply to be read';

function parsed(text: string, format: PageFormat): MarkdownTree {
  try {
    return { root: fromMarkdown(text, OPTIONS[format]), problem: null };
  } catch (thrown) {
    if (thrown instanceof NotRead) throw thrown;
    if (thrown instanceof RangeError) throw new NotRead(DEEP);
    const problem = problemOf(thrown);
    if (format === 'markdown') return { root: EMPTY, problem };
    return { root: parsed(text, 'markdown').root, problem };
  }
}

const EMPTY: Root = { type: 'root', children: [] };

function problemOf(thrown: unknown): NonNullable<MarkdownTree['problem']> {
  // A `VFileMessage`: `reason` and `line`. Some have their position only in the text, others have it twice.
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

/** Records the positions of destinations, which the tree lacks. */
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
