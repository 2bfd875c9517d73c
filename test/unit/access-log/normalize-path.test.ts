import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_PATH_BYTES, normalizePath } from '@docent/access-log/pages/normalize-path';
import { processorMs } from '../../support/processor-time.ts';
import { anyCharacter } from '../../support/any-character.ts';

const pathOf = (input: string) => normalizePath(input)?.path ?? null;

describe('all spellings of a page count as one page', () => {
  test.each([
    ['/', '/'],
    ['/guide', '/guide'],
    ['/guide/', '/guide'],
    ['/guide?utm_source=x#top', '/guide'],
    ['/guide/#top', '/guide'],
    ['guide', '/guide'],
    ['//guide//start', '/guide/start'],
    ['/guide/./start/../end', '/guide/end'],
    ['/../../etc/passwd', '/etc/passwd'],
    ['/%2e%2e/secret', '/secret'],
    ['/index', '/'],
    ['/index.html', '/'],
    ['/guide/index.htm', '/guide'],
    ['/guide/index/', '/guide'],
    ['/reindex', '/reindex'],
    ['/Guide', '/Guide'],
    ['https://docs.example.com/guide?x=1', '/guide'],
    ['https://docs.example.com', '/'],
    ['https://user:secret@docs.example.com:8443/guide', '/guide'],
    ['HTTP://DOCS.EXAMPLE.COM/guide', '/guide'],
    ['/http://example.com/guide', '/http:/example.com/guide'],
    ['?x=1', '/'],
    ['/v1.2/changes', '/v1.2/changes'],
    ['/old.html', '/old.html'],
  ])('%s is %s', (input, path) => {
    expect(normalizePath(input)).toEqual({ path, format: 'html' });
  });

  test.each([
    ['/guide.md', '/guide'],
    ['/guide.mdx?x', '/guide'],
    ['/guide.MD', '/guide'],
    ['/index.md', '/'],
    ['/guide/index.mdx', '/guide'],
    ['/guide.md.md', '/guide'],
  ])('%s is %s in Markdown', (input, path) => {
    expect(normalizePath(input)).toEqual({ path, format: 'md' });
  });

  test.each(['/llms.txt', '/docs/llms-full.txt'])('%s is a format of its own', (path) => {
    expect(normalizePath(path)).toEqual({ path, format: 'llms.txt' });
  });

  test('a file that is only an extension keeps its name', () => {
    expect(normalizePath('/guide/.md')).toEqual({ path: '/guide/.md', format: 'html' });
  });
});

describe('percent-encoding', () => {
  test.each([
    ['/caf%C3%A9', '/café'],
    ['/cafe\u0301', '/café'],
    ['/cafe%CC%81', '/café'],
    ['/a%20b', '/a b'],
    ['/%F0%9F%93%98', '/📘'],
    ['/100%', '/100%'],
    ['/%zz', '/%zz'],
    ['/%e9', '/%E9'],
    ['/%c3%28', '/%C3('],
    ['/%ed%a0%80', '/%ED%A0%80'],
    ['/a%2fb', '/a%2Fb'],
    ['/a%3fb%23c', '/a%3Fb%23c'],
    ['/%2541', '/%2541'],
    ['/%%34%31', '/A'],
  ])('%s becomes %s', (input, path) => {
    expect(pathOf(input)).toBe(path);
  });
});

describe('what is not a page', () => {
  test.each([
    ['nothing', ''],
    ['NUL', '/a\0b'],
    ['an encoded NUL', '/a%00b'],
    ['a line break', '/a%0d%0ab'],
    ['a C1 control', '/a%C2%85b'],
    ['a lone surrogate', '/a\ud800b'],
    ['a lone surrogate in the query', '/a?\udfff'],
    ['a megabyte', `/${'a'.repeat(1_000_000)}`],
    ['a megabyte of query', `/a?${'b'.repeat(1_000_000)}`],
    ['a path beyond the limit', `/${'a'.repeat(MAX_PATH_BYTES)}`],
    ['too many bytes in few characters', `/${'é'.repeat(1_500)}`],
  ])('%s', (_name, input) => {
    expect(normalizePath(input)).toBeNull();
  });

  test('a path at the limit is a page, encoded or not', () => {
    const longest = `/${'é'.repeat((MAX_PATH_BYTES - 2) / 2)}`;
    expect(pathOf(longest)).toBe(longest);
    expect(pathOf(encodeURI(longest))).toBe(longest);
  });

  test('a path made to be unwrapped again and again is done in bounded time', () => {
    const ms = processorMs(() => {
      expect(pathOf(`/a${'.md'.repeat(1_900)}`)).toBe('/a');
      pathOf(`/${'%25'.repeat(2_000)}41`);
      pathOf(`/${'%'.repeat(1_000)}${'34%'.repeat(1_000)}`);
      pathOf('/..'.repeat(2_000));
    });
    expect(ms).toBeLessThan(5_000);
  });
});

const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('/', '//', '.', '..', '/.', 'index', '.md', '.mdx', '.html', '?', '#', '\\'),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom('%', '%2', '%25', '%34', '%31', '%2e', '%2F', '%00', '%C3', '%A9', '%ed%a0%80'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('https://example.com', 'http:', 'a', 'B', 'é', 'e\u0301', '\u212a', '\ud83d', '📘'),
  },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 4 }) },
);

test('never throws, and doing it twice changes nothing', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
      const once = normalizePath(pieces.join(''));
      if (once === null) return;
      expect(once.path.startsWith('/')).toBe(true);
      expect(once.path.isWellFormed()).toBe(true);
      expect(once.path).not.toMatch(/[?#]|\/\/|.\/$|\/\.\.?(?:\/|$)/);
      expect(Buffer.byteLength(once.path)).toBeLessThanOrEqual(MAX_PATH_BYTES);
      expect(normalizePath(once.path)?.path).toBe(once.path);
    }),
    { numRuns: 5_000 },
  );
});

test('query, fragment and origin make no difference to any path', () => {
  const segment = fc.stringMatching(/^[a-zé0-9.%_-]{1,8}$/);
  const query = fc.array(fc.constantFrom('a', '=', '&', '+', '%2F', '%', '/', '..', '?', ':', '@', 'é'));
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 5 }), query, (segments, parts) => {
      const plain = normalizePath(`/${segments.join('/')}`);
      expect(normalizePath(`/${segments.join('/')}?${parts.join('')}#x`)).toEqual(plain);
      expect(normalizePath(`https://example.com/${segments.join('/')}/`)?.path).toEqual(plain?.path);
    }),
  );
});
