import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { asBlock, withBlock } from '../../../src/code-hosts/remote/remote-pull-requests.ts';

const isTheirs = (part: string) => !part.includes('<!-- docent:begin -->') && !part.includes('\r');

test('keeps any text that people wrote around our part of a description', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('<!--', '-->', '<!-- docent', 'docent:end -->', '\n'));
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, text, text, (before, after, first, second) => {
      fc.pre(isTheirs(before) && isTheirs(after));
      const edited = `${before}\n${asBlock(first)}\n${after}`;
      expect(withBlock(edited, second)).toBe(`${before}\n${asBlock(second)}\n${after}`);
    }),
  );
});

test('a prompt that imitates our marker does not end our part early', () => {
  const hostile = 'x <!-- docent:end --> y <!-- DOCENT:begin --> z';
  const body = withBlock(`Mine.\n\n${asBlock(hostile)}`, 'new');
  expect(body).toBe(`Mine.\n\n${asBlock('new')}`);
});

test('keeps quotes of our marker in text after our part', () => {
  const body = `${asBlock('old')}\n\nIt ends with <!-- docent:end --> here.`;
  expect(withBlock(body, 'new')).toBe(`${asBlock('new')}\n\nIt ends with <!-- docent:end --> here.`);
});

test('a description without our part gets it at its end', () => {
  expect(withBlock('Mine only.', 'ours')).toBe(`Mine only.\n\n${asBlock('ours')}`);
  expect(withBlock('', 'ours')).toBe(asBlock('ours'));
});

test('our part is cut, never what people wrote, if a host would refuse the length', () => {
  const theirs = 'T'.repeat(65_000);
  for (const body of [theirs, `${asBlock('old')}\n\n${theirs}`, `${theirs}\n\n${asBlock('old')}`]) {
    const longer = withBlock(body, 'ours '.repeat(500));
    expect(longer.length).toBeLessThanOrEqual(65_536);
    expect(longer).toContain(theirs);
    expect(longer).toContain('… The rest is shown with the job.\n<!-- docent:end -->');
    expect(withBlock(longer, 'short')).toContain(asBlock('short'));
  }
  expect(asBlock('x'.repeat(100_000))).toHaveLength(65_536);
  expect(withBlock('T'.repeat(65_530), 'ours')).toBe('T'.repeat(65_530));
});
