import { expect, test } from 'vitest';
import { processorMs } from '../support/processor-time.ts';
import { notesOn } from '../support/reviewed-change.ts';
import { SITES } from '../support/reviewed-sites.ts';

test('is fast for any text', () => {
  const ms = processorMs(() => {
    for (const piece of [
      '{',
      '//',
      'https://',
      '<',
      '`',
      ' on',
      'a@',
      '//a@',
      '&#47;',
      '```\n',
      '{(',
      '<script ',
      '<a href="',
      'url(',
      '{{',
      '\\',
      '{% ',
      '<!--',
      '"https:\\/',
      '<iframe srcdoc="',
      ': ',
      '- [',
    ]) {
      const text = piece.repeat(4_000 / piece.length);
      notesOn(SITES.mintlify, { 'a.mdx': text, 'b.md': text, 'docs.json': text, 'x.svg': text });
    }
  });
  expect(ms).toBeLessThan(6_000);
});
