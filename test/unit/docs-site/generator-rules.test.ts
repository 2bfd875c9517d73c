import { describe, expect, test } from 'vitest';
import { describeProblem } from '@docent/docs-check/checks/problem';
import { withSuggestions } from '@docent/docs-check/checks/suggestions';
import { Site, type Files } from '../../support/fixture-site.ts';

/** What is wrong with a page, without notices. */
const found = (files: Files, site?: string) =>
  new Site(files, site === undefined ? {} : { site })
    .problems()
    .filter(({ severity }) => severity !== 'notice')
    .map((problem) => describeProblem(problem));

const MINTLIFY: Files = {
  'docs.json': '{ "navigation": { "pages": ["guides/start", "a"] } }',
  'guides/start.mdx': '# Start\n',
};
const VITEPRESS: Files = { '.vitepress/config.ts': 'export default {};', 'index.md': '# Home\n', 'parts/code.ts': 'x' };
const DOCUSAURUS: Files = {
  'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] };",
  'docs/one.md': '# One\n',
  'static/img/a.png': 'x',
};
/** With versions, as of the time when sidebars named them. */
const DOCUSAURUS_2: Files = {
  ...DOCUSAURUS,
  'package.json': '{ "dependencies": { "@docusaurus/core": "^2.4.0" } }',
  'versions.json': '["1.0"]',
  'versioned_docs/version-1.0/intro.md': '# Intro\n',
  'versioned_sidebars/version-1.0-sidebars.json': '{ "version-1.0/docs": ["version-1.0/intro"] }',
};
const MKDOCS: Files = {
  'mkdocs.yml': 'site_name: X\nmarkdown_extensions: [pymdownx.snippets]\n',
  'docs/index.md': '# Home\n',
  'includes/part.md': 'x',
};

const redirectTo = (to: string) =>
  `module.exports = { presets: [['classic', {}]],\n plugins: [['@docusaurus/plugin-client-redirects',\n { redirects: [{ from: '/x', to: '${to}' }] }]] };`;
const redirectMap = (to: string) => `plugins:\n  - redirects:\n      redirect_maps:\n        old.md: ${to}\n`;

/** What is suggested for each problem. */
const suggested = (files: Files, base?: Files) => {
  const now = new Site(files).docs();
  const problems = new Site(files).problems();
  return withSuggestions(now, problems, base && new Site(base).docs()).map(({ suggestion }) => suggestion);
};

