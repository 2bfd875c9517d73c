import { describe, expect, test } from 'vitest';
import { describeProblem } from '@docent/docs-check/checks/problem';
import { describeSite, siteText } from '@docent/docs-check/read/describe-site';
import { Site, type Files } from '../../support/fixture-site.ts';

const DOCUSAURUS: Files = {
  'website/docusaurus.config.ts': `import type { Config } from '@docusaurus/types';
const versions = require('./versions.json');
export default {
  title: 'X', url: 'https://example.com', baseUrl: '/base/', i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  presets: [['classic', { docs: { path: '../docs', routeBasePath: '/guide', sidebarPath: './sidebars.ts',
    versions: { [versions[0]]: { path: 'one' } } }, blog: {}, pages: {} }]],
  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: ['/old'], to: '/guide/one/intro' }] }]],
} satisfies Config;
`,
  'website/versions.json': '["1.0"]',
  'website/sidebars.ts': `export default { docs: ['intro', { type: 'category', label: 'More', link: { type: 'generated-index' }, items: ['folder/named'] }] };`,
  'website/versioned_sidebars/version-1.0-sidebars.json': '{\n  "docs": [\n    "intro",\n    "second"\n  ]\n}\n',
  'website/versioned_docs/version-1.0/intro.md': '# Old\n\n[a](second.md)\n',
  'website/versioned_docs/version-1.0/second.md': '# Second\n\n[a](/guide/next/intro)\n',
  'website/static/img/a.png': 'x',
  'website/src/pages/about.tsx': 'export default 1',
  'website/blog/2024-01-31-news.md': '# News\n\n[a](/guide/one/intro) [t](/blog/tags/x)\n',
  'docs/intro.md': `---
slug: /intro
---
import Part from './_part.mdx';

<!-- a comment with {braces} and <tags -->

# Intro {#top-of-it}

:::note[Title]
<details>
text
</details>
:::

[file](./01-folder/02-page.md#twice-1) [by url](/guide/next/folder/named) [with base](/base/guide/next/folder/named)
[from here](./folder/named) [page](/about) [news](/blog/2024/01/31/news) [category](/guide/next/category/more)
[part](#in-the-part) [translated](/fr/guide/next/intro) [site](@site/static/img/a.png)
![](/img/a.png) [old](/old)

<Part />
`,
  'docs/01-folder/slugged.md': '---\nslug: /elsewhere/place\n---\n# Slugged\n\n[a](/guide/next/elsewhere/place)\n',
  'docs/_part.mdx': '## In the part\n\n[x](../anything)\n',
  'docs/01-folder/02-page.md': '---\nid: named\n---\n# Twice\n\n## Twice\n\n[up](../intro.md) [root](intro.md)\n',
};

const VITEPRESS: Files = {
  'docs/.vitepress/config.mts': `import { defineConfig } from 'vitepress';
import { nav } from './nav';
export default defineConfig({ srcDir: './src', cleanUrls: true, rewrites: { 'packages/:pkg/doc.md': ':pkg/index.md' },
  themeConfig: { nav, sidebar: side() } });
function side() { return [{ text: 'A', base: '/guide/', items: [{ text: 'Start', link: 'start' }] }]; }
`,
  'docs/.vitepress/nav.ts': `export const nav = [{ text: 'G', link: '/guide/start' }, { text: 'X', link: 'https://x.org' }];`,
  'docs/src/index.md': `# Home

::: tip Custom {open}
[a](./guide/start.md#install-it) [b](/guide/start.html) [c](guide/start#Install%20it!) [d](/core/) [e](/posts/any-one)
[f](/file.pdf) [g](./guide/start#own)
:::

<!--@include: ./parts/extra.md-->

[h](#from-elsewhere) <Teleport to="body">x</Teleport>
`,
  'docs/src/parts/extra.md': '## From elsewhere\n',
  'docs/src/guide/start.md': '# Start\n\n## Install it!\n\n### Mine {.x #own}\n',
  'docs/src/packages/core/doc.md': '# Core\n',
  'docs/src/posts/[slug].md': '# A post\n',
  'docs/src/public/file.pdf': 'x',
};

