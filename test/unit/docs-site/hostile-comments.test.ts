import { describe, expect, test } from 'vitest';
import { commentRanges } from '@docent/docs-check/read/comment-ranges';
import { commentsByPattern, VisibleText } from '@docent/docs-check/read/visible-text';
import { processorSeconds } from '../../support/processor-time.ts';

function found(text: string): string[] {
  return commentRanges(text, true).map(([start, end]) => text.slice(start, end));
}

describe('comments without a parser', () => {
  test.each(['<!--', '-->', '<!-- -->', '{/*', '*/}', '{/* */ x', '{/* */}', '{ ', '{\n/*', '*/ '])(
    'of very many %j take a moment',
    (piece) => {
      const text = piece.repeat(200_000 / piece.length);
      const read = () => new VisibleText(text, commentsByPattern(text, 'a.mdx')).text;
      expect(processorSeconds(read)).toBeLessThan(3);
    },
  );

  test('go from each opening mark to the next closing one', () => {
    expect(found('a <!-- b <!-- c --> d -->')).toEqual(['<!-- b <!-- c -->']);
    expect(found('{/* a */ b */ } c { /* d */}')).toEqual(['{/* a */ b */ }', '{ /* d */}']);
    expect(found('{/*/} x */}')).toEqual(['{/*/} x */}']);
    expect(found('<!-- never closed')).toEqual([]);
  });
});