describe('links that work are left alone', () => {
  test.each([
    ['the top of a Mintlify site without an index page', MINTLIFY, 'a.mdx', '[a](/)'],
    ['a folder of Mintlify without an index page', MINTLIFY, 'a.mdx', '[a](/guides) [b](./guides/)'],
    [
      'a group of Mintlify whose name looks like an address',
      { ...MINTLIFY, 'docs.json': '{ "navigation": { "groups": [{ "group": "/docs subpath", "pages": ["a"] }] } }' },
      'a.mdx',
      'text',
    ],
    ['the other extension of pages of Mintlify', MINTLIFY, 'a.mdx', '[a](./guides/start.md) [b](/guides/start.md)'],
    ['definitions that nothing uses', MINTLIFY, 'a.mdx', '[a]: /nowhere\n\n[//]: # (a comment)'],
    ...(
      [
        [{}, 'a.mdx'],
        [MINTLIFY, 'a.mdx'],
        [DOCUSAURUS, 'docs/a.mdx'],
      ] as [Files, string][]
    ).map(([files, file]) => [
      `a program in ${file} whose name has dots`,
      { ...files, 'x.client.tsx': 'x' },
      file,
      `import { X } from '${file.startsWith('docs/') ? '../' : './'}x.client';\n\n<X />`,
    ]),
    ['a second definition of a label', MINTLIFY, 'a.mdx', '[A] and [a]\n\n[a]: /guides/start\n[A]: /nowhere'],
    ['images of a plain repository that are served from elsewhere', {}, 'a.md', '![a](/uploads/a.png)'],
    [
      'files of an address that a component completes',
      DOCUSAURUS,
      'docs/a.md',
      'import Repo from \'@site/r.js\';\n\n<Repo href="/src/index.d.ts" />',
    ],
    [
      'modules that a script of VitePress imports',
      VITEPRESS,
      'a.md',
      "<script setup>\nimport { x } from './parts/code'\nimport y from './parts/code.js?raw'\nimport z from 'vue'\n</script>",
    ],
    [
      'templates of VitePress',
      VITEPRESS,
      'a.md',
      '<div>\n\n- <Badge text="x" /> {{ $frontmatter.title }} {{ }} {{ a | b }}\n\n</div>\n\n`<T>` `{{ .x }}`\n\n```\n<open> {{ .y }}\n```\n\n<br> <https://x.org>',
    ],
    [
      'tags of components in many lines',
      VITEPRESS,
      'a.md',
      '<MyLink\n  href="https://x.org"\n  title="x"\n>text</MyLink>\n\n> quoted\n\n<my-link\n  a="b"\n>\n\ntext\n\n</my-link>\n\n```\n<Open\n```',
    ],
    [
      'ids of headings that a program of the site writes',
      {
        ...VITEPRESS,
        '.vitepress/vite.config.ts': "import { T } from './plugins/t'\nexport default { plugins: [T()] }",
        '.vitepress/plugins/t.ts': 'const T = () => `\n## Type Declarations\n${code}` + "\\n### More: of it\\n";',
      },
      'a.md',
      '[a](#type-declarations) [b](#more-of-it)',
    ],
    ['templates with v-pre', VITEPRESS, 'a.md', '::: v-pre\n{{ .Values.x }}\n:::'],
    [
      'templates of VitePress with other delimiters',
      {
        ...VITEPRESS,
        '.vitepress/config.ts':
          "export default { vue: { template: { compilerOptions: { delimiters: ['[[', ']]'] } } } };",
      },
      'a.md',
      '{{ .Values.x }}',
    ],
    ['snippets of VitePress', VITEPRESS, 'a.md', '<<< @/parts/code.ts{1,3}\n\n<<< ./parts/code.ts#region [name]'],
    [
      'pictures of a post, from the address that its blog gives it',
      { ...MKDOCS, 'mkdocs.yml': 'plugins:\n  - blog\n', 'docs/blog/images/a.png': 'x' },
      'docs/blog/posts/a.md',
      '<img src="../../../../images/a.png"> ![a](../images/a.png)',
    ],
    [
      'raw HTML of MkDocs that starts from the address of the page',
      { ...MKDOCS, 'docs/a/c.md': '# C\n', 'docs/a/i.png': 'x' },
      'docs/a/b.md',
      '<a href="../c/#c">c</a> <img src="../i.png"> <a href="../../a/c">c</a>',
    ],
    [
      'raw HTML of MkDocs without folders of addresses',
      { ...MKDOCS, 'mkdocs.yml': 'use_directory_urls: false\n', 'docs/a/c.md': '# C\n', 'docs/a/i.png': 'x' },
      'docs/a/b.md',
      '<a href="c.html">c</a> <img src="i.png">',
    ],
    [
      'a picture of the theme of MkDocs, its map of the site and its feeds',
      {
        ...MKDOCS,
        'mkdocs.yml': 'site_url: https://x.org/\ntheme: { name: mkdocs, custom_dir: theme }\nplugins: [rss]\n',
        'theme/img/logo.svg': 'x',
      },
      'docs/a.md',
      '![a](img/logo.svg) [b](/sitemap.xml) [c](/feed_rss_created.xml)',
    ],
    [
      'a configuration of MkDocs with keys of the environment',
      { ...MKDOCS, 'mkdocs.yml': 'nav:\n  - !ENV [HOME, "Home"]: index.md\n  - !ENV OTHER: a.md\n' },
      'docs/a.md',
      'x',
    ],
    [
      'translations of MkDocs by the ends of their names',
      {
        ...MKDOCS,
        'mkdocs.yml':
          'site_url: https://x.org/\nplugins:\n  - i18n:\n      languages: [{ locale: en, default: true }, { locale: fr }]\n',
        'docs/page.md': '# P\n\n## Part\n',
        'docs/page.fr.md': '# P\n\n## Partie\n',
        'docs/only.md': '# Only\n',
      },
      'docs/a.fr.md',
      '[a](page.md#partie) [b](/fr/page/#partie) [c](only.md#only) [d](/fr/only/)',
    ],
    [
      'translations of MkDocs in folders',
      {
        ...MKDOCS,
        'mkdocs.yml':
          'site_url: https://x.org/\nplugins:\n  - i18n:\n      docs_structure: folder\n      languages: [{ locale: en, default: true }, { locale: fr }]\n',
        'docs/en/page.md': '# P\n\n## Part\n',
        'docs/fr/page.md': '# P\n\n## Partie\n',
        'docs/en/only.md': '# Only\n',
      },
      'docs/fr/a.md',
      '[a](page.md#partie) [b](/page/#part) [c](only.md#only) [d](/fr/only/)',
    ],
    [
      'headings of what a page of MkDocs includes',
      { ...MKDOCS, 'mkdocs.yml': 'markdown_extensions: [markdown_include.include]\n', 'docs/p.md': '## Time\n' },
      'docs/a.md',
      '[a](#time)\n\n{!docs/p.md!}',
    ],
    [
      'a fence of Docusaurus that its container ends',
      DOCUSAURUS,
      'docs/a.mdx',
      '<div>\n\n::::note\n\n:::tip\n\n````ps\n<T>\n\n:::\n\n::::\n\n</div>\n\n[a](one.md)',
    ],
    [
      'ids in brackets of Nextra',
      { 'next.config.mjs': "import nextra from 'nextra'" },
      'content/a.mdx',
      '[a](#own) [b](#c)\n\n## Heading [#own]\n\n## C',
    ],
    [
      'ids in brackets of Fumadocs',
      { 'source.config.ts': "import { defineDocs } from 'fumadocs-mdx/config'" },
      'content/docs/a.mdx',
      '[a](#own) [b](#c)\n\n## Heading [#own]\n\n## C',
    ],
    [
      'a heading of GitHub that ends or begins with a picture',
      {},
      'a.md',
      '# Hi ![b](a.md)\n\n## ![b](a.md) Ho\n\n[a](#hi-) [b](#-ho)',
    ],
    [
      'a page of Hugo that a mount puts beside another one',
      {
        'hugo.toml':
          '[[module.mounts]]\nsource = "content/en"\ntarget = "content"\n[[module.mounts]]\nsource = "geps"\ntarget = "content/geps"\n',
        'content/en/geps/overview.md': '## States\n',
      },
      'geps/1/index.md',
      '[a](../overview.md#states)',
    ],
    ['brackets in the text of a link', {}, 'a.md', '[Part *2 [Arabic] [one][two]*](https://x.org)'],
    [
      'links of VitePress that are to be left as they are',
      { ...VITEPRESS, 'public/ca.crt': 'x' },
      'a.md',
      '[a](/ca.crt){target="_self"} [b](/ca.crt){download} <a href="/ca.crt">c</a>',
    ],
    [
      'anchors of VitePress whose ids a function makes',
      {
        ...VITEPRESS,
        '.vitepress/config.ts': 'export default { markdown: { anchor: { slugify: (s) => s.replace(/ /g, "-") } } };',
      },
      'a.md',
      '[a](#One-Two)\n\n## One Two',
    ],
    ...[
      "markdown: { config(md) { md.core.ruler.push('ids', (state) => state.tokens[0].attrSet('id', 'x')); } }",
      "markdown: { preConfig: (md) => md.use(require('markdown-it-anchor'), { slugify: own }) }",
    ].map((setting): [string, Files, string, string] => [
      `anchors of VitePress whose ids a plugin makes: ${setting}`,
      { ...VITEPRESS, '.vitepress/config.ts': `export default { ${setting} };` },
      'a.md',
      '[a](#made)\n\n## One Two',
    ]),
    ...['import Own from "/parts/all-settings.vue"', ''].map((statement): [string, Files, string, string] => [
      `ids that a component of VitePress makes, with ${statement || 'no import'}`,
      {
        ...VITEPRESS,
        'parts/all-settings.vue': '<template><div><OneSetting v-for="s in all" /></div></template>',
        'parts/OneSetting.vue': '<template><h2 :id="name">x</h2></template>',
      },
      'a.md',
      statement
        ? `<script setup>\n${statement}\n</script>\n\n## A\n\n<Own :level="2" />\n\n[a](#made)`
        : '## A\n\n<all-settings />\n\n[a](#made)',
    ]),
    [
      'entries of awesome-nav with a title, from docs_dir',
      {
        ...MKDOCS,
        'mkdocs.yml': 'plugins: [search, awesome-nav]\n',
        'docs/s/.nav.yml': 'nav:\n  - All:\n      - Part: s/a.md\n',
      },
      'docs/s/a.md',
      'x',
    ],
    [
      'anchors of GitBook, which writes signs as words or dashes',
      { '.gitbook.yaml': 'root: ./\n', 'SUMMARY.md': '* [A](a.md)\n' },
      'a.md',
      '[a](a.md#usdsys.req.less-than-id-greater-than.statsz-requesting) [b](a.md#in-out) [c](a.md#q-and-a)\n\n## $SYS.REQ.\\<id>.STATSZ - Requesting\n\n## In/Out\n\n## Q & A\n',
    ],
    [
      'files that mkdocs-exclude leaves out',
      {
        ...MKDOCS,
        'mkdocs.yml': 'site_url: https://x.org/docs/\nplugins:\n  - exclude: { glob: [snip*/in/*, b.md] }\n',
      },
      'docs/snippets/more/in/a.md',
      '[a](/docs/gone.md)',
    ],
    [
      'anchors of GitBook that begin with digits, or lead to expandable blocks',
      { '.gitbook.yaml': 'root: ./\n', 'SUMMARY.md': '* [A](a.md)\n' },
      'a.md',
      '[a](a.md#id-1.-create-an-app) [b](a.md#guest-role) [c](#user-content-who)\n\n### 1. Create an app\n\n<details>\n\n<summary>Guest <b>role</b></summary>\n\nx\n\n</details>\n\n## Who may <a id="user-content-who"></a>\n',
    ],
    [
      'labels whose addresses Liquid makes',
      { '_config.yml': 'title: A\n', 'index.md': '# A\n' },
      'a.md',
      '[the road][Road] and [a post][post]\n\n[road]: {{ site.repository }}/issues/1\n[post]: {% post_url 2013-05-06-a %}\n',
    ],
    [
      'anchors of a page that includes another over several lines',
      { ...MKDOCS, 'docs/b.md': '{%\n  include-markdown "../gen/cli.md.snap"\n  comments=true\n%}\n' },
      'docs/a.md',
      '[a](b.md#made)',
    ],
    [
      'directives of Vue',
      VITEPRESS,
      'a.md',
      '<p :a="b" :c v-if="x && !y" v-for="(a, i) in [1]" @click="a++; b()" @x="(e) => { e }" #d="{ e }" v-once>z</p>',
    ],
    ...[
      [VITEPRESS, 'a.md'],
      [DOCUSAURUS, 'docs/a.md'],
    ].map(([files, file]) => [
      `front matter to the end of ${file}`,
      files,
      file,
      '---\ntitle: A\nx:\n  - b: "[c](/d)"',
    ]),
    [
      'files that plugins and hooks of VitePress write',
      {
        ...VITEPRESS,
        '.vitepress/config.ts':
          "import llms from 'vitepress-plugin-llms';\nexport default { sitemap: { hostname: 'https://x.org' }, buildEnd: () => feed() };",
        'vite.config.ts': "import { VitePWA } from 'vite-plugin-pwa';",
      },
      'a.md',
      '[a](/llms.txt) [b](/sitemap.xml) [c](/blog/feed.xml) <a href="/manifest.webmanifest">d</a>',
    ],
    [
      'tags of Vue inside a paragraph',
      VITEPRESS,
      'a.md',
      'a <b @click="x > 1">c</b> <span v-if="a" @a.b=\'c\' :d="e">f</span> <button\n  @click="x">g</button>',
    ],
    [
      'slots of a component of Vue',
      VITEPRESS,
      'a.md',
      '<Editor :a="b">\n\ntext\n\n<template #answer="{ x }">\n\nx\n\n</template>\n\n<template #[name]>\n\n[a](index.md)\n\n</template>\n\n</Editor>',
    ],
    ...[
      [VITEPRESS, 'a.md', '<!--', '-->', '```ts\nf<App>()\n{{ .x }}\n```'],
      [DOCUSAURUS, 'docs/a.mdx', '{/*', '*/}', '<b>x</b>'],
    ].map(([files, file, open, close, after]) => [
      `a comment that ends behind a container, as in ${file}`,
      files,
      file,
      `${open} x\n\n:::tip\ny\n::: ${close}\n\n${after}`,
    ]),
    ['snippets of MkDocs', MKDOCS, 'docs/a.md', '--8<-- "includes/part.md"\n\n```\n--8<-- "includes/part.md:2:3"\n```'],
    [
      'snippets in a language that only running tells',
      {
        ...MKDOCS,
        'mkdocs.yml': 'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: [!relative $config_dir]\n',
      },
      'docs/a.md',
      '--8<-- "any.md"',
    ],
    [
      'images that a page requires',
      DOCUSAURUS,
      'docs/a.mdx',
      "<img src={require('../static/img/a.png').default} />\n\n<img src={require('@site/static/img/a.png')} /> <img src={useBaseUrl('/img/a.png')} />",
    ],
    [
      'components that a page has',
      DOCUSAURUS,
      'docs/a.mdx',
      "import A, { B as C } from '@site/r.js';\n\nexport const D = () => <b />;\n\nexport const { E, f: [F] } = {};\n\n<A /> <C.D /> <D /> <E /> <F /> <Head /> <Details /> <b />",
    ],
    [
      'components of Mintlify, and those that a page has',
      MINTLIFY,
      'a.mdx',
      'import { A } from \'/guides/start.mdx\';\n\nexport const B = () => <b />;\n\n<Steps><Step title="x"><A /><B /></Step></Steps>\n\n<Tree.Folder /> <Visibility>x</Visibility> <Snippet file="" />',
    ],
    [
      'components of the whole site',
      {
        ...DOCUSAURUS,
        'src/theme/MDXComponents.tsx': "import Own from './Own';\nexport default { ...Original, Own, Other: Own };",
      },
      'docs/a.mdx',
      '<Own /> <Other />',
    ],
    ...[
      ['tags', '<section>\n\nOpen\n\n<a\n  href="https://x.org"\n>\n  x\n</a> and <br> {'],
      ['links', '[a](one.md/) [b]\n\n[b]: ./one.md/'],
      ['images', "<img src={require('@site/static/img/gone.png').default} />"],
      ['anchors', "import Props from 'acme/props.md';\nimport { x } from '@site/r.js'\n\n[a](#props)\n\n<Props />"],
    ].map(([name, text]) => [`${name} of Docusaurus 2`, DOCUSAURUS_2, 'docs/a.md', text]),
    [
      'anchors of a canary release of Docusaurus 2',
      { ...DOCUSAURUS, 'package.json': '{ "x": { "@docusaurus/core": "0.0.0-4192", "@mdx-js/react": "^1.6.22" } }' },
      'docs/a.md',
      '<section>\n\nOpen',
    ],
    [
      'anchors of what a page takes in and a build makes',
      { ...DOCUSAURUS, '.gitignore': 'made/' },
      'docs/a.mdx',
      "import Props from '@site/made/props.md';\n\n[a](#props)\n\n<Props />",
    ],
    ['front matter as js-yaml takes it', DOCUSAURUS, 'docs/a.mdx', '---\nslug: /b\ntitle: "A\n"\n---\n\n[a](/docs/b)'],
    [
      'components where a theme may have any',
      {
        ...DOCUSAURUS,
        'docusaurus.config.js': "module.exports = { presets: [['classic', {}]], themes: ['acme-theme'] };",
      },
      'docs/a.mdx',
      '<Any />',
    ],
  ] as [string, Files, string, string][])('%s', (_, files, path, text) => {
    const extra: Files = path.startsWith('docs/') && 'docusaurus.config.js' in files ? { 'r.js': 'x' } : {};
    expect(found({ ...files, ...extra, [path]: `${text}\n` })).toEqual([]);
  });
});

