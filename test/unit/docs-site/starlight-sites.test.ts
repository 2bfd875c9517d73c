import { describe, expect, test } from 'vitest';
import { describeProblem } from '@docent/docs-check/checks/problem';
import { describeSite, siteText } from '@docent/docs-check/read/describe-site';
import { Site, type Files } from '../../support/fixture-site.ts';

const CONFIG = `import { defineConfig } from 'astro/config';
import starlight from '@astrojs/starlight';
import sitemap from '@astrojs/sitemap';
import { group } from './sidebar';
export default defineConfig({
  redirects: { '/old': '/guides/start/', '/posts/[...slug]': '/guides/[...slug]' },
  integrations: [
    starlight({
      title: 'X',
      locales: { root: { label: 'English' }, fr: { label: 'Français' } },
      sidebar: ['guides/start', { label: 'More', items: [{ slug: 'named' }, { link: '/guides/second/' }] },
        group('x', { items: ['guides/nodejs'] }), { autogenerate: { directory: 'reference' } }],
    }),
    sitemap(),
  ],
});
`;
const SITE: Files = {
  'astro.config.mjs': CONFIG,
  'sidebar.ts': 'export function group(name, rest) { return { label: labels[name], ...rest }; }',
  'tsconfig.json': '{ "compilerOptions": { "paths": { "~/*": ["./src/*"] } } } // end',
  'src/content.config.ts':
    'export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };',
  'src/content/docs/index.mdx': `---
title: Home
---
import { Card, Tabs, TabItem } from '@astrojs/starlight/components';
import Logo from '../../assets/logo.svg';
import Note from '~/components/Note.astro';

:::note[Look {here}]
[a](/guides/start/) [b](/guides/start#quoted-isnt-it) [c](guides/second/) [d](/named) [e](/guides/nodejs/)
:::

[f](/old) [g](/posts/start) [h](/file.pdf) [i](/about/) [j](/blog/any/) [k](#_top) [l](/sitemap-index.xml)
[m](/fr/guides/second/) [n](/fr/) [p](#end)

![](../../assets/logo.svg) ![](~/assets/logo.svg) ![](@other/x.svg) ![](/file.png) <Card title="X" href="/guides/start/" />

<Note />

## End
`,
  'src/content/docs/guides/start.md':
    '---\ntitle: Start\n---\n\n## "Quoted" isn\'t it\n\n[a](../second/) [b](../second/#second) [c](../../)\n\n## Second\n',
  'src/content/docs/guides/second.md': '---\ntitle: Second\n---\n## Second\n\n## Ends -\n',
  'src/content/docs/guides/Node.js.md': '---\ntitle: N\n---\n[a](/guides/second/#ends-) [b](/guides/second/#ends--)\n',
  'src/content/docs/guides/elsewhere.md': '---\ntitle: E\nslug: named\n---\n',
  'src/content/docs/fr/guides/start.md': '---\ntitle: F\n---\n[a](/fr/guides/second/#second)\n',
  'src/content/docs/reference/api.mdx':
    '---\ntitle: A\n---\nimport Made from \'../../../components/Made.astro\';\n\n## B\n\n<Made of="x" />\n',
  'src/content/docs/_part.mdx': '## Part\n\n[x](relative-to-who)\n',
  'src/components/Note.astro':
    '---\nimport { Icon } from "@astrojs/starlight/components";\n---\n<p><Icon name="x" /></p>\n',
  'src/components/Made.astro': '<h2 id={x}>Made</h2>\n',
  'src/assets/logo.svg': '<svg/>',
  'src/pages/about.astro': '<p>x</p>',
  'src/pages/blog/[name].astro': '<p>x</p>',
  'public/file.pdf': 'x',
  'public/file.png': 'x',
};

const problems = (extra: Files = {}) => new Site({ ...SITE, ...extra }).problems();
const lines = (extra: Files = {}) =>
  problems(extra)
    .filter(({ severity, code }) => severity !== 'notice' || code === 'not-checked')
    .map((problem) => `${problem.severity} ${describeProblem(problem)}`);

