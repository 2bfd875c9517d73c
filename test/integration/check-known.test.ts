import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { CheckFolder } from '../support/check-folder.ts';

let folder: CheckFolder;
beforeEach(() => {
  folder = new CheckFolder();
});
afterEach(() => folder.remove());

describe('a baseline', () => {
  test('lets a team start with its existing problems, each of which covers one occurrence on its page', async () => {
    folder.write({ 'a.md': '[x](gone.md) [y](gone.md)\n', 'docs/b.md': '![i](none.png)\n' });
    const written = await folder.check(['--update-baseline']);
    expect(written).toMatchObject({ code: 0, out: '3 known problems written to .docent-baseline.json. Commit it.\n' });
    expect(JSON.parse(readFileSync(path.join(folder.path, '.docent-baseline.json'), 'utf8'))).toEqual({
      version: 1,
      problems: {
        'a.md': { 'missing-page': { 'gone.md': 2 } },
        'docs/b.md': { 'missing-image': { 'none.png': 1 } },
      },
    });
    expect((await folder.check(['--update-baseline'])).out).toContain('is up to date');
    folder.write({ 'a.md': 'A new line.\n\n[x](gone.md) [y](gone.md)\n' });
    const clean = await folder.check([]);
    expect(clean).toMatchObject({ code: 0 });
    expect(clean.out).toContain('no problems. Not counted: 3 in the baseline.');
    folder.write({ 'a.md': '[x](gone.md) [y](gone.md) [z](gone.md)\n' });
    const third = JSON.parse((await folder.check(['--json'])).out) as { problems: { column: number }[] };
    expect(third.problems).toMatchObject([{ code: 'missing-page', column: 31 }]);
    expect((await folder.check(['--no-baseline'])).out).toContain('4 errors');
  });

  test('names unneeded entries, and follows moved pages', async () => {
    folder.write({ 'docs/a.md': '[x](gone.md)\n[y](none.md)\n' });
    await folder.check(['docs', '--update-baseline']);
    expect(existsSync(path.join(folder.path, 'docs/.docent-baseline.json'))).toBe(true);
    folder.write({ 'docs/a.md': 'Nothing.\n', 'docs/b.md': '[y](none.md)\n' });
    const { code, out } = await folder.check(['docs']);
    expect(code).toBe(1);
    expect(out).toContain(
      'a.md no longer has these problems of the baseline: missing-page "gone.md", missing-page "none.md".',
    );
    expect(out).toContain('unused-ignore');
    const moved = new CheckFolder();
    try {
      moved.write({ 'a.md': '[y](none.md)\n' });
      await moved.check(['--update-baseline']);
      moved.git('init', '-q');
      moved.git('add', '.');
      moved.git('mv', 'a.md', 'b.md');
      expect(await moved.check([])).toMatchObject({ code: 0 });
    } finally {
      moved.remove();
    }
  });

  test('knows pages of the site outside its folder', async () => {
    folder.write({
      'website/docusaurus.config.js': `module.exports = { presets: [['classic', { docs: { path: '../docs' } }]] };`,
      'website/blog/2026-01-01-x.md': '[x](./gone.md)\n',
      'docs/a.md': '[x](./gone.md)\n',
    });
    folder.git('init', '-q');
    expect((await folder.check(['docs'])).out).toContain('2 errors');
    await folder.check(['docs', '--update-baseline']);
    expect(await folder.check(['docs'])).toMatchObject({ code: 0, out: expect.stringContaining('2 in the baseline') });
    expect(await folder.check(['.', '--site', 'website'])).toMatchObject({ code: 0 });
  });

  test('is only written into the repository, and an unreadable one excuses nothing', async () => {
    folder.write({ 'a.md': '[x](gone.md)\n', '.docent.json': '{"baseline": "out/b.json"}' });
    symlinkSync('/tmp', path.join(folder.path, 'out'));
    const { code, err } = await folder.check(['--update-baseline']);
    expect(code).toBe(2);
    expect(err).toContain('its folder is outside of the repository');
    folder.write({ '.docent.json': '{}', '.docent-baseline.json': '{"version": 2}' });
    expect(await folder.check([])).toMatchObject({ code: 2, err: expect.stringContaining('another version') });
    folder.write({ '.docent-baseline.json': '<<<<<<< HEAD' });
    expect(await folder.check([])).toMatchObject({ code: 2, err: expect.stringContaining('not valid JSON') });
    expect(await folder.check(['--update-baseline', 'a.md'])).toMatchObject({ code: 2 });
  });
});

