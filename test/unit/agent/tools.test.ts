import { describe, expect, test } from 'vitest';
import { runToolCalls, TOOL_DEFINITIONS } from '@docent/agent/tools/tool-set';
import { mintJson, mintlify, plain, Site, siteFiles } from '../../support/fixture-site.ts';
import { processorClock } from '../../support/processor-time.ts';

describe('list', () => {
  test('says what kind of site it is and shows it as a tree', () => {
    const { text } = mintlify().call('list', {});
    expect(text.split('\n')[0]).toBe(
      'Site: Mintlify (docs.json). Root: the repository. Pages: 9 (.mdx). Titles: in front matter.',
    );
    expect(text).toContain('\n  guides/\n    authentication.mdx\n    deploy/\n      docker.mdx\n');
    expect(plain().call('list', {}).text).toMatch(
      /^Site: plain Markdown\. Root: docs\/\. Pages: 4 \(\.md\)\. Titles: in headings\.\ndocs\/\n/,
    );
  });

  test('counts folders below its depth, and lists what a glob matches', () => {
    expect(mintlify().call('list', { depth: 1 }).text).toContain(
      '\n  guides/ (4 files): deploy/ 2, Authentication, Webhooks\n',
    );
    const found = mintlify().call('list', { glob: 'guides/**/*.mdx' }).text;
    expect(found).toContain('4 files match guides/**/*.mdx:\nguides/authentication.mdx\n');
    expect(mintlify().call('list', { path: '/guides/deploy' }).text).toContain(
      'guides/deploy/\n  docker.mdx\n  kubernetes.mdx',
    );
  });

  test('shows the title of a page whose file name does not say it', () => {
    const site = new Site({ 'docs/a.md': '---\ntitle: Deploy on your own\n---\n', 'docs/set-up.md': '# Set up\n' });
    expect(site.call('list', { path: 'docs' }).text).toMatch(/docs\/\n {2}a\.md: Deploy on your own\n {2}set-up\.md$/);
  });

  test('collapses a large site into about 2,000 tokens, and opens what is asked for', () => {
    const site = new Site(largeSite());
    const whole = site.call('list', {});
    expect(whole.text.length).toBeLessThan(9_500);
    // Whole, since it is small; collapsed, since it is large.
    expect(whole.text).toContain('\n  start/\n    install.md: Get going\n');
    expect(whole.text).toMatch(/\n {4}part-0\/ \(300 files\): Call 0 and what it answers, .*, …\n/);
    expect(whole.text).toMatch(
      /\d+ folders? with [\d,]+ files collapsed to a count\. Open one with its path from the top;/,
    );
    expect(whole.data).toMatchObject({ tool: 'list', folders: { whole: true } });
    const opened = site.call('list', { path: 'reference/part-0' });
    expect(opened.text).toContain('\n  call-0.md: Call 0 and what it answers\n');
    const globbed = site.call('list', { glob: '**/*.md' });
    expect(globbed.text).toContain('files match **/*.md, as a tree:\n(repository)/\n');
    expect(globbed.text.length).toBeLessThan(9_500);
  });

  test('never hides that something is left out, whatever the shape of the repository', () => {
    const flat = Object.fromEntries(Array.from({ length: 9_000 }, (_, i) => [`p/page-number-${i}.md`, 'x']));
    const site = new Site(flat);
    expect(site.call('list', { glob: '**' }).text).toMatch(/\n {2}p\/ \(9,000 files\): page-number-0\.md, /);
    const { text } = site.call('list', { path: 'p' });
    expect(text.length).toBeLessThan(9_500);
    const shown = text.split('\n').filter((line) => line.startsWith('  page')).length;
    expect(text).toMatch(/… [\d,]+ more files in it\. Give a glob, such as p\/a\*\.$/);
    const folders = Object.fromEntries(Array.from({ length: 8_000 }, (_, i) => [`f${i}/a.txt`, 'x']));
    const taken = processorClock();
    expect(new Site(folders).call('list', {}).text).toMatch(/… [\d,]+ more files in it\./);
    expect(taken()).toBeLessThan(6_000);
    expect(shown + Number(/… ([\d,]+) more/.exec(text)![1]!.replace(',', ''))).toBe(9_000);
  });
});

