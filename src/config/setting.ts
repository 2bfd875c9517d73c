import type { z } from 'zod';

/** One setting: an environment variable, its parser, and its documentation. */
export interface Setting<T> {
  env: string;
  /** A sentence or two for the table of settings. */
  about: string;
  /** For the table, if the value below does not describe it. */
  shownDefault?: string;
  /** Used when the variable is absent or empty. */
  fallback: T;
  read: z.ZodType<Exclude<T, undefined>, string>;
  isSecret?: boolean;
}

export function define<T>(setting: Setting<T>): Setting<T> {
  return setting;
}

/** A setting without a default. */
export function optional<T>(setting: Omit<Setting<T | undefined>, 'fallback'>): Setting<T | undefined> {
  return { ...setting, fallback: undefined };
}

/** A default as tables of settings show it. */
export function defaultText({ shownDefault, fallback }: { shownDefault?: string; fallback: unknown }): string {
  if (shownDefault !== undefined) return shownDefault;
  if (fallback === undefined || (Array.isArray(fallback) && fallback.length === 0)) return 'none';
  if (typeof fallback === 'boolean') return fallback ? '`on`' : '`off`';
  return `\`${typeof fallback === 'string' ? fallback : JSON.stringify(fallback)}\``;
}
