import type { Problem } from '../../checks/problem.ts';
import type { Ran } from './run-program.ts';

/** A linter's finding on a page. */
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
  /** What to do if it is not installed: a sentence. */
  install: string;
  /**
   * Whether a program must run in the folder of its configuration; otherwise it searches for configurations
   * from the top of the repository.
   */
  runsAtConfiguration: (program: string) => boolean;
  /** @param files relative to where it runs */
  args: (program: string, files: readonly string[]) => string[];
  /** Whether columns are counted in characters instead of UTF-16 units. */
  countsCharacters: boolean;
  /** Whether findings of one rule are one report; otherwise those with the same message are. */
  isCausedByRule: boolean;
  /** Null if the output is not understood, or reports a failure. */
  read: (program: string, ran: Ran) => Finding[] | null;
}