/** A folder of a few pages beside one of many. */
function largeSite(): Record<string, string> {
  const many = Array.from({ length: 900 }, (_, i) => [
    `reference/part-${i % 3}/call-${i}.md`,
    `---\ntitle: Call ${i} and what it answers\n---\n`,
  ]);
  return { ...Object.fromEntries(many), 'start/install.md': '# Get going\n', 'index.md': '# Home\n' };
}

describe('search', () => {
  test('finds text and regular expressions, with path and line', () => {
    const site = mintlify();
    expect(site.call('search', { query: 'Kubernetes' }).text).toBe(
      'guides/deploy/docker.mdx:15: Then go on with [Kubernetes](./kubernetes) or back to [webhooks](../webhooks#retries).\nguides/deploy/kubernetes.mdx:2: title: "Kubernetes"\n2 lines in 2 files.',
    );
    expect(site.call('search', { query: '^## \\w+$', regex: true, glob: 'concepts' }).text).toBe(
      'concepts/projects.mdx:7: ## Environments\n1 line in 1 file.',
    );
    expect(site.call('search', { query: 'KUBERNETES', ignoreCase: true, glob: '*.mdx' }).text).toContain(
      '2 lines in 2 files',
    );
  });

  test('leaves code out when asked to', () => {
    const site = mintlify();
    expect(site.call('search', { query: 'acme init' }).ok).toBe(true);
    expect(site.call('search', { query: 'acme init', outsideCode: true }).text).toMatch(/^No match for "acme init"\./);
  });

  test('takes seconds at most over an expression that others explode on', () => {
    const site = new Site({ 'a.md': 'a'.repeat(500_000) });
    const taken = processorClock();
    site.call('search', { query: '(a+)+$!', regex: true });
    site.call('search', { query: '(x+x+)+y|(a*)*b', regex: true });
    expect(taken()).toBeLessThan(8_000);
  });

  test('explains an expression that it does not take, and a scope that is nowhere', () => {
    const site = mintlify();
    expect(site.call('search', { query: '(?=x)', regex: true })).toMatchObject({
      ok: false,
      text: expect.stringContaining('is not a regular expression that RE2 supports'),
    });
    expect(site.call('search', { query: 'x', glob: 'nowhere' })).toMatchObject({
      ok: false,
      text: expect.stringContaining('There is no file or folder nowhere.'),
    });
    expect(site.call('search', { query: 'x', glob: '{a,b' }).text).toContain('The glob has an unclosed {.');
  });

  test('shows some of very many matches, with a note', () => {
    const site = new Site({ 'a.md': 'needle\n'.repeat(5_000) });
    expect(site.call('search', { query: 'needle' }).text).toMatch(
      /5,000 lines in 1 file\. The first 200 are shown\. Continue with offset 201, narrow the query or give a glob\.$/,
    );
  });
});

describe('read', () => {
  test('numbers lines, and continues from a requested one', () => {
    const site = new Site({ 'a.md': Array.from({ length: 10_000 }, (_, i) => `line ${i + 1}`).join('\n') });
    expect(site.call('read', { path: 'a.md' }).text).toMatch(
      /^a\.md\n {4}1\tline 1\n[^]*\n 1000\tline 1000\nLines 1 to 1000 of 10000\. Continue with offset 1001\.$/,
    );
    expect(site.call('read', { path: 'a.md', offset: 9_999 }).text).toBe(
      'a.md\n 9999\tline 9999\n10000\tline 10000\nEnd of the file (10000 lines).',
    );
    expect(site.call('read', { path: 'a.md', offset: 10_001 })).toMatchObject({ ok: false });
  });

  test('takes the site path of a page, and says what it cannot read', () => {
    const site = mintlify();
    expect(site.call('read', { path: '/guides/webhooks#retries' }).text).toMatch(/^guides\/webhooks\.mdx\n/);
    expect(site.call('read', { path: 'images/delivery.png' }).text).toContain('cannot be read: it is binary');
    expect(site.call('read', { path: 'guides' }).text).toContain('guides is a folder');
    expect(site.call('read', { path: 'guides/webhook' }).text).toContain('Did you mean guides/webhooks.mdx');
  });

  test('cuts lines that are as long as a book', () => {
    const site = new Site({ 'a.md': `${'x'.repeat(300_000)}\nend\n` });
    const { text } = site.call('read', { path: 'a.md' });
    expect(text.length).toBeLessThan(3_000);
    expect(text).toContain('\tend\n');
  });
});

