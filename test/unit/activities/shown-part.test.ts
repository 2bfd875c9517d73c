import { assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shownPart } from '../../../src/activities/step/live-text.ts';
import { findSecrets } from '@docent/find-secrets/find-secrets';
import { fakeSecrets } from '../../support/fake-secrets.ts';

const secrets = fakeSecrets();

/** Everything that was shown while the text came in pieces of this length. */
async function shownWhile(text: string, piece: number): Promise<string[]> {
  const shown: string[] = [];
  for (let end = piece; end < text.length + piece; end += piece) shown.push(await shownPart(text.slice(0, end), []));
  return shown;
}

describe('words that are shown while they are written', () => {
  test.each(Object.entries(secrets))('never have a part of a %s', async (_kind, secret) => {
    const marks = (await findSecrets(secret)).map(({ start, end }) => {
      const longest =
        secret
          .slice(start, end)
          .split(/\s+|\\n/)
          .toSorted((a, b) => b.length - a.length)[0] ?? '';
      return longest.slice(-12);
    });
    expect(marks.length).toBeGreaterThan(0);
    const pieces = secret.length > 500 ? [113] : [1, 7, 30];
    for (const piece of pieces) {
      const shown = await shownWhile(`I found this:\n${secret}\nand I say no more of it.`, piece);
      for (const text of shown) for (const mark of marks) expect(text).not.toContain(mark);
    }
  });

  test('are a beginning of what comes, and in the end all but the last word', async () => {
    const words = constantFrom('One two  three.\n\nFour “five” 🦊 six', 'a', '', ' x ', 'line\r\nline\tend ');
    await assert(
      asyncProperty(words, integer({ min: 1, max: 9 }), async (text, piece) => {
        let before = '';
        for (const shown of await shownWhile(text, piece)) {
          expect(shown.startsWith(before)).toBe(true);
          before = shown;
        }
        expect(text.startsWith(before)).toBe(true);
        expect(text.slice(before.length)).toMatch(/^\s?\S*$/);
      }),
      { numRuns: 50 },
    );
  });
});
