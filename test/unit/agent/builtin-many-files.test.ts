import { expect, test } from 'vitest';
import { mintlify, Site, siteFiles } from '../../support/fixture-site.ts';

test('mends hundreds of links in a few steps', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 95 }, (_, i) => [`p/${i}.mdx`, `[a](/quick-start) [b](/instalation) [c](/guides/webhook)\n`]),
  );
  const site = mintlify(pages);
  const { text, steps } = await site.say('Fix broken links');
  expect(text.split('\n')[0]).toBe('Fixed 285 broken links in 95 files');
  expect(steps).toBeLessThanOrEqual(6);
  expect(site.problems().filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('refuses a replacement in too many files, and changes no file', async () => {
  const pages = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p/${i}.mdx`, 'Acme\n']));
  const site = new Site({ ...siteFiles('mintlify'), ...pages }, { maxFiles: 20 });
  const { text } = await site.say('Replace "Acme" with "Globex"');
  expect(site.changed()).toEqual([]);
  expect(text).toContain('no more than 20 files may be changed at a time');
});
