import type { DocsSite } from '../read/docs-site.ts';
import { checkDocs } from './check-docs.ts';
import { introducedProblems } from './introduced-problems.ts';
import type { Problem } from './problem.ts';

/** All problems of a site as it is now, and those of them that the change from `base` introduced. */
export function siteProblems(docs: DocsSite, base: DocsSite): { now: Problem[]; introduced: Problem[] } {
  const now = checkDocs(docs, base);
  return { now, introduced: introducedProblems(checkDocs(base), now, (path) => !docs.site.files.has(path)) };
}
