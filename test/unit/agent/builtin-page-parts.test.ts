import { createTwoFilesPatch } from 'diff';
import { describe, expect, test } from 'vitest';
import { diffTrees } from '@docent/git/commit/diff-trees';
import { memoryBaseTree } from '@docent/base/files/memory-base-tree';
import { mintlify, Site, type Files } from '../../support/fixture-site.ts';

const MKDOCS: Files = {
  'mkdocs.yml': [
    'site_name: Acme',
    'plugins:',
    '  - redirects:',
    '      redirect_maps:',
    '        gone.md: index.md',
    'nav:',
    '  - Home: index.md # the first page',
    '  - Guides:',
    '      - Install: guides/install.md',
    '      - guides/deploy.md',
    '  - About:',
    "      - 'License': license.md",
    '',
  ].join('\n'),
  'docs/index.md': '# Home\n\nSee [how](guides/install.md#set-up) and [again](guides/install.md#set-up_1).\n',
  'docs/guides/install.md': '# Install\n\n## Set up\n\nOne.\n\n## Set up\n\nTwo, after [one](#set-up).\n',
  'docs/guides/deploy.md': '# Deploy\n\nFirst. Second sentence\nover two lines. Third.\n',
  'docs/license.md': '# License\n',
};
const DOCUSAURUS: Files = {
  'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] };\n",
  'sidebars.js': "module.exports = { docs: [{ type: 'category', label: 'Guides', items: ['install', 'deploy'] }] };\n",
  'docs/install.md': '---\ntitle: Install\n---\n\n## Get it {#get}\n\nText.\n',
  'docs/deploy.md': '---\ntitle: Deploy\n---\n\nSee [get](install.md#get).\n',
};
const VITEPRESS: Files = {
  '.vitepress/config.js':
    "export default { themeConfig: { sidebar: [{ text: 'Guide', items: [{ text: 'A', link: '/a' }, { text: 'B', link: '/b' }] }] } };\n",
  'a.md': '# A\n\n## Überblick\n\nText.\n',
  'b.md': '# B\n\n[see](/a#uberblick)\n',
  'public/_redirects': '/x /a\n/old/* /b\n',
};

describe('headings', () => {
  test('take all links along, including those to headings whose number changes', async () => {
    const site = new Site({
      ...MKDOCS,
      'docs/guides/install.md': '# Install\n\n## Set up\n\nOne.\n\n## Start\n\nTwo.\n\n## Set up\n\n[x](#set-up)\n',
    });
    const { text } = await site.say('Rename the heading "Start" to "Begin" in guides/install');
    expect(text).toBe('Renamed the heading “Start” to “Begin” in docs/guides/install.md');
    const twice = new Site(MKDOCS);
    const said = await twice.say('Rename the heading "Set up" to "Ready" in guides/install');
    expect(said.outcome).toBe('refused');
    expect(said.text).toContain('has the heading "Set up" 2 times, in lines 3, 7');
  });

  test('keep an id that is written out, and links to it', async () => {
    const site = new Site(DOCUSAURUS);
    await site.say('Rename the heading "Get it" to "Fetch it" in install');
    expect(site.text('docs/install.md')).toContain('## Fetch it {#get}\n');
    expect(site.changed()).toEqual(['docs/install.md']);
  });

  test('follow the rules of the site generator for anchors', async () => {
    const site = new Site(VITEPRESS);
    const { text, steps } = await site.say('Rename the heading "Überblick" to "Über uns" on the A page');
    // At once, and not only when the checks find them broken.
    expect([text.includes('Links with the old anchor updated in 1 other page.'), steps]).toEqual([true, 2]);
    expect(site.text('b.md')).toContain('(/a#uber-uns)');
    expect(site.introduced()).toEqual([]);
  });

  test('underlined keep their line', async () => {
    const site = mintlify({ 'x.mdx': '---\ntitle: X\n---\n\nOld\n---\n\nText.\n' });
    await site.say('Rename the heading "Old" to "Newer words" in x');
    expect(site.text('x.mdx')).toContain('Newer words\n-----------\n\nText.');
  });

  test('that several pages have are refused with the pages', async () => {
    const { text, outcome } = await mintlify({ 'x.mdx': '## Retries\n' }).say(
      'Rename the heading "Retries" to "Again"',
    );
    expect(outcome).toBe('refused');
    expect(text).toContain('2 pages have the heading "Retries": guides/webhooks.mdx, x.mdx. Name the page.');
  });
});

