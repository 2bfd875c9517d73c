import { expect, test } from 'vitest';
import { hideSecrets } from '../../../src/activities/step/outgoing-secrets.ts';
import { linesUrl } from '@docent/code-hosts/lines-url';

const AT = 'https://git.example/acme/server';
const COMMIT = '4f2a91c07d3e8b65a1c09f7e2d3b4a5968778695';
const lines = { path: 'src/config.ts', commit: COMMIT, fromLine: 3, toLine: 4 };

test.each([
  ['github', `${AT}/blob/${COMMIT}/src/config.ts#L3-L4`],
  ['gitlab', `${AT}/-/blob/${COMMIT}/src/config.ts#L3-4`],
  ['gitea', `${AT}/src/commit/${COMMIT}/src/config.ts#L3-L4`],
] as const)('on %s, lines have an address of their own, which is not taken for a secret', async (kind, url) => {
  expect(linesUrl(kind, AT, lines)).toBe(url);
  expect(linesUrl(kind, AT, { ...lines, toLine: 3 })).toBe(url.replace(/-L?4$/, ''));
  expect(await hideSecrets(`[lines](${url})`, [])).toBe(`[lines](${url})`);
});

test('a path cannot end the link', () => {
  const url = linesUrl('github', AT, { ...lines, path: 'a b/(c)[d]?#<e>`%.ts' });
  expect(url).toBe(`${AT}/blob/${COMMIT}/a%20b/%28c%29%5Bd%5D%3F%23%3Ce%3E%60%25.ts#L3-L4`);
});