describe('edit', () => {
  test('replaces a unique text and nothing else', () => {
    const site = mintlify();
    const result = site.call('edit', {
      path: 'installation.mdx',
      oldText: 'brew install acme',
      newText: 'brew install acme-cli',
    });
    expect(result.text).toBe('Replaced 1 occurrence in installation.mdx (line 15).\nChanged: "installation.mdx"');
    expect(site.diff()).toBe('== installation.mdx\n@@ -15,1 +15,1 @@\n-brew install acme\n+brew install acme-cli\n');
  });

  test('says where a text is that is not unique, and what comes nearest to one that is absent', () => {
    const site = mintlify();
    expect(site.call('edit', { path: 'installation.mdx', oldText: 'acme', newText: 'x' }).text).toEqual(
      expect.stringContaining(
        'The text occurs 3 times in installation.mdx (lines 9, 15, 20). Include more of the surrounding text, or replaceAll: true.\n',
      ),
    );
    expect(
      site.call('edit', { path: 'guides/webhooks.mdx', oldText: 'Failed deliverys are retryed', newText: 'x' }).text,
    ).toContain('The nearest passage is:\n   23\tFailed deliveries are retried; see [delivery states]');
    expect(
      site.call('edit', { path: 'guides/webhooks.mdx', oldText: 'FAILED deliveries', newText: 'x' }).text,
    ).toContain('It differs in upper and lower case');
    expect(site.call('edit', { path: 'index.mdx', oldText: 'or read about [projects]', newText: 'x' }).text).toContain(
      'It differs in blanks or line breaks',
    );
    expect(site.changed()).toEqual([]);
  });

  test('keeps CRLF, and a missing line break at the end', () => {
    const site = new Site({ 'a.md': 'one\r\ntwo\r\nthree' });
    expect(site.call('edit', { path: 'a.md', oldText: 'one\ntwo', newText: 'one\n1.5\ntwo' }).ok).toBe(true);
    expect(site.text('a.md')).toBe('one\r\n1.5\r\ntwo\r\nthree');
  });

  test('leaves code, tags, imports, keys and link targets alone when it is asked to', () => {
    const page =
      '---\ntitle: card\nicon: card\n---\n\nimport card from "/card.mdx";\n\n# card\n\n<Card title="card" icon="card" href="/card">\n  card `card` [card](/card) {card} {/* card */}\n</Card>\n\n```card\ncard\n```\n\n<card>card</card>\n';
    const site = mintlify({ 'x.mdx': page });
    const input = {
      path: 'x.mdx',
      oldText: 'card',
      newText: 'tile',
      replaceAll: true,
      outsideCode: true,
      outsideLinks: true,
    };
    expect(site.call('edit', input).text).toMatch(
      /^Replaced 6 occurrences in x\.mdx .*Left alone: 3 in code, 7 in markup, 2 in links\./,
    );
    expect(site.text('x.mdx')).toBe(
      '---\ntitle: tile\nicon: card\n---\n\nimport card from "/card.mdx";\n\n# tile\n\n<Card title="tile" icon="card" href="/card">\n  tile `card` [tile](/card) {card} {/* card */}\n</Card>\n\n```card\ncard\n```\n\n<card>tile</card>\n',
    );
  });

  test('keeps front matter valid, whatever it puts in', () => {
    for (const newText of ['A: b', 'A #1', '"A"', "it's", '- A', '[A', '{A}', 'true', '1', '*A', 'A\\']) {
      const site = mintlify({ 'x.mdx': '---\ntitle: Old\ndescription: \'Old\'\nsidebarTitle: "Old"\n---\n' });
      site.call('edit', { path: 'x.mdx', oldText: 'Old', newText, replaceAll: true, outsideCode: true });
      const facts = site.docs().facts('x.mdx')!;
      expect(facts.problems, newText).toEqual([]);
      expect(facts.frontMatter!.fields, newText).toEqual({
        title: newText,
        description: newText,
        sidebarTitle: newText,
      });
    }
  });

  test('keeps attributes whole, whatever quotes it puts in', () => {
    const site = mintlify({ 'x.mdx': `Acme <Card title="Acme" cta='Acme'>Acme</Card>\n` });
    site.call('edit', { path: 'x.mdx', oldText: 'Acme', newText: `"A's"`, replaceAll: true, outsideCode: true });
    expect(site.text('x.mdx')).toBe(`"A's" <Card title="&quot;A's&quot;" cta='"A&#39;s"'>"A's"</Card>\n`);
    expect(site.docs().facts('x.mdx')!.problems).toEqual([]);
  });

  test('edits many files as one change, or no file at all', () => {
    const site = new Site(siteFiles('mintlify'), { maxFiles: 3 });
    const input = { glob: '**', oldText: 'Acme', newText: 'Globex', replaceAll: true };
    expect(site.call('edit', input)).toMatchObject({
      ok: false,
      text: expect.stringContaining('no more than 3 files'),
    });
    expect(site.changed()).toEqual([]);
    expect(site.call('edit', { ...input, glob: 'guides/**' }).text).toMatch(/^Replaced \d+ occurrences in 2 files\./);
  });

  test('replaces link targets, and only these', () => {
    const site = mintlify({ 'x.mdx': '[/a](/a) `/a` <Card href="/a" title="/a" /> [b](/a#x) ![/a](/a)\n' });
    const result = site.call('edit', {
      path: 'x.mdx',
      oldText: '/a',
      newText: '/quickstart',
      linkTargets: true,
      replaceAll: true,
    });
    expect(result.text).toContain('Replaced 3 link targets in x.mdx');
    expect(site.text('x.mdx')).toBe(
      '[/a](/quickstart) `/a` <Card href="/quickstart" title="/a" /> [b](/a#x) ![/a](/quickstart)\n',
    );
  });
});

