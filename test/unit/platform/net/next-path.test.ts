import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeNext } from '../../../../packages/dashboard/src/shell/safe-next.ts';
import { nextPath } from '../../../../src/api/routes/open-id.ts';

/** What someone may have put behind `?next=`, with where a browser continues. */
const CORPUS: readonly [next: string | null | undefined, goesOn: string][] = [
  ['/pull-requests/h3Jk8LmN2pQrS5tUvW9xYz', '/pull-requests/h3Jk8LmN2pQrS5tUvW9xYz'],
  ['/projects/acme/jobs?status=active#top', '/projects/acme/jobs?status=active#top'],
  ['/projects/acme/jobs?next=https://evil.example', '/projects/acme/jobs?next=https://evil.example'],
  ['/projects/%C3%A4', '/projects/%C3%A4'],
  ['/a/../projects', '/projects'],
  ['/@evil.example', '/@evil.example'],
  ['/', '/'],
  ...[
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\..\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r//evil.example',
    '/\0/evil.example',
    '/.//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/projects/ä',
    'https://evil.example',
    'https:evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    ' /x',
    '/x y',
    '',
    null,
    undefined,
    `/${'x'.repeat(3_000)}`,
  ].map((next): [typeof next, string] => [next, '/']),
];

/** The server's, and the dashboard's, which takes nothing from the server's source. */
const BOTH = { nextPath, safeNext };
const BASE = 'https://docent.example.com';

const hostile = fc
  .array(fc.constantFrom('/', '\\', '.', ':', '@', 'a', 'evil.example', 'http:', '\t', '\0', '%2f', '%2e', '?', '#'))
  .map((parts) => parts.join(''));

describe.each(Object.entries(BOTH))('%s: a link to sign in', (_name, pathOf) => {
  test.each(CORPUS)('%j continues at %s', (next, goesOn) => {
    expect(pathOf(next)).toBe(goesOn);
  });

  test('keeps the browser on this server, whatever someone writes into it', () => {
    fc.assert(
      fc.property(fc.oneof(hostile, fc.string()), (next) => {
        expect(new URL(pathOf(next), `${BASE}/sign-in`).origin).toBe(BASE);
      }),
    );
  });
});

test('a sign-in link leads back to the same page, through the server or the dashboard', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        hostile,
        fc.string(),
        hostile.map((text) => `/${text}`),
      ),
      (next) => {
        expect(safeNext(next)).toBe(nextPath(next));
      },
    ),
  );
});
