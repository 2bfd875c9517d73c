import { describe, expect, test } from 'vitest';
import { Site, type Files } from '../../support/fixture-site.ts';

const NEXTRA: Files = {
  'next.config.mjs':
    "import nextra from 'nextra';\nexport default nextra({})({ redirects: () => [{ source: '/old/:slug*', destination: '/:slug*', permanent: true }] });\n",
  'app/[[...mdxPath]]/page.jsx': "import { importPage } from 'nextra/pages';\n",
  'app/(site)/showcase/page.tsx': '',
  'app/users/[id]/page.tsx': '',
  'content/index.mdx': '# Home\n',
  'content/guide/index.mdx': '# Guide\n',
  'content/guide/start.mdx': '# Start\n\n## Install it [#install]\n',
  'content/_meta.js': 'export default { index: "Home" };\n',
  'public/logo.png': 'P',
};
const FUMADOCS: Files = {
  'source.config.ts':
    "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({\n  dir: 'content/docs',\n});\n",
  'lib/source.ts':
    "import { docs } from '../.source';\nexport const source = loader({\n  i18n,\n  baseUrl: '/docs',\n  source: docs.toFumadocsSource(),\n});\n\nexport const image = () => ({ url: '/og' });\n",
  'next.config.mjs': 'export default {};\n',
  'app/[lang]/docs/[[...slug]]/page.tsx': '',
  'content/docs/index.mdx': '# Home\n',
  'content/docs/(guides)/start.mdx': '# Start\n\n## Set it up [!toc]\n\n## More\n',
  'content/docs/(guides)/start.de.mdx': '# Start\n\n## Mehr\n',
  'content/docs/meta.json': '{ "pages": ["index"] }',
  'public/logo.png': 'P',
};

/** What is found in one more page. */
function found(files: Files, path: string, text: string): string[] {
  const problems = new Site({ ...files, [path]: text }).problems();
  return problems
    .filter((problem) => problem.path === path)
    .map(({ code, target, severity }) => `${severity === 'notice' ? 'notice ' : ''}${code} ${target}`);
}

describe('Nextra', () => {
  test.each([
    ['addresses', '[a](/guide) [b](/guide/start#install) [c](/) [d](/guide/)'],
    ['what Next.js shows', '[a](/showcase) [b](/users/7) [c](/api/x) [d](/old/a/b)'],
    ['files', '![a](/logo.png) [b](./start.mdx) [c](/logo.png)'],
    ['addresses from the page', '[a](./start) [b](start#install) <a href="/guide/start">c</a>'],
  ])('%s are not reported', (_, text) => {
    expect(found(NEXTRA, 'content/guide/new.mdx', text)).toEqual([]);
  });

  test('pages, anchors and pictures that are not there are reported', () => {
    const text =
      '[a](/gone) [b](/guide/gone) [c](/guide/start#none) ![d](/gone.png) [e](./gone.mdx) ![f](./gone.png)\n';
    expect(found(NEXTRA, 'content/guide/new.mdx', text)).toEqual([
      'missing-page /gone',
      'missing-page /guide/gone',
      'missing-anchor /guide/start#none',
      'missing-image /gone.png',
      'missing-page ./gone.mdx',
      'missing-image ./gone.png',
    ]);
  });

  test('pages that are folders of the app are known, and a folder of pages has the address of its route', () => {
    const app = {
      'next.config.mjs': NEXTRA['next.config.mjs']!,
      'app/docs/start/page.mdx': '# Start\n',
    };
    expect(found(app, 'app/page.mdx', '[a](/docs/start) [b](/docs/gone)')).toEqual(['missing-page /docs/gone']);
    const { 'app/[[...mdxPath]]/page.jsx': page, ...rest } = NEXTRA;
    const below = { ...rest, 'app/docs/[[...mdxPath]]/page.jsx': page! };
    const text = '[a](/docs/guide/start) [b](/docs/gone) [c](/elsewhere)';
    expect(found(below, 'content/new.mdx', text)).toEqual(['missing-page /docs/gone']);
  });

  test('reports skipped checks', () => {
    const config =
      "import nextra from 'nextra';\nimport { redirects } from 'acme';\nexport default nextra({})({ redirects });\n";
    const files = { ...NEXTRA, 'next.config.mjs': config };
    expect(found(files, 'content/new.mdx', '[a](/gone) ![b](/gone.png)')).toEqual(['missing-image /gone.png']);
    expect(new Site(files).problems().map(({ message }) => message)).toEqual([
      'Links to addresses without a file are not checked: the redirects are not written out in the configuration of Next.js.',
    ]);
  });
});

