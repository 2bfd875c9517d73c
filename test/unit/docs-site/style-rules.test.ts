import { describe, expect, test } from 'vitest';
import { checkDocs } from '@docent/docs-check/checks/check-docs';
import { readCheckSettings } from '@docent/docs-check/checks/known/check-settings';
import { jobProblems } from '@docent/docs-check/checks/known/job-problems';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { Workspace } from '@docent/git/workspace';
import { Site, type Files } from '../../support/fixture-site.ts';

const ALL = '{"rules": {"heading-levels": "on", "one-h1": "on", "image-alt": "on", "unused-image": "on"}}';

/** What the rules of style say of a site: `path:line code: message`. */
function said(files: Files, settings = ALL): string[] {
  const docs = new Site({ '.docent.json': settings, ...files }).docs();
  const { asked } = readCheckSettings(docs, docs.docsDir, docs.site.root);
  return checkDocs(docs, undefined, asked)
    .filter(({ code }) => !code.startsWith('missing-') && code !== 'page-not-in-navigation')
    .map(({ path, line, code, message }) => `${path}:${line} ${code}: ${message}`);
}

const places = (files: Files, settings?: string) => said(files, settings).map((one) => one.split(': ')[0]);

const MINTLIFY = { 'docs.json': '{"name": "A", "navigation": {"pages": ["a"]}}' };
const DOCUSAURUS = {
  'docusaurus.config.js': `module.exports = { presets: [['classic', { docs: {}, blog: {} }]] };`,
  'sidebars.js': 'module.exports = {};',
};

test('says nothing of style if no repository has asked for it', () => {
  expect(places({ 'a.md': '## A\n\n#### B\n\n![](a.png)\n\n# C\n\n# D\n', 'x.png': 'x' }, '{}')).toEqual([]);
});

describe('heading-levels', () => {
  test('names the heading that skips a level, in Markdown and as an element', () => {
    expect(said({ 'a.md': '# A\n\n### B\n\n## C\n\n<h4>D</h4>\n\n#### E\n\n## F\n' }, ALL)).toEqual([
      'a.md:3 heading-levels: The heading "B" skips a level: it is h3, after h1.',
      'a.md:7 heading-levels: The heading skips a level: it is h4, after h2.',
    ]);
  });

  test('begins with the title where the site shows one', () => {
    const page = '---\ntitle: A\n---\n\n### B\n';
    expect(said({ ...MINTLIFY, 'a.mdx': page })).toEqual([
      'a.mdx:5 heading-levels: The heading "B" skips a level: it is h3, after the page title.',
    ]);
    expect(places({ ...DOCUSAURUS, 'docs/a.md': page })).toEqual(['docs/a.md:5 heading-levels']);
    // In a folder without a site, no one knows what front matter is for.
    expect(places({ 'a.md': page })).toEqual([]);
  });

  test('takes it for right what quotations, tabs and components show', () => {
    expect(places({ 'a.md': '# A\n\n> #### Quoted\n\n## B\n' })).toEqual([]);
    const tabs =
      '#### One\n\n<Tabs>\n<TabItem>\n\n## In a tab\n\n</TabItem>\n<TabItem>\n\n#### In the next\n\n</TabItem>\n</Tabs>\n';
    expect(places({ ...DOCUSAURUS, 'docs/a.mdx': `# A\n\n## B\n\n### C\n\n${tabs}` })).toEqual([]);
    const after = '## B\n\n### C\n\n<Tabs>\n\n## In a tab\n\n</Tabs>\n\n#### After\n';
    expect(places({ ...DOCUSAURUS, 'docs/a.mdx': `# A\n\n${after}` })).toEqual([]);
    expect(places({ ...MINTLIFY, 'a.mdx': '---\ntitle: A\n---\n\n<Card title="B" />\n\n### C\n' })).toEqual([]);
    expect(places({ ...MINTLIFY, 'a.mdx': '---\ntitle: A\n---\n\n<Note>x</Note>\n\n### C\n' })).toEqual([
      'a.mdx:7 heading-levels',
    ]);
    expect(places({ 'mkdocs.yml': 'site_name: A\n', 'docs/a.md': '# A\n\n::: pkg.module\n\n### C\n' })).toEqual([]);
  });
});

const theme = (name: string) => ({
  'mkdocs.yml': `site_name: A\ntheme:\n  name: ${name}\n`,
  'docs/a.md': 'Words.\n',
});

