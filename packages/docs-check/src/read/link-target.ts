/** A link's target, taken apart. Path and hash are decoded. */
export interface LinkTarget {
  path: string;
  /** From the `?` to the `#`, as written. */
  query: string;
  /** Without its `#`; null if there is none. */
  hash: string | null;
}

/** Addresses of other sites, mail and similar; and placeholders of templates. */
const NOT_OURS = /^(?:[a-z][a-z\d+.-]*:|\/\/)|\{\{|\{%|<%|\$\{/i;

/** Takes apart a target that may be in this site; null for anything else. */
export function parseTarget(target: string): LinkTarget | null {
  const trimmed = target.trim();
  if (trimmed === '' || NOT_OURS.test(trimmed)) return null;
  const [, path = '', query = '', hash] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/s.exec(trimmed) ?? [];
  return { path: decoded(path), query, hash: hash === undefined ? null : decoded(hash) };
}

function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Characters that would end the target, or mean something else in one of the syntaxes. */
const UNSAFE = /[\s"'<>()\\`{}&%#?$|^*[\]]/g;

/** Encodes a path for use as a target in Markdown, in an attribute and in a script. */
export function encodePath(path: string): string {
  return path.replace(UNSAFE, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

/** The `?…#…` of a target, as written. */
export function suffixOf(target: string): string {
  return /[?#].*$/s.exec(target.trim())?.[0] ?? '';
}
