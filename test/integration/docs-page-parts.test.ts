import { expect, test } from 'vitest';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';

test('a page of more parts than fit in memory is not read, whatever they are', () => {
  // The code alone is within the limit; the list has many parts for its length.
  const page = `${'`a` '.repeat(158_000)}\n\n${'- a\n'.repeat(3_000)}`;
  expect(readPageFacts(page, 'markdown').notRead).toEqual({ why: 'has too many parts to be read' });
});
