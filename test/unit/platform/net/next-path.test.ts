import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextPath } from '../../../../src/platform/net/next-path.ts';

test('a link to sign in leads back to a page of this server', () => {
  expect(nextPath('/pull-requests/h3Jk8LmN2pQrS5tUvW9xYz')).toBe('/pull-requests/h3Jk8LmN2pQrS5tUvW9xYz');
  expect(nextPath('/projects/acme/jobs?status=active#top')).toBe('/projects/acme/jobs?status=active#top');
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'evil.example',
  ' /x',
  '',
  null,
  undefined,
  `/${'x'.repeat(3_000)}`,
])('a link to sign in does not lead elsewhere: %j', (next) => {
  expect(nextPath(next)).toBe('/');
});

test('whatever somebody writes into such a link, the browser stays on this server', () => {
  const hostile = fc
    .array(fc.constantFrom('/', '\\', '.', ':', '@', 'evil.example', 'http:', '\t', '\0', '%2f', '?', '#'))
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.oneof(hostile, fc.string()), (next) => {
      expect(new URL(nextPath(next), 'https://docent.example.com/sign-in').origin).toBe('https://docent.example.com');
    }),
  );
});