const MKDOCS: Files = {
  'mkdocs.yml': `site_name: X
site_url: https://example.com/sub/
nav:
  - Home: index.md   # first
  - Guide:
      - guide/start.md
      - "Second page": guide/second.md
  - Elsewhere: https://example.org
markdown_extensions:
  - toc:
      permalink: !!python/name:materialx.emoji.to_svg
  - pymdownx.snippets
plugins:
  - search
  - redirects:
      redirect_maps:
        old.md: guide/start.md
extra: { key: !ENV [NAME, 'x'] }
`,
  'docs/index.md': `# Home

!!! note "Look [here](guide/second.md)"

    ## In a note

    \`\`\`md
    [code](nowhere.md)
    \`\`\`

    ??? tip

        Nested [link](guide/start.md#install_1).

[a](#in-a-note) [b](guide/start/) [c](/sub/guide/second/) [d](https://x.org) [e](old.md) [f](#own) [g](#sniped)
![](img/a.png) <img src="img/a.png"> [h](/another-site/)

Paragraph {: #own }

--8<-- "includes/part.md"
`,
  'includes/part.md': '## Sniped\n',
  'docs/guide/start.md': '# Start\n\n## Install\n\n## Install\n\n[up](../index.md) [url](../second/)\n',
  'docs/guide/second.md': '# Second\n',
  'docs/img/a.png': 'x',
};

const lines = (files: Files, extra: Files = {}) =>
  new Site({ ...files, ...extra }).problems().map((problem) => `${problem.severity} ${describeProblem(problem)}`);

describe.each([
  ['docusaurus', DOCUSAURUS, 'Docusaurus (website/docusaurus.config.ts)', 7],
  ['vitepress', VITEPRESS, 'VitePress (docs/.vitepress/config.mts)', 5],
  ['mkdocs', MKDOCS, 'MkDocs (mkdocs.yml)', 3],
] as const)('a site of %s', (kind, files, words, pages) => {
  test('is found, and a good one has no problems', () => {
    const { site } = new Site(files).docs();
    expect(siteText(describeSite(site))).toBe(words);
    expect({ kind: site.kind, pages: site.pages.length }).toEqual({ kind, pages });
    expect(lines(files).filter((line) => !line.startsWith('notice'))).toEqual([]);
  });
});