describe('sections and sentences', () => {
  test('a section goes with what is below it, and links to it lose their anchor', async () => {
    const site = mintlify({
      'x.mdx': '# X\n\n## A\n\ntext [b](#b)\n\n### B\n\ndeep\n\n## C\n\nSee [a](#a).\n',
      'y.mdx': '[b](/x#b)\n',
    });
    await site.say('Remove the section "A" from x');
    expect(site.text('x.mdx')).toBe('# X\n\n## C\n\nSee a.\n');
    expect(site.text('y.mdx')).toBe('[b](/x)\n');
  });

  test.each([
    ['First.', 'docs/guides/deploy.md', '# Deploy\n\nSecond sentence\nover two lines. Third.\n'],
    ['Second sentence over two lines.', 'docs/guides/deploy.md', '# Deploy\n\nFirst. Third.\n'],
    ['Second sentence over two lines', 'docs/guides/deploy.md', '# Deploy\n\nFirst. Third.\n'],
    ['Third.', 'docs/guides/deploy.md', '# Deploy\n\nFirst. Second sentence\nover two lines.\n'],
  ])('the sentence %s is taken out, with nothing left of it', async (sentence, path, now) => {
    const site = new Site(MKDOCS);
    await site.say(`Remove the sentence "${sentence}" from guides/deploy`);
    expect(site.text(path)).toBe(now);
  });

  test.each([
    [
      'Remove the section "A" from x',
      { 'x.mdx': '<Tabs>\n\n<Tab title="1">\n\n## A\n\ntext\n\n</Tab>\n\n</Tabs>\n\n## B\n' },
      'no longer be a complete page',
    ],
    [
      'Remove the section "A" from x',
      { 'x.mdx': '## B\n\n[see][d]\n\n## A\n\n[d]: /quickstart\n' },
      'has the address of the link [d]',
    ],
    ['Remove the section "A" from x', { 'x.mdx': '---\ntitle: X\n---\n\n# A\n\ntext\n' }, 'Delete the page instead'],
    ['Remove the sentence "So." from x', { 'x.mdx': 'So. And so on. So.\n' }, 'is 2 times in x.mdx'],
    ['Remove the sentence "Not there." from quickstart', {}, 'is not in the prose of quickstart.mdx'],
  ] as [string, Files, string][])('is refused where it would do harm: %s', async (message, files, reason) => {
    const site = mintlify(files);
    const { text, outcome } = await site.say(message);
    expect([site.changed(), outcome]).toEqual([[], 'refused']);
    expect(text).toContain(reason);
  });
});

describe('descriptions', () => {
  test.each([
    ['---\ntitle: X\n---\n\nText\n', '---\ntitle: X\ndescription: "A: b"\n---\n\nText\n'],
    ["---\ndescription: 'old'\ntitle: X\n---\n", "---\ndescription: 'A: b'\ntitle: X\n---\n"],
    ['---\ndescription: >-\n  two\n  lines\ntitle: X\n---\n', '---\ndescription: "A: b"\ntitle: X\n---\n'],
    ['---\r\ntitle: X\r\n---\r\nText\r\n', '---\r\ntitle: X\r\ndescription: "A: b"\r\n---\r\nText\r\n'],
    ['# X\n', '---\ndescription: "A: b"\n---\n\n# X\n'],
    ['---\nicon: x\n---\n', '---\ndescription: "A: b"\nicon: x\n---\n'],
  ])('are set in the form that the page has: %j', async (before, after) => {
    const site = mintlify({ 'x.mdx': before });
    await site.say('Set the description of x to "A: b"');
    expect(site.text('x.mdx')).toBe(after);
  });
});