describe('finds broken links', () => {
  test.each([
    [
      'a folder of Mintlify without pages',
      { ...MINTLIFY, 'images/a.png': 'x' },
      'a.mdx',
      '[a](/images)',
      'missing-page',
    ],
    ...(['suffix', 'folder'] as const).map((structure): [string, Record<string, string>, string, string, string] => [
      `a page without a translation in MkDocs by ${structure}, if it does not fall back`,
      {
        ...MKDOCS,
        'mkdocs.yml': `site_url: https://x.org/\nplugins:\n  - i18n:\n      docs_structure: ${structure}\n      fallback_to_default: false\n      languages: [{ locale: en, default: true }, { locale: fr }]\n`,
        ...(structure === 'suffix' ? { 'docs/only.md': '# O\n' } : { 'docs/en/only.md': '# O\n' }),
      },
      structure === 'suffix' ? 'docs/a.fr.md' : 'docs/fr/a.md',
      '[a](only.md)',
      'missing-page',
    ]),
    ['a definition that an image uses', MINTLIFY, 'a.mdx', '![x][a]\n\n[a]: /nowhere', 'missing-page'],
    [
      'an image of a plain repository, beside others',
      { 'images/a.png': 'x' },
      'a.md',
      '![a](/images/b.png)',
      'missing-image',
    ],
    [
      'an import of a script of VitePress',
      VITEPRESS,
      'a.md',
      '<script setup lang="ts">\nimport X from \'./Nope.vue\'\n</script>',
      'missing-import',
    ],
    ['an element that is never closed', VITEPRESS, 'a.md', 'Text <your-name> here', 'page-syntax'],
    ['an end of no element', VITEPRESS, 'a.md', 'Text\n\n</div>', 'page-syntax'],
    ['an expression that is none', VITEPRESS, 'a.md', 'Text {{ .Values.x }}', 'page-syntax'],
    ['a snippet of VitePress', VITEPRESS, 'a.md', '<<< @/parts/gone.ts', 'missing-import'],
    [
      'a file that a post of MkDocs names',
      { ...MKDOCS, 'mkdocs.yml': 'plugins:\n  - blog\n' },
      'docs/blog/posts/a.md',
      '![a](../images/gone.png)',
      'missing-image',
    ],
    ...['c.md', './c.md', 'c/', 'c', 'c.html', '../c.md'].map((target) => [
      `raw HTML of MkDocs that names ${target} as Markdown would`,
      { ...MKDOCS, 'docs/a/c.md': '# C\n' },
      'docs/a/b.md',
      `<a href="${target}">c</a>`,
      target.endsWith('html') ? 'missing-file' : 'missing-page',
    ]),
    [
      'a picture in raw HTML of MkDocs, beside the page',
      { ...MKDOCS, 'docs/a/i.png': 'x' },
      'docs/a/b.md',
      '<img src="i.png">',
      'missing-image',
    ],
    ['a file in raw HTML of Docusaurus', DOCUSAURUS, 'docs/a.md', '<a href="one.md">x</a>', 'missing-page'],
    [
      'a picture in raw HTML of Docusaurus, beside the page',
      { ...DOCUSAURUS, 'docs/i.png': 'x' },
      'docs/a.md',
      '<img src="i.png" alt="x" />',
      'missing-image',
    ],
    [
      'a picture in raw HTML of Starlight, beside the page',
      {
        'astro.config.mjs':
          "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'X' })] };",
        'src/content/docs/index.md': '---\ntitle: X\n---\n',
        'src/content/docs/i.png': 'x',
      },
      'src/content/docs/a.md',
      '---\ntitle: A\n---\n<img src="./i.png">',
      'missing-image',
    ],
    ['a file in raw HTML of VitePress', VITEPRESS, 'a.md', '<a href="./index.md">x</a>', 'missing-page'],
    [
      'a file that no plugin of VitePress writes',
      { ...VITEPRESS, '.vitepress/config.ts': "import llms from 'vitepress-plugin-llms';\nexport default {};" },
      'a.md',
      '[x](/feed.xml)',
      'missing-file',
    ],
    [
      'a page that is missing where a plugin of VitePress copies pages as Markdown',
      {
        ...VITEPRESS,
        '.vitepress/config.ts': "import llms from 'vitepress-plugin-llms';\nexport default {};",
        'c.md': '# C\n',
      },
      'a.md',
      '[x](./gone.md) <a href="/c.md">c</a>',
      'missing-page',
    ],
    ['front matter without an end', VITEPRESS, 'a.md', '---\ntitle: A\n\nText\n\n- b', 'front-matter'],
    ['a folder of VitePress that is a page', { ...VITEPRESS, 'c.md': '# C\n' }, 'a.md', '[x](c/)', 'missing-page'],
    [
      'a file whose extension VitePress takes for that of a page',
      { ...VITEPRESS, 'public/ca.crt': 'x' },
      'a.md',
      '[x](/ca.crt)',
      'missing-file',
    ],
    [
      'a picture of VitePress where dead links are ignored',
      { ...VITEPRESS, '.vitepress/config.ts': 'export default { ignoreDeadLinks: true };' },
      'a.md',
      '![x](./no.png) [y](gone.md)',
      'missing-image',
    ],
    ...[':a="b +"', 'v-if="b +"', '@click="b("', ':class="{a: "', 'v-for="a b"'].map((attribute) => [
      `the directive ${attribute}`,
      VITEPRESS,
      'a.md',
      `Text <span ${attribute}>x</span>`,
      'page-syntax',
    ]),
    [
      'a heading of GitHub that ends with a picture, without its space',
      {},
      'a.md',
      '# Hi ![b](a.md)\n\n[a](#hi)',
      'missing-anchor',
    ],
    [
      'an include of MkDocs',
      { ...MKDOCS, 'mkdocs.yml': 'markdown_extensions: [markdown_include.include]\n' },
      'docs/a.md',
      '{!docs/gone.md!}',
      'missing-import',
    ],
    [
      'an anchor behind a redirect of Mintlify',
      {
        ...MINTLIFY,
        'docs.json':
          '{ "navigation": { "pages": ["guides/start", "a"] }, "redirects": [{ "source": "/old", "destination": "/guides/start" }] }',
      },
      'a.mdx',
      '[a](/old#gone)',
      'missing-anchor',
    ],
    ...['awesome-nav', 'awesome-pages'].map((plugin) => [
      `an entry of ${plugin}`,
      {
        ...MKDOCS,
        'mkdocs.yml': `plugins: [search, ${plugin}]\n`,
        [plugin === 'awesome-nav' ? 'docs/s/.nav.yml' : 'docs/s/.pages']:
          'nav:\n  - a.md\n  - "*"\n  - ...\n  - Gone: gone.md\n',
      },
      'docs/s/a.md',
      'x',
      'navigation-missing-page',
    ]),
    [
      'an anchor beside a component of VitePress that makes no ids',
      { ...VITEPRESS, 'parts/Plain.vue': '<script>const a = { id: 1 };</script><template><b>x</b></template>' },
      'a.md',
      '## A\n\n<Plain /> <Badge text="x" />\n\n[a](#made)',
      'missing-anchor',
    ],
    [
      'an entry of awesome-nav in no folder',
      {
        ...MKDOCS,
        'mkdocs.yml': 'plugins: [search, awesome-nav]\n',
        'docs/s/.nav.yml': 'nav:\n  - All:\n      - Part: s/gone.md\n',
      },
      'docs/s/a.md',
      'x',
      'navigation-missing-page',
    ],
    [
      'an anchor of GitBook',
      { '.gitbook.yaml': 'root: ./\n', 'SUMMARY.md': '* [A](a.md)\n' },
      'a.md',
      '[a](a.md#gone)\n\n## In/Out\n',
      'missing-anchor',
    ],
    [
      'a link in a file that mkdocs-exclude does not leave out',
      { ...MKDOCS, 'mkdocs.yml': 'site_url: https://x.org/docs/\nplugins:\n  - exclude: { glob: "*/b.md" }\n' },
      'docs/snippets/a.md',
      '[a](/docs/gone.md)',
      'missing-page',
    ],
    [
      'a picture of VitePress whose configuration computes rewrites',
      { ...VITEPRESS, '.vitepress/config.ts': 'export default { rewrites: { [`${a}/:x*`]: ":x*" } };' },
      'a.md',
      '![a](./gone.png) [b](./gone.md)',
      'missing-image',
    ],
    ['a snippet of MkDocs', MKDOCS, 'docs/a.md', '```\n--8<-- "includes/gone.md"\n```', 'missing-import'],
    [
      'an image that a page requires',
      DOCUSAURUS,
      'docs/a.mdx',
      "<img src={require('./gone.png').default} />",
      'missing-image',
    ],
    ['an import of Docusaurus 2', DOCUSAURUS_2, 'docs/a.md', "import A,\n  { b } from './gone.md';", 'missing-import'],
    ['a link with a slash', { ...DOCUSAURUS, 'docs/one.md': '# One\n' }, 'docs/a.md', '[a](one.md/)', 'missing-page'],
    ['a component that Mintlify has not', MINTLIFY, 'a.mdx', 'Text\n\n<Warn>x</Warn>', 'missing-import'],
    ['a component that nothing provides', DOCUSAURUS, 'docs/a.mdx', 'Text <Tabs>x</Tabs>', 'missing-import'],
    [
      'a page of a folder with its name and an id',
      { ...DOCUSAURUS, 'docs/b/b.md': '---\nid: other\n---\n# B\n' },
      'docs/a.md',
      '[a](/docs/b) [b](/docs/b/other)',
      'missing-page',
    ],
  ] as [string, Files, string, string, string][])('%s', (_, files, path, text, code) => {
    const lines = found({ ...files, [path]: `${text}\n` });
    expect(lines).toEqual([expect.stringContaining(` ${code}: `)]);
  });

  test('redirects to nowhere, where they are', () => {
    expect(found({ ...DOCUSAURUS, 'docusaurus.config.js': redirectTo('/docs/one?a#b') })).toEqual([]);
    expect(found({ ...DOCUSAURUS, 'docusaurus.config.js': redirectTo('/docs/gone') })).toEqual([
      'docusaurus.config.js:3 redirect-to-nowhere: The redirect to "/docs/gone" is broken: its target does not exist.',
    ]);
    expect(found({ ...MKDOCS, 'mkdocs.yml': redirectMap('index.md#x') })).toEqual([]);
    expect(found({ ...MKDOCS, 'mkdocs.yml': redirectMap('made.md'), '.gitignore': 'docs/made.md\n' })).toEqual([]);
    expect(found({ ...MKDOCS, 'mkdocs.yml': redirectMap('gone.md') })).toEqual([
      'mkdocs.yml:4 redirect-to-nowhere: The redirect to "gone.md" is broken: its target does not exist.',
    ]);
  });
});

