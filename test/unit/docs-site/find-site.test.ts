import { describe, expect, test } from 'vitest';
import { describeSite } from '@docent/docs-check/read/describe-site';
import { detectSite } from '@docent/docs-check/read/site';
import { Site, type Files } from '../../support/fixture-site.ts';

/** A site in `website/` whose pages are in `docs/`. */
const BESIDE: Files = {
  'website/docusaurus.config.js': `module.exports = { baseUrl: '/lib/', presets: [['classic', { docs: { path: '../docs', sidebarPath: './sidebars.js' } }]] };`,
  'website/sidebars.js': `module.exports = { docs: ['intro', 'guides/start'] };`,
  'website/static/img/flow.png': 'x',
  'website/static/img/logo.svg': '<svg/>',
  'website/blog/2024-01-31-news.md': '# News\n\n[gone](/docs/nowhere)\n',
  'website/src/pages/about.js': 'export default () => null;',
  'docs/intro.md': `# Intro

![flow](/img/flow.png) ![based](/lib/img/flow.png) ![site](@site/static/img/logo.svg) [about](/about) [start](./guides/start.md)
[by address](/docs/guides/start)

## More
`,
  'docs/guides/start.md': '# Start\n\n![flow](/img/flow.png) [intro](../intro.md#more)\n',
  'README.md': '# Library\n',
  'src/index.js': '',
};

const MKDOCS = { 'mkdocs.yml': 'site_name: X\n', 'docs/index.md': '# Home\n' };
const MINTLIFY = (folder: string): Files => ({
  [`${folder}docs.json`]: '{"navigation":{"pages":["index"]}}',
  [`${folder}index.mdx`]: 'Hello\n',
});

function found(files: Files, docsDir = '', site?: string) {
  const workspace = new Site(files, { docsDir }).workspace;
  const { configPath, unsure, candidates, kind } = describeSite(detectSite(workspace, { docsDir, site }));
  return { kind, configPath, unsure, candidates };
}

const configOf = (files: Files, docsDir = '', site?: string) => found(files, docsDir, site).configPath;