describe('a comment with a reason', () => {
  test('ignores a problem on the next line, in a block or in a file, in Markdown and MDX', async () => {
    folder.write({
      'a.md': [
        '<!-- docent-ignore-next-line missing-page: made by the build -->',
        '[x](x.md) [y](y.png)',
        '',
        '<!-- docent-ignore-start missing-page, missing-file: shown as they were -->',
        '[x](x.md)',
        '[y](y.zip)',
        '<!-- docent-ignore-end -->',
        '[z](z.md)',
      ].join('\n'),
      'b.mdx': '{/* docent-ignore-file missing-image: images come from elsewhere */}\n\n![a](a.png)\n\n![b](b.png)\n',
      'c.mdx': '# C\n\n{/* docent-ignore-next-line missing-page: an example */}\n\n[x](x.md)\n',
    });
    const { out } = await folder.check(['--json']);
    const { problems, left } = JSON.parse(out) as {
      problems: { path: string; line: number; code: string }[];
      left: object;
    };
    expect(problems.map(({ path: name, line, code }) => `${name}:${line} ${code}`)).toEqual([
      'a.md:2 missing-file',
      'a.md:8 missing-page',
    ]);
    expect(left).toEqual({ ignored: 6, known: 0, off: 0 });
  });

  test('counts only with codes and a reason, and not in code', async () => {
    folder.write({
      'a.md': [
        '<!-- docent-ignore-next-line missing-page -->',
        '[x](x.md)',
        '<!-- docent-ignore-next-line: because -->',
        '<!-- docent-ignore-nextline missing-page: because -->',
        '<!-- docent-ignore-file missing-pages: because -->',
        '<!-- docent-ignore-end -->',
        '<!-- docent-ignore-start missing-page: because -->',
        '```md',
        '<!-- docent-ignore-file missing-page: because -->',
        '```',
        '[x](x.md)',
      ].join('\n'),
    });
    const { code, out } = await folder.check([]);
    expect(code).toBe(1);
    expect(out).toContain('1:1     error    The comment has no effect: it gives no reason');
    expect(out).toContain('3:1     error    The comment has no effect: it does not name problem codes');
    expect(out).toContain('4:1     error    The comment has no effect: its format is invalid');
    expect(out).toContain('unknown code "missing-pages", did you mean "missing-page"?');
    expect(out).toContain('no docent-ignore-start comes before it');
    expect(out).toContain('no docent-ignore-end follows it');
    expect(out.match(/is broken/g)).toHaveLength(2);
  });

  test('that is no longer needed is reported, in a comparison only if it is new', async () => {
    const comment = '<!-- docent-ignore-next-line missing-page, missing-anchor: an example -->';
    folder.write({ 'a.md': `${comment}\n[x](x.md)\n`, 'b.md': `${comment}\n[a](a.md)\n` });
    folder.git('init', '-q');
    folder.git('add', '.');
    folder.git('commit', '-q', '-m', 'A');
    const { code, out } = await folder.check([]);
    expect(code).toBe(0);
    expect(out).toContain(
      'a.md\n  1:1     notice   The comment ignores missing-anchor, but this problem no longer exists here',
    );
    expect(out).toContain('b.md\n  1:1     notice   The comment ignores missing-page, missing-anchor, but this');
    expect((await folder.check(['--changed-since', 'HEAD'])).out).not.toContain('The comment');
    folder.write({ 'a.md': `${comment}\n[b](b.md)\n` });
    const since = await folder.check(['--changed-since', 'HEAD']);
    expect(since.out).toContain('a.md\n  1:1     notice');
    expect(since.out).not.toContain('b.md\n');
  });
});

describe('.docent.json', () => {
  test('sets rules and leaves files out, all of them read', async () => {
    folder.write({
      'docs/.docent.json': JSON.stringify({
        rules: { 'missing-image': 'warning', 'missing-anchor': 'off', 'redirected-link': 'on' },
        exclude: ['archive/**'],
      }),
      'docs/a.md': '![i](i.png) [b](archive/b.md#no) [c](archive/c.md)\n',
      'docs/archive/b.md': '[x](x.md)\n',
    });
    const { code, out } = await folder.check(['docs']);
    expect(code).toBe(1);
    expect(out).toMatch(/1:6 {5}warning {2}The image/);
    expect(out).toContain('1 error, 1 warning. Not counted: 2 excluded by .docent.json.');
    folder.write({ 'docs/.docent.json': '{"include": ["a.md"], "rules": {"missing-image": "off"}}' });
    expect((await folder.check(['docs'])).out).toContain('a.md\n  1:17');
    folder.write({ 'docs/.docent.json': '{"rules": {"missing-page": "warning", "missing-image": "warning"}}' });
    expect((await folder.check(['docs', '--strict'])).code).toBe(1);
  });

  test('names the position of each mistake, and the likely correction', async () => {
    folder.write({
      'a.md': '# A\n',
      '.docent.json': `{
  "rule": {},
  "rules": { "missing-pge": "off", "missing-file": "fatal", "not-read": "off" },
  "exclude": "archive",
  "include": ["a[b"],
  "baseline": "../b.json"
}`,
    });
    const { code, err } = await folder.check([]);
    expect(code).toBe(2);
    expect(err.split('\n')).toEqual([
      '.docent.json:2:3 .docent.json is not valid: Unknown setting "rule". Did you mean "rules"?',
      '.docent.json:3:14 .docent.json is not valid: Unknown rule "missing-pge". Did you mean "missing-page"?',
      '.docent.json:3:36 .docent.json is not valid: "rules.missing-file" must be one of "off", "on", "notice", "warning", "error".',
      '.docent.json:3:61 .docent.json is not valid: "rules.not-read" must be one of "on", "notice", "warning", "error".',
      '.docent.json:4:3 .docent.json is not valid: "exclude" must be a list [ … ].',
      '.docent.json:5:15 .docent.json is not valid: The glob has an unclosed [: "a[b".',
      '.docent.json:6:3 .docent.json is not valid: the baseline must be a file in the repository.',
      '',
    ]);
    folder.write({ '.docent.json': '{ "rules": {' });
    expect((await folder.check([])).err).toContain('.docent.json:1:13 .docent.json is not valid: a closing brace');
  });

  test('may be a key of package.json', async () => {
    folder.write({
      'a.md': '![i](i.png)\n',
      'package.json': '{"name":"x","docent":{"rules":{"missing-image":"off"}}}',
    });
    expect((await folder.check([])).code).toBe(0);
    folder.write({ 'package.json': '{"name":"x","docent":{"rulez":{}}}' });
    expect((await folder.check([])).err).toContain(
      'package.json:1:23 package.json is not valid: Unknown setting "rulez"',
    );
    folder.write({ 'package.json': '{"name":"x"}' });
    expect((await folder.check([])).code).toBe(1);
  });
});

