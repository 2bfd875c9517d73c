import type { DocsSite } from '../read/docs-site.ts';
import type { PageFacts } from '../read/page-facts.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { isPartial } from '../read/site.ts';
import { TextLines } from '../read/text-lines.ts';
import type { Problem } from './problem.ts';

/** `[text][label]` that nothing defines. The page that includes a partial may have the definition. */
export function undefinedLabels({ site }: DocsSite, path: string, facts: PageFacts): Problem[] {
  if (site.generator?.definesLabels || isPartial(site, path)) return [];
  const isMarkdown = pageFormatOf(path) !== null;
  const follows = isMarkdown ? 'is not defined, so readers see the brackets' : 'is not a target on this page';
  return facts.undefinedLabels.map(({ label, line, column }) => ({
    path,
    line,
    column,
    code: 'missing-definition',
    message: `The label ${JSON.stringify(label)} ${follows}.`,
    severity: 'error',
    target: label,
  }));
}

/** Reports that labels are not checked, on a site that has some without a definition. */
export function labelsNotChecked(docs: DocsSite): Problem | null {
  const { generator } = docs.site;
  if (!generator?.definesLabels) return null;
  for (const { facts } of docs.pages()) {
    if (facts.undefinedLabels.length === 0) continue;
    const { at, message } = generator.definesLabels;
    const place = new TextLines(generator.texts.get(at.path) ?? '').placeOf(at.start);
    return { path: at.path, ...place, code: 'not-checked', message, severity: 'notice' };
  }
  return null;
}
