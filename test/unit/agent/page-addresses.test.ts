import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';
import { expect, test } from 'vitest';
import { Workspace } from '@docent/git/workspace';
import { checkedFiles } from '@docent/agent/checked-files';
import { pageAddresses } from '@docent/agent/page-addresses';
import { addressesInDiff, changedAddresses } from '../../../src/jobs/changed-addresses.ts';

const LONG = Array.from({ length: 9 }, (_, i) => `Line ${i}.`).join('\n\n');
const config = (redirects: object[] = []) =>
  JSON.stringify({ name: 'Acme', navigation: { pages: ['index', 'guides/start'] }, redirects });
const SITE = {
  'docs/docs.json': config(),
  'docs/index.mdx': '# Home\n',
  'docs/guides/start.mdx': `# Start\n\n${LONG}\n`,
  'docs/guides/other.mdx': '# Other\n\nSomething else.\n',
  'docs/snippets/note.mdx': 'A note.\n',
};

function addressesOf(changes: Record<string, string | null>, site: Record<string, string> = SITE, docsDir = 'docs') {
  const after = Object.entries({ ...site, ...changes }).filter((file): file is [string, string] => file[1] !== null);
  const of = (files: Record<string, string>) => {
    const policy = { docsDir, maxFiles: 9, maxFileBytes: 9e5, maxTotalBytes: 9e5 };
    const workspace = new Workspace(memoryBaseTree(files), [], policy);
    return new DocsSite(checkedFiles(workspace), { docsDir }, new FactsCache());
  };
  const found = pageAddresses(of(site), of(Object.fromEntries(after)), Object.keys(changes).toSorted());
  return Object.fromEntries(found.map(({ path, addresses }) => [path, addresses]));
}

test('changed, new and deleted pages have the addresses of the site, and partials have none', () => {
  expect(
    addressesOf({
      'docs/index.mdx': '# Welcome\n',
      'docs/new/index.mdx': '# New\n',
      'docs/guides/other.mdx': null,
      'docs/snippets/note.mdx': 'Another note.\n',
      'docs/docs.json': config(),
      'src/main.ts': '',
    }),
  ).toEqual({ 'docs/index.mdx': ['/'], 'docs/new/index.mdx': ['/new'], 'docs/guides/other.mdx': ['/guides/other'] });
});

test('a page that was moved has its old address, by a redirect or by its text', () => {
  const moved = { 'docs/guides/start.mdx': null, 'docs/begin/start.mdx': `# Begin\n\n${LONG}\n` };
  const both = { 'docs/begin/start.mdx': ['/begin/start', '/guides/start'] };
  expect(addressesOf(moved)).toEqual(both);
  const redirected = config([{ source: '/guides/start', destination: '/begin/start' }]);
  expect(addressesOf({ ...moved, 'docs/begin/start.mdx': '# All new\n', 'docs/docs.json': redirected })).toEqual(both);
});

test('a page that became part of an unchanged page counts to that page', () => {
  const redirected = config([{ source: '/guides/other', destination: '/guides/start' }]);
  expect(addressesOf({ 'docs/guides/other.mdx': null, 'docs/docs.json': redirected })).toEqual({
    'docs/guides/start.mdx': ['/guides/start', '/guides/other'],
  });
});

test('a page with another text is not a moved page', () => {
  const changes = { 'docs/guides/start.mdx': null, 'docs/begin.mdx': '# Begin\n\nAnother page.\n' };
  expect(addressesOf(changes)).toEqual({
    'docs/begin.mdx': ['/begin'],
    'docs/guides/start.mdx': ['/guides/start'],
  });
});

test('addresses follow the rules of the site generator', () => {
  const site = {
    'docusaurus.config.js': `module.exports = { title: 'a', url: 'https://a.example', baseUrl: '/', presets: [['classic', { docs: { routeBasePath: 'handbook' } }]] };\n`,
    'docs/01-intro.md': '# Intro\n',
  };
  expect(addressesOf({ 'docs/01-intro.md': '# Introduction\n' }, site)).toEqual({
    'docs/01-intro.md': ['/handbook/intro'],
  });
});

test('a page that moves twice in a pull request keeps all its addresses', () => {
  const rounds = [
    [{ path: 'docs/b.mdx', addresses: ['/b', '/a'] }],
    [
      { path: 'docs/x.mdx', addresses: ['/x'] },
      { path: 'docs/c.mdx', addresses: ['/c', '/b'] },
    ],
    [{ path: 'docs/c.mdx', addresses: ['/c'] }],
  ];
  expect(changedAddresses(rounds)).toEqual([
    { path: 'docs/x.mdx', addresses: ['/x'] },
    { path: 'docs/c.mdx', addresses: ['/c', '/b', '/a'] },
  ]);
});

const changedFile = (name: string) =>
  `diff --git a/${name} b/${name}\n--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-a\n+b\n`;

test('pages of a diff that was not checked have the addresses of their names', () => {
  const diff = ['docs/index.mdx', 'docs/a/b.md', 'docs/logo.svg', 'README.md'].map(changedFile).join('');
  expect(addressesInDiff(diff, 'docs')).toEqual([
    { path: 'docs/index.mdx', addresses: ['/'] },
    { path: 'docs/a/b.md', addresses: ['/a/b'] },
  ]);
  expect(addressesInDiff(changedFile('README.md'), '')).toEqual([{ path: 'README.md', addresses: ['/'] }]);
});