describe('Fumadocs', () => {
  test.each([
    ['addresses', '[a](/docs/start) [b](/docs) [c](/de/docs/start) [d](/docs/start#set-it-up)'],
    ['anchors of either language', '[a](/docs/start#mehr) [b](/docs/start#more)'],
    ['addresses of other programs', '[a](/pricing) [b](/blog/x)'],
    ['files', '![a](/logo.png) [b](./(guides)/start.mdx)'],
  ])('%s are not reported', (_, text) => {
    expect(found(FUMADOCS, 'content/docs/new.mdx', text)).toEqual([]);
  });

  test('ids that a component may show are not reported, but counted', () => {
    const text = '# New\n\n<AllSettings />\n\n[a](#made)';
    expect(found(FUMADOCS, 'content/docs/new.mdx', text)).toEqual(['notice not-checked undefined']);
  });

  test('pages and anchors that are not there are reported', () => {
    const text =
      '[a](/docs/gone) [b](/docs/guides/start) [c](/docs/start#none) [d](/de/docs/gone) ![e](/gone.png)\n\n# New\n\n<Card title="X" /> [f](#gone)\n';
    expect(found(FUMADOCS, 'content/docs/new.mdx', text)).toEqual([
      'missing-page /docs/gone',
      'missing-page /docs/guides/start',
      'missing-anchor /docs/start#none',
      'missing-page /de/docs/gone',
      'missing-image /gone.png',
      'missing-anchor #gone',
    ]);
  });

  test.each([
    [
      'slugs of a function',
      {
        'lib/source.ts': FUMADOCS['lib/source.ts']!.toString().replace('i18n,', 'slugs: (info) => [],'),
      },
    ],
    ['no loader', { 'lib/source.ts': '' }],
  ])('a site with %s is not judged by its addresses', (_, change) => {
    const files = { ...FUMADOCS, ...change };
    expect(found(files, 'content/docs/new.mdx', '[a](/docs/gone)')).toEqual([]);
    expect(new Site(files).problems().map(({ message }) => message)).toEqual([
      expect.stringContaining('built with Fumadocs, whose link rules Docent does not know'),
    ]);
  });
});

/** What is found on a site, with where it is. */
function inNavigation(files: Files): string[] {
  return new Site(files)
    .problems()
    .map(({ path, line, code, target, message }) => `${path}:${line} ${code} ${target ?? message}`);
}

describe('the navigation of Nextra', () => {
  test('has an entry for a page that does not exist', () => {
    const meta = `export default {
  index: 'Home',
  guide: { title: 'Guide', theme: { toc: false } },
  gone: 'Gone',
  '*': { theme: {} },
  '---': { type: 'separator' },
  lost: { title: 'Lost', display: 'hidden' },
  github: { title: 'GitHub', href: 'https://example.com' },
  away: { title: 'Away', href: '/nowhere' },
  showcase: { type: 'page', title: 'Showcase' },
  more: { type: 'menu', title: 'More', items: { a: { href: '/guide' } } },
};
`;
    const files = { ...NEXTRA, 'content/_meta.ts': meta, 'content/guide/_meta.json': '{ "start": "", "end": "" }' };
    expect(inNavigation(files)).toEqual([
      'content/_meta.ts:4 navigation-missing-page gone',
      'content/_meta.ts:7 navigation-missing-page lost',
      'content/_meta.ts:9 missing-page /nowhere',
      'content/guide/_meta.json:1 navigation-missing-page end',
    ]);
  });

  test('is read for pages that are folders of the app, programs and groups', () => {
    const app: Files = {
      'next.config.mjs': NEXTRA['next.config.mjs']!,
      'app/page.mdx': '# Home\n',
      'app/docs/(basics)/start/page.mdx': '# Start\n',
      'app/docs/tool/page.jsx': '',
      'app/docs/_meta.js': "export default { index: '', start: '', tool: '', gone: '' };\n",
      'app/docs/page.mdx': '# Docs\n',
    };
    expect(inNavigation(app)).toEqual(['app/docs/_meta.js:1 navigation-missing-page gone']);
  });

  test('is read from one file for the whole site', () => {
    const meta = `export default {
  index: 'Home',
  guide: { title: 'Guide', items: { start: '', end: '', more: { items: { x: '' } } } },
  menu: { type: 'menu', items: { a: { href: '/gone' } } },
};
`;
    expect(inNavigation({ ...NEXTRA, 'content/_meta.js': '', 'app/_meta.global.ts': meta })).toEqual([
      'app/_meta.global.ts:3 navigation-missing-page end',
      'app/_meta.global.ts:3 navigation-missing-page more',
      'app/_meta.global.ts:3 navigation-missing-page x',
      expect.stringContaining('only a build knows those of content/_meta.js.'),
    ]);
  });

  test('is reported as unknown if a program creates it', () => {
    const meta = "import { made } from 'acme';\nexport default { ...made(), gone: 'Gone' };\n";
    expect(inNavigation({ ...NEXTRA, 'content/_meta.js': meta, 'app/_meta.global.tsx': '' })).toEqual([
      'content/_meta.js:2 navigation-missing-page gone',
      'next.config.mjs:1 not-checked Some entries of the navigation are not checked: only a build knows those of content/_meta.js, app/_meta.global.tsx.',
    ]);
  });
});