/** A site of Docusaurus with an item in its bar and in its foot. */
const themed = (item: string) => ({
  ...DOCUSAURUS,
  'docusaurus.config.js': `module.exports = { baseUrl: '/base/', presets: [['classic', {}]], themeConfig: {
 navbar: { items: [{ label: 'More', items: [${item}] }] },
 footer: { links: [{ items: [${item}] }] } } };`,
});

describe('links of the bar and the foot of Docusaurus', () => {
  test.each([
    "{ to: '/docs/one' }",
    "{ to: 'docs/one#one' }",
    "{ href: '/base/docs/one' }",
    "{ href: '/img/a.png' }",
    "{ href: 'https://example.org/gone' }",
    "{ to: 'pathname:///gone' }",
    "{ to: '/gone', target: '_blank' }",
    "{ to: '/gone', 'data-noBrokenLinkCheck': true }",
    "{ to: prefix + '/gone' }",
    "{ type: 'docsVersionDropdown' }",
  ])('%s is left alone', (item) => expect(found(themed(item))).toEqual([]));

  test.each(["{ to: '/docs/gone' }", "{ to: 'docs/gone' }", "{ href: '/docs/gone', label: 'x' }"])(
    '%s leads to nothing',
    (item) => {
      expect(found(themed(item))).toEqual([
        expect.stringMatching(/^docusaurus.config.js:2 missing-page: The link "\/docs\/gone" on every page/),
        expect.stringMatching(/^docusaurus.config.js:3 missing-page: /),
      ]);
    },
  );
});

