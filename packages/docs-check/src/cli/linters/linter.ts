import type { Problem } from '../../checks/problem.ts';
import type { Ran } from './run-program.ts';

/** What a linter says of a page. */
export interface Finding {
  /** As it was given to the linter. */
  file: string;
  /** From 1. */
  line: number;
  /** From 1, in the linter's own units. */
  column?: number;
  /** As the linter calls it: `MD013`, `Microsoft.Passive`. */
  rule: string;
  /** A sentence without a stop at its end. */
  message: string;
  severity: Problem['severity'];
}

export interface Linter {
  code: 'vale' | 'markdownlint';
  /** As people know it. */
  title: string;
  /** Names of files that configure it. */
  isConfiguration: RegExp;
  /** Files with names that it takes for its own. */
  programs: (configurations: readonly string[]) => readonly string[];
  /** What to do where it is not installed: a sentence. */
  install: string;
  /**
   * Whether a program has to run where its configuration is; otherwise it looks for configurations from the
   * top of the repository downwards.
   */
  runsAtConfiguration: (program: string) => boolean;
  /** @param files relative to where it runs */
  args: (program: string, files: readonly string[]) => string[];
  /** Whether columns are counted in characters rather than UTF-16 units. */
  countsCharacters: boolean;
  /** Whether what breaks one rule is told as one report; otherwise what has the same words. */
  isCausedByRule: boolean;
  /** Null where it is not understood, or says that it failed. */
  read: (program: string, ran: Ran) => Finding[] | null;
}
