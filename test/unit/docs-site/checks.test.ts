import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkDocs } from '@docent/docs-check/checks/check-docs';
import { introducedProblems } from '@docent/docs-check/checks/introduced-problems';
import { describeProblem, type Problem } from '@docent/docs-check/checks/problem';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import { FactsCache } from '@docent/docs-check/read/facts-cache';
import { detectSite } from '@docent/docs-check/read/site';
import { Workspace } from '@docent/git/workspace';
import { mintJson, mintlify, plain, Site } from '../../support/fixture-site.ts';

const lines = (site: Site) => site.problems().map((problem) => `${problem.severity} ${describeProblem(problem)}`);

describe('the docs checks', () => {
  test('find nothing wrong with good sites of each kind', () => {
    for (const site of [mintlify(), mintJson(), plain()]) expect(lines(site)).toEqual([]);
  });

  test.each([
    [
      'a link to nowhere',
      '[a](/nope)',
      'error x.mdx:1 missing-page: The link "/nope" is broken: its target does not exist.',
    ],
    [
      'a card to nowhere',
      '<Card href="./nope" />',
      'error x.mdx:1 missing-page: The link "./nope" is broken: its target does not exist.',
    ],
    [
      'a download that is gone',
      '[a](/files/a.pdf)',
      'error x.mdx:1 missing-file: The link "/files/a.pdf" is broken: its target does not exist.',
    ],
    [
      'an image that is gone',
      '\n![a](images/nope.png)',
      'error x.mdx:2 missing-image: The image "images/nope.png" is broken: its target does not exist.',
    ],
    [
      'a part that is gone',
      "import A from '/snippets/nope.mdx'",
      'error x.mdx:1 missing-import: The import "/snippets/nope.mdx" is broken: its target does not exist.',
    ],
    [
      'an anchor of another page',
      '[a](/guides/webhooks#nope)',
      'error x.mdx:1 missing-anchor: The link "/guides/webhooks#nope" points to an anchor that guides/webhooks.mdx does not have.',
    ],
    [
      'an anchor of its own',
      '[a](#nope)',
      'error x.mdx:1 missing-anchor: The link "#nope" points to an anchor that this page does not have.',
    ],
    [
      'a redirected link',
      '[a](/getting-started)',
      'notice x.mdx:1 redirected-link: The link "/getting-started" only works through a redirect to "/quickstart".',
    ],
    [
      'a page that does not parse',
      '<Card>',
      'error x.mdx:1 page-syntax: The page has a syntax error: Expected a closing tag for `<Card>`',
    ],
  ])('name %s', (_, text, expected) => {
    expect(lines(mintlify({ 'x.mdx': `${text}\n` }))).toContainEqual(expected);
  });

  test.each([
    '[a](https://e.example/nope) [b](mailto:a@b.c) [c](//e.example) [d](tel:1)',
    '[a](/quickstart/) [b](/quickstart?x=1) [c](/quickstart#next-steps) [d](/quickstart.mdx)',
    '[a](/old-guides/webhooks) [b](/) [c](#) [d](#top)',
    '[a](/quickstart#rate-limits) [b](/guides/authentication#param-authorization)',
    '`[a](/nope)` {/* [b](/nope) */}',
    '```\n[a](/nope)\n```',
    '<a href={where}>x</a> [b]({{link}})',
    '<Icon icon="rocket" /> <img src="data:image/png;base64,AA" />',
    '[ü](/%C3%BCber) [s](/a%20b)',
  ])('leave alone what works, or what they cannot know: %s', (text) => {
    const site = mintlify({ 'x.mdx': `${text}\n`, 'über.mdx': 'x\n', 'a b.mdx': 'y\n' });
    expect(lines(site).filter((line) => !/not-in-navigation|redirected-link/.test(line))).toEqual([]);
  });

  test('do not guess about pages that are made from an API description', () => {
    const config = { navigation: { tabs: [{ tab: 'API', openapi: { source: '/api.json', directory: 'reference' } }] } };
    const pages = { 'api.json': '{}', 'a.mdx': '[x](/reference/users/list) [y](/other/users)\n' };
    const inOneFile = { ...pages, 'docs.json': JSON.stringify(config) };
    const inTwo = {
      ...pages,
      'docs.json': '{ "navigation": { "$ref": "./navigation.json" } }',
      'navigation.json': JSON.stringify(config.navigation),
    };
    for (const files of [inOneFile, inTwo]) {
      expect(lines(new Site(files)).filter((line) => line.startsWith('error'))).toEqual([
        'error a.mdx:1 missing-page: The link "/other/users" is broken: its target does not exist.',
      ]);
    }
  });

  test('hold navigation against files, both ways', () => {
    const nav = mintlify().base.readText('docs.json')!.replace('"installation"', '"instalation"');
    expect(lines(mintlify({ 'docs.json': nav }))).toEqual([
      'error docs.json:14 navigation-missing-page: The navigation lists "instalation", but this page does not exist.',
      'notice installation.mdx:1 page-not-in-navigation: The page is not in the navigation of docs.json.',
    ]);
  });

  test.each([
    ['a comma too many', (text: string) => text.replace('"theme": "mint",', '"theme": "mint",,'), 3],
    ['a brace too few', (text: string) => text.trimEnd().slice(0, -1), 69],
    ['a comment', (text: string) => text.replace('{', '{ // c'), 1],
    ['half a file', (text: string) => text.slice(0, 400), 16],
    ['nothing', () => '{"navigation"', 1],
  ])('say where docs.json is broken: %s', (_, breakIt, line) => {
    const text = breakIt(mintlify().base.readText('docs.json')!);
    const broken = mintlify({ 'docs.json': text })
      .problems()
      .filter(({ code }) => code === 'config-invalid');
    expect(broken[0]).toMatchObject({ path: 'docs.json', severity: 'error' });
    expect(Math.abs(broken[0]!.line - line)).toBeLessThanOrEqual(1);
  });

  test.each([
    '[]',
    '"x"',
    '1',
    'null',
    '{"navigation":[[[[]]]]}',
    '{"navigation":{"pages":[1,null,{"pages":"x"},[["a"]]]}}',
    `{"navigation":${'['.repeat(100_000)}`,
    '{"navigation":{"$ref":"./docs.json"}}',
    '{"navigation":{"$ref":"../../etc/passwd"}}',
    '{"redirects":[null,{"source":1}],"navigation":{}}',
  ])('survive a docs.json such as %.60s', (text) => {
    const site = mintlify({ 'docs.json': text });
    expect(() => site.problems()).not.toThrow();
    expect(site.call('move', { from: 'quickstart.mdx', to: 'start.mdx' }).ok).toBe(true);
    expect(site.call('check', { all: true }).ok).toBe(true);
  });

  test('want a redirect for a page that went elsewhere, and warn of one that is gone', () => {
    const site = mintlify();
    site.call('write', { path: 'guides/events.mdx', content: site.text('guides/webhooks.mdx')! });
    site.workspace.remove('guides/webhooks.mdx');
    site.workspace.remove('concepts/projects.mdx');
    const found = checkDocs(
      site.docs(),
      new DocsSite(new Workspace(site.base, [], site.policy), site.place, site.cache),
    );
    expect(
      found.filter(({ code }) => code === 'missing-redirect').map(({ severity, target }) => [severity, target]),
    ).toEqual([
      ['warning', '/concepts/projects'],
      ['error', '/guides/webhooks'],
    ]);
  });
});

