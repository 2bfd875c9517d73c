import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { gfm } from 'micromark-extension-gfm';
import { mdxExpression } from 'micromark-extension-mdx-expression';
import { mdxJsx } from 'micromark-extension-mdx-jsx';
import { mdxMd } from 'micromark-extension-mdx-md';
import { prepared, type Prepared } from './prepare.ts';

/** A node of the page's tree (mdast, with JSX and expressions as mdast-util-mdx has them). */
export interface PageNode {
  type: string;
  children?: PageNode[];
  value?: string;
  name?: string | null;
  attributes?: { type: string; name?: string; value?: unknown }[];
  depth?: number;
  ordered?: boolean | null;
  start?: number | null;
  checked?: boolean | null;
  url?: string;
  alt?: string | null;
  lang?: string | null;
  meta?: string | null;
  identifier?: string;
  align?: (string | null)[] | null;
  position?: { start: { line: number; offset?: number }; end: { line: number; offset?: number } };
}

export interface ParsedPage extends Prepared {
  tree: PageNode;
  /** From the front matter. */
  title: string | null;
  description: string | null;
  /** Why it could not be read as MDX, and was read as Markdown. */
  problem: { line: number | null; reason: string } | null;
}

/**
 * A page's tree. Never throws for any text: invalid MDX is parsed as Markdown. Expressions are text and never
 * executed.
 */
export function parsePage(text: string, path: string): ParsedPage {
  const isMdx = /\.mdx$/i.test(path);
  const page = prepared(text);
  let problem: ParsedPage['problem'] = null;
  let tree: PageNode | undefined;
  // Docusaurus reads .md as MDX, too.
  if (isMdx || /^(?:import|export)\s|^\s*<[A-Z]/m.test(text)) {
    try {
      tree = mdxTree(page.text);
    } catch (thrown) {
      if (isMdx) problem = problemOf(thrown);
    }
  }
  tree ??= markdownTree(isMdx ? page.text : prepared(text, { isMdx: false }).text);
  return { ...page, tree, problem, ...fieldsOf(page.fields) };
}

function mdxTree(text: string): PageNode {
  return fromMarkdown(text, {
    extensions: [mdxJsx(), mdxExpression(), mdxMd(), gfm()],
    mdastExtensions: [mdxFromMarkdown(), gfmFromMarkdown()],
  });
}

function markdownTree(text: string): PageNode {
  return fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
}

function problemOf(thrown: unknown): { line: number | null; reason: string } {
  const { line, reason, message } = thrown as { line?: number; reason?: string; message?: string };
  return { line: line ?? null, reason: (reason ?? message ?? '').slice(0, 300) };
}

function fieldsOf(fields: string): { title: string | null; description: string | null } {
  return { title: fieldOf(fields, 'title'), description: fieldOf(fields, 'description') };
}

function fieldOf(fields: string, name: string): string | null {
  const line = new RegExp(`^${name}[ \\t]*[:=][ \\t]*(.+)$`, 'm').exec(fields)?.[1]?.trim();
  if (!line || /^[>|][+-]?$/.test(line)) return null;
  const quoted = /^"(.*)"$|^'(.*)'$/.exec(line);
  return quoted ? (quoted[1]?.replaceAll(String.raw`\"`, '"') ?? quoted[2]?.replaceAll("''", "'") ?? null) : line;
}
