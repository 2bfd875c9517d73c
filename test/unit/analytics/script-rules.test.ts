import { describe, expect, test } from 'vitest';
import { PROJECT_SETTINGS } from '../../../src/config/project-settings.ts';
import { refusedOrigin } from '../../../src/analytics/ingest/script/allowed-origin.ts';
import { NewPathLimit } from '../../../src/analytics/ingest/script/new-path-limit.ts';
import { readCollectedView } from '../../../src/analytics/ingest/script/collected-view.ts';

describe('whose pages are counted', () => {
  const rules = ['docs.example.com', 'https://help.example.com:8443', '*.example.org', 'http://localhost:3000'];

  test.each([
    ['https://docs.example.com', null],
    ['http://docs.example.com', null],
    ['https://docs.example.com:444', null],
    ['https://help.example.com:8443', null],
    ['https://help.example.com', 'not_listed'],
    ['http://help.example.com:8443', 'not_listed'],
    ['https://a.b.example.org', null],
    ['https://example.org', 'not_listed'],
    ['https://evilexample.org', 'not_listed'],
    ['https://docs.example.com.evil.net', 'not_listed'],
    ['http://localhost:3000', null],
    ['http://localhost:3001', 'local'],
    ['http://127.0.0.1:3000', 'local'],
    ['http://[::1]:3000', 'local'],
    ['http://192.168.1.7', 'local'],
    ['http://laptop.local', 'local'],
    ['http://intranet', 'local'],
    ['https://docs-git-fix-typo-acme.vercel.app', 'preview'],
    ['null', 'no_origin'],
    ['', 'no_origin'],
    [undefined, 'no_origin'],
    ['file://', 'no_origin'],
    ['chrome-extension://abcdefg', 'no_origin'],
    ['https://docs.example.com/path', 'no_origin'],
  ])('with a list: %s %s', (origin, expected) => {
    expect(refusedOrigin(origin, rules)).toBe(expected);
  });

  test.each([
    ['https://docs.acme.com', null],
    ['https://acme.vercel.app', null],
    ['https://acme-docs.vercel.app', null],
    ['https://acme-3k2jh4g5f-team.vercel.app', 'preview'],
    ['https://acme.netlify.app', null],
    ['https://deploy-preview-12--acme.netlify.app', 'preview'],
    ['https://acme.pages.dev', null],
    ['https://3f1c2d4e.acme.pages.dev', 'preview'],
    ['https://acme--pr12-x.web.app', 'preview'],
    ['https://x-3000.app.github.dev', 'preview'],
    ['https://abc.ngrok-free.app', 'preview'],
    ['http://localhost', 'local'],
  ])('without a list: %s %s', (origin, expected) => {
    expect(refusedOrigin(origin, null)).toBe(expected);
  });

  test('an empty list accepts no origin, a named preview is accepted, a wildcard accepts no preview', () => {
    expect(refusedOrigin('https://docs.acme.com', [])).toBe('not_listed');
    const preview = 'https://deploy-preview-12--acme.netlify.app';
    expect(refusedOrigin(preview, ['deploy-preview-12--acme.netlify.app'])).toBeNull();
    expect(refusedOrigin(preview, ['*.netlify.app'])).toBe('preview');
  });

  test('entries of a list', () => {
    const { read } = PROJECT_SETTINGS.analyticsOrigins;
    for (const rule of ['docs.example.com', '*.example.com', 'https://a.b:8080', 'LOCALHOST'])
      expect(read.safeParse(rule).success).toBe(true);
    for (const rule of ['*', '*.', 'https://', 'a/b', 'ftp://a', '*.*.a', 'a b', 'https://a/'])
      expect(read.safeParse(rule).success).toBe(false);
  });
});

describe('requests of the script', () => {
  const origin = 'https://docs.example.com';
  const read = (body: unknown) => readCollectedView(typeof body === 'string' ? body : JSON.stringify(body), origin);

  test('a view, and no more of it than is kept', () => {
    expect(
      read({ url: `${origin}/guide?token=secret#x`, referrer: 'https://news.example.net/item?id=1', more: 1 }),
    ).toEqual({
      url: `${origin}/guide`,
      referrer: 'https://news.example.net',
      notFound: false,
    });
    expect(read({ url: `${origin}/guide`, source: 'chatgpt.com&token=x' })).toMatchObject({
      url: `${origin}/guide?utm_source=chatgpt.com%26token%3Dx`,
    });
    expect(read({ url: `${origin}/gone`, notFound: true, referrer: `${origin}/guide` })).toEqual({
      url: `${origin}/gone`,
      referrer: null,
      notFound: true,
    });
  });

  test.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no URL', {}],
    ['a path only', { url: '/guide' }],
    ['another site', { url: 'https://elsewhere.example.net/guide' }],
    ['a user in the URL of another site', { url: 'https://docs.example.com@elsewhere.example.net/' }],
    ['a lone surrogate', `{"url":"${origin}/\\ud800"}`],
    ['too much', { url: `${origin}/${'a'.repeat(5_000)}` }],
  ])('refused: %s', (_name, body) => {
    expect(read(body)).toBeNull();
  });

  test.each([['android-app://com.example'], ['null'], [''], [7], ['javascript:alert(1)']])(
    'a referrer that is none: %s',
    (referrer) => {
      expect(read({ url: `${origin}/`, referrer })).toMatchObject({ referrer: null });
    },
  );
});

describe('limits', () => {
  test('made-up paths stop at the cap, known ones and other projects do not', () => {
    const limit = new NewPathLimit(3);
    const admits = (project: string, path: string, isKnown: boolean, now: number) =>
      limit.admits(project, path, 'page', isKnown, now);
    for (const path of ['/a', '/b', '/c']) expect(admits('docs', path, false, 0)).toBe(true);
    expect(admits('docs', '/d', false, 0)).toBe(false);
    expect(admits('docs', '/a', false, 0)).toBe(true);
    expect(admits('docs', '/known', true, 0)).toBe(true);
    expect(admits('other', '/d', false, 0)).toBe(true);
    expect(admits('docs', '/d', false, 3_600_000)).toBe(true);
  });

  test('broken links that come every hour leave room for new pages and new broken links', () => {
    const limit = new NewPathLimit(2);
    for (const hour of [0, 1, 2]) {
      const now = hour * 3_600_000;
      for (const path of ['/gone', '/lost']) expect(limit.admits('docs', path, 'missing', false, now)).toBe(true);
      expect(limit.admits('docs', `/new-${hour}`, 'page', false, now)).toBe(true);
      expect(limit.admits('docs', `/newer-${hour}`, 'page', false, now)).toBe(true);
    }
    expect(limit.admits('docs', '/third', 'missing', false, 2 * 3_600_000)).toBe(true);
    expect(limit.admits('docs', '/fourth', 'missing', false, 2 * 3_600_000)).toBe(true);
    // A broken link that becomes a page is a new page.
    expect(limit.admits('docs', '/gone', 'page', false, 2 * 3_600_000)).toBe(false);
  });

  test('made-up broken links are bounded too', () => {
    const limit = new NewPathLimit(100);
    const passed = Array.from({ length: 5_000 }, (_, i) => limit.admits('docs', `/x${i}`, 'missing', false, 5));
    expect(passed.filter(Boolean)).toHaveLength(100);
  });
});
