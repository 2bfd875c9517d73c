export type ProblemCode =
  | 'page-syntax'
  | 'front-matter'
  | 'missing-page'
  | 'missing-file'
  | 'missing-image'
  | 'missing-import'
  | 'missing-anchor'
  | 'missing-definition'
  | 'redirected-link'
  | 'dead-link'
  | 'moved-link'
  | 'config-invalid'
  | 'navigation-missing-page'
  | 'navigation-repeated-page'
  | 'page-not-in-navigation'
  | 'missing-redirect'
  | 'redirect-to-nowhere'
  | 'unused-ignore'
  | 'invalid-ignore'
  | 'not-read'
  | 'not-checked'
  | 'required-front-matter'
  | 'heading-levels'
  | 'one-h1'
  | 'image-alt'
  | 'unused-image'
  | 'vale'
  | 'markdownlint';

/** Something that a docs build would complain about. */
export interface Problem {
  path: string;
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units; absent if the line is enough. */
  column?: number;
  code: ProblemCode;
  /** A sentence without the place. */
  message: string;
  /** `error`: readers see something broken. `warning`: probably a mistake. `notice`: may be intentional. */
  severity: 'error' | 'warning' | 'notice';
  /** The broken text as on the page: a link's target, a navigation entry. */
  target?: string;
  /**
   * The resolved target, the same for every spelling and position; absent if the message is enough. See
   * causes.ts.
   */
  cause?: string;
  /** The rule of the linter that found it, as it is called there: `MD013`, `Microsoft.Passive`. */
  rule?: string;
  /** The likely correction of the target, in the same spelling; only if there is a clear one. */
  suggestion?: string;
}

/** Reports a skipped check instead of a problem: nothing to fix, and always shown to people. */
export function isAboutChecks({ code }: { code: string }): boolean {
  return code === 'not-read' || code === 'not-checked';
}

/** The code, with the rule of the linter that found it: `markdownlint/MD013`. */
export function ruleOf({ code, rule }: Pick<Problem, 'code' | 'rule'>): string {
  return rule === undefined ? code : `${code}/${rule}`;
}

/** One line, as compilers write it. */
export function describeProblem(problem: Problem): string {
  return `${placeOf(problem)} ${problem.code}: ${problem.message}${hintOf(problem)}`;
}

/** `a.md:3` */
export function placeOf({ path, line }: { path: string; line?: number }): string {
  return line === undefined ? path : `${path}:${line}`;
}

/** The likely correction, as a sentence after the message; empty if unknown. */
export function hintOf({ suggestion }: Pick<Problem, 'suggestion'>): string {
  return suggestion === undefined ? '' : ` Best match: ${JSON.stringify(suggestion)}.`;
}

/**
 * The subject of a problem, independent of lines and positions: its target, else its message. Together with
 * path and code it identifies the problem.
 */
export function subjectOf({ code, path, target, message }: Problem): string {
  const words = code === 'page-not-in-navigation' ? '' : message.replace(path, '').replace(/\d+/g, '0');
  return target ?? words;
}
