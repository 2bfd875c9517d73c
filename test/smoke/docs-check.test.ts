import { expect, onTestFinished, test } from 'vitest';
import { CheckFolder } from '../support/check-folder.ts';

interface GeneratorSite {
  generator: string;
  /** The site's configuration, and what else its build reads. */
  files: Record<string, string>;
  /** Where its pages are. */
  pages: string;
  /** A link from one page to the other, as the generator's authors write it. */
  link: string;
  ending: '.md' | '.mdx';
}

/** One site for each generator: a link that works, and one that its build would break. */
const SITES: GeneratorSite[] = [
  {
    generator: 'plain Markdown',
    files: {},
    pages: 'docs',
    link: 'second.md',
    ending: '.md',
  },
  {
    generator: 'Mintlify',
    files: {
      'docs/docs.json': JSON.stringify({
        name: 'X',
        theme: 'mint',
        colors: { primary: '#000000' },
        navigation: { pages: ['first', 'second'] },
      }),
    },
    pages: 'docs',
    link: '/second',
    ending: '.mdx',
  },
  {
    generator: 'Docusaurus',
    files: {
      'docusaurus.config.js':
        "module.exports = { title: 'X', url: 'https://example.com', baseUrl: '/', presets: [['classic', {}]] };",
    },
    pages: 'docs',
    link: './second.md',
    ending: '.md',
  },
  {
    generator: 'VitePress',
    files: { 'docs/.vitepress/config.mts': "export default { title: 'X' };" },
    pages: 'docs',
    link: './second.md',
    ending: '.md',
  },
  {
    generator: 'MkDocs',
    files: { 'mkdocs.yml': 'site_name: X\nnav:\n  - first.md\n  - second.md\n' },
    pages: 'docs',
    link: 'second.md',
    ending: '.md',
  },
  {
    generator: 'Starlight',
    files: {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight';\nimport { defineConfig } from 'astro/config';\nexport default defineConfig({ integrations: [starlight({ title: 'X' })] });\n",
    },
    pages: 'src/content/docs',
    link: '/second/',
    ending: '.md',
  },
  {
    generator: 'mdBook',
    files: {
      'book.toml': '[book]\ntitle = "X"\n',
      'src/SUMMARY.md': '# Summary\n\n- [First](first.md)\n- [Second](second.md)\n',
    },
    pages: 'src',
    link: 'second.md',
    ending: '.md',
  },
  {
    generator: 'Hugo',
    files: {
      'hugo.toml': 'title = "X"\nbaseURL = "https://example.com/"\n',
      'layouts/_default/single.html': '{{ .Content }}',
    },
    pages: 'content',
    link: '/second/',
    ending: '.md',
  },
  {
    generator: 'Sphinx',
    files: {
      'docs/conf.py': "project = 'X'\nextensions = ['myst_parser']\n",
      'docs/index.md': '# X\n\n```{toctree}\nfirst\nsecond\n```\n',
    },
    pages: 'docs',
    link: 'second.md',
    ending: '.md',
  },
  {
    generator: 'Nextra',
    files: {
      'next.config.mjs': "import nextra from 'nextra';\nexport default nextra({})({});\n",
      'app/[[...mdxPath]]/page.jsx': "import { importPage } from 'nextra/pages';\n",
    },
    pages: 'content',
    link: '/second',
    ending: '.mdx',
  },
  {
    generator: 'Fumadocs',
    files: {
      'source.config.ts':
        "import { defineDocs } from 'fumadocs-mdx/config';\nexport const docs = defineDocs({ dir: 'content/docs' });\n",
      'lib/source.ts': "export const source = loader({ baseUrl: '/docs', source: docs.toFumadocsSource() });\n",
    },
    pages: 'content/docs',
    link: '/docs/second',
    ending: '.mdx',
  },
];

const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n\n${text}\n`;

test.each(SITES)('finds the broken link on a site of $generator, and no other problem', async (site) => {
  const folder = new CheckFolder();
  onTestFinished(() => folder.remove());
  const broken = site.link.replace('second', 'third');
  const first = `${site.pages}/first${site.ending}`;
  folder.write({
    ...site.files,
    [first]: page('First', `See [the second page](${site.link}) and [the third](${broken}).`),
    [`${site.pages}/second${site.ending}`]: page('Second', 'Text.'),
  });
  const { code, out, err } = await folder.check(['.', '--json']);
  const report = JSON.parse(out) as { site: { kind: string }; pages: number; problems: Record<string, unknown>[] };
  expect(code, err).toBe(1);
  expect(report.pages).toBeGreaterThanOrEqual(2);
  const found = report.problems.filter(({ code: rule }) => rule !== 'not-checked');
  expect(found.map(({ code: rule, target, line }) => [rule, target, line])).toEqual([['missing-page', broken, 5]]);
});
