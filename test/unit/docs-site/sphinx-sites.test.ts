import { describe, expect, test } from 'vitest';
import { readPython } from '@docent/docs-check/config/python-value';
import { itemsOf, textOf } from '@docent/docs-check/config/static-value';
import { readSphinxDocument } from '@docent/docs-check/generators/sphinx-documents';
import { describeProblem } from '@docent/docs-check/checks/problem';
import { Site, type Files } from '../../support/fixture-site.ts';

const CONF = `project = 'X'
extensions = ['myst_parser', 'sphinx_design']
exclude_patterns = ['_build', 'drafts/**']
myst_heading_anchors = 2
html_static_path = ['_static']
`;

const SITE: Files = {
  'docs/conf.py': CONF,
  'docs/index.md': `# Home

\`\`\`{toctree}
:maxdepth: 2

Start here <guide/start>
guide/other.md
old
https://example.com
missing/page
\`\`\`
`,
  'docs/guide/start.md': `(begin)=
# Start here

## Install & run

### Deeper
`,
  'docs/guide/other.md': '# Other\n',
  'docs/old.rst': `.. _old-label:

Old page
========

Text with _\`an inline target\`.
`,
  'docs/drafts/x.md': '[broken](nowhere.md)\n',
  'docs/code.py': 'x = 1\n',
  'docs/pic.png': 'P',
};

/** What is found in one more page, which needs no entry. */
function found(text: string, more: Files = {}): string[] {
  const files = { ...SITE, 'docs/guide/new.md': `---\norphan: true\n---\n\n# New\n\n${text}\n`, ...more };
  return new Site(files)
    .problems()
    .filter(({ path, severity }) => path === 'docs/guide/new.md' && severity !== 'notice')
    .map(({ code, target }) => `${code} ${target}`);
}

test('documents that toctree directives list are found, in Markdown and in reStructuredText', () => {
  const files = { ...SITE, 'docs/old.rst': 'Old\n===\n\n.. toctree::\n   :glob:\n\n   guide/*\n   Gone <gone>\n' };
  expect(new Site(files).problems().map(describeProblem)).toEqual([
    'docs/conf.py:1 not-checked: 1 page is reStructuredText. Their toctree entries and labels are read, but links and images on them are not checked.',
    'docs/index.md:10 navigation-missing-page: The navigation lists "missing/page", but the folder docs/missing does not exist.',
    'docs/old.rst:8 navigation-missing-page: The navigation lists "gone", but this page does not exist.',
  ]);
});

test('a page that no toctree lists is named, unless it says that it is an orphan', () => {
  const files = { ...SITE, 'docs/lost.md': '# Lost\n', 'docs/kept.md': '---\norphan: true\n---\n# Kept\n' };
  const lost = new Site(files).problems().filter(({ code }) => code === 'page-not-in-navigation');
  expect(lost.map(({ path }) => path)).toEqual(['docs/lost.md']);
});