describe('the navigation', () => {
  test('of MkDocs keeps its comments and its depth', async () => {
    const site = new Site(MKDOCS);
    await site.say(
      'Move the page license to the group "Guides"',
      'Rename the group Guides to How-to',
      'Put Home last in the navigation',
    );
    expect(site.text('mkdocs.yml')!.split('nav:\n')[1]).toBe(
      "  - How-to:\n      - Install: guides/install.md\n      - guides/deploy.md\n      - 'License': license.md\n  - Home: index.md # the first page\n",
    );
  });

  test('of Mintlify only changes its order', async () => {
    const site = mintlify();
    await site.say('Move the page guides/webhooks after guides/deploy/docker', 'Move the group Concepts to the top');
    expect(site.text('docs.json')).toContain(
      '"guides/deploy/docker",\n                  "guides/webhooks",\n                  "guides/deploy/kubernetes"',
    );
    expect(Object.keys(JSON.parse(site.text('docs.json')!))).toEqual(
      Object.keys(JSON.parse(site.base.readText('docs.json')!)),
    );
    expect(site.text('docs.json')!.indexOf('"Concepts"')).toBeLessThan(
      site.text('docs.json')!.indexOf('"Get started"'),
    );
  });

  test.each([
    [DOCUSAURUS, 'Rename the group "Guides" to "How-to"', 'The navigation is in sidebars.js, as code'],
    [VITEPRESS, 'Move the page b before a', 'The navigation is in .vitepress/config.js, as code'],
    [MKDOCS, 'Rename the group "Nowhere" to "X"', 'has no group "Nowhere". It has "Guides", "About".'],
    [{ 'README.md': '# X\n' }, 'Rename the group "A" to "B"', 'not a site with a navigation'],
  ])('is left alone where it cannot be changed by line, with the reason', async (files, message, reason) => {
    const site = new Site(files);
    const { text, outcome } = await site.say(message);
    expect([site.changed(), outcome]).toEqual([[], 'refused']);
    expect(text).toContain(reason);
  });

  test('with a group of the same name twice asks which', async () => {
    const files = {
      'docs.json': JSON.stringify(
        {
          navigation: {
            tabs: ['A', 'B'].map((tab) => ({ tab, groups: [{ group: 'Start', pages: [tab.toLowerCase()] }] })),
          },
        },
        null,
        2,
      ),
      'a.mdx': '# A\n',
      'b.mdx': '# B\n',
    };
    const { text } = await new Site(files).say('Rename the group "Start" to "Begin"');
    expect(text).toContain('"Start" is 2 times in the navigation: "A > Start", "B > Start"');
    const site = new Site(files);
    await site.say('Rename the group "B > Start" to "Begin"');
    expect(site.diff()).toBe(
      '== docs.json\n@@ -19,1 +19,1 @@\n-            "group": "Start",\n+            "group": "Begin",\n',
    );
  });
});

describe('redirects', () => {
  test.each([
    [MKDOCS, 'mkdocs.yml', '        gone.md: index.md\n        old/page.md: guides/install.md\n', '/guides/install'],
    [VITEPRESS, 'public/_redirects', '/x /a\n/old/page /b\n/old/* /b\n', '/b'],
    [DOCUSAURUS, null, 'The site has no plugin client-redirects', 'docs/install.md'],
    [{ ...VITEPRESS, 'public/_redirects': '', 'public/x': '' }, 'public/_redirects', '/old/page /b\n', 'b'],
  ] as [Files, string | null, string, string][])('go where the site has them', async (files, path, expected, to) => {
    const site = new Site(files);
    const { text, outcome } = await site.say(`Add a redirect from /old/page to ${to}`);
    if (path === null) expect([text.includes(expected), outcome]).toEqual([true, 'refused']);
    else expect(site.text(path)).toContain(expected);
  });

  test.each([
    ['Redirect /quickstart to /installation', 'is a page with that address'],
    ['Redirect /getting-started to /installation', 'is already redirected, to /quickstart'],
    ['Redirect /old to /nowhere', 'There is no file /nowhere'],
  ])('are refused where they would hide or break something: %s', async (message, reason) => {
    const site = mintlify();
    expect((await site.say(message)).text).toContain(reason);
    expect(site.changed()).toEqual([]);
  });

  test('that already exist are not a change', async () => {
    const { outcome } = await mintlify().say('Redirect /getting-started to quickstart');
    expect(outcome).toBe('unchanged');
  });
});

