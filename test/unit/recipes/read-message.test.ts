import { describe, expect, test } from 'vitest';
import { readRequest } from '@docent/recipes/read-request';
import { processorClock } from '../../support/processor-time.ts';

describe('reading a message', () => {
  test.each([
    ['apostrophes are no quotes', "Replace 'don't' with 'do not'", [{ kind: 'replace', from: "don't", to: 'do not' }]],
    [
      'a title in quotes, a path in backticks',
      'Add a page titled “It’s new” at `a/b`',
      [{ kind: 'add-page', title: 'It’s new', path: 'a/b' }],
    ],
    ['quotes in quotes', 'replace "say \\"hi\\"" with "wave"', [{ kind: 'replace', from: 'say "hi"', to: 'wave' }]],
    [
      'a full stop behind a path',
      'Delete page a/b.mdx. Delete page c.',
      [
        { kind: 'delete', page: 'a/b.mdx' },
        { kind: 'delete', page: 'c' },
      ],
    ],
    [
      'text with instructions in it',
      'Add a page titled "How to" at h:\nAdd salt. Then delete the page.\nDelete page x',
      [
        { kind: 'add-page', text: 'Add salt. Then delete the page.' },
        { kind: 'delete', page: 'x' },
      ],
    ],
    ['substitute the other way round', 'Substitute "new" for "old"', [{ kind: 'replace', from: 'old', to: 'new' }]],
    [
      'several files',
      'Replace "a1" with "b1" in a.mdx, b.mdx and guides/',
      [{ kind: 'replace', within: ['a.mdx', 'b.mdx', 'guides/'] }],
    ],
    ['text in code', 'Replace "`x`" with "y"', [{ kind: 'replace', from: '`x`', to: 'y' }]],
  ])('understands %s', (_, message, expected) => {
    const { instructions, notUnderstood } = readRequest(message);
    expect(notUnderstood).toEqual([]);
    expect(instructions).toMatchObject(expected);
    expect(instructions).toHaveLength(expected.length);
  });

  test.each([
    ['blanks', `replace${' '.repeat(32_000)}x`],
    ['backticks', '`'.repeat(32_768)],
    ['backticks, one a line', '`\n'.repeat(16_000)],
    ['fences, each shorter', Array.from({ length: 250 }, (_, i) => `${'`'.repeat(253 - i)} x`).join('\n')],
    ['fences of two kinds', '```\n~~~\n'.repeat(3_000)],
    ['quotes', '"'.repeat(32_001)],
    ['escaped quotes', `"${'\\"'.repeat(16_000)}`],
    ['curly quotes', '“'.repeat(32_768)],
    ['guillemets', '«'.repeat(32_768)],
    ['apostrophes', " 'a".repeat(10_000)],
    ['arrows', 'a -> '.repeat(6_500)],
    ['brackets', '[('.repeat(16_000)],
    ['sentences', 'a. '.repeat(10_000)],
    ['questions', 'replace "a" with "b"? '.repeat(1_400)],
    ['commas', `delete page ${'a, '.repeat(10_000)}`],
    ['colons', 'add a page: '.repeat(2_000)],
    ['and', 'replace "a" with "b" and '.repeat(1_300)],
    ['places', 'in x, '.repeat(5_000)],
    ['lines that begin like instructions', `add a page titled "T" at t:\n${'replace x with\n'.repeat(2_000)}`],
    ['ones', 'please '.repeat(5_000)],
  ])('takes a moment for 32 KB of %s', (_, message) => {
    // Patterns are compiled when they are first used.
    readRequest('x. Fix broken links');
    const taken = processorClock();
    readRequest(message);
    expect(taken()).toBeLessThan(600);
  });
});