describe('what works in a build is not reported', () => {
  test.each([
    [
      'roles',
      '{doc}`start` {doc}`/guide/start` {doc}`text <../old>` {ref}`begin` {ref}`Text <Old-Label>` {ref}`an inline target`',
    ],
    [
      'files and documents',
      '[a](start.md) [b](start) [c](/guide/start.md) [d](../old.rst) [e](../code.py) {download}`../code.py`',
    ],
    [
      'anchors',
      '[a](start.md#install-run) [b](start.md#install--run) [c](start.md#begin) [d](#old-label) [e](../old.rst#old-page)',
    ],
    ['labels as links', '[a](begin) [](#begin)'],
    [
      'pictures and code',
      '![a](../pic.png) ![b](/pic.png)\n\n```{figure} ../pic.*\nCaption\n```\n\n```{literalinclude} ../code.py\n```',
    ],
    ['code that shows MyST', '`` {doc}`nowhere` `` and\n\n````md\n{doc}`nowhere`\n\n```{figure} gone.png\n```\n````'],
    ['comments', '% {doc}`nowhere`\n\n<!-- {doc}`nowhere` -->'],
    ['ids in attributes', '{#own}\n[a](#own) [text]{#other} [b](#other)'],
    ['a label in a directive', ':::{figure} ../pic.png\n:name: my-figure\nCaption\n:::\n\n{numref}`my-figure`'],
  ])('%s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('what a build warns of is reported', () => {
  test.each([
    ['a document', '{doc}`gone` {doc}`text <gone2>`', ['missing-page gone', 'missing-page gone2']],
    ['a document with an extension', '{doc}`start.md`', ['missing-page start.md']],
    ['a label', '{ref}`no label` {numref}`none`', ['missing-anchor no label', 'missing-anchor none']],
    [
      'an anchor below the depth of anchors',
      '[a](start.md#none) [b](#none)',
      ['missing-anchor start.md#none', 'missing-anchor #none'],
    ],
    ['a page and a name', '[a](gone.md) [b](gone)', ['missing-page gone.md', 'missing-anchor gone']],
    ['a document that is left out', '{doc}`/drafts/x`', ['missing-page /drafts/x']],
    [
      'files',
      '{download}`gone.zip`\n\n```{literalinclude} gone.py\n```',
      ['missing-file gone.zip', 'missing-file gone.py'],
    ],
    [
      'pictures',
      '![a](gone.png)\n\n:::{figure} gone2.png\nText\n:::',
      ['missing-image gone.png', 'missing-image gone2.png'],
    ],
    [
      'what is in an admonition',
      ':::{note}\n[a](gone.md)\n:::\n\n```{tip}\n:class: x\n[b](gone2.md)\n```',
      ['missing-page gone.md', 'missing-page gone2.md'],
    ],
    ['a card', ':::{grid-item-card} T\n:link: gone\n:link-type: doc\n:::', ['missing-page gone']],
    ['a file that is taken in', '```{include} gone.md\n```', ['missing-import gone.md']],
  ])('%s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});

const said = (conf: string, text: string) => {
  const files = {
    ...SITE,
    'docs/conf.py': conf,
    'docs/guide/new.md': `---\norphan: true\n---\n\n# New\n\n${text}\n`,
  };
  const problems = new Site(files)
    .problems()
    .filter(({ path }) => path === 'docs/guide/new.md' || path.endsWith('.py'));
  return problems.map(({ code, severity, message, target }) => (severity === 'error' ? `${code} ${target}` : message));
};

describe('what only a build tells is said, and not judged', () => {
  const RST = expect.stringContaining('1 page is reStructuredText');

  test('labels of other projects', () => {
    const conf = `${CONF}extensions += ['sphinx.ext.intersphinx']\nintersphinx_mapping = {'python': ('https://docs.python.org/3', None)}\n`;
    expect(said(conf, '{ref}`bltin-exceptions` {doc}`gone`')).toEqual([
      expect.stringContaining('intersphinx_mapping names other projects'),
      RST,
      'missing-page gone',
    ]);
  });

  test('pages of an extension that is not known', () => {
    const conf = `${CONF}extensions.append('acme.pages')\n`;
    expect(said(conf, '{doc}`/made` {doc}`gone` {ref}`made`')).toEqual([
      expect.stringContaining('Links to labels that no page defines are not checked'),
      RST,
      expect.stringContaining('The extension acme.pages may create pages'),
      'missing-page gone',
    ]);
  });

  test('names of functions and classes', () => {
    const conf = `${CONF}extensions += ["sphinx.ext.autodoc"]\n`;
    expect(said(conf, '[x](app.Spawner) {any}`Spawner` [y](gone.md)')).toEqual([RST, 'missing-page gone.md']);
  });

  test('ids of a function of the configuration', () => {
    expect(said(`${CONF}myst_heading_slug_func = 'acme.slug'\n`, '[x](start.md#any)')).toEqual([RST]);
  });

  test('a site whose Markdown is read by other rules', () => {
    const files = { ...SITE, 'docs/conf.py': "project = 'X'\nextensions = ['recommonmark']\n" };
    expect(new Site(files).problems().map(({ message }) => message)).toContainEqual(
      expect.stringContaining('built with Sphinx, whose link rules Docent does not know'),
    );
  });
});

const texts = (text: string, name = 'a') => {
  const value = readPython('conf.py', text).get(name);
  const open = value?.type === 'list' ? value.open : value?.type === 'unknown';
  return [itemsOf(value).map((item) => textOf(item) ?? '?'), open];
};

describe('the settings of a conf.py', () => {
  test.each([
    ['a list over lines', 'a = [\n  "x", # c\n  \'y\',\n]\n', [['x', 'y'], false]],
    ['what is added', 'a = ["x"]\na += ["y"]\na.append("z")\na.extend(["w"])\n', [['x', 'y', 'z', 'w'], false]],
    ['a sum', 'a = ["x"] + other\n', [['x'], true]],
    ['a call in a list', 'a = ["x", f(1, [2]), "y"]\n', [['x', 'y'], true]],
    ['a branch', 'a = ["x"]\nif b:\n    a.append("y")\n', [['x'], true]],
    ['parts of a string', 'a = ["x" "y"]\n', [['xy'], false]],
    ['a computed string', 'a = [f"{x}"]\n', [[], true]],
  ])('%s', (_, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });

  test('are read in a moment, whatever they say', () => {
    for (const text of [
      'a = ' + '['.repeat(100_000),
      'a = ["' + 'x'.repeat(200_000),
      'a = {'.repeat(20_000),
      'a += [1]\n'.repeat(20_000),
    ]) {
      const startedAt = performance.now();
      readPython('conf.py', text);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    }
  });
});

test('a page that moves keeps the roles and links to it', () => {
  const site = new Site({
    ...SITE,
    'docs/guide/new.md': '---\norphan: true\n---\n\n{doc}`start` [a](start.md) {ref}`begin`\n',
  });
  site.call('move', { from: 'docs/guide/start.md', to: 'docs/intro/first.md' });
  expect(site.diff()).toContain('+{doc}`../intro/first` [a](../intro/first.md) {ref}`begin`');
});

test('documents in reStructuredText are read in a moment, whatever they say', () => {
  for (const text of ['.. tab:: x\n\n   y\n\n'.repeat(1_000), '   \n'.repeat(5_000)]) {
    const startedAt = performance.now();
    readSphinxDocument('a.rst', text);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  }
});