describe('the site of a docs folder', () => {
  test('is found if its configuration is beside the folder, and its links are those of the site', () => {
    const site = new Site(BESIDE, { docsDir: 'docs' });
    expect(describeSite(site.docs().site)).toMatchObject({ kind: 'docusaurus', unsure: null, folder: 'docs' });
    expect(site.problems().filter(({ path }) => path.startsWith('docs/'))).toEqual([]);
  });

  test.each([
    [
      'MkDocs, in a folder of its own',
      { 'site/mkdocs.yml': 'docs_dir: ../docs\n', 'docs/a.md': 'x' },
      'site/mkdocs.yml',
    ],
    [
      'VitePress',
      { 'documentation/.vitepress/config.ts': `export default { srcDir: '../docs' };`, 'docs/a.md': 'x' },
      'documentation/.vitepress/config.ts',
    ],
    [
      'Docusaurus, in a package',
      {
        'packages/site/docusaurus.config.ts': `export default { presets: [['classic', { docs: { path: '../../docs' } }]] };`,
        'docs/a.md': 'x',
      },
      'packages/site/docusaurus.config.ts',
    ],
    [
      'one of several instances of a plugin',
      {
        'website/docusaurus.config.js': `module.exports = { presets: [], plugins: [['@docusaurus/plugin-content-docs', { id: 'api', path: '../docs', routeBasePath: 'api' }]] };`,
        'docs/a.md': 'x',
      },
      'website/docusaurus.config.js',
    ],
    [
      'a configuration of another name, whole and for readers',
      {
        'mkdocs-a.yml': 'INHERIT: mkdocs-common.yml\n',
        'mkdocs-common.yml': 'site_name: X\n',
        'mkdocs-nav.yml': 'nav: [index.md]\n',
        'mkdocs-online.yml': 'INHERIT: mkdocs-common.yml\nsite_url: https://x.example.com\n',
        'docs/index.md': '# Home\n',
      },
      'mkdocs-online.yml',
      'docs',
    ],
    [
      'MkDocs’ own name before others',
      { ...MKDOCS, 'mkdocs.insiders.yml': 'INHERIT: mkdocs.yml\n' },
      'mkdocs.yml',
      'docs',
    ],
    ['a part of its pages', { ...MKDOCS, 'docs/guides/a.md': 'x' }, 'mkdocs.yml', 'docs/guides'],
  ] as [string, Files, string, string?][])('is %s', (_, files, config, docsDir = 'docs') => {
    expect(found(files, docsDir)).toMatchObject({ configPath: config, unsure: null });
  });

  test('is that which makes pages of the folder, if there are several', () => {
    const files = { ...BESIDE, ...MINTLIFY('handbook/') };
    expect(configOf(files, 'docs')).toBe('website/docusaurus.config.js');
    expect(configOf(files, 'handbook')).toBe('handbook/docs.json');
    expect(configOf(files, 'website')).toBe('website/docusaurus.config.js');
    expect(found({ ...files, ...MKDOCS, 'mkdocs.yml': 'docs_dir: manual\n', 'manual/a.md': '' }, 'docs')).toMatchObject(
      {
        configPath: 'website/docusaurus.config.js',
        unsure: null,
        candidates: ['handbook/docs.json', 'mkdocs.yml'],
      },
    );
  });

  test('is asked for where each of several could be meant', () => {
    const both = { ...BESIDE, 'mkdocs.yml': 'site_name: X\n' };
    expect(found(both, 'docs').unsure).toBe(
      'Several sites match: MkDocs (mkdocs.yml) or Docusaurus (website/docusaurus.config.js).',
    );
    expect(found({ ...MINTLIFY('en/'), ...MINTLIFY('de/') }).candidates).toEqual(['de/docs.json', 'en/docs.json']);
    // One at the top, or two names of one site, leave nothing to ask.
    expect(found({ ...MINTLIFY(''), ...MINTLIFY('old/') }).unsure).toBeNull();
    expect(found({ ...MINTLIFY(''), 'mint.json': '{"navigation":[]}' })).toMatchObject({
      configPath: 'docs.json',
      unsure: null,
    });
  });

  test('follows the project: a configuration, its folder, or no site at all', () => {
    const both = { ...BESIDE, 'mkdocs.yml': 'site_name: X\n', 'web/astro.config.mjs': '' };
    for (const said of ['website', 'website/', './website', '/website/docusaurus.config.js']) {
      expect(found(both, 'docs', said)).toMatchObject({ kind: 'docusaurus', unsure: null });
    }
    expect(configOf(both, 'docs', '.')).toBe('mkdocs.yml');
    expect(found(both, 'docs', 'plain')).toEqual({ kind: 'plain', configPath: null, unsure: null, candidates: [] });
    expect(found(both, 'docs', 'web').unsure).toContain('built with Astro (web/astro.config.mjs)');
    expect(found(both, 'docs', 'gone/docs.json').unsure).toContain(
      'is gone/docs.json, but there is no site configuration',
    );
  });

  test('is not sure where a site is there that the folder is not a part of, or one of a kind that is not known', () => {
    const notIts = { ...BESIDE, 'notes/a.md': '[x](/img/flow.png) [b](b) [gone](gone.md)\n' };
    expect(found(notIts, 'notes')).toMatchObject({
      kind: 'plain',
      unsure: expect.stringContaining('the repository has Docusaurus (website/docusaurus.config.js)'),
    });
    // What a site could give another meaning is not called broken.
    expect(
      new Site(notIts, { docsDir: 'notes' })
        .problems()
        .filter(({ code }) => code !== 'not-checked')
        .map(({ target }) => target),
    ).toEqual(['gone.md']);
    for (const sign of [
      'website/astro.config.mjs',
      'site/gatsby-config.js',
      'apps/docs/next.config.js',
      '_config.yml',
    ]) {
      expect(found({ [sign]: '', 'docs/a.md': 'x' }, 'docs').unsure).toContain('link rules Docent does not know');
    }
  });

  test('is plain Markdown if there is no site, whatever else has a name like one', () => {
    const plain: Files = {
      'docs/a.md': 'x',
      '.github/workflows/docs.yml': '',
      'apps/shop/next.config.js': '',
      'src/settings/conf.py': '',
      'examples/site/mkdocs.yml': '',
      'test/fixtures/docusaurus.config.js': '',
      'packages/create-app/templates/astro.config.mjs': '',
      'docs.json': '{"pages":[]}',
    };
    expect(found(plain, 'docs')).toEqual({ kind: 'plain', configPath: null, unsure: null, candidates: [] });
  });
});

