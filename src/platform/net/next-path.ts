/** One slash only: `//host` and `/\host` name another server. No control characters, which browsers drop. */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/**
 * Where a browser continues after signing in: a path of this server, else `/`.
 * @param next from an address, so untrusted
 */
export function nextPath(next: string | null | undefined): string {
  if (!next || next.length > 2_000 || !PATH.test(next)) return '/';
  const base = 'http://docent.invalid';
  const url = URL.canParse(next, base) ? new URL(next, base) : null;
  // Dot segments may leave a second slash: `/.//host` is `//host`.
  return url?.origin === base && !url.pathname.startsWith('//') ? url.pathname + url.search + url.hash : '/';
}