describe('broken links of every kind of site are found where they are', () => {
  test.each([
    ['a file of Docusaurus', DOCUSAURUS, 'docs/x.md', '[a](./nope.md)', 'missing-page'],
    ['an address of Docusaurus', DOCUSAURUS, 'docs/x.md', '[a](/guide/next/nope)', 'missing-page'],
    ['the address that the slug took away', DOCUSAURUS, 'docs/x.md', '[a](/guide/next/folder/page)', 'missing-page'],
    ['an anchor of Docusaurus', DOCUSAURUS, 'docs/x.md', '[a](./intro.md#intro)', 'missing-anchor'],
    ['an image of Docusaurus', DOCUSAURUS, 'docs/x.md', '![](/img/nope.png)', 'missing-image'],
    ['an import of Docusaurus', DOCUSAURUS, 'docs/x.md', "import A from '@site/src/Nope';", 'missing-import'],
    ['MDX that does not parse', DOCUSAURUS, 'docs/x.md', '<b>{</b>', 'page-syntax'],
    ['a page of VitePress', VITEPRESS, 'docs/src/x.md', '[a](./nope)', 'missing-page'],
    ['an anchor of VitePress', VITEPRESS, 'docs/src/x.md', '[a](./guide/start#mine)', 'missing-anchor'],
    ['an image of VitePress', VITEPRESS, 'docs/src/x.md', '![](./nope.png)', 'missing-image'],
    ['a page of MkDocs', MKDOCS, 'docs/x.md', '[a](nope.md)', 'missing-page'],
    ['an address of MkDocs', MKDOCS, 'docs/x.md', '[a](../nope/)', 'missing-page'],
    ['a link in a note', MKDOCS, 'docs/x.md', '!!! note\n\n    [a](nope.md)', 'missing-page'],
    ['an anchor of MkDocs', MKDOCS, 'docs/x.md', '[a](guide/start.md#install-1)', 'missing-anchor'],
    ['an image of MkDocs', MKDOCS, 'docs/guide/x.md', '![](img/a.png)', 'missing-image'],
  ])('%s', (_, files, path, text, code) => {
    const found = new Site({ ...files, [path]: `${text}\n` }).problems().filter((problem) => problem.path === path);
    expect(found.filter(({ severity }) => severity === 'error').map((problem) => problem.code)).toEqual([code]);
  });

  test('with the line and the column', () => {
    const found = new Site({ ...MKDOCS, 'docs/x.md': '# X\n\nSee [a](nope.md).\n' }).problems();
    expect(found.find(({ code }) => code === 'missing-page')).toMatchObject({ line: 3, column: 9 });
  });

  test.each([
    ['mkdocs.yml', MKDOCS, { 'docs/guide/second.md': null }, 'mkdocs.yml:7'],
    ['sidebars', DOCUSAURUS, { 'website/versioned_docs/version-1.0/second.md': null }, 'version-1.0-sidebars.json:4'],
    ['.vitepress/config', VITEPRESS, { 'docs/src/guide/start.md': null }, 'docs/.vitepress/nav.ts:1'],
  ])('entries of %s without a page', (_, files, gone, place) => {
    const left = Object.fromEntries(Object.entries(files).filter(([path]) => !(path in gone)));
    expect(
      lines(left)
        .filter((line) => line.includes('navigation-missing-page'))
        .join(),
    ).toContain(place);
  });
});

