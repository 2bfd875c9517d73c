import type { z } from 'zod';

/** One setting: an environment variable, how its text is read, and what its documentation says. */
export interface Setting<T> {
  env: string;
  group: string;
  /** A sentence or two for the table of settings. */
  about: string;
  /** As the table shows it. */
  shownDefault: string;
  /** Used when the variable is absent or empty. */
  fallback: T;
  read: z.ZodType<T, string>;
  isSecret?: boolean;
}

export function define<T>(setting: Setting<T>): Setting<T> {
  return setting;
}
