import type { ProblemCode } from '../problem.ts';

/** Rules that are off as a rule, and that a repository has turned on. */
export interface AskedRules {
  codes: ReadonlySet<ProblemCode>;
  /** Fields that the front matter of a page has to have. */
  requiredFields: (path: string) => readonly string[];
}

export const NOTHING_ASKED: AskedRules = { codes: new Set(), requiredFields: () => [] };
