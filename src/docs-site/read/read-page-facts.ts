import { commentRanges } from './comment-ranges.ts';
import { parseMarkdown } from './markdown-tree.ts';
import { mergedOpaque } from './opaque-ranges.ts';
import { DIALECTS, type PageDialect } from './page-dialect.ts';
import { TextLines } from './text-lines.ts';
import { TimeUp, withinTime } from './time-limit.ts';
import type { PageFacts } from './page-facts.ts';
import { FactReader } from './fact-reader.ts';
import { templateFaults } from '../syntax/vue-template.ts';

/** A page that a parser finds hard takes longer than its length: an honest megabyte takes a second or two. */
const SHORT = 1_000;
const LEAST_MS = 3_000;
const MS_PER_CHARACTER = 0.01;
/** Once pages have cost this much time in vain, further ones get little of it. */
const WASTED_MS = 15_000;
const LITTLE_MS = 300;
let wasted = 0;

/**
 * Reads a page's facts. Never throws; of a page that does not parse it gives what can be seen anyway. A page that is made to keep
 * the parser busy is given up after a time that its length allows.
 */
export function readPageFacts(text: string, dialectName: PageDialect): PageFacts {
  if (text.length < SHORT) return parsedFacts(text, dialectName);
  const limit = wasted > WASTED_MS ? LITTLE_MS : Math.ceil(LEAST_MS + text.length * MS_PER_CHARACTER);
  try {
    return withinTime(limit, () => parsedFacts(text, dialectName));
  } catch (thrown) {
    if (!(thrown instanceof TimeUp)) throw thrown;
    wasted += limit;
    return unreadFacts(text, dialectName);
  }
}

function parsedFacts(text: string, dialectName: PageDialect): PageFacts {
  const dialect = DIALECTS[dialectName];
  // The parser skips a byte order mark without counting it.
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const masked = dialect.mask(text.slice(mark));
  const tree = parseMarkdown(masked.text, dialect.parser);
  const reader = new FactReader(masked, dialect.slugger(), new TextLines(text), mark);
  if (tree.problem) {
    reader.problem('syntax', tree.problem.message, tree.problem.line, tree.problem.column);
    // Read as plain Markdown, the page has no comments of MDX.
    if (dialect.parser === 'mdx') reader.hideComments();
  }
  reader.visit(tree.root);
  const facts = reader.finish();
  const faults = dialectName === 'vitepress' ? templateFaults(tree.root, text.slice(mark)) : [];
  if (faults.length === 0) return facts;
  const lines = new TextLines(text);
  return {
    ...facts,
    templateFaults: faults.map(({ message, start }) => ({ message, ...lines.placeOf(start + mark) })),
  };
}

function unreadFacts(text: string, dialectName: PageDialect): PageFacts {
  const opaque = commentRanges(text, DIALECTS[dialectName].parser === 'mdx').map(([start, end]) => ({
    kind: 'comment' as const,
    start,
    end,
  }));
  return {
    frontMatter: null,
    title: null,
    headings: [],
    anchors: [],
    hasMoreAnchors: true,
    links: [],
    references: [],
    opaque: mergedOpaque(opaque),
    problems: [{ kind: 'syntax', message: 'it takes too long to be read', line: 1, column: 1 }],
  };
}