describe('one-h1', () => {
  test('counts the title that the site shows above the text', () => {
    const page = '---\ntitle: A\n---\n\n# B\n';
    expect(said({ ...MINTLIFY, 'a.mdx': page })).toEqual([
      'a.mdx:5 one-h1: The heading "B" is another level 1 heading, after the title, which the site shows above the text.',
    ]);
    expect(places({ ...MINTLIFY, 'a.mdx': page.replace('title: A', 'title: A\nmode: custom') })).toEqual([]);
    // Docusaurus shows a first heading of level 1 in place of the title.
    expect(places({ ...DOCUSAURUS, 'docs/a.md': page })).toEqual([]);
    expect(places({ ...DOCUSAURUS, 'docs/a.md': '## A\n\n# B\n' })).toEqual(['docs/a.md:3 one-h1']);
    expect(places({ ...DOCUSAURUS, 'src/theme/DocItem/index.js': '', 'docs/a.md': '## A\n\n# B\n' })).toEqual([]);
    expect(said({ 'a.md': '# A\n\n<h1>B</h1>\n\n```\n# C\n```\n' })).toEqual([
      'a.md:3 one-h1: The heading is another level 1 heading, after that of line 1.',
    ]);
  });

  test('says if nothing gives a title, and only there', () => {
    const none = ['a.md:1 one-h1'];
    expect(places({ 'a.md': 'Words.\n', '.github/PULL_REQUEST_TEMPLATE.md': 'What?\n' })).toEqual(none);
    expect(places({ 'a.md': '<h1 align="center">A</h1>\n' })).toEqual([]);
    expect(places({ ...DOCUSAURUS, 'docs/a.md': 'Words.\n' })).toEqual([]);
    expect(places({ ...DOCUSAURUS, 'docs/a.md': '---\nhide_title: false\n---\n\nWords.\n' })).toEqual([]);
    expect(places({ ...DOCUSAURUS, 'docs/a.md': '---\nhide_title: true\n---\n\nWords.\n' })).toEqual([
      'docs/a.md:1 one-h1',
    ]);
    const vitepress = { '.vitepress/config.js': 'export default {}' };
    expect(places({ ...vitepress, 'a.md': '---\ntitle: A\n---\n\nWords.\n' })).toEqual(none);
    expect(places({ ...vitepress, 'a.md': '---\nlayout: home\n---\n' })).toEqual([]);
    expect(places({ ...vitepress, 'a.md': '<!--@include: ./b.md-->\n', 'b.md': '# B\n' })).toEqual([]);
    expect(places({ ...vitepress, '.vitepress/theme/index.js': '', 'a.md': 'Words.\n' })).toEqual([]);
    expect(places(theme('material'))).toEqual([]);
    expect(places(theme('readthedocs'))).toEqual(['docs/a.md:1 one-h1']);
  });
});

test('image-alt names images without words, and leaves those alone that only decorate', () => {
  const md = [
    '# A ![](a.png)',
    '![B](b.png)',
    '<img src="c.png"> <img src="d.png" alt=""> <img alt src="e.png"> <img :src="f" :alt="g">',
    '![][x] `![](y.png)` <img src="h.png" aria-hidden="true">',
    '',
    '[x]: z.png',
  ].join('\n');
  expect(said({ 'a.md': md }, '{"rules": {"image-alt": "on"}}')).toEqual([
    'a.md:1 image-alt: The image "a.png" has no alternative text.',
    'a.md:3 image-alt: The image "c.png" has no alternative text.',
    'a.md:4 image-alt: An image has no alternative text.',
  ]);
  const mdx =
    '# A\n\n<Frame>\n  <img src="/a.png" />\n</Frame>\n\n<img {...all} />\n\n<img src={x} alt={y} />\n\n<Image src="/b.png" />\n';
  expect(places({ 'a.mdx': mdx }, '{"rules": {"image-alt": "on"}}')).toEqual(['a.mdx:4 image-alt']);
});

describe('unused-image', () => {
  const IMAGES = '{"rules": {"unused-image": "on"}}';

  test('names images that no text of the repository names', () => {
    const files = {
      ...MINTLIFY,
      'a.mdx': '---\ntitle: A\n---\n\n![A](/images/used.png) [B](/images/a%20b.png)\n',
      'images/used.png': 'x',
      'images/a b.png': 'x',
      'images/styled.svg': '<svg/>',
      'images/unused.svg': '<svg docname="unused.svg"/>',
      'images/hero-dark.png': 'x',
      'images/flags/de.svg': '<svg/>',
      'favicon.png': 'x',
      'style.css': '.x { background: url(images/Styled.svg) }',
      'snippets/flag.jsx': 'export const Flag = ({ of }) => <img src={`/images/flags/${of}.svg`} />; // "hero"',
    };
    expect(said(files, IMAGES)).toEqual([
      'images/unused.svg:1 unused-image: No file of the repository uses this image.',
    ]);
  });

  test('looks in the folders of the site alone, and says if it cannot know', () => {
    const files = {
      ...DOCUSAURUS,
      'docs/a.md': '# A\n',
      'static/img/none.png': 'x',
      'docs/none.gif': 'x',
      'app/icon.png': 'x',
      'test/fixtures/x.png': 'x',
    };
    expect(places(files, IMAGES)).toEqual(['docs/none.gif:1 unused-image', 'static/img/none.png:1 unused-image']);
    expect(places({ ...files, 'src/data.json': Buffer.from([0xff, 0xfe, 0]) }, IMAGES)).toEqual([
      'src/data.json:1 not-checked',
    ]);
  });
});

