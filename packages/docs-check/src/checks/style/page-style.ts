import type { DocsSite } from '../../read/docs-site.ts';
import type { PageFacts } from '../../read/page-facts.ts';
import { isMeta, isPartial } from '../../read/site.ts';
import type { Problem } from '../problem.ts';
import { RULES } from '../rules.ts';
import type { AskedRules } from './asked-rules.ts';
import { headingLevels, oneH1 } from './heading-rules.ts';

/** The problems of a page by the enabled rules. Empty for an unreadable page. */
export function pageStyle(
  docs: DocsSite,
  path: string,
  facts: PageFacts,
  { codes, requiredFields }: AskedRules,
): Problem[] {
  if (codes.size === 0 || facts.problems.length > 0 || facts.notRead) return [];
  const isPage = !isPartial(docs.site, path) && !isMeta(docs.site, path);
  const found: Problem[] = [];
  if (codes.has('image-alt')) found.push(...silentImages(path, facts));
  if (codes.has('heading-levels')) found.push(...headingLevels(docs, path, facts, isPage));
  if (codes.has('one-h1') && isPage) found.push(...oneH1(docs, path, facts));
  if (codes.has('required-front-matter') && isPage) found.push(...missingFields(path, facts, requiredFields(path)));
  return found;
}

function silentImages(path: string, { silentImages = [] }: PageFacts): Problem[] {
  const { severity } = RULES['image-alt'];
  return silentImages.map(({ target, line, column }) => {
    const what = target === '' ? 'An image' : `The image ${JSON.stringify(target)}`;
    return { path, line, column, code: 'image-alt', message: `${what} has no alternative text.`, severity };
  });
}

/** A page from an API description has its title and description there. */
const OF_DESCRIPTION = new Set(['title', 'description']);

function missingFields(path: string, { frontMatter }: PageFacts, required: readonly string[]): Problem[] {
  const { fields = {}, flags = {}, others = [] } = frontMatter ?? {};
  const isDescribed = ['openapi', 'asyncapi', 'openapi-schema'].some((name) => name in fields);
  const missing = required.filter(
    (name) =>
      (fields[name] ?? '').trim() === '' &&
      !(name in flags) &&
      !others.includes(name) &&
      !(isDescribed && OF_DESCRIPTION.has(name)),
  );
  const { severity } = RULES['required-front-matter'];
  return missing.map((name) => {
    const message = `The front matter has no ${JSON.stringify(name)}.`;
    return { path, line: 1, code: 'required-front-matter', message, severity };
  });
}
