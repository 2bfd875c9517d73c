import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginningOf, withEllipsis, withEllipsisInBytes } from '@docent/base/ellipsis';

test.each([
  ['', 5, ''],
  ['short', 5, 'short'],
  ['longer', 5, 'long…'],
  ['four words', 6, 'four …'],
  ['🙂🙂🙂🙂🙂', 5, '🙂🙂🙂🙂🙂'],
  ['🙂🙂🙂🙂🙂🙂', 5, '🙂🙂🙂🙂…'],
  ['🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂🙂', 5, '🙂🙂🙂🙂…'],
  ['aaa🙂🙂', 4, 'aaa…'],
])('%j within %i characters is %j', (text, most, cut) => {
  expect(withEllipsis(text, most)).toBe(cut);
});

test('white space before the ellipsis goes where that is asked for', () => {
  expect(withEllipsis('four words', 6, { trimmed: true })).toBe('four…');
  expect(withEllipsis('four ', 6, { trimmed: true })).toBe('four ');
});

test.each([
  ['short', 5, 'short'],
  ['longer', 5, 'lo…'],
  ['ééé', 6, 'ééé'],
  ['éééé', 7, 'éé…'],
  ['🙂🙂', 8, '🙂🙂'],
  ['🙂🙂', 7, '🙂…'],
  ['🙂🙂', 6, '…'],
])('%j within %i bytes is %j', (text, most, cut) => {
  expect(withEllipsisInBytes(text, most)).toBe(cut);
});

test('truncates within its limit, keeps the beginning, and splits no character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 3, max: 60 }), (text, most) => {
      const cut = withEllipsis(text, most);
      expect(Array.from(cut).length).toBeLessThanOrEqual(most);
      const bytes = withEllipsisInBytes(text, most);
      expect(Buffer.byteLength(bytes)).toBeLessThanOrEqual(most);
      const beginning = beginningOf(text, most);
      expect(beginning.length).toBeLessThanOrEqual(most);
      for (const kept of [cut, bytes, beginning]) {
        expect(kept.isWellFormed()).toBe(true);
        expect(text.startsWith(kept === text ? kept : kept.replace(/…$/, ''))).toBe(true);
      }
    }),
  );
});