const mistakes = (text: string) => {
  const docs = new Site({ '.docent.json': text }).docs();
  return readCheckSettings(docs, '', '').problems.map(({ line, message }) => `${line} ${message}`);
};

describe('required-front-matter', () => {
  test('names each field that a page lacks, whatever kind of value it has', () => {
    const files = {
      ...MINTLIFY,
      'a.mdx': '---\ntitle: A\ntags: [x]\ndraft: false\n---\n',
      'b.mdx': '---\ntitle: ""\ntags:\n---\n',
      'c.mdx': '# C\n',
      'api.mdx': '---\nopenapi: GET /x\ntags: [x]\ndraft: true\n---\n',
      'snippets/d.mdx': 'x\n',
    };
    const all = said(files, '{"requiredFrontMatter": ["title", "tags", "draft"]}');
    expect(all.map((one) => one.replace(/ required-front-matter: The front matter has no/, ''))).toEqual([
      'b.mdx:1 "title".',
      'b.mdx:1 "tags".',
      'b.mdx:1 "draft".',
      'c.mdx:1 "title".',
      'c.mdx:1 "tags".',
      'c.mdx:1 "draft".',
    ]);
  });

  test('may be for some pages alone, and turned off; on without a field, it is a mistake', () => {
    const files = { 'guides/a.md': '# A\n', 'b.md': '+++\nowner = ["x"]\n+++\n\n# B\n' };
    const some = '{"requiredFrontMatter": {"guides/**": ["title"], "*.md": ["owner"]}}';
    expect(said(files, some)).toEqual([
      'guides/a.md:1 required-front-matter: The front matter has no "title".',
      'guides/a.md:1 required-front-matter: The front matter has no "owner".',
    ]);
    expect(said(files, `${some.slice(0, -1)}, "rules": {"required-front-matter": "off"}}`)).toEqual([]);
    expect(mistakes('{"rules": {"required-front-matter": "on"}}')).toEqual([
      '1 .docent.json is not valid: "required-front-matter" is on, but "requiredFrontMatter" lists no fields.',
    ]);
    expect(mistakes('{"requiredFrontMatter": "title"}')).toEqual([
      '1 .docent.json is not valid: "requiredFrontMatter" must be a list of names, or an object that maps globs to such lists.',
    ]);
    expect(mistakes('{"requiredFrontMatter": {"[a": ["title"]}}')[0]).toContain('The glob has an unclosed [');
  });
});

test('a job checks by the settings of the base branch: introduced problems are new, existing ones are not', () => {
  const settings = '{"rules": {"image-alt": "error", "unused-image": "on"}}';
  const site = new Site({
    '.docent.json': settings,
    'docs/a.md': '# A\n\n![](a.png)\n\n![B](b.png)\n',
    'docs/b.md': '<!-- docent-ignore-file image-alt: drawn by hand -->\n\n# B\n',
    'docs/a.png': 'x',
    'docs/b.png': 'x',
    'docs/old.png': 'x',
  });
  const before = new DocsSite(new Workspace(site.base, [], site.policy), site.place, site.cache);
  site.workspace.write('docs/a.md', '# A\n\n![](a.png)\n\nNo more.\n');
  site.workspace.write('docs/b.md', '<!-- docent-ignore-file image-alt: drawn by hand -->\n\n# B\n\n![](a.png)\n');
  site.workspace.write('docs/c.md', '# C\n\n![](a.png)\n');
  site.workspace.write('.docent.json', '{}');
  const { now, introduced } = jobProblems(site.docs(), before);
  const lines = (some: typeof now) => some.map(({ path, code, severity }) => `${path} ${code} ${severity}`);
  expect(lines(introduced)).toEqual(['docs/b.png unused-image warning', 'docs/c.md image-alt error']);
  expect(lines(now)).toContain('docs/old.png unused-image warning');
});