test.each([
  ['Mintlify', { 'docs.json': '{ "navigation": { "pages": ["made/a", "made/in/b", "c"] } }' }],
  ['MkDocs', { 'mkdocs.yml': 'nav: [made/a.md, made/in/b.md, c.md]\n', 'docs/index.md': '# Home\n' }],
] as [string, Files][])('entries of %s in a folder that is missing have one cause', (_, files) => {
  const problems = new Site(files).problems().filter(({ severity }) => severity === 'error');
  const folder = 'mkdocs.yml' in files ? 'docs/made' : 'made';
  expect(problems.map(({ cause }) => cause)).toEqual([folder, folder, undefined]);
  expect(problems[1]!.message).toMatch(
    new RegExp(`^The navigation lists "made/in/b.*, but the folder ${folder} does not exist\\.$`),
  );
});

test('posts of a blog, and what the configuration leaves out, need no entry in the navigation of MkDocs', () => {
  const files = {
    'mkdocs.yml': 'nav: [index.md]\nplugins: [blog]\nnot_in_nav: |\n  /drafts/\n',
    'docs/index.md': '# Home\n',
    'docs/blog/posts/one.md': '# One\n',
    'docs/drafts/two.md': '# Two\n',
    'docs/three.md': '# Three\n',
  };
  const left = new Site(files).problems().filter(({ code }) => code === 'page-not-in-navigation');
  expect(left.map(({ path }) => path)).toEqual(['docs/three.md']);
});

