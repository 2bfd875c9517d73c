import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { operations } from '../../../src/api/contract/operations.ts';

test('security.mdx names every route that takes no key', async () => {
  const text = await readFile('docs/operate/security.mdx', 'utf8');
  const open = operations.filter(({ access }) => access.kind === 'public').map(({ path }) => path);
  expect(open).toContain('/{projectId}/collect');
  // A pull request's pages have their own row: the link is the secret.
  const named = open.filter((path) => !path.startsWith('/pull-requests/'));
  expect(named.filter((path) => !text.includes(`\`${path}\``))).toEqual([]);
});
