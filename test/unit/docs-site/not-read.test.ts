import { describe, expect, test } from 'vitest';
import { checkedFiles } from '@docent/agent/checked-files';
import { checkDocs } from '@docent/docs-check/checks/check-docs';
import { siteProblems } from '@docent/docs-check/checks/site-problems';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { memoryBaseTree, type MemoryFile } from '@docent/base/files/memory-base-tree';
import { Workspace } from '@docent/git/workspace';

const policy = { docsDir: '', maxFiles: 100, maxFileBytes: 1_000_000, maxTotalBytes: 10_000_000 };
const siteOf = (files: Record<string, MemoryFile>) =>
  new DocsSite(checkedFiles(new Workspace(memoryBaseTree(files), [], policy)), { docsDir: '' }, new FactsCache());
const found = (files: Record<string, MemoryFile>) =>
  checkDocs(siteOf(files)).map(({ path, line, code, severity, message }) => ({ path, line, code, severity, message }));
const errors = (files: Record<string, MemoryFile>) => found(files).filter(({ severity }) => severity === 'error');

const LARGE = 'Words that fill a page.\n\n'.repeat(44_000);
const NAVIGATION = JSON.stringify({ name: 'A', navigation: { pages: ['a', 'big'] } });

test('a large configuration is judged like a small one', () => {
  const pages = [...Array.from({ length: 2_000 }, (_, i) => `guides/page-number-${i}`), 'a'];
  const navigation = JSON.stringify({ name: 'A', filler: LARGE, navigation: { pages } });
  expect(navigation.length).toBeGreaterThan(1_048_576);
  const problems = errors({ 'docs.json': navigation, 'a.mdx': '[b](/gone)\n' });
  expect(problems).toHaveLength(2_001);
  expect(problems[0]).toMatchObject({ path: 'a.mdx', code: 'missing-page' });
});

const page = (slug: string) => `---\nslug: ${slug}\n---\n\n# Big\n\n`;

describe('a page that was not read', () => {
  test('is named, with the reason, and takes no link’s target away', () => {
    const files = {
      'docs.json': NAVIGATION,
      'a.mdx': '[b](/big#somewhere) [c](/big) [d](./big#there)\n',
      'big.mdx': `# Big\n\n${LARGE}`,
    };
    expect(found(files)).toEqual([
      {
        path: 'big.mdx',
        line: 1,
        code: 'not-read',
        severity: 'notice',
        message:
          'The page was not read: it is too large to be read, with 1.1 MB of text. Its content was not checked, and links to it are assumed to be valid.',
      },
    ]);
  });

  test('is one that is not text, too', () => {
    expect(
      found({ 'docs.json': NAVIGATION, 'a.mdx': '[b](/big#x)\n', 'big.mdx': Buffer.of(0xff, 0xfe) }),
    ).toMatchObject([{ path: 'big.mdx', code: 'not-read', message: expect.stringContaining('not UTF-8 text') }]);
  });

  test('may have any heading if another page takes it in', () => {
    const files = {
      'docs.json': JSON.stringify({ name: 'A', navigation: { pages: ['a', 'b'] } }),
      'a.mdx': '[b](/b#from-the-snippet)\n',
      'b.mdx': 'import Big from "/snippets/big.mdx"\n\n# B\n\n<Big />\n',
      'snippets/big.mdx': LARGE,
    };
    expect(errors(files)).toEqual([]);
  });

  test('may be at any address that a page of Docusaurus can give itself', () => {
    const site = { 'docusaurus.config.js': "export default { presets: [['classic', { docs: {} }]] };\n" };
    const link = '[own](/docs/own) [other](./gone.md)\n';
    expect(errors({ ...site, 'docs/a.md': link, 'docs/big.md': page('/other') })).toHaveLength(2);
    expect(errors({ ...site, 'docs/a.md': '[own](/docs/own)\n', 'docs/big.md': page('/own') + LARGE })).toEqual([]);
  });

  test('that was skipped still has the address from its front matter', () => {
    const facts = readPageFacts(`---\nslug: /own\n---\n\n${'a\n-\n'.repeat(8_000)}`, 'docusaurus');
    expect(facts.notRead).toBeDefined();
    expect(facts.frontMatter?.fields).toEqual({ slug: '/own' });
  });

  test('is not blamed on the change that makes it readable', () => {
    const before = siteOf({ 'a.md': `${LARGE}[b](gone.md)\n` });
    const after = siteOf({ 'a.md': '[b](gone.md)\n' });
    expect(siteProblems(after, before).introduced).toEqual([]);
  });
});

// The parser takes seconds for the picture.
test('a page with pictures of megabytes in it is read', { timeout: 30_000 }, () => {
  const text = `# A\n\n![](data:image/png;base64,${'iVBORw0K'.repeat(126_000)})\n\n[b](gone.md)\n`;
  const facts = readPageFacts(text, 'markdown');
  expect(facts.notRead).toBeUndefined();
  expect(facts.links.map(({ target }) => target.slice(0, 10))).toEqual(['data:image', 'gone.md']);
});

describe('a configuration that was not read', () => {
  const large = JSON.stringify({ name: 'A', navigation: { pages: ['a'] }, filler: LARGE.repeat(16) });

  test('leaves no one to guess: it is named, and no link is judged by another site’s rules', () => {
    expect(found({ 'docs.json': large, 'a.mdx': '[b](/moved/somewhere) [c](d)\n' })).toMatchObject([
      { path: 'docs.json', line: 1, code: 'not-read', severity: 'notice' },
    ]);
  });

  test('takes the part of it that is elsewhere for unknown, not for missing', () => {
    const files = {
      'docs.json': '{ "name": "A", "navigation": { "$ref": "./navigation.json" }, "redirects": [] }',
      'navigation.json': JSON.stringify({ pages: ['a'], filler: LARGE }),
      'a.mdx': '# A\n',
    };
    expect(found(files)).toMatchObject([{ path: 'navigation.json', line: 1, code: 'not-read', severity: 'notice' }]);
  });
});