test('files that the options of Docusaurus leave out are not pages', () => {
  const config = "module.exports = { presets: [['classic', { docs: { exclude: ['README.md', 'old/**'] } }]] };";
  const files = { ...DOCUSAURUS, 'docusaurus.config.js': config, 'docs/README.md': '[x](/scripts)\n' };
  expect(found({ ...files, 'docs/old/a.md': '[x](gone.md)\n' })).toEqual([]);
  expect(found({ ...files, 'docs/sub/README.md': '[x](gone.md)\n' })).toHaveLength(1);
});

describe('raw HTML', () => {
  const files: Files = {
    ...MKDOCS,
    'docs/a/c.md': '# C\n',
    'docs/img/i.png': 'x',
    'docs/a/b.md': '<a href="c.md">x</a> <img src="../img/j.png"> [m](gone/c.md)\n',
    'docs/img/j.jpg': 'x',
  };

  test('gets suggestions that work in the built site, and never the path of a file', () => {
    expect(suggested(files)).toEqual(['../c/', undefined, 'c.md']);
    expect(suggested({ ...files, 'docs/pics/j.png': 'x' })).toEqual(['../c/', '../../pics/j.png', 'c.md']);
  });

  test('follows a page and a picture that move', () => {
    const own = { ...files, 'docs/a/b.md': '<a href="../c/#c">x</a> <img src="../../img/i.png">\n' };
    const site = new Site(own);
    site.call('move', { from: 'docs/a/b.md', to: 'docs/deep/er/b.md' });
    expect(site.text('docs/deep/er/b.md')).toBe('<a href="../../../a/c/#c">x</a> <img src="../../../img/i.png">\n');
    expect(site.introduced().filter((line) => !line.includes('missing-redirect'))).toEqual([]);
    const other = new Site(own);
    other.call('move', { from: 'docs/img/i.png', to: 'docs/a/i.png' });
    expect(other.text('docs/a/b.md')).toBe('<a href="../c/#c">x</a> <img src="../i.png">\n');
  });
});