describe('write', () => {
  test('creates a page with the site’s extension and enters it in the navigation', () => {
    const site = mintlify();
    const result = site.call('write', {
      path: '/guides/teams',
      content: '---\ntitle: T\n---',
      mode: 'create',
      navigation: true,
    });
    expect(result.text).toBe(
      'Created guides/teams.mdx. Entered in the navigation under Documentation > Guides.\nChanged: "guides/teams.mdx", "docs.json"',
    );
    expect(site.text('guides/teams.mdx')).toBe('---\ntitle: T\n---\n');
  });

  test('takes line breaks from the file, or from its neighbours', () => {
    const site = new Site({ 'docs/a.md': 'a\r\nb\r\n', 'docs/c.md': 'c\r\n' }, { docsDir: 'docs' });
    site.call('write', { path: 'docs/a.md', content: 'x\ny\n', mode: 'replace' });
    site.call('write', { path: 'docs/new.md', content: 'x\ny' });
    expect([site.text('docs/a.md'), site.text('docs/new.md')]).toEqual(['x\r\ny\r\n', 'x\r\ny\r\n']);
  });

  test('never overwrites a page that was named by its title alone', () => {
    const site = mintlify();
    expect(site.call('write', { path: 'Webhooks', content: 'x' }).text).toContain('Created Webhooks.mdx');
    expect(site.text('guides/webhooks.mdx')).toBe(site.base.readText('guides/webhooks.mdx'));
  });

  test('warns of a page that does not parse', () => {
    expect(mintlify().call('write', { path: 'x.mdx', content: '# x\n\n<Card>\n' }).text).toContain(
      'But it has a problem in line',
    );
  });

  test.each([
    '../x.md',
    '/../../x.md',
    'docs/../../x.md',
    '.git/config',
    '.github/workflows/x.yml',
    '.GITHUB/x.md',
    'a\0b.md',
    'CODEOWNERS',
    'a//b.md',
    'x.md/',
    `${'a/'.repeat(3_000)}x.md`,
  ])('refuses the path %j', (path) => {
    const site = mintlify();
    const result = site.call('write', { path, content: 'x' });
    if (result.ok) expect(site.changed().join()).not.toMatch(/\.\.|\.git|CODEOWNERS$/i);
    else expect(result.text).toContain('Nothing was changed.');
  });

  test('knows all files that a call changed, though their list is too long for the text', () => {
    const files = Object.fromEntries(
      Array.from({ length: 600 }, (_, i) => [`old/${'long-'.repeat(12)}${i}.md`, '# x\n']),
    );
    const site = new Site(files, { maxFiles: 2_000 });
    const result = site.call('move', { from: 'old/', to: 'new' });
    expect(result.text.length).toBeLessThanOrEqual(50_000);
    expect(result.ok && result.changed.toSorted()).toEqual(site.changed().toSorted());
  });

  test('stays in the docs folder', () => {
    const site = plain();
    expect(
      !site.call('write', { path: 'README.md', content: 'x' }).ok || site.text('README.md')!.startsWith('# Tinyqueue'),
    ).toBe(true);
    expect(site.changed().every((path) => path.startsWith('docs/'))).toBe(true);
  });
});

