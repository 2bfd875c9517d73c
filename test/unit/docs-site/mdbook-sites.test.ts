import { describe, expect, test } from 'vitest';
import { describeProblem } from '@docent/docs-check/checks/problem';
import { withSuggestions } from '@docent/docs-check/checks/suggestions';
import { describeSite, siteText } from '@docent/docs-check/read/describe-site';
import { Site, type Files } from '../../support/fixture-site.ts';

const BOOK: Files = {
  'guide/book.toml': `[book]
title = "Guide"

[output.html]
site-url = "/guide/"
additional-js = ["extra.js"]

[output.html.redirect]
"/old.html" = "usage/start.html"
"/usage/start.html#gone" = "#install"
`,
  'guide/src/SUMMARY.md': `# Summary

[Introduction](intro.md)

# Using it

- [Usage](./usage/README.md)
  - [Start](usage/start.md) see [nothing](nowhere.md)
  - [Later]()
- [With blanks](with%20blanks.md)

---

[Authors](https://example.com/authors)
`,
  'guide/src/intro.md': `---
not: front: matter
---

# Introduction

[usage](usage/index.md) [folder](usage/) [start](usage/start.html#install) [old](old.html) [top](index.html)
[own](#mine) [abroad](../std/index.html) [server](/elsewhere/) [based](/guide/usage/start.html) [print](print.html)
[blank](with%20blanks.md) [file](files/a.pdf) ![](files/a.png) [script](extra.js) [part](#a-part) [note](#footnote-n)
[term](#a-term) [served](usage/start) <a href="usage/start.md#gone">moved</a> [404](404.html)

## Called otherwise {#mine .wide}

A term
: means this.[^n]

[^n]: A note.

{{#include parts/part.md:some}}

\\{{#include shown.md}} \`\\{{#include shown.md}}\`

\`\`\`rust
{{#rustdoc_include ../code/main.rs:2:4}}
\`\`\`
`,
  'guide/src/parts/part.md': '## A part\n\n[x](relative-to-who.md)\n',
  'guide/code/main.rs': 'fn main() {}',
  'guide/src/usage/README.md': '# Usage\n\n[start](start.md) [up](../intro.md)\n',
  'guide/src/usage/start.md': '# Start\n\n## Install\n\n[x](../index.html)\n',
  'guide/src/with blanks.md': '# Blanks\n',
  'guide/src/files/a.pdf': 'x',
  'guide/src/files/a.png': 'x',
};

const problems = (extra: Files = {}) => new Site({ ...BOOK, ...extra }).problems();
const { 'guide/src/with blanks.md': _, ...WITHOUT_BLANKS } = BOOK;
const lines = (extra: Files = {}) =>
  problems(extra).map((problem) => `${problem.severity} ${describeProblem(problem)}`);

describe('a book of mdBook', () => {
  test('is found, and a good one has no problems', () => {
    const { site } = new Site(BOOK).docs();
    expect(siteText(describeSite(site))).toBe('mdBook (guide/book.toml)');
    expect(lines()).toEqual([
      'notice guide/src/intro.md:7 redirected-link: The link "old.html" only works through a redirect to "/usage/start.html".',
    ]);
  });

  test('a book.toml without a summary is not a book that links could be checked in', () => {
    const { 'guide/src/SUMMARY.md': summary, ...rest } = BOOK;
    expect(summary).toBeDefined();
    expect(new Site(rest).docs().site).toMatchObject({ kind: 'plain', doubt: { name: 'mdBook' } });
  });

  test.each([
    ['a file that is not there', '[a](nope.md)', 'missing-page'],
    ['an address that is not there', '[a](usage/nope.html)', 'missing-page'],
    ['an address below site-url', '[a](/guide/nope.html)', 'missing-page'],
    ['a page that the summary does not list', '[a](parts/part.md)', 'missing-page'],
    ['README.md, of which index.html is made', '[a](usage/README.md)', 'missing-page'],
    ['an address without a page', '[a](usage/nope)', 'missing-page'],
    ['a folder without an index', '[a](files/)', 'missing-page'],
    ['another case', '[a](usage/Start.md)', 'missing-page'],
    ['an anchor', '[a](usage/start.md#installs)', 'missing-anchor'],
    ['an anchor that a heading has given away', '[a](intro.md#called-otherwise)', 'missing-anchor'],
    ['an image', '![](files/nope.png)', 'missing-image'],
    ['a file', '[a](files/nope.pdf)', 'missing-file'],
    ['an included file', '{{#include nope.md}}', 'missing-import'],
    ['code that is taken in', '```\n{{#rustdoc_include ../nope.rs:here}}\n```', 'missing-import'],
    ['a label', '[text][nope]', 'missing-definition'],
    [
      'a label beside code that is taken in',
      '[text][nope]\n\n```\n{{#include ../code/main.rs}}\n```',
      'missing-definition',
    ],
  ])('%s leads readers to nothing', (_, text, code) => {
    const found = problems({ 'guide/src/with blanks.md': `# Blanks\n\n${text}\n` });
    expect(found.filter(({ severity }) => severity === 'error').map((problem) => problem.code)).toEqual([code]);
  });

  test('says why a file that is there is no page, and which name mdBook gives it', () => {
    const docs = new Site({
      ...BOOK,
      'guide/src/with blanks.md': '[a](usage/README.md#usage) [b](parts/part.md)\n',
    }).docs();
    const found = withSuggestions(
      docs,
      problems({ 'guide/src/with blanks.md': '[a](usage/README.md#usage) [b](parts/part.md)\n' }),
    );
    expect(found.filter(({ severity }) => severity === 'error').map(describeProblem)).toEqual([
      'guide/src/with blanks.md:1 missing-page: The link "usage/README.md#usage" is broken: mdBook renames the page to index.html but does not update the link. Best match: "usage/index.md#usage".',
      'guide/src/with blanks.md:1 missing-page: The link "parts/part.md" is broken: it is not listed in SUMMARY.md, so it is not a page.',
    ]);
  });

  test('a page that the summary forgets is named, one that a page takes in is not', () => {
    expect(lines({ 'guide/src/usage/forgotten.md': '# Forgotten\n' })).toContain(
      'notice guide/src/usage/forgotten.md:1 page-not-in-navigation: The page is not in the navigation of guide/src/SUMMARY.md.',
    );
  });

  test.each([
    ['', 'warning', 'this page does not exist: the build creates an empty page.'],
    ['\n[build]\ncreate-missing = false\n', 'error', 'this page does not exist.'],
  ])('an entry without a file%s', (setting, severity, end) => {
    const toml = `${BOOK['guide/book.toml'] as string}${setting}`;
    const found = new Site({ ...WITHOUT_BLANKS, 'guide/book.toml': toml })
      .problems()
      .map((problem) => `${problem.severity} ${describeProblem(problem)}`)
      .filter((line) => line.includes('navigation-missing-page'));
    expect(found).toEqual([
      `${severity} guide/src/SUMMARY.md:10 navigation-missing-page: The navigation lists "with%20blanks.md", but ${end}`,
    ]);
  });

  test('redirects to nowhere, and those of chapters, at which the build stops', () => {
    const toml = `${BOOK['guide/book.toml'] as string}"/a/b.html" = "c.html"\n"/intro.html" = "usage/start.html"\n`;
    expect(lines({ 'guide/book.toml': toml }).filter((line) => !line.startsWith('notice'))).toEqual([
      'warning guide/book.toml:11 redirect-to-nowhere: The redirect to "c.html" is broken: its target does not exist.',
      'error guide/book.toml:12 config-invalid: guide/book.toml is not valid: it redirects "/intro.html", which is a chapter.',
    ]);
  });

  test('a configuration that is not TOML is named with its line', () => {
    expect(lines({ 'guide/book.toml': '[book]\ntitle = \n' })[0]).toMatch(/^error guide\/book\.toml:2 config-invalid/);
  });
});

