import { describe, expect, test } from 'vitest';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { Site, type Files } from '../../support/fixture-site.ts';
import { processorClock } from '../../support/processor-time.ts';

const MINTLIFY: Files = { 'docs.json': '{"navigation":{"pages":["x","y"]}}', 'y.mdx': 'Y\n' };
const DOCUSAURUS: Files = { 'docusaurus.config.js': 'module.exports = { presets: [["classic", {}]] };' };
const VITEPRESS: Files = { '.vitepress/config.js': 'export default {};' };
const MKDOCS: Files = { 'mkdocs.yml': 'site_name: X\n' };

const mkdocs = (more: string): Files => ({ 'mkdocs.yml': `site_name: X\n${more}`, 'docs/y.md': '# Y\n' });

/** What is found on a page of a site, by code and target. */
function found(site: Files, path: string, text: string, more: Files = {}): string[] {
  const problems = new Site({ ...site, ...more, [path]: text }).problems();
  return problems
    .filter((problem) => problem.path === path && problem.severity === 'error')
    .map(({ code, target }) => `${code} ${target ?? ''}`.trim());
}

describe('anchors that readers reach are not a problem', () => {
  test.each([
    ['of elements in Mintlify', MINTLIFY, 'x.mdx', '<pre id="a">x</pre>\n\n<code id="b">x</code>\n\n[a](#a) [b](#b)\n'],
    ['that an expression shows', MINTLIFY, 'x.mdx', '{true && <div id="a" />}\n\n## B\n\n[a](#a)\n'],
    [
      'that only running the page would tell',
      MINTLIFY,
      'x.mdx',
      '{list.map((x) => <div id={x} />)}\n\n## B\n\n[a](#a)\n',
    ],
    ['that an attribute computes', DOCUSAURUS, 'docs/x.mdx', '<div id={`a-${1}`} />\n\n## B\n\n[a](#a-1)\n'],
    [
      'of quotation marks, in whatever form',
      MINTLIFY,
      'x.mdx',
      '## "Quoted" don\'t\n\n[a](#quoted-dont) [b](#“quoted”-don’t)\n',
    ],
    [
      'of accordions within accordions',
      MINTLIFY,
      'x.mdx',
      '<Accordion title="A">\n<Accordion title="B b">\nx\n</Accordion>\n</Accordion>\n\n[a](#a:b-b)\n',
    ],
    [
      'of titles in letters that are written in Latin',
      MINTLIFY,
      'x.mdx',
      '## T\n\n<Accordion title="Размер">\nx\n</Accordion>\n\n[a](#razmer)\n',
    ],
    [
      'of components of the site',
      MINTLIFY,
      'x.mdx',
      'export const Mine = () => null;\n\n## T\n\n<Mine title="Some title" />\n\n[a](#some-title)\n',
    ],
    [
      'of a partial, numbered with those of the page',
      MINTLIFY,
      'x.mdx',
      'import P from "/snippets/p.mdx"\n\n## Same\n\n<P />\n\n[a](#same-2)\n',
      { 'snippets/p.mdx': '## Same\n' },
    ],
    [
      'of the page, for its partial',
      MINTLIFY,
      'snippets/p.mdx',
      '[a](#title)\n',
      { 'x.mdx': 'import P from "/snippets/p.mdx"\n\n## Title\n\n<P />\n' },
    ],
    ['of a heading that a comment names', DOCUSAURUS, 'docs/x.mdx', '## A { /*#own*/ }\n\n[a](#own)\n'],
    [
      'of a paragraph of VitePress',
      VITEPRESS,
      'x.md',
      'Text {#para}\n\n::: tip T {#box}\n- x {#item}\n:::\n\n[a](#para) [b](#box) [c](#item)\n',
    ],
    [
      'of elements of MkDocs',
      MKDOCS,
      'docs/x.md',
      '<script id="s"></script>\n\n<pre id="p">x</pre>\n\n[a](#s) [b](#p)\n',
    ],
  ] as [string, Files, string, string, Files?][])('%s', (_, site, path, text, more) => {
    expect(found(site, path, text, more)).toEqual([]);
  });
});

describe('anchors that lead nowhere are found', () => {
  test.each([
    ["GitHub's way to number", MINTLIFY, 'x.mdx', '## A\n\n## A\n\n[a](#a-1)\n', '#a-1'],
    ["GitHub's way to leave out a dot", MINTLIFY, 'x.mdx', '## Node.js\n\n[a](#nodejs)\n', '#nodejs'],
    ['an underscore that is left out', MINTLIFY, 'x.mdx', '## `_meta`\n\n[a](#meta)\n', '#meta'],
    ['the title of a card', MINTLIFY, 'x.mdx', '## T\n\n<Card title="A card" />\n\n[a](#a-card)\n', '#a-card'],
    [
      'the title of a step without an anchor',
      MINTLIFY,
      'x.mdx',
      '<Steps>\n<Step title="One">\nx\n</Step>\n</Steps>\n\n[a](#one)\n',
      '#one',
    ],
    ['an id that a component puts nowhere', MINTLIFY, 'x.mdx', '<Note id="n">x</Note>\n\n[a](#n)\n', '#n'],
    ['a heading of depth 5', MINTLIFY, 'x.mdx', '##### Deep\n\n[a](#deep)\n', '#deep'],
    ['a page of cards alone', MINTLIFY, 'x.mdx', '<Card title="A" href="#nope" />\n', '#nope'],
    ['the title of a page of Docusaurus', DOCUSAURUS, 'docs/x.mdx', '# Title\n\n[a](#title)\n', '#title'],
    [
      'the label of a tab of Docusaurus',
      DOCUSAURUS,
      'docs/x.mdx',
      'import Tabs from "@theme/Tabs";\nimport TabItem from "@theme/TabItem";\n\n<Tabs><TabItem value="v" label="My tab">x</TabItem></Tabs>\n\n[a](#my-tab)\n',
      '#my-tab',
    ],
    ['the second of two headings, of which there is one', VITEPRESS, 'x.md', '## A\n\n[a](#a-1)\n', '#a-1'],
  ] as [string, Files, string, string, string][])('%s', (_, site, path, text, target) => {
    expect(found(site, path, text)).toEqual([`missing-anchor ${target}`]);
  });

  test('an id that two headings of VitePress give themselves, for which it builds no page', () => {
    const problems = new Site({ ...VITEPRESS, 'x.md': '## A {#own}\n\n## B {#own}\n' }).problems();
    expect(problems).toMatchObject([{ code: 'page-syntax', line: 3, message: expect.stringContaining('"own"') }]);
  });
});

