import type { DocsSite } from '../../read/docs-site.ts';
import type { ElementHeading, Heading, PageFacts } from '../../read/page-facts.ts';
import type { Problem } from '../problem.ts';
import { RULES } from '../rules.ts';
import { titleAbove } from './title-above.ts';

type Shown = Heading | ElementHeading;

/**
 * Headings that skip a level. Quotations do not count; a component between two headings may show one, which
 * makes the second one valid.
 * @param isPage otherwise a partial, whose context is unknown
 */
export function headingLevels({ site }: DocsSite, path: string, facts: PageFacts, isPage: boolean): Problem[] {
  const { severity } = RULES['heading-levels'];
  const found: Problem[] = [];
  const all = headingsOf(facts);
  let last = isPage && titleAbove(site, path, facts, all.some(isTop)) ? 1 : null;
  for (const [i, heading] of all.entries()) {
    const { depth, line } = heading;
    if (last !== null && depth > last + 1 && !heading.afterUnknown) {
      const after = i === 0 ? 'the page title' : `h${last}`;
      const message = `${named(heading)} skips a level: it is h${depth}, after ${after}.`;
      found.push({ path, line, code: 'heading-levels', message, severity });
    }
    last = depth;
  }
  return found;
}

/**
 * More than one heading of level 1, including the one that the generator makes from the title; or none, if
 * nothing may show one.
 */
export function oneH1({ site }: DocsSite, path: string, facts: PageFacts): Problem[] {
  const { severity } = RULES['one-h1'];
  const problem = (line: number, message: string): Problem => ({ path, line, code: 'one-h1', message, severity });
  const tops = headingsOf(facts).filter(isTop);
  const title = titleAbove(site, path, facts, tops.length > 0);
  if (tops.length === 0) {
    // Folders with a dot have forms of the code host, and files for tools.
    const isNone = title === false && !facts.mayShowMore && !/(^|\/)\./.test(path);
    return isNone ? [problem(1, 'The page has no level 1 heading.')] : [];
  }
  const further = title ? tops : tops.slice(1);
  const why = title ? 'after the title, which the site shows above the text' : `after that of line ${tops[0]!.line}`;
  return further.map((heading) => problem(heading.line, `${named(heading)} is another level 1 heading, ${why}.`));
}

function isTop({ depth }: Shown): boolean {
  return depth === 1;
}

/** In the order of the page. */
function headingsOf({ headings, elementHeadings = [] }: PageFacts): Shown[] {
  const written: Shown[] = headings.filter(({ isQuoted }) => !isQuoted);
  return elementHeadings.length === 0 ? written : [...written, ...elementHeadings].toSorted((a, b) => a.line - b.line);
}

function named(heading: Shown): string {
  return 'text' in heading && heading.text !== ''
    ? `The heading ${JSON.stringify(heading.text.slice(0, 200))}`
    : 'The heading';
}