describe('unknowable facts are not problems', () => {
  test.each([
    ['pages of a plugin', DOCUSAURUS, 'docs/x.md', '[a](/guide/next/api/made)', "plugins: ['./my-plugin', "],
    [
      'a list of pages with an address of its own in the sidebars',
      {
        ...DOCUSAURUS,
        'website/more.js': "export const more = { link: { type: 'generated-index', slug: 'own/list' } };",
        'website/sidebars.ts': "import { more } from './more.js';\nexport default { docs: ['intro', made(more)] };",
      },
      'docs/x.md',
      '[a](/guide/next/own/list) [b](own/list/)',
      '',
    ],
    [
      'headings of a plugin',
      { ...MKDOCS, 'docs/api.md': '::: package.module\n' },
      'docs/x.md',
      '[a](api.md#package.f)',
      '',
    ],
    ['what git ignores', { ...MKDOCS, '.gitignore': 'docs/made/\n' }, 'docs/x.md', '[a](made/page.md)', ''],
    [
      'what git ignores among the files that are served',
      { ...VITEPRESS, 'docs/src/public/a.png': 'x', '.gitignore': 'docs/src/public/made.txt\n' },
      'docs/src/x.md',
      '<a href="/made.txt">a</a>',
      '',
    ],
  ])('%s', (_, files, path, text, plugin) => {
    const config = String(DOCUSAURUS['website/docusaurus.config.ts']).replace('plugins: [', plugin || 'plugins: [');
    const changed = plugin ? { ...files, 'website/docusaurus.config.ts': config } : files;
    expect(lines({ ...changed, [path]: text }).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('pages in a submodule or behind a symbolic link, which is said', () => {
    const config = String(DOCUSAURUS['website/docusaurus.config.ts']).replace('/guide/one/intro', '/guide/next/any');
    const kept = Object.entries(DOCUSAURUS).filter(([path]) => !path.startsWith('docs/'));
    const site = { ...Object.fromEntries(kept), 'website/docusaurus.config.ts': config };
    const linking = { 'website/blog/2024-01-31-news.md': '# News\n\n[a](/guide/next/any) [b](/gone)\n' };
    for (const docs of [{ symlink: 'other/docs' }, { submodule: '0'.repeat(40) }]) {
      const found = lines({ ...site, ...linking, docs });
      expect(found.filter((line) => line.startsWith('error'))).toEqual([
        'error website/blog/2024-01-31-news.md:3 missing-page: The link "/gone" is broken: its target does not exist.',
      ]);
      expect(found.join()).toContain('not-checked: Pages in docs are behind a symbolic link or in a submodule');
    }
    const nav = { 'mkdocs.yml': 'site_name: x\nnav: [index.md, a/b.md]\n', docs: { symlink: 'elsewhere' } };
    expect(lines(nav).filter((line) => line.startsWith('error'))).toEqual([]);
  });

  test('the picture of a component that looks for it in its own folder', () => {
    const fumadocs = {
      'source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
      'lib/source.ts':
        "import { docs } from '../.source';\nexport const source = loader({ baseUrl: '/docs', source: docs.toFumadocsSource() });\n",
      'next.config.mjs': 'export default {};\n',
    };
    const page = '<Picture src="/a.png" /> <Picture src="/gone.png" /> <img src="/a.png" />\n';
    const found = lines({ ...fumadocs, 'content/docs/index.mdx': page, 'public/img/docs/a.png': 'x' });
    expect(found.filter((line) => line.includes('missing-image'))).toEqual([
      expect.stringContaining('"/gone.png" is broken'),
      expect.stringContaining('"/a.png" is broken'),
    ]);
  });

  test('but a folder that git ignores as a whole is where the site is built', () => {
    const served = { 'docs/src/public/a.png': 'x', '.gitignore': 'public/*\n!a.png\n' };
    const files = { ...VITEPRESS, ...served, 'docs/src/x.md': '[a](/gone)\n' };
    expect(lines(files).join()).toContain('error docs/src/x.md:1 missing-page');
  });

  test('but a redirect of the web server is reported as one', () => {
    const files = {
      ...VITEPRESS,
      'docs/src/public/_redirects': '# old\n/was/* /guide/:splat 301\n',
      'docs/src/x.md': '[a](/was/start)\n',
    };
    expect(lines(files).join()).toContain('notice docs/src/x.md:1 redirected-link');
  });

  test('addresses of a site generator that Docent does not know', () => {
    const files = {
      '_config.yml': '',
      'content/a.md': '+++\ntitle = "A"\n+++\n[a](/docs/x/) [b](nope.md) [c](../b/)\n',
    };
    const [said, broken] = lines(files);
    expect([said]).toEqual([expect.stringMatching(/^notice _config.yml:1 not-checked: The site is built with Jekyll/)]);
    expect([broken]).toEqual([
      'error content/a.md:4 missing-page: The link "nope.md" is broken: its target does not exist.',
    ]);
  });
});

describe('moving a page', () => {
  test('of MkDocs updates links, navigation and redirects, and keeps every other byte', () => {
    const site = new Site(MKDOCS);
    expect(site.call('move', { from: 'guide/second', to: 'guide/more.md' }).text).toMatch(
      /1 navigation entry updated, 1 redirect added/,
    );
    expect(site.introduced()).toEqual([]);
    expect(site.diff()).toContain('-      - "Second page": guide/second.md\n+      - "Second page": guide/more.md\n');
    expect(site.diff()).toContain('+        guide/second.md: guide/more.md\n');
    expect(site.text('docs/index.md')).toContain('[c](/sub/guide/more/)');
  });

  test('of Docusaurus follows links by file and by address, and says which code is left to change', () => {
    const site = new Site(DOCUSAURUS);
    const { text } = site.call('move', { from: 'docs/01-folder/02-page.md', to: 'docs/01-folder/03-other.md' });
    // The id in its front matter keeps its address.
    expect(text).toContain('1 link updated');
    expect(site.text('docs/intro.md')).toContain(
      '[file](./01-folder/03-other.md#twice-1) [by url](/guide/next/folder/named)',
    );
    const other = new Site(DOCUSAURUS);
    const moved = other.call('move', { from: 'docs/01-folder/02-page.md', to: 'docs/there/page.md' }).text;
    expect(other.text('docs/intro.md')).toContain(
      '[by url](/guide/next/there/named) [with base](/base/guide/next/there/named)',
    );
    expect(moved).toContain('website/sidebars.ts:1 lists "folder/named", which is now "there/named"');
    expect(moved).toContain('Add it to website/docusaurus.config.ts yourself');
    expect(other.changed()).not.toContain('website/sidebars.ts');
  });

  test('of VitePress says that it has no redirects', () => {
    const site = new Site(VITEPRESS);
    const { text } = site.call('move', { from: 'docs/src/guide/start.md', to: 'docs/src/guide/begin.md' });
    expect(text).toContain('docs/.vitepress/nav.ts:1 lists "/guide/start"');
    expect(text).toContain('which requires a plugin or the web server');
    expect(site.text('docs/src/index.md')).toContain('[a](./guide/begin.md#install-it) [b](/guide/begin.html)');
  });

  test('deleting one takes its line out of mkdocs.yml', () => {
    const site = new Site(MKDOCS);
    site.call('delete', { path: 'docs/guide/second.md', redirectTo: 'docs/guide/start.md' });
    expect(site.diff()).toContain('-      - "Second page": guide/second.md\n');
    expect(site.diff()).toContain('+        guide/second.md: guide/start.md\n');
  });

  test('a new page is entered behind its neighbors', () => {
    const site = new Site(MKDOCS);
    site.call('write', { path: 'docs/guide/third.md', content: '# Third\n', navigation: true });
    expect(site.diff()).toContain('+      - guide/third.md\n');
    expect(site.introduced()).toEqual([]);
  });
});

describe('a configuration is never run, whatever it says', () => {
  test.each([
    ['throws', 'docusaurus.config.js', 'throw new Error("ran");'],
    ['ends the process', 'docusaurus.config.js', 'process.exit(7); module.exports = {};'],
    ['is no program', 'docusaurus.config.js', 'module.exports = {{{'],
    ['calls itself', 'docusaurus.config.js', 'function a() { return a(); } module.exports = a();'],
    [
      'imports itself',
      'docusaurus.config.js',
      "const a = require('./docusaurus.config.js'); module.exports = { ...a, plugins: [a] };",
    ],
    ['nests deeply', 'docusaurus.config.js', `module.exports = ${'['.repeat(50_000)}`],
    ['nests parentheses', '.vitepress/config.ts', `export default ${'('.repeat(50_000)}`],
    [
      'grows without end',
      'docusaurus.config.js',
      `const a0 = ['x'];${Array.from({ length: 40 }, (_, i) => `const a${i + 1} = [...a${i}, ...a${i}];`).join('')}module.exports = { plugins: a40 };`,
    ],
    [
      'is YAML that grows',
      'mkdocs.yml',
      `a0: &a0 [x]\n${Array.from({ length: 40 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`).join('\n')}\nnav: *a40\n`,
    ],
    ['is YAML that nests', 'mkdocs.yml', `nav: ${'['.repeat(100_000)}`],
    ['is YAML of Python', 'mkdocs.yml', 'docs_dir: !!python/object/apply:os.system ["touch /tmp/x"]\n'],
    ['leads out of the repository', 'mkdocs.yml', 'docs_dir: ../../../etc\nINHERIT: /etc/passwd\n'],
  ])(
    'one that %s',
    (_, path, text) => {
      const startedAt = performance.now();
      const site = new Site({ [path]: text, 'docs/a.md': '[a](b.md)\n' });
      expect(site.docs().site.kind).not.toBe('plain');
      site.problems();
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    },
    60_000,
  );
});