describe('a site of Starlight', () => {
  test('is found, and a good one has no problems', () => {
    expect(siteText(describeSite(new Site(SITE).docs().site))).toBe('Starlight (astro.config.mjs)');
    expect(lines()).toEqual([]);
  });

  test('a site of Astro without Starlight is still of unknown addresses', () => {
    const config = 'export default defineConfig({ integrations: [] });';
    expect(new Site({ ...SITE, 'astro.config.mjs': config }).docs().site).toMatchObject({
      kind: 'plain',
      doubt: { name: 'Astro' },
    });
  });

  test.each([
    ['an address', '[a](/guides/nope/)', 'missing-page'],
    ['the address that front matter took away', '[a](/guides/elsewhere/)', 'missing-page'],
    ['the name of the file, of which a slug is made', '[a](/guides/Node.js/)', 'missing-file'],
    ['a relative address', '[a](../nope/)', 'missing-page'],
    ['a file, which Astro makes no address of', '[a](./second.md)', 'missing-page'],
    ['a page of another language that the first one has not, either', '[a](/fr/guides/nope/)', 'missing-page'],
    ['an anchor', '[a](/guides/second/#nope)', 'missing-anchor'],
    ['an anchor of a page that stands in for another language', '[a](/fr/guides/second/#nope)', 'missing-anchor'],
    ['a file of public/', '[a](/nope.pdf)', 'missing-file'],
    ['an image beside the page', '![](./nope.png)', 'missing-image'],
    ['an image of public/', '![](/nope.png)', 'missing-image'],
    ['an image by the name of a folder', '![](~/assets/nope.svg)', 'missing-image'],
    ['an import', "import A from '../../../components/Nope.astro';", 'missing-import'],
    ['a component that nobody imports', '<Nope />', 'missing-import'],
    ['a tag that is never closed', '<Steps>', 'page-syntax'],
  ])('%s leads readers to nothing', (_, text, code) => {
    const found = problems({ 'src/content/docs/guides/x.mdx': `---\ntitle: X\n---\n${text}\n` });
    expect(found.filter(({ severity }) => severity === 'error').map((problem) => problem.code)).toEqual([code]);
  });

  test('anchors that a component may make are not checked, and that is said', () => {
    const text =
      '---\ntitle: X\n---\n[a](/reference/api/#made-by-a-component) [b](/reference/api/#b) [c](/reference/api/#c)\n';
    expect(lines({ 'src/content/docs/guides/x.mdx': text })).toEqual([
      'notice src/content/docs/reference/api.mdx:1 not-checked: 2 links to anchors of src/content/docs/reference/api.mdx could not be checked: a component, shortcode, directive or included file there may make the IDs.',
    ]);
  });

  test('attributes of a directive within a text are not an expression of MDX', () => {
    const text = '---\ntitle: X\n---\nBy :a[Acme]{.intro href="/guides/start/"} and {1 + 1}.\n';
    expect(lines({ 'src/content/docs/guides/x.mdx': text })).toEqual([]);
  });

  test('a plugin that cuts off extensions leads .md to a page in .mdx', () => {
    const extra = {
      'src/content/docs/guides/x.mdx': '---\ntitle: X\n---\n[a](./y.md) [b](./z.md)\n',
      'src/content/docs/guides/y.mdx': '---\ntitle: Y\n---\n',
      'remark-cut.mjs':
        "/** Of remark. */ export const cut = () => (tree) => visit(tree, 'link', (n) => { n.url = n.url.replace('.md', ''); });",
      'astro.config.mjs': `import { cut } from './remark-cut.mjs';\n${CONFIG.replace('integrations:', 'markdown: { remarkPlugins: [cut] }, integrations:')}`,
    };
    expect(problems(extra).filter(({ code }) => code === 'missing-page')).toMatchObject([{ target: './z.md' }]);
  });

  test('entries of the sidebar and redirects without a page', () => {
    const config = CONFIG.replace("'guides/start',", "'guides/nope', { link: '/nowhere/' },").replace(
      "'/guides/start/'",
      "'/gone/'",
    );
    expect(lines({ 'astro.config.mjs': config })).toEqual([
      'warning astro.config.mjs:6 redirect-to-nowhere: The redirect to "/gone/" is broken: its target does not exist.',
      'error astro.config.mjs:11 navigation-missing-page: The navigation lists "guides/nope", but this page does not exist.',
      'error astro.config.mjs:11 navigation-missing-page: The navigation lists "/nowhere/", but this page does not exist.',
    ]);
  });

  test('links that do not begin with the base miss the site if they mean a page of it', () => {
    const config = CONFIG.replace('redirects:', "base: '/docs', redirects:");
    const page = '---\ntitle: X\n---\n[a](/docs/guides/start/) [b](/guides/start/) [c](/other-site/) [d](../start/)\n';
    const found = problems({ 'astro.config.mjs': config, 'src/content/docs/guides/x.md': page });
    expect(found.filter(({ path }) => path.endsWith('/x.md')).map(describeProblem)).toEqual([
      'src/content/docs/guides/x.md:4 missing-page: The link "/guides/start/" is broken: it does not begin with /docs, the base of the site.',
    ]);
  });
});