describe('move', () => {
  test('is done once, however often it is called', () => {
    const site = mintlify();
    const input = { from: 'guides/webhooks', to: 'guides/events' };
    expect(site.call('move', input).ok).toBe(true);
    const once = site.diff();
    expect(site.call('move', input).text).toContain('Already moved: guides/webhooks.mdx to guides/events.mdx');
    expect(site.diff()).toBe(once);
  });

  test('moves a page there and back and leaves no redirect', () => {
    const site = mintlify();
    site.call('move', { from: 'guides/webhooks', to: 'concepts/hooks' });
    site.call('move', { from: 'concepts/hooks', to: 'guides/webhooks' });
    expect(site.text('docs.json')).toBe(site.base.readText('docs.json'));
    expect(site.introduced()).toEqual([]);
  });

  test('follows redirects that end at the page, and drops one that starts where it goes', () => {
    const site = mintlify();
    site.call('move', { from: 'quickstart', to: 'getting-started' });
    expect(site.text('docs.json')).toContain('{ "source": "/quickstart", "destination": "/getting-started" }');
    expect(site.text('docs.json')).not.toContain('"source": "/getting-started"');
    expect(site.text('docs.json')).toContain('{ "label": "Start", "href": "/getting-started" }');
  });

  test('keeps index pages, extensions and encoded paths as they were written', () => {
    const site = new Site(
      {
        'docs.json': '{"navigation":{"pages":["index","guides/index","a b"]}}',
        'index.mdx':
          '[g](/guides) [g](guides/) [i](/guides/index) [m](./guides/index.mdx) [s](/a%20b) <a href="/a%20b">x</a>\n',
        'guides/index.mdx': '[home](/) [up](../)\n',
        'a b.mdx': 'x\n',
      },
      {},
    );
    site.call('move', { from: 'guides/index.mdx', to: 'manual/index.mdx' });
    site.call('move', { from: 'a b.mdx', to: 'manual/c (d).mdx' });
    expect(site.text('index.mdx')).toBe(
      '[g](/manual) [g](manual/) [i](/manual/index) [m](./manual/index.mdx) [s](/manual/c%20%28d%29) <a href="/manual/c%20%28d%29">x</a>\n',
    );
    expect(site.text('docs.json')).toBe(
      '{"navigation":{"pages":["index","manual/index","manual/c (d)"]},"redirects":[{"source":"/guides","destination":"/manual"},{"source":"/a b","destination":"/manual/c (d)"}]}',
    );
  });

  test('moves a folder with all links among its pages', () => {
    const site = mintlify();
    expect(site.call('move', { from: 'guides', to: 'how-to/' }).text).toMatch(
      /^Moved guides\/ with its 4 files to how-to\/: 8 links updated, 4 navigation entries updated, 4 redirects added\./,
    );
    expect(site.introduced()).toEqual([]);
    expect(site.text('how-to/deploy/docker.mdx')).toBe(site.base.readText('guides/deploy/docker.mdx'));
  });

  test('follows $ref into the files that docs.json is split into', () => {
    const site = new Site({
      'docs.json':
        '{\n  "navigation": { "languages": [{ "$ref": "./nav/en.json" }] },\n  "redirects": { "$ref": "./redirects.json" }\n}\n',
      'nav/en.json': '{\n  "language": "en",\n  "pages": [\n    "a",\n    "b"\n  ]\n}\n',
      'redirects.json': '[]\n',
      'a.mdx': '[b](/b)\n',
      'b.mdx': 'b\n',
    });
    site.call('move', { from: 'b', to: 'c' });
    expect(site.text('nav/en.json')).toBe('{\n  "language": "en",\n  "pages": [\n    "a",\n    "c"\n  ]\n}\n');
    expect(JSON.parse(site.text('redirects.json')!)).toEqual([{ source: '/b', destination: '/c' }]);
    expect(site.text('docs.json')).toBe(site.base.readText('docs.json'));
    expect(site.introduced()).toEqual([]);
  });
});

describe('delete', () => {
  test('says what still links to the page', () => {
    const site = mintlify();
    const { text } = site.call('delete', { path: 'concepts/projects' });
    expect(text).toContain('Still linked from guides/webhooks.mdx:23, index.mdx:8.');
  });

  test('takes an emptied group with it, but never the last one', () => {
    const site = mintJson();
    site.call('delete', { path: 'essentials/formatting' });
    site.call('delete', { path: 'essentials/tables' });
    expect(site.text('mint.json')).not.toContain('"Essentials",\n\t\t\t"pages"');
    site.call('delete', { path: 'introduction' });
    site.call('delete', { path: 'guides/first-report' });
    expect(JSON.parse(site.text('mint.json')!).navigation).toEqual([{ group: 'Introduction', pages: [] }]);
  });
});

