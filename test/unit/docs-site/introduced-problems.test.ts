import { assert, array, constantFrom, nat, property, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mintlify, Site, type Files } from '../../support/fixture-site.ts';
import { times } from '../../support/how-often.ts';

const MINTLIFY = { 'docs.json': '{"navigation":{"pages":["a","guides/b","guides/c","nowhere"]}}' };
const MKDOCS = { 'mkdocs.yml': 'site_name: x\nnav:\n  - a.md\n  - guides/b.md\n  - gone.md\n' };

const page = (title: string, ...lines: string[]) => `---\ntitle: ${title}\n---\n\n${lines.join('\n\n')}\n`;

describe('a move', () => {
  test('is not blamed for broken anchors on other pages that it rewrote', () => {
    const site = new Site({
      ...MINTLIFY,
      'a.mdx': page('A', '[x](/guides/b#never-there)', '[y](./guides/b#nor-this "t")', '[z](/guides/b#words)'),
      'guides/b.mdx': page('B', '## Words', '[self](/guides/b#not-here)', '[up](../a#nothing)', '[c](./c#neither)'),
      'guides/c.mdx': page('C', '[b](./b#no)', 'A sentence.'),
    });
    expect(site.call('move', { from: 'guides/b.mdx', to: 'reference/deep/bee.mdx' }).ok).toBe(true);
    expect(site.text('a.mdx')).toContain('(/reference/deep/bee#never-there)');
    expect(site.introduced()).toEqual([]);
    expect(site.call('check', {}).text).toContain('your changes introduced no problems');
  });

  test('of a folder also moves the known broken links of its pages and into it', () => {
    const site = new Site({
      ...MINTLIFY,
      'a.mdx': page('A', '[x](/guides/c#no)', '![i](/guides/none.png)'),
      'guides/b.mdx': page('B', '[x](./none)', '[y](c#no)'),
      'guides/c.mdx': page('C', "import X from './none.mdx'", '[x](#no)'),
    });
    expect(site.call('move', { from: 'guides/', to: 'how-to/' }).ok).toBe(true);
    expect(site.introduced()).toEqual([]);
  });

  test('made manually is recognized, even with links to missing pages', () => {
    const site = new Site({
      ...MINTLIFY,
      'a.mdx': page('A', '[x](/guides/b#no)', '[y](/guides/none)'),
      'guides/b.mdx': page('B', 'A first line of some length.', 'And a second one, of more.', '[x](/guides/none)'),
      'guides/c.mdx': page('C', 'The third page.', 'It says nothing.'),
    });
    for (const name of ['b', 'c']) {
      const text = site.text(`guides/${name}.mdx`)!.replaceAll('guides/', 'how-to/');
      site.workspace.remove(`guides/${name}.mdx`);
      site.workspace.write(`how-to/${name}.mdx`, text);
    }
    site.workspace.write('a.mdx', site.text('a.mdx')!.replaceAll('guides/', 'how-to/'));
    site.workspace.write(
      'docs.json',
      '{"navigation":{"pages":["a","how-to/b","how-to/c","nowhere"]},"redirects":[{"source":"/guides/:slug*","destination":"/how-to/:slug*"}]}',
    );
    expect(site.introduced()).toEqual([]);
  });

  test('does not hide what it broke, nor a second link to what was broken before', () => {
    const site = new Site({
      ...MINTLIFY,
      'a.mdx': page('A', '[x](/guides/b#no)'),
      'guides/b.mdx': page('B', '## Words', 'A line that says much of it.'),
      'guides/c.mdx': page('C', '[x](/guides/b#words)'),
    });
    site.call('move', { from: 'guides/b.mdx', to: 'guides/bee.mdx' });
    site.call('edit', {
      path: 'a.mdx',
      oldText: '[x](/guides/bee#no)',
      newText: '[x](/guides/bee#no) [y](/guides/bee#no)',
    });
    site.call('edit', { path: 'guides/bee.mdx', oldText: '## Words', newText: '## Terms' });
    expect(site.introduced()).toEqual([
      'a.mdx:5 missing-anchor: The link "/guides/bee#no" points to an anchor that guides/bee.mdx does not have.',
      'guides/c.mdx:5 missing-anchor: The link "/guides/bee#words" points to an anchor that guides/bee.mdx does not have.',
    ]);
  });

  test('of pages with old problems brings none that was there before, whatever moves where', () => {
    const names = ['a', 'guides/b', 'guides/c', 'guides/deep/d'];
    const targets = [
      '/guides/b',
      './b',
      '../a',
      '/guides/deep/d',
      '/nope',
      'nope/x',
      './none.png',
      '/guides/c',
      '#',
      'c',
      '',
    ];
    const link = record({ target: constantFrom(...targets), hash: constantFrom('', '#no', '#words'), image: nat(4) });
    const move = record({
      from: constantFrom(...names.map((name) => `${name}.md`), 'guides/', 'guides/deep/'),
      to: constantFrom('z', 'guides/z', 'other/place/z', 'deep2/'),
    });
    assert(
      property(
        array(array(link, { maxLength: 6 }), { minLength: 4, maxLength: 4 }),
        move,
        constantFrom('mintlify', 'mkdocs', 'plain'),
        (links, { from, to }, kind) => {
          const ending = kind === 'mintlify' ? '.mdx' : '.md';
          const files: Files = { ...(kind === 'mintlify' ? MINTLIFY : kind === 'mkdocs' ? MKDOCS : {}) };
          for (const [i, name] of names.entries()) {
            const written = links[i]!.map(
              ({ target, hash, image }) => `${image === 0 ? '!' : ''}[t](${target === '#' ? hash : target + hash})`,
            );
            files[(kind === 'mkdocs' ? 'docs/' : '') + name + ending] = page(
              `Page ${name}`,
              '## Words',
              `All about ${name}, and more.`,
              ...written,
            );
          }
          const site = new Site(files);
          site.call('move', { from: from.replace(/\.md$/, ending), to });
          const introduced = site.introduced().filter((line) => !line.includes(' missing-redirect: '));
          expect(introduced).toEqual([]);
        },
      ),
      { numRuns: times(30) },
    );
  });
});