/** The site after its turn was published, and what that turn changed. */
async function published(files: Files, ...messages: string[]) {
  const before = new Site(files);
  await before.say(...messages);
  const after = { ...files };
  for (const { path, content } of before.workspace.changes()) {
    if (content === null) delete after[path];
    else after[path] = content;
  }
  return { before, after, diff: diffTrees(before.base, memoryBaseTree(after)) };
}

describe('undoing', () => {
  test.each([
    'Replace "Home" with "Start"',
    'Add a page titled "New" at guides/new',
    'Delete the page license',
    'Move guides/install to guides/setup',
  ])('brings back exactly what there was: %s', async (message) => {
    const files = { ...MKDOCS, 'docs/crlf.md': '# Home\r\n\r\nno end: Home', 'docs/license.md': '# License' };
    const { before, after, diff } = await published(files, message);
    const site = new Site(after, { lastChange: { turn: 1, diff } });
    const { text, outcome } = await site.say('Undo the last change');
    expect([text.split('\n')[0], outcome]).toEqual(['Undid the change of turn 1', null]);
    for (const path of new Set([...Object.keys(files), ...site.workspace.paths()])) {
      expect([path, site.text(path)]).toEqual([path, before.base.readText(path)]);
    }
  });

  test('leaves alone what others changed elsewhere in the same files, and says where they changed the same lines', async () => {
    const { after, diff } = await published(MKDOCS, 'Replace "Home" with "Start"');
    const elsewhere = { ...after, 'docs/index.md': `${after['docs/index.md']!.toString()}\nMore.\n` };
    const site = new Site(elsewhere, { lastChange: { turn: 1, diff } });
    await site.say('undo');
    expect(site.text('docs/index.md')).toMatch(/^# Home\n[^]*\nMore\.\n$/);
    const there = { ...after, 'docs/index.md': '# Begin\n' };
    const other = new Site(there, { lastChange: { turn: 1, diff } });
    const { text, outcome } = await other.say('undo');
    expect([other.changed(), outcome]).toEqual([[], 'refused']);
    expect(text).toContain('Turn 1 cannot be undone: docs/index.md is not as that turn left it.');
  });

  test('drops what is not published yet, and refuses if there is nothing', async () => {
    const site = new Site(MKDOCS);
    site.call('edit', { path: 'docs/index.md', oldText: '# Home', newText: '# Start' });
    site.call('write', { path: 'docs/new.md', content: '# N\n' });
    await site.say('Revert that');
    expect(site.changed()).toEqual([]);
    const { text, outcome } = await new Site(MKDOCS).say('Undo');
    expect([text.includes('has published no change'), outcome]).toEqual([true, 'refused']);
  });

  test.each([
    'diff --git a/a.png b/a.png\nindex 1..2 100644\nBinary files a/a.png and b/a.png differ\n',
    'diff --git a/a.md b/a.md\nindex 1..2 100644\n--- a/a.md\n+++ b/a.md\n... 3 changed parts, too long to show\n',
    `${createTwoFilesPatch('a/docs/index.md', 'b/docs/index.md', 'x\n', '# Home\n').replace(/^=+\n/, 'diff --git a/docs/index.md b/docs/index.md\n')}... the diff is cut here: 1 more changed file\n`,
  ])('is refused where the diff has not all of it', async (diff) => {
    const site = new Site(MKDOCS, { lastChange: { turn: 3, diff } });
    const { text, outcome } = await site.say('Undo the last change');
    expect([site.changed(), outcome]).toEqual([[], 'refused']);
    expect(text).toContain('Revert its commit in the repository');
  });
});