describe('selected files', () => {
  const SITE = { 'docs/a.md': '[x](x.md)\n', 'docs/b.md': '[y](y.md)\n', 'docs/deep/c.md': '[z](z.md)\n', 'x.txt': '' };

  test('is a folder, files and globs: only their problems count', async () => {
    folder.write(SITE);
    folder.git('init', '-q');
    const files = await folder.check(['docs', 'docs/b.md', 'x.txt']);
    expect(files.code).toBe(1);
    expect(files.out).toContain('docs/b.md\n');
    expect(files.out).not.toContain('docs/a.md\n');
    expect(files.out).toContain('1 error. Not part of the site, so not checked: x.txt.');
    const globs = await folder.check(['**/c.md', 'b.*'], { inside: 'docs' });
    expect(globs.out).toContain('docs/deep/c.md\n');
    expect(globs.out).toContain('docs/b.md\n');
    expect(globs.out).not.toContain('docs/a.md\n');
    expect(await folder.check(['*.rst'])).toMatchObject({ code: 2, err: 'No files match "*.rst".\n' });
    expect(await folder.check(['docs', 'docs/deep'])).toMatchObject({ code: 2 });
    expect(await folder.check(['docs', '/etc/hostname'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('is not in'),
    });
  });

  test.each([['in a repository'], ['in no repository']])('may be elsewhere, by an absolute path, %s', async (where) => {
    folder.write({ ...SITE, 'elsewhere/keep.txt': '' });
    if (where === 'in a repository') folder.git('init', '-q', 'docs');
    const [docs, inside] = [path.join(folder.path, 'docs'), 'elsewhere'];
    const one = await folder.check([path.join(docs, 'b.md')], { inside });
    expect(one.code).toBe(1);
    expect(one.out).toContain('b.md\n');
    expect(one.out).not.toContain('a.md\n');
    const glob = await folder.check([path.join(docs, '*.md')], { inside });
    expect(glob.out).toMatch(/a\.md\n[^]*b\.md\n/);
    expect(glob.out).not.toContain('c.md\n');
    expect((await folder.check(['../docs/**/c.md'], { inside })).out).toContain('c.md\n');
    const typed = ['--stdin-path', path.join(docs, 'new.md'), '--json'];
    const said = await folder.check(typed, { inside, stdin: '[a](a.md)\n\n[n](no.md)\n' });
    expect(JSON.parse(said.out)).toMatchObject({ problems: [{ path: 'new.md', line: 3 }] });
    if (where === 'in no repository') return;
    folder.write({ 'other/a.md': '' });
    const both = [path.join(docs, 'a.md'), path.join(folder.path, 'other/a.md')];
    expect(await folder.check(both, { inside })).toMatchObject({
      code: 2,
      err: 'Pass files of one repository only.\n',
    });
  });

  test('may be a page that an editor has not saved yet', async () => {
    folder.write(SITE);
    const said = await folder.check(['docs', '--stdin-path', 'docs/a.md', '--json'], {
      stdin: '[b](b.md)\n\n[n](no.md)\n',
    });
    expect(JSON.parse(said.out)).toMatchObject({ problems: [{ path: 'a.md', line: 3, target: 'no.md' }] });
    const fresh = await folder.check(['docs', '--stdin-path', 'docs/new.md', '--json'], { stdin: '[n](no.md)' });
    expect(JSON.parse(fresh.out)).toMatchObject({ pages: 4, problems: [{ path: 'new.md' }] });
    expect(await folder.check(['docs', '--stdin-path', 'x.md'], { stdin: '' })).toMatchObject({ code: 2 });
  });

  test('is not an empty folder', async () => {
    const { code, err, out } = await folder.check([]);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain('Nothing to check in');
  });
});
