import { lstatSync, readFileSync, statSync, symlinkSync, chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fixedFiles, writeFixed } from '@docent/docs-check/cli/fix-links';
import { runCheck } from '@docent/docs-check/cli/run-check';
import { CheckFolder } from '../support/check-folder.ts';

let folder: CheckFolder;
beforeEach(() => {
  folder = new CheckFolder();
});
afterEach(() => folder.remove());

const read = (name: string) => readFileSync(path.join(folder.path, name), 'utf8');

const SITE = {
  'docs/a.md':
    '# A\r\n\r\nSee [b](Guides/B.md), [c](C.MD) and [w](guides/b.md#some-wrds).\r\n[x](nothing-like-it.md)\t`[b](Guides/B.md)`\r\n',
  'docs/guides/b.md': '# B\n\n## Some words\n',
  'docs/c.md': '# C\n',
  'README.md': '[b](docs/Guides/b.md)\n',
};

describe('docent check --fix', () => {
  test('shows the change first, and changes nothing without a yes', async () => {
    folder.write(SITE);
    folder.git('init', '-q');
    const shown = await folder.check(['--fix', '--dry-run']);
    expect(shown.code).toBe(1);
    expect(shown.out).toContain('-See [b](Guides/B.md)');
    expect(shown.out).toContain('+See [b](guides/b.md)');
    expect(shown.out).toContain('would be corrected.');
    const asked = await folder.check(['--fix']);
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('Pass --yes to confirm') });
    expect(read('docs/a.md')).toBe(SITE['docs/a.md']);
    expect(await folder.check(['--dry-run'])).toMatchObject({ code: 2 });
    expect(await folder.check(['--fix', '--stdin-path', 'docs/a.md'])).toMatchObject({ code: 2 });
  });

  test('writes fixes with one right answer, keeps all other bytes, and reports the rest', async () => {
    folder.write(SITE);
    folder.git('init', '-q');
    chmodSync(path.join(folder.path, 'docs/a.md'), 0o640);
    const { code, out } = await folder.check(['docs', '--fix', '--yes']);
    expect(read('docs/a.md')).toBe(
      '# A\r\n\r\nSee [b](guides/b.md), [c](c.md) and [w](guides/b.md#some-words).\r\n[x](nothing-like-it.md)\t`[b](Guides/B.md)`\r\n',
    );
    expect(statSync(path.join(folder.path, 'docs/a.md')).mode & 0o777).toBe(0o640);
    // Outside of the checked folder.
    expect(read('README.md')).toBe(SITE['README.md']);
    expect(out).toContain('3 links in 1 file corrected.');
    expect(code).toBe(1);
    expect(out).toContain('nothing-like-it.md');
    const again = await folder.check(['docs', '--fix', '--yes']);
    expect(again.out).toContain('No problem has a clear correction.');
  });

  test("follows moved pages, and writes each site generator's form", async () => {
    folder.git('init', '-q');
    folder.write({
      'mkdocs.yml': 'site_name: x\n',
      'docs/a.md': '[c](c) [d](d.md)\n',
      'docs/c.md': '',
      'docs/old/d.md': '',
    });
    expect((await folder.check(['docs', '--fix', '--yes'])).code).toBe(0);
    expect(read('docs/a.md')).toBe('[c](c.md) [d](old/d.md)\n');
  });

  test.each([
    [
      'docs.json',
      '{\n  "navigation": { "pages": ["a", "guides/b", "gone"] } // x\n}\n',
      '{\n  "navigation": { "pages": ["a", "moved/b", "gone"] } // x\n}\n',
      '',
    ],
    [
      'mkdocs.yml',
      'site_name: x\nnav:\n  - A: a.md # first\n  - B: "guides/b.md"\n',
      'site_name: x\nnav:\n  - A: a.md # first\n  - B: "moved/b.md"\n',
      'docs/',
    ],
    [
      'sidebars.js',
      "module.exports = { docs: ['a', { type: 'doc', id: 'guides/b' }] };\n",
      "module.exports = { docs: ['a', { type: 'doc', id: 'moved/b' }] };\n",
      'docs/',
    ],
  ])('lets the entry of a page that moved follow, in %s', async (name, before, after, below) => {
    folder.git('init', '-q');
    folder.write({ [name]: before, [`${below}a.md`]: '# A\n', [`${below}moved/b.md`]: '# B\n' });
    if (name === 'sidebars.js')
      folder.write({
        'docusaurus.config.js':
          "module.exports = { presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]] };",
      });
    const { out } = await folder.check(['--fix', '--yes']);
    expect(out).toContain('1 link in 1 file corrected.');
    expect(read(name)).toBe(after);
  });

  test('leaves an entry alone that two pages could be meant by', async () => {
    const nav = 'site_name: x\nnav: [a.md, guides/b.md]\n';
    folder.write({ 'mkdocs.yml': nav, 'docs/a.md': '', 'docs/one/b.md': '', 'docs/two/b.md': '' });
    folder.git('init', '-q');
    await folder.check(['--fix', '--yes']);
    expect(read('mkdocs.yml')).toBe(nav);
  });

  test('leaves symbolic links alone, and files that changed since they were shown', () => {
    folder.write({ 'docs/a.md': '[b](B.md)\n', 'docs/b.md': '# B\n', 'src/real.md': '[b](../docs/B.md)\n' });
    symlinkSync('../src/real.md', path.join(folder.path, 'docs/link.md'));
    folder.git('init', '-q');
    const { docs, problems, top } = runCheck({ folder: folder.path, onProgress: () => undefined });
    const { fixed } = fixedFiles(docs, problems);
    expect(fixed.map((file) => file.path)).toEqual(expect.arrayContaining(['docs/a.md']));
    writeFileSync(path.join(folder.path, 'docs/a.md'), '[b](B.md) and more\n');
    const linked = { path: 'docs/link.md', before: read('docs/link.md'), after: 'x', links: 1 };
    expect(writeFixed(top, [...fixed.filter((file) => file.path === 'docs/a.md'), linked])).toEqual([
      { path: 'docs/a.md', reason: 'it changed in the meantime' },
      { path: 'docs/link.md', reason: 'it is a symbolic link, or behind one' },
    ]);
    expect(read('docs/a.md')).toBe('[b](B.md) and more\n');
    expect(lstatSync(path.join(folder.path, 'docs/link.md')).isSymbolicLink()).toBe(true);
  });
});
