import type { z } from 'zod';

/** One setting of a project: all that the API, the command line and the documentation say of it. */
export interface ProjectSetting<T, Fallback extends T | undefined = T | undefined> {
  /** A sentence or two, in Markdown, for the tables of settings and the API's reference. */
  about: string;
  /** What only the API's reference says beyond that. */
  details?: string;
  example?: NoInfer<T>;
  /** Reads the text of a command line. What comes out is what the API takes, within the same bounds. */
  read: z.ZodType<T, string>;
  /**
   * Holds where the project says nothing; undefined where the installation's setting holds, or what {@link
   * shownDefault} says.
   */
  fallback: Fallback;
  installation?: { env: string; shownDefault?: string; fallback: unknown };
  /** For the tables, where neither of the two says it. */
  shownDefault?: string;
  /** The option, as `docent project update --help` has it. For a switch there is one with `--no-` too. */
  flag: string;
  help: string;
  /** For a switch: help of the option with `--no-`. */
  helpNo?: string;
  /** What takes the option back to the default. Without it: `default`. */
  reset?: string;
  /** For a list that may be empty: what says so. */
  empty?: string;
  /** The line of `docent project show`. Settings of one name share a line. */
  shownAs: string;
  /** What the line says. Without it: the value. */
  words?(value: NoInfer<T>): string;
}

export function ofProject<T>(setting: ProjectSetting<T, NoInfer<T>>): ProjectSetting<T, T>;
export function ofProject<T>(setting: ProjectSetting<T, undefined>): ProjectSetting<T, undefined>;
export function ofProject<T>(setting: ProjectSetting<T>): ProjectSetting<T> {
  return setting;
}
