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
  /** From 1, in UTF-16 units; absent where the line says it all. */
  column?: number;
  code: ProblemCode;
  /** A sentence without the place. */
  message: string;
  /** `error`: readers meet something broken. `warning`: worth a look. `notice`: may well be meant so. */
  severity: 'error' | 'warning' | 'notice';
  /** What is broken as the page writes it: a link's target, a navigation entry. */
  target?: string;
  /**
   * Where the target leads, the same however and wherever it is written; absent where the message tells all.
   * See causes.ts.
   */
  cause?: string;
  /** The rule of the linter that found it, as it is called there: `MD013`, `Microsoft.Passive`. */
  rule?: string;
  /** What the target should probably be, in the same spelling; only where one answer stands out. */
  suggestion?: string;
}

/** Says what was not looked at rather than what is wrong: nothing to repair, and always told to people. */
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

/** What the target should probably be, in a sentence after the message; empty where no one can tell. */
export function hintOf({ suggestion }: Pick<Problem, 'suggestion'>): string {
  return suggestion === undefined ? '' : ` Best match: ${JSON.stringify(suggestion)}.`;
}

/**
 * What a problem is about, whatever its line is and wherever in the message places stand: its target, else
 * its words. With path and code it is what a problem is known by.
 */
export function subjectOf({ code, path, target, message }: Problem): string {
  const words = code === 'page-not-in-navigation' ? '' : message.replace(path, '').replace(/\d+/g, '0');
  return target ?? words;
}
