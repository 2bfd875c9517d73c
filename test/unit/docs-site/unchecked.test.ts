import { describe, expect, test } from 'vitest';
import { describeProblem } from '@docent/docs-check/checks/problem';
import { Site, type Files } from '../../support/fixture-site.ts';

const lines = (files: Files) =>
  new Site(files).problems().map((problem) => `${problem.severity} ${describeProblem(problem)}`);
const errors = (files: Files) => lines(files).filter((line) => line.startsWith('error'));
const said = (files: Files) => lines(files).filter((line) => line.includes(' not-checked: '));

/** A site of Docusaurus with broken links of every kind, and one plugin. */
const docusaurus = (plugin: string, extra: Files = {}): Files => ({
  'docusaurus.config.js': `import imported from './plugins/imported.js';
import packaged from 'acme-docusaurus';
module.exports = { title: 'X', presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]],\n  plugins: [${plugin}] };`,
  'sidebars.js': "module.exports = { docs: ['guide/one', 'guide/gone'] };",
  'docs/guide/one.md':
    '# One\n\n[a](./gone.md) [b](gone) [c](/docs/guide/lost) ![d](./gone.png) ![e](/img/gone.png) [f](gone.pdf)\n',
  'docs/guide/two.md': '# Two\n',
  ...extra,
});
const BROKEN = [
  'error docs/guide/one.md:3 missing-page: The link "./gone.md" is broken: its target does not exist.',
  'error docs/guide/one.md:3 missing-page: The link "gone" is broken: its target does not exist.',
  'error docs/guide/one.md:3 missing-page: The link "/docs/guide/lost" is broken: its target does not exist.',
  'error docs/guide/one.md:3 missing-image: The image "./gone.png" is broken: its target does not exist.',
  'error docs/guide/one.md:3 missing-image: The image "/img/gone.png" is broken: its target does not exist.',
  'error docs/guide/one.md:3 missing-file: The link "gone.pdf" is broken: its target does not exist.',
  'error sidebars.js:1 navigation-missing-page: The navigation lists "guide/gone", but this page does not exist.',
];

/** How many links of one page are broken, with a link to a target. */
const broken = (plugin: string, target: string, extra: Files = {}) =>
  errors(docusaurus(plugin, { ...extra, 'docs/guide/two.md': `[x](${target})\n` })).filter((line) =>
    line.includes('two.md'),
  ).length;

