import type { z } from 'zod';

/** One setting of a project: its description for the API, the command line and the documentation. */
export interface ProjectSetting<T, Fallback extends T | undefined = T | undefined> {
  /** A sentence or two, in Markdown, for the tables of settings and the API's reference. */
  about: string;
  /** Additional text for the API reference only. */
  details?: string;
  example?: NoInfer<T>;
  /** Parses the text of a command line. The result is what the API accepts, within the same limits. */
  read: z.ZodType<T, string>;
  /** The default; undefined if it is the installation's setting or {@link shownDefault}. */
  fallback: Fallback;
  installation?: { env: string; shownDefault?: string; fallback: unknown };
  /** For the tables, if neither of the two has it. */
  shownDefault?: string;
  /** The option in `docent project update --help`. A switch also has one with `--no-`. */
  flag: string;
  help: string;
  /** For a switch: help of the option with `--no-`. */
  helpNo?: string;
  /** The option's value that restores the default. Without it: `default`. */
  reset?: string;
  /** For a list that may be empty: the value for it. */
  empty?: string;
  /** The line of `docent project show`. Settings of one name share a line. */
  shownAs: string;
  /** The text of the line. Without it: the value. */
  words?(value: NoInfer<T>): string;
}

export function ofProject<T>(setting: ProjectSetting<T, NoInfer<T>>): ProjectSetting<T, T>;
export function ofProject<T>(setting: ProjectSetting<T, undefined>): ProjectSetting<T, undefined>;
export function ofProject<T>(setting: ProjectSetting<T>): ProjectSetting<T> {
  return setting;
}
