import { describe, expect, test } from 'vitest';
import { readPython } from '@docent/docs-check/config/python-value';
import { itemsOf, textOf } from '@docent/docs-check/config/static-value';
import { readSphinxDocument } from '@docent/docs-check/generators/sphinx-documents';
import { readPageFacts } from '@docent/docs-check/read/read-page-facts';
import { withSuggestions } from '@docent/docs-check/checks/suggestions';
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
    'docs/conf.py:1 not-checked: 1 page is reStructuredText. Links, images, included files, toctree entries, and the roles doc, ref, numref, any, and download are checked. Other roles, raw HTML, and directives of extensions are not.',
    'docs/index.md:10 navigation-missing-page: The navigation lists "missing/page", but the folder docs/missing does not exist.',
    'docs/old.rst:8 navigation-missing-page: The navigation lists "gone", but this page does not exist.',
  ]);
});

const toctree = (...names: string[]) => `.. toctree::\n   :glob:\n\n   ${names.join('\n   ')}\n\n`;

test('a toctree that lists a document twice is reported, and two toctrees that list it are not', () => {
  const old = `Old\n===\n\n${toctree('guide/start', 'guide/*', 'Text </guide/start>')}${toctree('guide/start')}`;
  const twice = new Site({ ...SITE, 'docs/old.rst': old })
    .problems()
    .filter(({ code }) => code === 'navigation-repeated-page');
  expect(twice.map(({ path, line }) => `${path}:${line}`)).toEqual(['docs/old.rst:9']);
});

test('a page that no toctree lists is named, unless it says that it is an orphan', () => {
  const files = { ...SITE, 'docs/lost.md': '# Lost\n', 'docs/kept.md': '---\norphan: true\n---\n# Kept\n' };
  const lost = new Site(files).problems().filter(({ code }) => code === 'page-not-in-navigation');
  expect(lost.map(({ path }) => path)).toEqual(['docs/lost.md']);
});

