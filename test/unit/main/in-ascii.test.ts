import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { inAscii } from '../../../scripts/package/in-ascii.ts';
import { times } from '../../support/how-often.ts';
import { anyCharacter } from '../../support/any-character.ts';

const valueOf = async (module: string): Promise<unknown> =>
  ((await import(`data:text/javascript;base64,${Buffer.from(module).toString('base64')}`)) as { default: unknown })
    .default;

test.each([
  [`export default 'Größe – 😀';`],
  ['export default `${1}–\n“two”\n${`é`}`;'],
  [`export default [/[–—😀]/u.test('😀'), /^[😀]$/.test('😀'), 'ñ'.replace(/ñ/g, 'n')];`],
  ['const markup = (parts, ...values) => parts.join("|") + values; export default markup`“${"ü"}”`;'],
  ['export default String.raw`\\–`;'],
  [`const größe = { 'é': 1, ü: 2 }; export default { größe };`],
])('a bundled program means the same in ASCII: %s', async (module) => {
  expect(await valueOf(inAscii(module))).toEqual(await valueOf(module));
});

test('keeps any text, and the position of every line', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: anyCharacter }), { minLength: 10, maxLength: 10 }), async (texts) => {
      const values = texts.map((text) => JSON.stringify(text));
      const module = `// –\nexport default [\n${values.join(',\n')}];\n`;
      const written = inAscii(module);
      expect(written.split('\n').slice(1).join('\n')).toMatch(/^\p{ASCII}*$/u);
      expect(written.split('\n')).toHaveLength(module.split('\n').length);
      expect(await valueOf(written)).toEqual(texts);
    }),
    { numRuns: times(3) },
  ));