describe('labels that nothing defines', () => {
  const text = 'See [the guide][guide], [the `code`][gone] and [other][missing one].\n\n[guide]: ./y\n';

  test('are found with their place, where readers would see the brackets', () => {
    const problems = new Site({ ...MINTLIFY, 'x.mdx': text }).problems().filter(({ path }) => path === 'x.mdx');
    expect(problems).toMatchObject([
      { code: 'missing-definition', severity: 'error', line: 1, column: 25, target: 'gone' },
      { code: 'missing-definition', line: 1, column: 48, target: 'missing one' },
    ]);
  });

  test.each([
    ['indexes', 'list[0][one] and [a][0] [x][y] `[a b][cc]`'],
    ['footnotes', '[^1][^two] [text][^two]'],
    ['templates', '[a b][{{ page }}]'],
    ['links', '[a b][guide](./y)'],
    ['escaped brackets', '\\[a b\\]\\[cc\\]'],
  ])('are not seen in %s', (_, line) => {
    expect(found(MINTLIFY, 'x.md', `${line}\n\n[guide]: ./y\n`)).toEqual([]);
  });

  test('are found on a page without any, and let through if a part of the page or a plugin may define them', () => {
    expect(found(MINTLIFY, 'x.mdx', 'See [the guide][gone].\n')).toEqual(['missing-definition gone']);
    const part = { 'snippets/p.mdx': '## P\n' };
    expect(found(MINTLIFY, 'x.mdx', 'import P from "/snippets/p.mdx"\n\nSee [the guide][gone].\n', part)).toEqual([]);
    const page = text.replace('./y', './y.md');
    expect(found(mkdocs('plugins: [search]\n'), 'docs/x.md', page)).toHaveLength(2);
    expect(found(mkdocs('plugins: [search, autorefs]\n'), 'docs/x.md', page)).toEqual([]);
    const silent = new Site({ ...mkdocs('plugins: [search, autorefs]\n'), 'docs/x.md': page }).problems();
    expect(silent).toContainEqual(expect.objectContaining({ code: 'not-checked', path: 'mkdocs.yml', line: 2 }));
    expect(found(mkdocs('hooks: [hooks/labels.py]\n'), 'docs/x.md', page)).toEqual([]);
    const snippets = 'markdown_extensions:\n  - pymdownx.snippets:\n      auto_append: [labels.md]\n';
    expect(found(mkdocs(snippets), 'docs/x.md', page)).toEqual([]);
  });
});

describe('YAML aliases', () => {
  test('give front matter its values', () => {
    expect(readPageFacts('---\ntitle: &t Hello\nslug: *t\n---\n', 'markdown').frontMatter?.fields).toEqual({
      title: 'Hello',
      slug: 'Hello',
    });
  });

  test('give the navigation of MkDocs its pages, merged lists of them too', () => {
    const config =
      'site_name: X\nextra:\n  a: &a {A: a.md}\n  b: &b {B: gone.md}\n  c: &c x.md\nnav:\n  - *c\n  - {<<: [*a, *b]}\n';
    const problems = new Site({ 'mkdocs.yml': config, 'docs/a.md': '# A\n', 'docs/x.md': '# X\n' }).problems();
    expect(problems).toMatchObject([{ code: 'navigation-missing-page', line: 4, target: 'gone.md' }]);
  });

  test('are an error if nothing has that name, as for the generators', () => {
    expect(readPageFacts('---\ntitle: a\nslug: *no\n---\n', 'markdown').problems).toMatchObject([
      { kind: 'front-matter', line: 3, column: 7 },
    ]);
    const problems = new Site({ 'mkdocs.yml': 'site_name: X\nnav:\n  - *no\n', 'docs/index.md': '# X\n' }).problems();
    expect(problems).toContainEqual(expect.objectContaining({ code: 'config-invalid', path: 'mkdocs.yml', line: 3 }));
  });
});

describe('a page that is made to be slow', () => {
  test.each([
    ['the same heading', '## Same\n\n'],
    ['the same accordion', '<Accordion title="Same">x</Accordion>\n\n'],
    ['the same tab, an id and a title in turn', '<Tab title="T" />\n\n<Tab id="t" />\n\n'],
    ['the same parameter', '<ParamField path="p" />\n\n<ParamField path="q" id="param-p" />\n\n'],
    ['brackets', '[a b][cc'],
    ['undefined labels', '[a b][cc] '],
  ])('costs no more than its length: %s', (_, piece) => {
    const taken = processorClock();
    readPageFacts(`[x]: /y\n\n${piece.repeat(800)}`, 'mintlify');
    expect(taken()).toBeLessThan(2_000);
  });
});