describe('preprocessors', () => {
  const broken = '# Blanks\n\n[a](#nope) [b](vec) [c](nope.md) ![](nope.png) [text][nope]\n';
  const found = (toml: string, extra: Files = {}) =>
    problems({
      'guide/src/with blanks.md': broken,
      'guide/book.toml': `${BOOK['guide/book.toml'] as string}\n${toml}`,
      ...extra,
    })
      .filter(({ code, severity }) => severity === 'error' || code === 'not-checked')
      .map(({ code, line }) => `${code}:${line}`);

  test('that are known turn nothing off', () => {
    expect(found('[preprocessor.mermaid]\n')).toEqual([
      'missing-definition:3',
      'missing-anchor:3',
      'missing-page:3',
      'missing-page:3',
      'missing-image:3',
    ]);
  });

  test('that are unknown turn off the checks that they could affect, with a note', () => {
    expect(found('[preprocessor.acme]\n')).toEqual([
      'not-checked:12',
      'not-checked:12',
      'missing-page:3',
      'missing-image:3',
    ]);
    expect(found('[preprocessor.acme]\n', { '.docent.json': '{ "pluginsWithoutPages": ["acme"] }' })).toHaveLength(5);
  });

  test('whose program is in the repository give only the ids that it writes', () => {
    const crate = {
      'guide/tool/Cargo.toml': '[package]\nname = "tool"\n',
      'guide/tool/src/main.rs': 'mod listing;\n',
      'guide/tool/src/listing.rs': 'format!(" id=\\"nope-{number}\\"")',
    };
    const toml = '[preprocessor.acme]\ncommand = "cargo run --manifest-path tool/Cargo.toml"\n';
    expect(found(toml, crate)).toHaveLength(5);
    expect(found(toml, { ...crate, 'guide/src/with blanks.md': '# Blanks\n\n[a](#nope-1)\n' })).toEqual([]);
  });
});

describe('SUMMARY.md follows the agent’s changes', () => {
  const files = {
    'book.toml': '[book]\n',
    'src/SUMMARY.md': '- [One](one.md)\n  - [Two](./sub/two.md)\n- [Three](three.md)\n',
    'src/one.md': '# One\n',
    'src/sub/two.md': '# Two\n',
    'src/three.md': '# Three\n',
  };
  test.each([
    ['move', { from: 'src/one.md', to: 'src/deep/first.md' }, '- [One](deep/first.md)\n  - [Two](./sub/two.md)\n'],
    ['delete', { path: 'src/sub/two.md' }, '- [One](one.md)\n'],
    ['delete', { path: 'src/one.md' }, '- [One]()\n  - [Two](./sub/two.md)\n'],
    [
      'write',
      { path: 'src/sub/new-page.md', content: '# N\n', navigation: true },
      '- [One](one.md)\n  - [Two](./sub/two.md)\n  - [New page](sub/new-page.md)\n',
    ],
  ])('%s', (name, input, summary) => {
    const site = new Site(files);
    expect(site.call(name, input)).toMatchObject({ ok: true });
    expect(site.text('src/SUMMARY.md')).toBe(`${summary}- [Three](three.md)\n`);
  });
});
