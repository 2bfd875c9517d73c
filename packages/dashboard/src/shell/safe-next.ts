/**
 * One slash, then anything but a second one: `//host` and `/\\host` name another server. No control
 * characters, which browsers drop.
 */
const PATH = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/;

/**
 * Where to go after signing in: a path of this server, or `/` for anything else. The server's counterpart is
 * src/platform/net/next-path.ts: test/unit/platform/net/next-path.test.ts checks that both return the same.
 * @param next of an address, perhaps written by a stranger
 */
export function safeNext(next: string | null | undefined): string {
  if (!next || next.length > 2_000 || !PATH.test(next)) return '/';
  const base = 'http://docent.invalid';
  if (!URL.canParse(next, base)) return '/';
  const { origin, pathname, search, hash } = new URL(next, base);
  // Dot segments may leave a second slash: `/.//host` is `//host`.
  return origin === base && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