describe('losses of a remaining page', () => {
  const page =
    '---\ntitle: "Chat"\ndescription: Talk\n---\n\nText.\n\n```js\na();\n```\n\nMore.\n\n```\nb\n```\n\nEnd.\n';
  const introduced = (text: string) => {
    const site = new Site({ 'docs.json': '{"navigation":{"pages":["a"]}}', 'a.mdx': page });
    site.workspace.write('a.mdx', text);
    return site.introduced();
  };

  test.each([
    ['the opening ---', page.slice(4), 'a.mdx:1 front-matter: The front matter has lost its fence. Restore the --- lines: title, description are shown as text.'],
    ['the first line', `\n${page}`, 'a.mdx:1 front-matter: The front matter must begin on the first line of the page.'],
    ['all front matter', page.replace(/^---[^]*?---\n\n/, ''), 'a.mdx:1 front-matter: The page has lost its front matter (title, description). Restore it.'],
    ['its title', page.replace('"Chat"', '""'), 'a.mdx:1 front-matter: The page has lost its title. Restore it.'],
    ['its title field', page.replace('title: "Chat"\n', ''), 'a.mdx:1 front-matter: The page has lost its title. Restore it.'],
    ['a second front matter', page.replace(/^---[^]*?---\n/, '$&\n$&'), 'a.mdx:6 front-matter: The page has a second front matter, which is shown as text. Keep one.'],
    ['the end of a code block', page.replace('a();\n```', 'a();'), 'a.mdx:15 page-syntax: The code block that begins here is not closed. Close it: everything after it is shown as code.'],
    ['the end of the last code block', page.replace('b\n```', 'b'), 'a.mdx:14 page-syntax: The code block that begins here is not closed. Close it: everything after it is shown as code.'],
    ['the end of a code block before another', page.replace('a();\n```', 'a();').replace('```\nb', '```sh\nb'), 'a.mdx:8 page-syntax: The code block that begins here is not closed. Close it: everything after it is shown as code.'],
  ])('is a problem: %s', (_, text, line) => expect(introduced(text)).toEqual([line])); // oxfmt-ignore

  test('is a problem: markers of a merge in Markdown, and not in a code block', () => {
    const site = new Site({ 'mkdocs.yml': 'site_name: x\n', 'docs/index.md': '# Home\n\nText.\n' });
    const merged = '<<<<<<< HEAD\nText.\n=======\nOther.\n>>>>>>> main';
    site.workspace.write('docs/index.md', `# Home\n\n${merged}\n`);
    expect(site.introduced()).toEqual([
      'docs/index.md:3 page-syntax: The page has the markers of a merge conflict. Keep one of both versions, and remove the markers.',
    ]);
    site.workspace.write('docs/index.md', `# Home\n\n\`\`\`diff\n${merged}\n\`\`\`\n`);
    expect(site.introduced()).toEqual([]);
  });

  test('is not reported if the page is emptied, its title became a heading, or its code blocks are closed', () => {
    expect(introduced('')).toEqual([]);
    expect(introduced(page.replace('title: "Chat"\n', '').replace('Text.', '# Chat'))).toEqual([]);
    expect(introduced(page.replace('Text.', 'Text.\n\n---\n\nMore: text.\n\n---\n'))).toEqual([]);
    expect(introduced(page.replace('Text.', '````md\n<<<<<<< HEAD\n=======\n>>>>>>> main\n````'))).toEqual([]);
    expect(introduced(page.replace('Text.', '````md\n```js\n```\n````\n\n- x\n\n  ```\n  b\n  ```'))).toEqual([]);
  });

  test('is an address that has no redirect', () => {
    const files = {
      'docusaurus.config.js': 'module.exports = { presets: [["classic", { docs: { routeBasePath: "/" } }]] };\n',
      'docs/intro.md': '---\nslug: /\n---\n\n# Intro\n',
      'docs/setup.md': '---\nslug: /setup-guide\n---\n\n# Setup\n',
    };
    const site = new Site(files);
    site.workspace.write('docs/intro.md', '---\nid: intro\n---\n\n# Intro\n');
    site.workspace.write('docs/setup.md', '---\nslug: /set-up\n---\n\n# Setup\n');
    const lines = site.introduced();
    expect(lines.filter((line) => line.includes('missing-redirect'))).toEqual([
      expect.stringContaining('The page / is gone. Add a redirect, probably to /intro'),
      expect.stringContaining('The page /setup-guide is gone. Add a redirect, probably to /set-up'),
    ]);
  });
});

