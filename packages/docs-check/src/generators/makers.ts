import { settingsUpwards } from '../checks/known/check-settings.ts';
import type { Place } from '../config/static-value.ts';

/** A plugin, a hook or a script of a site that may make pages and files while the site is built. */
export interface Maker {
  /** Its kind and name, as in `The plugin acme`. */
  name: string;
  /** Its position in the configuration. */
  at: Place;
  /**
   * The name that a person can declare harmless, see {@link declaredHarmless}; null if that has no effect.
   */
  key: string | null;
  /** The path of its program in the repository; null if it does not exist. */
  source: string | null;
  /**
   * Folders and addresses in its options, below which pages may be made. From the site's folder, or from `/`.
   */
  folders: readonly string[];
}

/** A check that is off for a site. */
export interface Unchecked {
  at: { path: string; start: number };
  /** Which check, why, and what enables it: whole sentences. */
  message: string;
}

const MAX_SOURCE = 500_000;

/**
 * Decides whether makers may have made a page. A missing page beside pages from files only counts as made if
 * the maker's program or options name it.
 */
export class Makers {
  readonly #makers: readonly Maker[];
  readonly #words: readonly ReadonlySet<string>[];

  constructor(makers: readonly Maker[]) {
    this.#makers = makers;
    this.#words = makers.map(({ source }) => wordsOf(source));
  }

  mayMake({ paths, inside, hasSiblings }: Wanted): boolean {
    if (this.#makers.length === 0) return false;
    const isTop = paths.some((path) => !path.includes('/'));
    if (!hasSiblings && !isTop) return true;
    return this.#makers.some(({ source, folders }, i) => {
      if (folders.some((named) => paths.some((path) => path === named || path.startsWith(`${named}/`)))) return true;
      if (source === null) return isTop && folders.length === 0;
      const words = this.#words[i]!;
      return inside.split('/').some((segment) => words.has(segment) || words.has(withoutEnding(segment)));
    });
  }
}

/** A page or a file that does not exist. */
export interface Wanted {
  /** All spellings of its location in a configuration, without slashes at the ends. */
  paths: readonly string[];
  /** The part of it that a program would name. */
  inside: string;
  /** Whether its folder directly contains pages from files. */
  hasSiblings: boolean;
}

function withoutEnding(segment: string): string {
  return segment.replace(/\.\w+$/, '');
}

/** Names in a program's strings: the last part of a path, or the last one before a placeholder. */
function wordsOf(source: string | null): Set<string> {
  const words = new Set<string>();
  for (const [text] of (source ?? '').slice(0, MAX_SOURCE).matchAll(/(["'`])[^"'`\n]{1,300}\1/g)) {
    for (const path of text.slice(1, -1).split(/\s+/)) {
      const last = path.split('/').findLast((segment) => segment !== '' && !/[{}$%*<>]/.test(segment)) ?? '';
      words.add(last);
      words.add(withoutEnding(last));
    }
  }
  words.delete('');
  return words;
}

/**
 * Names of plugins that make nothing, as declared in `.docent.json`: `{ "pluginsWithoutPages": ["acme"] }`.
 * @param folder of the site's configuration
 * @param docsDir of the docs; the file counts in both, and above them
 */
export function declaredHarmless(
  folder: string,
  read: (path: string) => string | null,
  docsDir = folder,
): ReadonlySet<string> {
  const files = { exists: (path: string) => read(path) !== null, readText: read };
  return new Set(settingsUpwards(files, [docsDir, folder]).flatMap(({ form }) => form.pluginsWithoutPages ?? []));
}

/** The checks that makers prevent, each at its position. */
export function uncheckedBy(makers: readonly Maker[]): Unchecked[] {
  return makers.map(({ name, at, key, source, folders }) => {
    const made =
      source !== null
        ? 'that its code names, and in folders without pages'
        : folders.length > 0
          ? `below ${folders.slice(0, 3).join(', ')}, and in folders without pages`
          : 'at the top of the site and in folders without pages';
    const remedy =
      key === null
        ? ''
        : ` If it creates none, add to .docent.json: { "pluginsWithoutPages": [${JSON.stringify(key)}] }.`;
    return {
      at,
      message:
        `${name} may create pages and files during the build. Links and navigation entries without a file ` +
        `${made} are not checked.${remedy}`,
    };
  });
}
