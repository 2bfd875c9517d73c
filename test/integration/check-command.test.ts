import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Problem } from '@docent/docs-check/checks/problem';
import { runCheck, runCheckInThreads } from '@docent/docs-check/cli/run-check';
import { CheckFolder } from '../support/check-folder.ts';
import { CLI } from '../support/processes.ts';

let site: CheckFolder;
let folder: string;
beforeEach(() => {
  site = new CheckFolder();
  folder = site.path;
});
afterEach(() => site.remove());

const write = (files: Record<string, string>) => site.write(files);
const git = (...args: string[]) => site.git(...args);
const docentCheck = (args: string[], env: Record<string, string> = {}) => site.check(args, { env });

/** The command as a person or a CI system starts it: without a running Docent and without settings. */
function started(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [CLI, 'check', ...args],
      { cwd: folder, env: { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

const BESIDE = `module.exports = { presets: [['classic', { docs: { path: '../docs' } }]] };`;

const check = (options: { changedSince?: string; cacheFile?: string; inside?: string; site?: string } = {}) =>
  runCheck({ folder: path.join(folder, options.inside ?? ''), onProgress: () => undefined, ...options });

const found = (options: Parameters<typeof check>[0] = {}) =>
  check(options).problems.map(({ path: name, line, column, target }) => `${name}:${line}:${column} ${target}`);

describe('docent check', () => {
  test('exits with 0 without problems, 1 with errors, 2 if it cannot check', async () => {
    write({ 'a.md': '# A\n\n[b](b.md)\n', 'b.md': '# B\n' });
    const good = await started(['.']);
    expect(good).toMatchObject({ code: 0, out: 'Checked 2 pages of plain Markdown: no problems.\n' });
    write({ 'a.md': '# A\n\nSee [b](c.md) and [b](bb.md).\n' });
    const bad = await started([]);
    expect(bad.code).toBe(1);
    expect(bad.out).toContain(
      'a.md\n  3:9     error    The link "c.md" is broken: its target does not exist.  missing-page\n',
    );
    expect((await started(['nowhere'])).code).toBe(2);
    expect((await docentCheck(['--format', 'xml'])).code).toBe(2);
    expect((await docentCheck(['--changed-since', 'main'])).code).toBe(2);
  });

  test('prints JSON for programs, and annotations in GitHub Actions', async () => {
    write({ 'mkdocs.yml': 'site_name: X\n', 'docs/a.md': '[b](b.md)\n' });
    const { code, out } = await docentCheck(['docs', '--json', '--stats']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      site: { kind: 'mkdocs' },
      pages: 1,
      problems: [{ path: 'docs/a.md', line: 1, column: 5, code: 'missing-page', severity: 'error', target: 'b.md' }],
      stats: { seconds: expect.any(Number), peakMegabytes: expect.any(Number) },
    });
    const annotated = await docentCheck([], { GITHUB_ACTIONS: 'true' });
    expect(annotated.out).toContain(
      '::error file=docs/a.md,line=1,col=5,title=missing-page::The link "b.md" is broken: its target does not exist.\n',
    );
    expect(annotated.out).toContain('Checked 1 page of MkDocs (mkdocs.yml): 1 error.');
  });

  test('searches above the folder for the site, and leaves out what git ignores', () => {
    write({
      '.gitignore': 'drafts/\n',
      'mkdocs.yml': 'site_name: X\n',
      'docs/a.md': '[b](b.md)\n',
      'docs/drafts/x.md': '[nope](nope.md)\n',
    });
    git('init', '-q');
    expect(check({ inside: 'docs' }).site).toMatchObject({ kind: 'mkdocs', configPath: 'mkdocs.yml' });
    expect(found({ inside: 'docs' })).toEqual(['docs/a.md:1:5 b.md']);
    rmSync(path.join(folder, '.git'), { recursive: true });
    expect(found()).toEqual(['docs/a.md:1:5 b.md']);
  });

  test('finds a site whose configuration is beside the folder, within the repository and never outside it', () => {
    const site = { 'website/docusaurus.config.js': BESIDE, 'website/static/a.png': 'x', 'docs/a.md': '![a](/a.png)\n' };
    write({
      'mkdocs.yml': '',
      ...Object.fromEntries(Object.entries(site).map(([name, text]) => [`lib/${name}`, text])),
    });
    git('init', '-q', 'lib');
    expect(check({ inside: 'lib/docs' })).toMatchObject({
      site: { kind: 'docusaurus', configPath: 'website/docusaurus.config.js', unsure: null },
      problems: [],
    });
    rmSync(path.join(folder, 'lib/website'), { recursive: true });
    expect(check({ inside: 'lib/docs' }).site).toMatchObject({ kind: 'plain', configPath: null, unsure: null });
  });

  test('asks for the site if several are possible, and accepts --site', async () => {
    write({ 'website/docusaurus.config.js': BESIDE, 'mkdocs.yml': 'site_name: X\n', 'docs/a.md': '[x](/docs/a)\n' });
    git('init', '-q');
    const asked = await docentCheck(['docs']);
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toContain('Several sites match: MkDocs (mkdocs.yml) or Docusaurus (website/docusaurus');
    expect(asked.err).toContain('--site PATH');
    const said = await docentCheck(['docs', '--site', 'website']);
    expect(said).toMatchObject({
      code: 0,
      out: 'Checked 1 page of Docusaurus (website/docusaurus.config.js): no problems.\n',
    });
    // As a shell completes it: from the current folder.
    expect(check({ inside: 'docs', site: path.join(folder, 'mkdocs.yml') }).site.kind).toBe('mkdocs');
    expect(check({ inside: 'docs', site: 'plain' }).site).toMatchObject({ kind: 'plain', unsure: null });
    expect(() => check({ inside: 'docs', site: 'web' })).toThrow(
      'No site configuration at "web". The repository has MkDocs (mkdocs.yml) and Docusaurus',
    );
  });

  test('reports what it skipped because the meaning of links is unknown', async () => {
    write({ 'website/astro.config.mjs': '', 'docs/a.md': '[x](/x) [y](yy.md)\n', 'docs/y.md': '# Y\n' });
    git('init', '-q');
    const { code, out } = await docentCheck(['docs']);
    expect(code).toBe(1);
    expect(out).not.toContain('Did you mean');
    expect(out).toContain('Astro (website/astro.config.mjs), whose link rules Docent does not know.');
    expect(out).toContain('`docent check --site PATH`');
  });

  test('only reports new problems since a commit, including a moved page without a redirect', () => {
    write({
      'docs.json': '{"navigation":{"pages":["a","old"]}}',
      'a.mdx': '# A\n\n[x](/nope)\n',
      'old.mdx': '---\ntitle: Old\n---\n',
    });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-q', '-m', 'A');
    git('checkout', '-q', '-b', 'change');
    git('mv', 'old.mdx', 'new.mdx');
    write({
      'docs.json': '{"navigation":{"pages":["a","new"]}}',
      'a.mdx': '# A\n\nMoved down: [x](/nope)\n\n[y](/neither)\n',
    });
    git('commit', '-q', '-a', '-m', 'B');
    expect(found({ changedSince: 'main' })).toEqual(['a.mdx:5:5 /neither', 'docs.json:1:undefined /old']);
    expect(() => check({ changedSince: '--output=x' })).toThrow('The commit "--output=x" does not exist here.');
  });

  test('reads a page that did not change only once, with a cache file', () => {
    write({ 'a.md': '[b](b.md)\n', 'b.md': '# B\n' });
    const cacheFile = path.join(folder, '.cache', 'facts');
    const first = check({ cacheFile });
    expect(check({ cacheFile }).problems).toEqual(first.problems);
    write({ 'a.md': '[b](c.md)\n' });
    expect(found({ cacheFile })).toEqual(['a.md:1:5 c.md']);
  });

  test('finds the site above a docs folder outside git, and nothing above that', () => {
    const page = { 'site/content/docs/a.md': '# A [#start]\n\n[a](#start) [b](/elsewhere)\n' };
    write({
      ...page,
      'site/source.config.ts': `import { defineDocs } from 'fumadocs-mdx/config';\n`,
      'mkdocs.yml': 'x: y\n',
    });
    const { site, problems } = check({ inside: 'site/content/docs' });
    expect(site).toMatchObject({ otherGenerator: 'Fumadocs', folder: 'content/docs' });
    expect(problems.map(({ code }) => code)).toEqual(['not-checked']);
  });

  test('follows links within the tree and no further', () => {
    write({ 'docs/a.md': '[b](b.md) [c](outside/any.md) [d](gone.md)\n', 'README.md': '# R\n' });
    symlinkSync('../README.md', path.join(folder, 'docs/b.md'));
    symlinkSync('/etc', path.join(folder, 'docs/outside'));
    symlinkSync('nowhere', path.join(folder, 'docs/gone.md'));
    expect(found()).toEqual(['docs/a.md:1:35 gone.md']);
    // A submodule that is not checked out is an empty folder.
    mkdirSync(path.join(folder, 'submodule'));
    rmSync(path.join(folder, 'docs/gone.md'));
    symlinkSync('../submodule/docs/gone.md', path.join(folder, 'docs/gone.md'));
    expect(found()).toEqual([]);
  });
});

const navigation = (filler: string) => JSON.stringify({ name: 'A', navigation: { pages: ['a', 'big'] }, filler });

describe('unread files', () => {
  test('is not configuration of megabytes', () => {
    write({ 'docs.json': navigation('x'.repeat(2_400_000)), 'a.mdx': '[b](/big#there)\n', 'big.mdx': '# There\n' });
    expect(check()).toMatchObject({ site: { kind: 'docs.json' }, problems: [] });
  });

  test('are always reported at the end, without an error', async () => {
    write({
      'docs.json': navigation(''),
      'a.mdx': '[b](/big#there)\n',
      'big.mdx': '# There\n\nWords.\n'.repeat(80_000),
    });
    const { code, out } = await docentCheck(['.']);
    expect(code).toBe(0);
    expect(out).toContain('The page was not read: it is too large to be read, with 1.3 MB of text.');
    const { problems } = JSON.parse((await docentCheck(['.', '--json'])).out) as { problems: Problem[] };
    expect(problems).toMatchObject([{ path: 'big.mdx', code: 'not-read', severity: 'notice' }]);
  });

  test('of a commit to compare with is not counted against the change', () => {
    write({ 'a.md': `${'Words.\n\n'.repeat(150_000)}[b](gone.md)\n` });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'a');
    write({ 'a.md': '[b](gone.md)\n' });
    expect(found({ changedSince: 'HEAD' })).toEqual([]);
  });
});

describe('one cause in many places', () => {
  beforeEach(() => {
    const pages = Array.from({ length: 40 }, (_, i) => [`guides/p${i}.md`, '[a](../gone.md)\n']);
    write({ ...Object.fromEntries(pages), 'a.md': '[b](other.md)\n' });
  });

  test('is one report with the first positions and their number, or all on request', async () => {
    const { out } = await docentCheck(['.']);
    expect(out).toContain('40 places in 40 files: guides/p0.md:1, guides/p1.md:1,');
    expect(out).toContain('and 35 more (use --all to show each)');
    expect(out.match(/is broken/g)).toHaveLength(2);
    expect((await docentCheck(['.', '--all'])).out.match(/is broken/g)).toHaveLength(41);
    const annotations = (await docentCheck(['.', '--format', 'github'])).out;
    expect(annotations.match(/^::error/gm)).toHaveLength(2);
    expect(annotations).toContain('The same problem in 39 more places');
  });

  test('is counted for programs, which get each place too', async () => {
    const { problems, causes } = JSON.parse((await docentCheck(['.', '--json'])).out) as Record<string, Problem[]>;
    expect(problems).toHaveLength(41);
    expect(new Set(problems!.map(({ cause }) => cause)).size).toBe(2);
    expect(causes).toMatchObject([{ code: 'missing-page', count: 40, pages: 40, first: { length: 5 } }]);
  });
});

const page = (i: number) => `# Page ${i}\n\n[a](/p${(i * 7) % 700}#page-${i})\n\n${i % 50 === 0 ? '<B>' : ''}\n`;

const foundIn = ({ site, pages, problems, left, baselined }: ReturnType<typeof runCheck>) => {
  return { site, pages, problems, left, baselined };
};

test('many threads find the same as one', async () => {
  const names = Array.from({ length: 700 }, (_, i) => `p${i}`);
  write({
    ...Object.fromEntries(names.map((name, i) => [`${name}.mdx`, page(i)])),
    'docs.json': JSON.stringify({ name: 'A', navigation: { pages: names } }),
  });
  const options = { folder, onProgress: () => undefined };
  const cacheFile = path.join(folder, '.git-facts');
  const inThreads = foundIn(await runCheckInThreads({ ...options, cacheFile }));
  expect(inThreads.problems.length).toBeGreaterThan(600);
  expect(inThreads).toEqual(foundIn(runCheck(options)));
  expect(foundIn(await runCheckInThreads({ ...options, cacheFile }))).toEqual(inThreads);
});