const key = ({ path, target }: Problem) => `${path} ${target}`;

describe('the problems that a change introduced', () => {
  test('are the new ones, regardless of where the old ones moved', () => {
    const base = [problem('a', 1, '/x'), problem('a', 5, '/y')];
    const now = [problem('a', 30, '/x'), problem('a', 40, '/x'), problem('a', 2, '/y'), problem('b', 1, '/y')];
    expect(introducedProblems(base, now, [{ before: key, now: key }])).toEqual([
      problem('a', 40, '/x'),
      problem('b', 1, '/y'),
    ]);
  });

  test('are not those that a moved page took along', () => {
    const site = mintlify({ 'x.mdx': '[a](/nope) [b](./nope2)\n' });
    site.call('move', { from: 'x', to: 'deep/er/y' });
    expect(site.introduced()).toEqual([]);
  });
});

describe('finding the site', () => {
  test.each([
    ['in the docs folder', { 'docs/docs.json': '{"navigation":{}}' }, 'docs', 'docs.json in docs'],
    ['below the docs folder', { 'docs/site/mint.json': '{}', 'docs/a.md': '' }, 'docs', 'mint.json in docs/site'],
    ['above the docs folder', { 'docs.json': '{"navigation":{}}' }, 'guides', 'docs.json in /'],
    [
      'nearest to the top',
      { 'a/docs.json': '{"navigation":{}}', 'docs.json': '{"navigation":{}}' },
      '',
      'docs.json in /',
    ],
    [
      'in a folder of the repository',
      { 'web/docs/docs.json': '{"navigation":{}}', 'README.md': '' },
      '',
      'docs.json in web/docs',
    ],
    ['the newer file first', { 'mint.json': '{}', 'docs.json': '{"navigation":{}}' }, '', 'docs.json in /'],
    ['not in a docs.json of another tool', { 'docs.json': '{"name":"x"}' }, '', 'plain in /'],
    ['not in node_modules', { 'node_modules/x/docs.json': '{"navigation":{}}' }, '', 'plain in /'],
  ])('looks %s', (_, files, docsDir, expected) => {
    expect(kindOf(files as Record<string, string>, docsDir)).toBe(expected);
  });
});