describe('effects of packages and programs on a Starlight site', () => {
  const broken = {
    'src/content/docs/guides/x.md': '---\ntitle: X\n---\n[a](/guides/nope/) [b](/made/any/) [c](#nope)\n',
  };
  const found = (line: string, extra: Files = {}) =>
    problems({ ...broken, 'astro.config.mjs': `${line}\n${CONFIG}`, ...extra })
      .filter(({ code, severity }) => severity === 'error' || code === 'not-checked')
      .map(({ code, target = '' }) => `${code} ${target}`.trim());
  const all = ['missing-page /guides/nope/', 'missing-page /made/any/', 'missing-anchor #nope'];

  test('those that are known turn nothing off', () => {
    expect(found("import links from 'starlight-links-validator';")).toEqual(all);
  });

  test('links that starlight-links-validator skips are skipped', () => {
    const config = CONFIG.replace(
      "title: 'X',",
      "title: 'X', plugins: [links({ exclude: ['/guides/nope/', '/made/**', '/any'] })],",
    );
    const files = { ...broken, 'astro.config.mjs': `import links from 'starlight-links-validator';\n${config}` };
    const page = '---\ntitle: Y\n---\n[a](/guides/nope) [b](/x/any/)\n';
    const errors = problems({ ...files, 'src/content/docs/guides/y.md': page }).filter(
      ({ severity }) => severity === 'error',
    );
    expect(errors.map(({ target }) => target)).toEqual(['#nope', '/x/any/']);
  });

  test('of another one, what it could make is not checked, and that is said', () => {
    expect(found("import acme from 'acme-pages';")).toEqual(['not-checked', all[0], all[2]]);
    expect(
      found("import acme from 'acme-pages';", { '.docent.json': '{ "pluginsWithoutPages": ["acme-pages"] }' }),
    ).toEqual(all);
  });

  test('programs of the repository are looked into', () => {
    expect(found("import acme from './acme';", { 'acme.ts': 'export const x = 1;' })).toEqual(all);
    expect(found("import acme from './acme';", { 'acme.ts': "injectRoute({ pattern: '/made/[x]' });" })).toEqual([
      'not-checked',
      all[0],
      all[2],
    ]);
  });

  test('plugins of Markdown may give other ids', () => {
    expect(found("import ids from 'remark-own-ids';")).toEqual(['not-checked', all[0], all[1]]);
  });

  test('a collection with its own loader has addresses that no one knows', () => {
    const extra = { 'src/content.config.ts': 'docs: defineCollection({ loader: docsLoader({ generateId }) })' };
    expect(found('', extra)).toEqual(['not-checked', all[2]]);
  });
});