describe('a plugin of Docusaurus turns no check off that it cannot make plausible', () => {
  test.each([
    ['web analytics', "['docusaurus-plugin-umami', { id: 1 }]"],
    ['a search', "[require.resolve('@easyops-cn/docusaurus-search-local'), { hashed: true }]"],
    ['a function in place', "function css() { return { name: 'css', configurePostCss: (options) => options }; }"],
    ['an arrow in place', "() => ({ name: 'hooks', configureWebpack: () => ({}) })"],
    [
      'a file of the repository',
      "'./plugins/own.js'",
      { 'plugins/own.js': "module.exports = () => ({ name: 'own', injectHtmlTags() {} });" },
    ],
    [
      'an imported file',
      'imported',
      { 'plugins/imported.js': "export default () => ({ name: 'own', postBuild() { console.log(1); } });" },
    ],
    ['one or the other by the environment', "process.env.CI ? 'docusaurus-plugin-sentry' : null"],
  ] as [string, string, Files?][])('%s', (_, plugin, extra = {}) => {
    const files = docusaurus(plugin, extra);
    expect(errors(files)).toEqual(BROKEN);
    expect(said(files)).toEqual([]);
  });

  test.each([
    ['a package that is not known', "'acme-docusaurus'", {}],
    ['one that is imported', '[packaged, {}]', {}],
    [
      'a file that makes routes elsewhere',
      "'./plugins/own.js'",
      {
        'plugins/own.js':
          "module.exports = () => ({ contentLoaded({ actions }) { actions.addRoute({ path: '/status' }); } });",
      },
    ],
  ] as [string, string, Files][])('nor does %s, which is reported', (_, plugin, extra) => {
    const files = docusaurus(plugin, extra);
    expect(errors(files)).toEqual(BROKEN);
    expect(said(files)).toHaveLength(1);
    expect(said(files)[0]).toMatch(
      /^notice docusaurus.config.js:4 not-checked: The plugin .* "pluginsWithoutPages": \[/,
    );
  });

  test('skips addresses that it may create: at the top, in empty folders, and those in its program or options', () => {
    const own = { 'plugins/own.js': "module.exports = () => ({ x() { addRoute({ path: '/docs/guide/status' }); } });" };
    expect(broken("'acme-docusaurus'", '/status')).toBe(0);
    expect(broken("'acme-docusaurus'", '/docs/api/anything')).toBe(0);
    expect(broken("'./plugins/own.js'", '/docs/guide/status', own)).toBe(0);
    expect(broken("'./plugins/own.js'", '/docs/guide/stats', own)).toBe(1);
    expect(broken("['acme-docusaurus', { out: 'docs/guide' }]", 'made')).toBe(0);
    expect(broken("['docusaurus-plugin-umami', {}]", '/status')).toBe(1);
  });

  test('a plugin that creates no pages can be listed', () => {
    const settings = { '.docent.json': '{ "pluginsWithoutPages": ["acme-docusaurus"] }' };
    const files = docusaurus("'acme-docusaurus'", { 'docs/guide/two.md': '[x](/status)\n' });
    expect(errors(files)).toEqual(BROKEN);
    expect(errors({ ...files, ...settings })).toHaveLength(BROKEN.length + 1);
    expect(said({ ...files, ...settings })).toEqual([]);
    expect(errors({ ...files, '.docent.json': '{' })).toEqual(BROKEN);
    const inPackage = { 'package.json': '{ "docent": { "pluginsWithoutPages": ["acme-docusaurus"] } }' };
    expect(said({ ...files, ...inPackage })).toEqual([]);
    const commented = { '.docent.json': '{ "rules": { "x": 1 }, "pluginsWithoutPages": ["acme-docusaurus"] }' };
    expect(said({ ...files, ...commented })).toEqual([]);
  });

  test('a plugin that creates no pages can be listed in the docs settings, beside the site or above it', () => {
    const settings = '{ "pluginsWithoutPages": ["acme-docusaurus"] }';
    expect(saidBeside({})).toHaveLength(1);
    for (const path of ['docs/.docent.json', 'web/.docent.json', 'web/site/.docent.json', '.docent.json'])
      expect(saidBeside({ [path]: settings }), path).toEqual([]);
  });
});

const mkdocs = (settings: string, extra: Files = {}): Files => ({
  'mkdocs.yml': `site_name: X\nnav:\n  - guide/one.md\n  - guide/gone.md\n${settings}`,
  'docs/guide/one.md': '# One\n\n[a](gone.md) [b](../lost.md) ![c](gone.png)\n',
  'docs/index.md': '# Home\n',
  ...extra,
});
const BROKEN_MKDOCS = [
  'error docs/guide/one.md:3 missing-page: The link "gone.md" is broken: its target does not exist.',
  'error docs/guide/one.md:3 missing-page: The link "../lost.md" is broken: its target does not exist.',
  'error docs/guide/one.md:3 missing-image: The image "gone.png" is broken: its target does not exist.',
  'error mkdocs.yml:4 navigation-missing-page: The navigation lists "guide/gone.md", but this page does not exist.',
];

const CONFIG_BESIDE = `module.exports = {
  presets: [['classic', { docs: { path: '../../docs' } }]],
  plugins: ['acme-docusaurus'],
};`;

/** What is not checked of a site that is beside its docs. */
const saidBeside = (extra: Files) => {
  const site = { 'docs/a.md': '# A\n', 'web/site/docusaurus.config.js': CONFIG_BESIDE, ...extra };
  return new Site(site, { docsDir: 'docs' }).problems().filter(({ code }) => code === 'not-checked');
};

describe('plugins and hooks of MkDocs turn no check off that they cannot make plausible', () => {
  test.each([
    ['search, tags and feeds', 'plugins: [search, tags, rss]\n', {}, 0],
    ['macros, which fill in pages', 'plugins: [search, macros]\n', {}, 1],
    [
      'a hook that changes text',
      'hooks: [hooks.py]\n',
      { 'hooks.py': 'def on_page_markdown(markdown, **kwargs):\n    return markdown\n' },
      0,
    ],
    [
      'a hook that replaces other links',
      'hooks: [hooks.py]\n',
      { 'hooks.py': 'def on_page_markdown(markdown, **kwargs):\n    return markdown.replace("OLD.md)", "old.md)")\n' },
      1,
    ],
    [
      'a hook that changes no links, as its owner says',
      'hooks: [hooks.py]\n',
      {
        'hooks.py': 'def on_page_markdown(markdown, **kwargs):\n    return re.sub(r"!v", "[1](../v.md)", markdown)\n',
        '.docent.json': '{ "pluginsWithoutPages": ["hooks.py"] }',
      },
      0,
    ],
    [
      'a hook that makes files elsewhere',
      'hooks: [hooks.py]\n',
      { 'hooks.py': 'def on_files(files, config):\n    files.append(File("status.md"))\n' },
      1,
    ],
    [
      'a script that makes files elsewhere',
      'plugins:\n  - gen-files:\n      scripts: [gen.py]\n',
      { 'gen.py': 'with mkdocs_gen_files.open("reference/x.md", "w") as f: pass\n' },
      1,
    ],
  ] as [string, string, Files, number][])('%s', (_, settings, extra, notices) => {
    const files = mkdocs(settings, extra);
    expect(errors(files)).toEqual(BROKEN_MKDOCS);
    expect(said(files)).toHaveLength(notices);
  });

  test.each([
    ['these links', 'markdown.replace("gone.md)", "one.md)")'],
    ['links by a pattern', 're.sub(r"\\]\\(\\.\\./([^)]+)\\)", "", markdown)'],
  ])('skips links that a hook may replace: %s', (_, code) => {
    const hook = { 'hooks.py': `def on_page_markdown(markdown, **kwargs):\n    return ${code}\n` };
    expect(errors(mkdocs('hooks: [hooks.py]\n', hook)).join()).not.toContain('gone.md" is broken');
  });

  test('skips addresses that they may create', () => {
    const script = { 'gen.py': 'open("reference/x.md", "w"), open("lost.md")\n' };
    const files = mkdocs('plugins:\n  - gen-files:\n      scripts: [gen.py]\n', script);
    const linking = { ...files, 'docs/index.md': '[a](reference/any/thing.md) [b](lost.md)\n' };
    expect(errors(linking)).toEqual(BROKEN_MKDOCS.filter((line) => !line.includes('lost')));
  });
});

test.each([
  ['Astro', { 'astro.config.mjs': 'export default {}' }],
  ['Nextra', { 'next.config.mjs': "import nextra from 'nextra';" }],
  ['Fumadocs', { 'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config';", 'next.config.mjs': '' }],
  ['mdBook', { 'book.toml': '[book]\ntitle = "X"\n' }],
  ['MyST', { 'myst.yml': 'version: 1\n' }],
  ['Jekyll', { '_config.yml': 'title: X\n' }],
] as [string, Files][])('a site of %s is named, and not taken for plain Markdown in silence', (name, files) => {
  const found = lines({ ...files, '0.md': '[x](/nope/) [y](./nope.md)\n' });
  expect(found[0]).toContain('error 0.md:1 missing-page: The link "./nope.md"');
  expect(found.slice(1)).toEqual([expect.stringContaining(`not-checked: The site is built with ${name}, whose`)]);
});

test.each([
  ['Sphinx', { 'docs/conf.py': '' }],
  ['MyST', { 'docs/myst.yml': 'version: 1\n' }],
  ['Jupyter Book', { 'docs/_toc.yml': 'root: a\n' }],
] as [string, Files][])('links of %s to labels and objects are left alone, files are not', (name, files) => {
  const page = '[a](App.db_url) [b](app.auth.Auth) [c](gone.md) [d](./App.db_url) ![e](App.db_url) [f](gone.pdf)\n';
  const found = new Site({ ...files, 'docs/a.md': page }).problems().filter(({ severity }) => severity === 'error');
  expect(found.map(({ code, target }) => `${code} ${target}`)).toEqual([
    'missing-page gone.md',
    'missing-page ./App.db_url',
    'missing-image App.db_url',
    'missing-file gone.pdf',
  ]);
  expect(said({ ...files, 'docs/a.md': page })).toEqual([expect.stringContaining(`built with ${name}, whose`)]);
});

test('a plugin of VitePress that gives ids to headings is named, as anchors are not checked', () => {
  const config = "export default { markdown: { config: (md) => md.use(require('markdown-it-anchor'), { slugify }) } };";
  expect(lines({ '.vitepress/config.ts': config, 'a.md': '[a](#gone)\n' })).toEqual([
    'notice .vitepress/config.ts:1 not-checked: The configuration generates heading IDs with a custom function, so anchors are not checked. Remove `markdown.config` to have them checked.',
  ]);
});
