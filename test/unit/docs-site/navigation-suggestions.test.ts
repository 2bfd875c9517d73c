import { expect, test } from 'vitest';
import { withSuggestions } from '@docent/docs-check/checks/suggestions';
import { Site, type Files } from '../../support/fixture-site.ts';

const STARLIGHT = (entry: string) => `import starlight from '@astrojs/starlight';
export default { integrations: [starlight({ title: 'X', sidebar: [${JSON.stringify(entry)}, 'guides/other'] })] };`;

test.each([
  [
    'Mintlify',
    {
      'docs.json':
        '{ "$schema": "https://mintlify.com/docs.json", "navigation": { "pages": ["guides/strat", "guides/other"] } }',
    },
    '',
    '.mdx',
    'guides/start',
  ],
  [
    'Mintlify, where it is now',
    {
      'docs.json':
        '{ "$schema": "https://mintlify.com/docs.json", "navigation": { "pages": ["old/start", "guides/other"] } }',
    },
    '',
    '.mdx',
    'guides/start',
  ],
  ['MkDocs', { 'mkdocs.yml': 'nav:\n  - guides/Start.md\n  - guides/other.md\n' }, 'docs/', '.md', 'guides/start.md'],
  [
    'mdBook',
    { 'book.toml': '', 'src/SUMMARY.md': '- [S](./guides/strt.md)\n- [O](guides/other.md)\n' },
    'src/',
    '.md',
    './guides/start.md',
  ],
  ['Starlight', { 'astro.config.mjs': STARLIGHT('guides/stat') }, 'src/content/docs/', '.md', 'guides/start'],
  ['another page', { 'mkdocs.yml': 'nav:\n  - guides/elsewhere.md\n  - guides/other.md\n' }, 'docs/', '.md', undefined],
  [
    'a page that is listed already',
    { 'mkdocs.yml': 'nav:\n  - guides/Start.md\n  - guides/start.md\n' },
    'docs/',
    '.md',
    undefined,
  ],
] as [string, Files, string, string, string | undefined][])(
  'an entry of %s that is almost right gets a suggestion',
  (_, config, folder, ending, suggestion) => {
    const files = {
      ...config,
      [`${folder}guides/start${ending}`]: '# S\n',
      [`${folder}guides/other${ending}`]: '# O\n',
    };
    const docs = new Site(files).docs();
    const found = withSuggestions(docs, new Site(files).problems()).filter(
      ({ code }) => code === 'navigation-missing-page',
    );
    expect(found.map((problem) => problem.suggestion)).toEqual([suggestion]);
  },
);