describe('a suggestion', () => {
  const text = '# Setting things up\n\nOne line that stays.\n\nAnother line that stays.\n';

  test('is given at each link to a page that was renamed, in the spelling of the link', () => {
    const rest = {
      'mkdocs.yml': 'site_name: X\n',
      'docs/a.md': '[a](guide/setup.md#top) [b](guide/setup.md)\n',
      'docs/b/c.md': '[c](../guide/setup.md)\n',
    };
    const before = { ...rest, 'docs/guide/setup.md': text };
    expect(suggested({ ...rest, 'docs/start/installing.md': text }, before)).toEqual([
      'start/installing.md#top',
      'start/installing.md',
      '../start/installing.md',
    ]);
  });

  test('never leads out of the site', () => {
    const files = {
      'mkdocs.yml': 'site_name: X\n',
      'docs/a.md': '[a](setup.md) ![b](logo.png)\n',
      'setup.md': text,
      'assets/logo.png': 'x',
    };
    expect(suggested(files)).toEqual([undefined, undefined]);
    const website = {
      'website/docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { path: '../docs' } }]] };",
      'docs/a.md': '[a](setup.md)\n',
      'packages/x/setup.md': text,
    };
    expect(suggested(website)).toEqual([undefined]);
    expect(suggested({ ...website, 'docs/guide/setup.md': text })).toEqual(['guide/setup.md']);
  });
});

