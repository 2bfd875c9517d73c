import { RE2JS } from 're2js';
import { canonical } from './canonical.ts';

const MAX_LENGTH = 500;

/**
 * Compiles a glob to a test that takes linear time for any pattern: `**`, `*`, `?`, `[abc]`, `[!abc]`,
 * `{a,b}`. A pattern without a slash is matched against file names, one with a slash against the whole path;
 * a trailing slash means everything in the folder. Throws RangeError with a sentence for a pattern that is
 * too long or not closed.
 */
export function compileGlob(pattern: string): (path: string) => boolean {
  if (pattern.length > MAX_LENGTH) throw new RangeError(`The glob is longer than ${MAX_LENGTH} characters.`);
  const trimmed = canonical(pattern)
    .trim()
    .replace(/^(?:\.?\/)+/, '');
  const whole = trimmed.endsWith('/') ? `${trimmed}**` : trimmed;
  const byName = !whole.includes('/');
  const expression = RE2JS.compile(`^(?:${translate(whole)})$`, RE2JS.DOTALL);
  return (path) => expression.test(canonical(byName ? path.slice(path.lastIndexOf('/') + 1) : path));
}

function translate(glob: string): string {
  let result = '';
  let braces = 0;
  for (let i = 0; i < glob.length; i++) {
    const c = glob[i]!;
    if (c === '*') {
      const stars = /^\*+/.exec(glob.slice(i))![0].length;
      const folders = stars > 1 && glob[i + stars] === '/' && (i === 0 || glob[i - 1] === '/');
      result += folders ? '(?:.*/)?' : stars > 1 ? '.*' : '[^/]*';
      i += folders ? stars : stars - 1;
    } else if (c === '?') result += '[^/]';
    else if (c === '[') {
      const close = glob.indexOf(']', i + 2);
      if (close === -1) throw new RangeError('The glob has an unclosed [.');
      const inside = glob.slice(i + 1, close).replace(/^[!^]/, '');
      const negated = /^[!^]/.test(glob.slice(i + 1));
      result += `[${negated ? '^/' : ''}${inside.replace(/[\\\]^[]/g, '\\$&')}]`;
      i = close;
    } else if (c === '{') {
      braces++;
      result += '(?:';
    } else if (c === '}' && braces > 0) {
      braces--;
      result += ')';
    } else if (c === ',' && braces > 0) result += '|';
    else result += c.replace(/[.+^$()|\\\]}]/g, '\\$&');
  }
  if (braces > 0) throw new RangeError('The glob has an unclosed {.');
  return result;
}
