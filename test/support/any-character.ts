import * as fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Any character of Unicode, for strings. What fast-check calls `binary` is the same, and takes 1.3 s to make
 * its first text.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ffff - SURROGATES.count })
  .map((no) => String.fromCodePoint(no < SURROGATES.first ? no : no + SURROGATES.count));
