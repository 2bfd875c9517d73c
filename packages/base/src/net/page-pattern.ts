/** The page that a URL names, as it is requested and compared: without a query and a fragment. */
export interface NamedPage {
  /** `https://docs.example.com:8443`, with a host in ASCII. */
  origin: string;
  /** From the slash on, without dot segments. */
  path: string;
}

const MAX_LENGTH = 500;
/**
 * Servers may decode these to a slash or a dot segment after the comparison, and those of Java leave out what
 * follows a semicolon: `..;`.
 */
const HIDDEN_SEPARATOR = /%(?:2f|5c|00|25|c0|e0%80)|\/(?:\.|%2e){1,2}(?:;|%3b)/i;

/**
 * Null unless the URL is a plain page: no other schemes, user names, queries, or ambiguous paths.
 */
export function readPage(text: string): NamedPage | null {
  if (text.length > MAX_LENGTH || text.includes('\\') || !/^https?:\/\/[^/\s\\]/i.test(text) || !URL.canParse(text))
    return null;
  const { protocol, username, password, origin, pathname, search } = new URL(text);
  const isHttp = protocol === 'https:' || protocol === 'http:';
  if (!isHttp || username !== '' || password !== '' || search !== '' || HIDDEN_SEPARATOR.test(pathname)) return null;
  return { origin, path: pathname };
}

/**
 * Whether a pattern names the page: a URL whose path may have `*` for any text. A host never matches by `*`,
 * because the owner of a name below a public suffix is unknown.
 */
export function isListedPage(patterns: readonly string[], page: NamedPage): boolean {
  const address = `${page.origin}${page.path}`;
  return patterns.some((pattern) => {
    const { origin, path } = readPage(pattern) ?? { origin: '', path: '' };
    return origin === page.origin && matches(path, address.slice(origin.length));
  });
}

/** Without backtracking: each piece is looked for from where the last one ended. */
function matches(pattern: string, path: string): boolean {
  const pieces = pattern.split('*');
  const [first = '', ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return path === first;
  if (!path.startsWith(first) || path.length < first.length + last.length || !path.endsWith(last)) return false;
  let at = first.length;
  const end = path.length - last.length;
  for (const piece of rest) {
    const found = path.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return at <= end;
}