const withGuide = (metas: Files): Files => ({
  ...FUMADOCS,
  'lib/source.ts': String(FUMADOCS['lib/source.ts']).replace('  i18n,\n', ''),
  'content/docs/(guides)/start.de.mdx': '',
  'content/docs/guide/index.mdx': '# Guide\n',
  'content/docs/guide/one.mdx': '# One\n',
  'content/docs/guide/two.mdx': '# Two\n',
  ...metas,
});
const navigation = (metas: Files) =>
  inNavigation(withGuide(metas)).filter((line) => !/not-checked|start\.de/.test(line));

describe('the navigation of Fumadocs', () => {
  test('is read from YAML, too', () => {
    const yaml = 'pages:\n  - index\n  - gone\n  - ...\n';
    const found = navigation({ 'content/docs/meta.json': '', 'content/docs/meta.yaml': yaml });
    expect(found).toContain('content/docs/meta.yaml:3 navigation-missing-page gone');
  });

  test('and its addresses are known for collections under other names', () => {
    const files = {
      ...FUMADOCS,
      'source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const { docs: pages, meta } = defineDocs({\n  dir: 'content/docs',\n});\nexport const blog = defineCollections({ dir: 'content/blog' });\n",
      'lib/source.ts':
        "import { blog as posts, pages, meta } from '../.source';\nconst made = createMDXSource(pages, meta);\nexport const source = loader({\n  baseUrl: '/docs',\n  source: made,\n});\nexport const blog = loader({\n  baseUrl: '/blog',\n  source: createMDXSource(posts, []),\n});\n",
      'content/blog/one.mdx': '# One\n',
    };
    const text = '[a](/docs/start) [b](/docs/gone) [c](/blog/one) [d](/blog/gone)';
    expect(found(files, 'content/docs/new.mdx', text)).toEqual(['missing-page /docs/gone', 'missing-page /blog/gone']);
  });

  test('has entries for pages and folders that do not exist, twice, and to addresses that do not exist', () => {
    const pages = ['index', '---Basics---', '[Icon][Site](https://example.com)', 'external:[A](/docs/gone)', 'gone'];
    pages.push('./guide/one', 'guide/one.mdx', '...guide', '...nowhere', '!guide', '...', '../docs/(guides)/start');
    expect(navigation({ 'content/docs/meta.json': JSON.stringify({ pages }, null, 1) })).toEqual([
      'content/docs/meta.json:6 missing-page /docs/gone',
      'content/docs/meta.json:7 navigation-missing-page gone',
      'content/docs/meta.json:9 navigation-repeated-page guide/one.mdx',
      'content/docs/meta.json:11 navigation-missing-page nowhere',
    ]);
  });

  test('lacks a page that the list of its folder leaves out', () => {
    const lacks = 'page-not-in-navigation The page is not in the navigation of source.config.ts.';
    expect(
      navigation({
        'content/docs/meta.json': '{ "pages": ["index", "guide", "(guides)"] }',
        'content/docs/guide/meta.json': '{ "title": "Guide", "pages": ["one"] }',
        'content/docs/other.mdx': '',
        'content/docs/deep/page.mdx': '',
      }),
    ).toEqual(['deep/page', 'guide/two', 'other'].map((name) => `content/docs/${name}.mdx:1 ${lacks}`));
  });

  test('is not judged if its files show less than half of the pages', () => {
    const files = withGuide({ 'content/docs/meta.json': '{ "pages": ["index"] }' });
    const found = inNavigation(files);
    expect(found.filter((line) => line.includes('page-not-in-navigation'))).toEqual([]);
    expect(found).toContainEqual(expect.stringContaining('only a build knows those of content/docs/meta.json'));
  });

  test('has all pages if nothing or the rest is listed', () => {
    expect(navigation({ 'content/docs/meta.json': '{ "title": "Docs" }' })).toEqual([]);
    expect(navigation({ 'content/docs/meta.json': '{ "pages": ["index", "..."] }' })).toEqual([]);
  });

  test('is invalid if its file is', () => {
    const [first] = navigation({ 'content/docs/meta.json': '{ "pages": [' });
    expect(first).toContain('content/docs/meta.json:1 config-invalid');
  });
});