describe('the cache of page facts', () => {
  test('survives the process, a cut file and a foreign one', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'facts-')), 'deep', 'site.facts');
    const key = 'a'.repeat(40);
    const cache = new FactsCache();
    cache.get(key, 'mdx', () => '# A\n');
    cache.save(file, [
      { blobKey: key, dialect: 'mdx' },
      { blobKey: 'b'.repeat(40), dialect: 'mdx' },
    ]);
    const next = new FactsCache();
    next.load(file);
    expect(next.get(key, 'mdx', () => '# other\n').title).toBe('A');
    expect(next.parsed).toBe(0);
    const whole = readFileSync(file, 'utf8');
    for (const broken of [
      whole.slice(0, -20),
      whole.replace('docent page facts', 'x'),
      `${whole.split('\n')[0]}\ngarbage\n\u0000`,
    ]) {
      writeFileSync(file, broken);
      const other = new FactsCache();
      other.load(file);
      expect(other.has(key, 'mdx')).toBe(false);
    }
    expect(() => new FactsCache().load(join(file, 'none'))).toThrow();
    new FactsCache().load(`${file}.none`);
  });

  test('forgets what was not used for long, and keeps formats apart', () => {
    const cache = new FactsCache(2);
    const keys = ['a', 'b', 'c'].map((c) => c.repeat(40)) as [string, string, string];
    cache.get(keys[0], 'mdx', () => '# A');
    cache.get(keys[1], 'mdx', () => '# B');
    cache.get(keys[0], 'mdx', () => '');
    cache.get(keys[2], 'mdx', () => '# C');
    expect(keys.map((key) => cache.has(key, 'mdx'))).toEqual([true, false, true]);
    expect(cache.has(keys[0], 'markdown')).toBe(false);
  });
});

function problem(path: string, line: number, target: string): Problem {
  return { path, line, code: 'missing-page', message: `"${target}"`, severity: 'error', target };
}

function kindOf(files: Record<string, string>, docsDir = ''): string {
  const { kind, root } = detectSite(new Site(files, { docsDir }).workspace, { docsDir });
  return `${kind} in ${root || '/'}`;
}