describe('does not report links that work in a build', () => {
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

describe('reports everything that a build warns about', () => {
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

describe('reports facts that only a build knows, without judging them', () => {
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
    expect(said(conf, '[x](app.Spawner) {any}`Spawner` [z](#Spawner) [y](gone.md)')).toEqual([
      RST,
      'missing-page gone.md',
    ]);
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

test('a move writes names of documents without an extension, and never folds an index into its folder', () => {
  const site = new Site({
    ...SITE,
    'docs/guide/new.md':
      '---\norphan: true\n---\n\n{doc}`../old` {doc}`t </old>` {any}`/old` [a](../old) [b](../old.rst) [c](start)\n',
    'docs/guide/more.rst': ':orphan:\n\nMore\n====\n\n:doc:`../old` `x <../old.html#an-inline-target>`_ :doc:`start`\n',
  });
  site.call('move', { from: 'docs/old.rst', to: 'docs/intro/index.rst' });
  site.call('move', { from: 'docs/guide/start.md', to: 'docs/first steps/index.md' });
  expect(site.text('docs/guide/new.md')).toContain(
    '{doc}`../intro/index` {doc}`t </intro/index>` {any}`/intro/index` [a](../intro/index) [b](../intro/index.rst) [c](../first%20steps/index)',
  );
  expect(site.text('docs/guide/more.rst')).toContain(
    ':doc:`../intro/index` `x <../intro/index.html#an-inline-target>`_ :doc:`../first steps/index`',
  );
  const broken = site.problems().filter(({ code, severity }) => severity === 'error' && !code.startsWith('navigation'));
  expect(broken).toEqual([]);
});

test('a move rewrites entries of toctree directives, and those of a page that moves', () => {
  const site = new Site({
    ...SITE,
    'docs/guide/index.rst': 'Guide\n=====\n\n.. toctree::\n   :maxdepth: 1\n\n   T <other>\n   /old\n   more.rst\n',
    'docs/guide/more.rst': 'More\n====\n',
  });
  site.call('move', { from: 'docs/guide/other.md', to: 'docs/intro/second.md' });
  site.call('move', { from: 'docs/old.rst', to: 'docs/new.rst' });
  site.call('move', { from: 'docs/guide/index.rst', to: 'docs/start/index.rst' });
  expect(site.text('docs/index.md')).toContain('<guide/start>\nintro/second.md\nnew\n');
  expect(site.text('docs/start/index.rst')).toContain('   T <../intro/second>\n   /new\n   ../guide/more.rst\n');
});

/** What is found on one page in reStructuredText. */
function foundInRst(text: string, more: Files = {}): string[] {
  const site = new Site({ ...SITE, 'docs/guide/new.rst': `:orphan:\n\nNew page\n========\n\n${text}\n`, ...more });
  return site
    .problems()
    .filter(({ path }) => path === 'docs/guide/new.rst')
    .map(({ line, code, target }) => `${line - 5} ${code} ${target}`);
}

// What sphinx-build 9.0 with docutils 0.22 says of the same pages.
describe('a page in reStructuredText', () => {
  test.each([
    [
      'roles',
      ':doc:`start` :doc:`s </guide/start/>` :doc:`t </index>` :ref:`begin` :ref:`T <Old-Label>` :download:`c <../code.py>`',
    ],
    [
      'references and targets',
      '`New page`_ `a phrase`_ simple_ other_ `web <https://example.com>`_ web_ anon__ _`here` here_ `x <simple_>`_\n\n__ https://example.com\n.. _a phrase: https://example.com\n.. _simple: other_\n.. _other:\n\nText.',
    ],
    [
      'what is no markup',
      '``a_`` *a_* **b_** self.foo_bar __init__ "``x_``" :class:`a_` \\a_ |a_| `_ x` "`" \'`\' 2*x_y http://example.com/a_b',
    ],
    [
      'literal blocks and code',
      'Text::\n\n    a_ :doc:`gone`\n\n1. Item::\n\n     a_\n\nQuoted::\n\n> a_\n> b_\n\n.. code-block:: python\n\n   a_\n\n>>> a_',
    ],
    ['comments', '.. a_ :doc:`gone`\n   b_\n\n..\n   :doc:`gone`\n\nText'],
    [
      'pictures',
      '.. image:: ../pic.png\n   :target: https://example.com\n\n.. figure:: /pic.*\n\n.. image:: https://example.com/x.png',
    ],
    ['files', '.. literalinclude:: ../code.py\n\n.. include:: /code.py\n\n.. include:: <isonum.txt>'],
    ['addresses', '`a <start.html#begin>`_ `b <../index.html>`_ `c <#new-page>`_ `d <mailto:a@example.com>`__'],
    ['directives of extensions, which may define names', '.. acme:: x\n\n   a_ :doc:`gone`\n\nb_'],
    [
      'targets in list items',
      '- .. _item:\n\n  Text item_ :ref:`item`\n\n1. .. note:: other_\n\n   .. _other:\n\n   Text::\n\n     a_',
    ],
    ['names in included text', 'b_\n\n.. include:: ../code.py'],
  ])('passes: %s', (_, text) => {
    expect(foundInRst(text)).toEqual([]);
  });

  test.each([
    [
      'roles',
      ':doc:`gone` :doc:`t <gone2>`\n:ref:`none` :download:`gone.zip`',
      ['1 missing-page gone', '1 missing-page gone2', '2 missing-anchor none', '2 missing-file gone.zip'],
    ],
    ['a document with its extension', ':doc:`start.md`', ['1 missing-page start.md']],
    [
      'references',
      '`Gone one`_ gone_ (see gone2_).\n\n.. _bad: gone3_',
      [
        '1 missing-definition Gone one',
        '1 missing-definition gone',
        '1 missing-definition gone2',
        '3 missing-definition gone3',
      ],
    ],
    ['text over two lines', 'See `a\nb`_ and :doc:`x\n<gone>`', ['1 missing-definition a b', '3 missing-page gone']],
    [
      'text in directives, lists, tables, and definitions',
      '.. note:: a_ and `b\n   c`_\n\n   :doc:`d`\n\n- e_\n\n  - f_\n\n====  ====\ng_    h_\n====  ====\n\n+----+\n| i_ |\n+----+\n\nterm\n   j_\n\n:field: k_\n\n| l_\n\n.. py:function:: m(n_)\n\n   o_',
      [
        '1 missing-definition a',
        '1 missing-definition b c',
        '4 missing-page d',
        ...['6 e', '8 f', '11 g', '11 h', '15 i', '19 j', '21 k', '23 l', '27 o'].map((one) =>
          one.replace(' ', ' missing-definition '),
        ),
      ],
    ],
    [
      'pictures',
      '.. image:: gone.png\n   :target: a_\n\n.. figure:: /gone2.png\n\n   b_\n\n.. |x| image:: gone3.png',
      [
        '1 missing-image gone.png',
        '2 missing-definition a',
        '4 missing-image /gone2.png',
        '6 missing-definition b',
        '8 missing-image gone3.png',
      ],
    ],
    [
      'files',
      '.. include:: gone.txt\n\n.. literalinclude:: gone.py',
      ['1 missing-import gone.txt', '3 missing-file gone.py'],
    ],
    [
      'addresses that the build does not make',
      '`a <start.rst>`_ `b <gone.html>`_ `c <start.html#gone>`_',
      ['1 missing-file start.rst', '1 missing-file gone.html', '1 missing-anchor start.html#gone'],
    ],
  ])('reports: %s', (_, text, expected) => {
    expect(foundInRst(text)).toEqual(expected);
  });

  test('is named if no toctree lists it, and its own list of documents counts', () => {
    const files = { ...SITE, 'docs/lost.rst': 'Lost\n====\n\n.. toctree::\n\n   found\n', 'docs/found.rst': 'F\n=\n' };
    const lost = new Site(files).problems().filter(({ code }) => code === 'page-not-in-navigation');
    expect(lost.map(({ path }) => path)).toEqual(['docs/lost.rst']);
  });

  test('gets the name of the right document as a correction', () => {
    const site = new Site({ ...SITE, 'docs/guide/new.rst': ':orphan:\n\nN\n=\n\n:doc:`otehr`\n' });
    const docs = site.docs();
    expect(withSuggestions(docs, site.problems()).find(({ code }) => code === 'missing-page')?.suggestion).toBe(
      'other',
    );
  });

  test('with names in rst_epilog skips its references, with a note', () => {
    const conf = `${CONF}rst_epilog = '.. _gone: https://example.com'\n`;
    expect(foundInRst('gone_', { 'docs/conf.py': conf })).toEqual([]);
    const problems = new Site({ ...SITE, 'docs/conf.py': conf, 'docs/guide/new.rst': 'gone_\n' }).problems();
    expect(problems.map(({ message }) => message)).toContainEqual(expect.stringContaining('rst_prolog or rst_epilog'));
  });

  test('in its own folder, as the builder dirhtml makes them, has addresses that are not judged', () => {
    const files = { '.readthedocs.yaml': 'sphinx:\n  builder: dirhtml\n' };
    expect(foundInRst('`a <../start/>`_ `b <gone.html>`_', files)).toEqual([]);
  });
});

test('documents of other projects are named with the name of the project', () => {
  const conf = `${CONF}intersphinx_mapping = {'python': ('https://docs.python.org/3', None)}\n`;
  const text = '{doc}`python:library/os` {doc}`gone`';
  expect(found(text, { 'docs/conf.py': conf })).toEqual(['missing-page gone']);
  expect(found(text, { 'docs/conf.py': `${CONF}extensions.append('acme')\n` })).toEqual(['missing-page gone']);
  expect(found(text)).toEqual(['missing-page python:library/os', 'missing-page gone']);
});

test('figures of other sites are not looked for', () => {
  expect(found(':::{figure} https://example.com/x.png\nText\n:::')).toEqual([]);
});

test.each([
  '.. tab:: x\n\n   y\n\n'.repeat(1_000),
  '   \n'.repeat(5_000),
  '`'.repeat(60_000),
  '`a '.repeat(20_000),
  '`a\n'.repeat(20_000),
  '``a '.repeat(20_000),
  '*a **a |a _`a '.repeat(5_000),
  '_'.repeat(60_000),
  'a_'.repeat(30_000),
  'a_ '.repeat(20_000),
  'a.'.repeat(30_000),
  `${'a'.repeat(3_900)}\n`.repeat(20),
  ':a:'.repeat(20_000),
  ':a:`'.repeat(20_000),
  '`<'.repeat(20_000),
  '`a <b>`_ '.repeat(5_000),
  Array.from({ length: 1_300 }, (_, i) => `${' '.repeat(i)}.. note::\n`).join('\n'),
  '.. note::\n\n   '.repeat(5_000),
  '.. _a:\n'.repeat(20_000),
  `.. _${'\\a'.repeat(1_500)}\n`.repeat(20),
  '.. |a| '.repeat(10_000),
  '==  ==\n'.repeat(20_000),
  '==\n'.repeat(20_000),
  'a\n==\n'.repeat(20_000),
  '- '.repeat(1_900) + '\n',
  '- a::\n\n'.repeat(10_000),
  '+--+\n| a_ |\n'.repeat(10_000),
])('a document in reStructuredText is read in a moment, whatever it says: %#', (text) => {
  const startedAt = performance.now();
  readSphinxDocument('a.rst', text);
  expect(readPageFacts(text, 'rst').notRead).toBeUndefined();
  expect(performance.now() - startedAt).toBeLessThan(3_000);
});