describe('check', () => {
  test('lists only what the change introduced, unless asked for all', () => {
    const site = mintlify({ 'x.mdx': '[a](/nope)\n' });
    site.call('write', { path: 'y.mdx', content: '[b](/quickstrat)\n' });
    expect(site.call('check', {}).text).toMatch(
      /^Checked 13 pages: 2 problems that your changes introduced\.\ny\.mdx:1 missing-page: The link "\/quickstrat" is broken: its target does not exist\. Best match: "\/quickstart"\.\n/,
    );
    expect(site.call('check', { all: true, glob: '*.mdx' }).text).toContain(
      'x.mdx:1 missing-page: The link "/nope" is broken: its target does not exist.',
    );
    expect(mintlify().call('check', {}).text).toBe('Checked 11 pages: your changes introduced no problems.');
  });
});

describe('calls that a model got wrong', () => {
  const site = mintlify();

  test.each([
    [
      'an unknown tool',
      'bash',
      { command: 'rm -rf /' },
      'There is no tool "bash". There are list, search, read, edit, write, move, delete, check.',
    ],
    ['no input', 'read', undefined, 'The input of read is not valid. path is missing.'],
    ['a list', 'read', [1], 'The input of read is not valid.'],
    ['wrong types', 'edit', { path: {}, oldText: {}, newText: [] }, 'The input of edit is not valid. path: '],
    [
      'an unknown field',
      'edit',
      { path: 'a', old_string: 'b', oldText: 'c', newText: 'd' },
      'Unrecognized key: "old_string"',
    ],
    [
      'a hostile key',
      'read',
      JSON.parse('{"path":"index.mdx","__proto__":{"x":1},"constructor":1}'),
      'The input of read is not valid.',
    ],
    ['broken JSON', 'read', '{"path":', 'The input of read is not valid.'],
    ['neither path nor glob', 'edit', { oldText: 'a', newText: 'b' }, 'Give either path or glob.'],
    ['a huge offset', 'read', { path: 'index.mdx', offset: 1e300 }, 'The input of read is not valid.'],
    ['an address for a path', 'read', { path: 'https://x.example/a' }, 'is an address; give a path'],
    ['lone surrogates', 'write', { path: 'x.mdx', content: '\ud800' }, 'lone surrogates'],
    ['NUL', 'write', { path: 'x.mdx', content: 'a\0b' }, 'NUL'],
    ['too much text', 'write', { path: 'x.mdx', content: 'x'.repeat(1_050_000) }, 'at most 1000000 are allowed'],
  ])('are refused with a reason: %s', (_, name, input, reason) => {
    const result = site.call(name, input);
    expect(result.ok).toBe(false);
    expect(result.text).toContain(reason);
    expect(result.text).toMatch(/Nothing was changed\.$/);
    expect(site.changed()).toEqual([]);
  });

  test.each([
    ['an input as JSON text', '{"path":"index.mdx"}'],
    ['numbers as text', { path: 'index.mdx', limit: '3', offset: '1' }],
    ['null for nothing', { path: 'index.mdx', limit: null }],
  ])('are understood where only the form is wrong: %s', (_, input) => {
    expect(site.call('read', input).ok).toBe(true);
  });

  test('are bounded in number', () => {
    const calls = Array.from({ length: 105 }, (_, i) => ({ id: String(i), name: 'list', input: {} }));
    const results = runToolCalls(site.workspace, calls, { base: site.base, policy: site.policy, cache: site.cache });
    expect(results.filter(({ ok }) => !ok).map(({ callId }) => callId)).toEqual(['100', '101', '102', '103', '104']);
  });
});

describe('descriptions of the tools for models', () => {
  test('is a JSON schema each, with every field described or plain', () => {
    expect(TOOL_DEFINITIONS.map(({ name }) => name)).toEqual([
      'list',
      'search',
      'read',
      'edit',
      'write',
      'move',
      'delete',
      'check',
    ]);
    for (const { inputSchema } of TOOL_DEFINITIONS) {
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(JSON.stringify(inputSchema).length).toBeLessThan(3_000);
    }
  });
});