describe('a problem is an old one', () => {
  test('with any positions in its message: lines, and the name of the configuration', () => {
    const site = new Site({
      'mint.json': '{"name":"x","navigation":[{"group":"g","pages":["a","nowhere"]}]}',
      'a.mdx': page('A', 'Text.', '<b>'),
      'alone.mdx': page('Alone', 'Text.'),
    });
    site.workspace.write('a.mdx', site.text('a.mdx')!.replace('Text.', 'Text.\n\nMore.\n\nAnd more.'));
    site.workspace.remove('mint.json');
    site.workspace.write('docs.json', '{"name":"x","navigation":{"groups":[{"group":"g","pages":["a","nowhere"]}]}}');
    expect(site.call('check', {}).text).toContain('your changes introduced no problems');
  });

  test('when it was hidden by what did not parse', () => {
    const site = new Site({
      ...MINTLIFY,
      'a.mdx': page('A', '<a href="/nope">', '[x](/nor-this)'),
      'guides/b.mdx': page('B', '[x](/a#no)'),
    });
    site.call('edit', { path: 'a.mdx', oldText: '<a href="/nope">', newText: '<a href="/nope">z</a>' });
    expect(site.problems().map(({ code }) => code)).toEqual(expect.arrayContaining(['missing-page', 'missing-anchor']));
    expect(site.introduced()).toEqual([]);
  });

  test('when the page it was on became a part of another', () => {
    const site = new Site({
      ...MINTLIFY,
      'a.mdx': page('A', 'First.'),
      'guides/b.mdx': page('B', '[x](/nope)'),
      'guides/c.mdx': page('C', 'Third.'),
    });
    site.call('delete', { path: 'guides/b.mdx', redirectTo: '/a' });
    site.call('edit', { path: 'a.mdx', oldText: 'First.', newText: 'First.\n\n[x](/nope)' });
    expect(site.introduced().filter((line) => line.includes('missing-page'))).toEqual([]);
  });

  test('but not when another page gets it', () => {
    const site = mintlify({ 'x.mdx': page('X', '[a](/nope)') });
    site.call('edit', { path: 'quickstart.mdx', oldText: '---\n\n', newText: '---\n\n[a](/nope)\n\n' });
    site.workspace.write('y.mdx', page('Y', '[a](/nope)'));
    expect(site.introduced().filter((line) => line.includes('/nope'))).not.toEqual([]);
    expect(site.introduced().every((line) => !line.startsWith('x.mdx'))).toBe(true);
  });
});