describe('"Fix broken links"', () => {
  test('leaves links alone that the site beside the docs makes right, and mends those that are broken', async () => {
    const broken = '# Start\n\n[intro](../introo.md) ![flow](/img/flow.png)\n';
    const site = new Site({ ...BESIDE, 'docs/guides/start.md': broken }, { docsDir: 'docs' });
    const { text } = await site.say('Fix broken links');
    expect(site.changed()).toEqual(['docs/guides/start.md']);
    expect(site.text('docs/guides/start.md')).toBe('# Start\n\n[intro](../intro.md) ![flow](/img/flow.png)\n');
    expect(text).toContain('Fixed 1 broken link in 1 file');
    expect(text).toContain('in files outside docs/, which may not be changed: website/blog/2024-01-31-news.md');
  });

  test.each([
    ['several sites could be meant', { ...BESIDE, 'mkdocs.yml': '' }, 'docs'],
    ['the site is of a kind that is not known', { 'website/astro.config.mjs': '', 'docs/img/flow.png': 'x' }, 'docs'],
    ['the folder is part of no site', BESIDE, 'notes'],
  ] as [string, Files, string][])('changes nothing where %s, and says what to do', async (_, files, docsDir) => {
    const page = '[a](./intr.md) ![flow](./flow.png) ![flow](/flow.png)\n';
    const site = new Site({ ...files, [`${docsDir}/intro.md`]: '# I\n', [`${docsDir}/page.md`]: page }, { docsDir });
    const { text } = await site.say('Fix broken links and images');
    expect(site.changed()).toEqual([]);
    expect(text.split('\n')[0]).toBe('Changed no links: their rules are not known');
    expect(text).toContain('`docent project update PROJECT --site PATH`');
    expect(text).toContain(`in ${docsDir}/page.md`);
    expect(site.call('check', { all: true }).text).not.toContain('Best match');
  });

  test('repairs links of plain Markdown if the files are the whole site, or if configured', async () => {
    const files = { 'docs/intro.md': '# I\n', 'docs/page.md': '[a](./intr.md)\n' };
    const plain = new Site(files, { docsDir: 'docs' });
    await plain.say('Fix broken links');
    expect(plain.text('docs/page.md')).toBe('[a](./intro.md)\n');
    const said = new Site({ ...files, 'website/astro.config.mjs': '' }, { docsDir: 'docs', site: 'plain' });
    await said.say('Fix broken links');
    expect(said.text('docs/page.md')).toBe('[a](./intro.md)\n');
  });

  test('does not rewrite a link that its own change broke where links are not understood', async () => {
    const files = { 'astro.config.mjs': '', 'a.md': '# A\n\n## Old part\n', 'b.md': '[p](a.md#old-part)\n' };
    const site = new Site(files);
    const { text } = await site.say('Replace "Old part" with "New part"');
    expect(site.text('b.md')).toBe('[p](a.md#old-part)\n');
    expect(text).toContain('The docs checks still find:\n- b.md:1 missing-anchor');
  });
});

describe('the agent', () => {
  test('knows from a list which site it is, and enters a new page where that site has its navigation', async () => {
    const site = new Site({ ...MKDOCS, 'mkdocs.yml': 'nav:\n  - index.md\n' }, {});
    expect(site.call('list', {}).text).toMatch(/^Site: MkDocs \(mkdocs\.yml\)\. Root: docs\/\./);
    await site.say('Add a page titled "New" at new: hello');
    expect(site.text('mkdocs.yml')).toBe('nav:\n  - index.md\n  - new.md\n');
  });
});
