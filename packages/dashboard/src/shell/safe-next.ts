/**
 * One slash, then anything but a second one: `//host` and `/\\host` name another server. No control
 * characters, which browsers drop.
 */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/**
 * Where to go after signing in: a path of this server, whatever the address says; `/` for anything else. Its
 * twin at the server is src/platform/net/next-path.ts: test/unit/platform/net/next-path.test.ts holds them to
 * the same answers.
 * @param next of an address, that someone else may have written
 */
export function safeNext(next: string | null | undefined): string {
  if (!next || next.length > 2_000 || !PATH.test(next)) return '/';
  const base = 'http://docent.invalid';
  if (!URL.canParse(next, base)) return '/';
  const { origin, pathname, search, hash } = new URL(next, base);
  // Dot segments may leave a second slash: `/.//host` is `//host`.
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
