import { commentRanges } from './comment-ranges.ts';
import { readFrontMatter } from './front-matter.ts';
import { ignoreComments } from './ignore-comments.ts';
import { parseMarkdown } from './markdown-tree.ts';
import { mergedOpaque } from './opaque-ranges.ts';
import { DIALECTS, type PageDialect } from './page-dialect.ts';
import { TextLines } from './text-lines.ts';
import { MAX_CHARACTERS, NotRead } from './parse-work.ts';
import { guarded, TimeUp } from './time-limit.ts';
import { MAX_LINE } from '../syntax/masked-page.ts';
import type { PageFacts } from './page-facts.ts';
import { FactReader } from './fact-reader.ts';
import { templateFaults } from '../syntax/vue-template.ts';

/** Shorter pages need no guard: none of them takes a parser longer than some seconds. */
const SHORT = 16_000;

/**
 * Reads a page's facts. Never throws; for an invalid page it returns the facts that can be read anyway. A
 * page that is made to keep the parser busy is skipped after the number of steps that its length allows, with
 * `notRead`.
 */
export function readPageFacts(text: string, dialectName: PageDialect): PageFacts {
  const read = () => parsedFacts(text, dialectName);
  if (text.length > MAX_CHARACTERS && proseLength(text) > MAX_CHARACTERS) {
    const why = `is too large to be read, with ${(text.length / 1e6).toFixed(1)} MB of text`;
    return unreadFacts(text, dialectName, { why });
  }
  try {
    return text.length < SHORT ? read() : guarded(read);
  } catch (thrown) {
    if (thrown instanceof NotRead) return unreadFacts(text, dialectName, { why: thrown.message });
    if (!(thrown instanceof TimeUp)) throw thrown;
    return unreadFacts(text, dialectName, { why: 'takes too long to be read', byTime: true });
  }
}

function parsedFacts(text: string, dialectName: PageDialect): PageFacts {
  const dialect = DIALECTS[dialectName];
  // The parser skips a byte order mark without counting it.
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const masked = dialect.mask(text.slice(mark));
  if ('mayEndInFrontMatter' in dialect) masked.text = closedFrontMatter(masked.text);
  const tree = parseMarkdown(masked.text, dialect.parser);
  const reader = new FactReader(masked, dialect, new TextLines(text), mark);
  if (tree.problem) {
    reader.problem('syntax', tree.problem.message, tree.problem.line, tree.problem.column);
    // Read as plain Markdown, the page has no comments of MDX.
    if (dialect.parser === 'mdx') reader.hideComments();
  }
  reader.visit(tree.root);
  const facts = withIgnores(text, reader.finish());
  const faults = dialectName === 'vitepress' ? templateFaults(tree.root, text.slice(mark)) : [];
  if (faults.length === 0) return facts;
  const lines = new TextLines(text);
  return {
    ...facts,
    templateFaults: faults.map(({ message, start }) => ({ message, ...lines.placeOf(start + mark) })),
  };
}

/** A page with a mark that closes its front matter, if all of it is front matter. */
function closedFrontMatter(text: string): string {
  const yaml = /^---[ \t]*\r?\n([\s\S]*)$/.exec(text)?.[1];
  if (yaml === undefined || yaml.length > SHORT || /^---/m.test(yaml)) return text;
  const { fields, others, problem } = readFrontMatter(yaml.trimEnd(), 0, 2);
  const isWhole = problem === null && Object.keys(fields).length + others.length > 0;
  return isWhole ? `${text.trimEnd()}\n---\n` : text;
}

/** Characters without long lines, which are images and other data. */
function proseLength(text: string): number {
  let length = 0;
  for (let start = 0; start < text.length;) {
    const end = (text.indexOf('\n', start) + 1 || text.length + 1) - 1;
    if (end - start <= MAX_LINE) length += end + 1 - start;
    start = end + 1;
  }
  return length;
}

/** Links to the page and into it are assumed to be valid, and its own names are still known. */
function unreadFacts(text: string, dialectName: PageDialect, notRead: NonNullable<PageFacts['notRead']>): PageFacts {
  const opaque = commentRanges(text, DIALECTS[dialectName].parser === 'mdx').map(([start, end]) => ({
    kind: 'comment' as const,
    start,
    end,
  }));
  const matter = FRONT_MATTER.exec(text);
  const start = matter ? matter[0].length - matter[1]!.length : 0;
  const fields: Record<string, string> = matter ? readFrontMatter(matter[1]!, start, 2).fields : {};
  return withIgnores(text, {
    frontMatter: matter && { fields, start: 0, end: text.indexOf('---', matter[0].length) + 3 },
    title: fields['title'] ?? null,
    headings: [],
    anchors: [],
    hasMoreAnchors: true,
    links: [],
    references: [],
    undefinedLabels: [],
    opaque: mergedOpaque(opaque),
    problems: [],
    notRead,
  });
}

function withIgnores(text: string, facts: PageFacts): PageFacts {
  const ignores = ignoreComments(text, facts.opaque);
  return ignores.length === 0 ? facts : { ...facts, ignores };
}

const FRONT_MATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]{0,20000}?)(?=\r?\n---[ \t]*(?:\r?\n|$))/;