test.each([
  ['MkDocs', { ...MKDOCS, 'mkdocs.yml': 'site_name: X\nnav:\n  - index.md\n  - Part:\n      - Again: index.md\n' }, 5],
  ['mdBook', { 'book.toml': '[book]\n', 'src/SUMMARY.md': '[A](a.md)\n\n- [B](a.md)\n', 'src/a.md': '# A\n' }, 3],
  ['Mintlify', { ...MINTLIFY, 'docs.json': '{ "navigation": { "pages": ["guides/start",\n"guides/start"] } }' }, 2],
] as [string, Files, number][])('a page that the navigation of %s lists twice is reported', (_, files, line) => {
  const repeated = new Site(files).problems().filter(({ code }) => code === 'navigation-repeated-page');
  expect(repeated).toEqual([expect.objectContaining({ line, severity: 'notice' })]);
});

test('the navigations of two versions may list one page each', () => {
  const versions = '{ "versions": [{ "version": "1", "pages": ["a"] }, { "version": "2", "pages": ["a"] }] }';
  const files = { ...MINTLIFY, 'docs.json': `{ "navigation": ${versions} }`, 'a.mdx': '# A\n' };
  expect(new Site(files).problems().filter(({ code }) => code === 'navigation-repeated-page')).toEqual([]);
});
