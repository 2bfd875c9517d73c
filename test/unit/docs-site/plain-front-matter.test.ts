import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readFrontMatter } from '@docent/docs-check/read/front-matter';
import { times } from '../../support/how-often.ts';

const NAMES = ['title', 'description', 'slug', 'id', 'og:title', 'null', 'a-b', '__proto__', 'Title', '1a', 'true'];
const PIECES = [
  'a',
  'Words',
  ' ',
  ': ',
  ':',
  '#',
  ' #',
  '"',
  "'",
  '\\',
  '-',
  '- ',
  '1',
  '0x1',
  'null',
  'true',
  'No',
  '~',
  '[',
  '{',
  '&a',
  '*a',
  '!b',
  '@',
  '|',
  '>',
  '%',
  ',',
  '.',
  '?',
  'é',
  '\u00a0',
  '\t',
  '\u0085',
  '\u2028',
  '🎉',
  '(x)',
  'x'.repeat(499),
];

test('front matter in plain words means what a parser of YAML says', () => {
  const value = fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }).map((parts) => parts.join(''));
  const written = fc.oneof(
    value,
    value.map((text) => `"${text}"`),
    value.map((text) => `'${text}'`),
    value.map((text) => `W${text}`),
  );
  const line = fc.tuple(fc.constantFrom(...NAMES), written).map(([name, text]) => `${name}: ${text}`);
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
      const yaml = lines.join('\n');
      // With a comment, it is for the parser.
      const { fields, prose, problem } = readFrontMatter(`# c\n${yaml}`, 0, 1);
      const plain = readFrontMatter(yaml, 4, 2);
      expect({ ...plain.fields }).toEqual({ ...fields });
      expect(plain.prose).toEqual(prose);
      expect(plain.problem === null).toBe(problem === null);
    }),
    { numRuns: times(400) },
  );
});
