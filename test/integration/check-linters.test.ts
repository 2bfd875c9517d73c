import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { runProgram } from '@docent/docs-check/cli/linters/run-program';
import { CheckFolder } from '../support/check-folder.ts';

let folder: CheckFolder;
beforeEach(() => {
  folder = new CheckFolder();
});
afterEach(() => folder.remove());

/** A program in the repository's own node_modules, which records its arguments. */
function install(name: string, body: string): void {
  const file = `node_modules/.bin/${name}`;
  const head = `#!${process.execPath}\nconst fs = require('node:fs'); const args = process.argv.slice(2);\n`;
  const log = `fs.appendFileSync(${JSON.stringify(path.join(folder.path, 'asked.log'))}, JSON.stringify({ args, cwd: process.cwd(), names: Object.keys(process.env) }) + '\\n');\n`;
  folder.write({ [file]: `${head}${log}${body}\n` });
  chmodSync(path.join(folder.path, file), 0o755);
}

const asked = () =>
  existsSync(path.join(folder.path, 'asked.log'))
    ? readFileSync(path.join(folder.path, 'asked.log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { args: string[]; cwd: string; names: string[] })
    : [];

/** As Vale 3 reports each line of its files with the word "very". */
const VALE_PROGRAM = `
const result = {};
for (const file of args.filter((one) => !one.startsWith('--'))) {
  fs.readFileSync(file, 'utf8').split('\\n').forEach((line, i) => {
    const at = [...line].join('\\u0000').split('\\u0000').findIndex((_, k, all) => all.slice(k, k + 4).join('') === 'very');
    if (at >= 0) (result[file] ??= []).push({ Action: { Name: 'remove', Params: null }, Span: [at + 1, at + 4], Check: 'House.Very',
      Description: '', Link: '', Message: "Remove 'very'", Severity: 'warning', Match: 'very', Line: i + 1 });
  });
}
console.log(JSON.stringify(result, null, 2));`;

/** As markdownlint-cli2 reports each line of its files with a tab. */
const CLI2_PROGRAM = `
let found = 0;
for (const file of args.filter((one) => one.startsWith(':')).map((one) => one.slice(1))) {
  fs.readFileSync(file, 'utf8').split('\\n').forEach((line, i) => {
    const at = line.indexOf('\\t');
    if (at >= 0) { found++; console.error(file + ':' + (i + 1) + ':' + (at + 1) + ' error MD010/no-hard-tabs Hard tabs [Column: ' + (at + 1) + ']'); }
  });
}
console.log('Summary: ' + found + ' error(s)');
process.exitCode = found > 0 ? 1 : 0;`;

interface Report {
  problems: {
    path: string;
    line: number;
    column?: number;
    code: string;
    rule?: string;
    message: string;
    severity: string;
  }[];
}

async function found(args: string[], options = {}): Promise<string[]> {
  const { out, err } = await folder.check([...args, '--linters', '--json', '--notices'], options);
  expect(err).toBe('');
  const { problems } = JSON.parse(out) as Report;
  return problems.map(
    ({ path: name, line, column, code, rule, severity }) =>
      `${name}:${line}:${column ?? 0} ${code}/${rule ?? ''} ${severity}`,
  );
}

describe('--linters', () => {
  test("runs the repository's linters on its pages, and reports their findings with the others", async () => {
    install('vale', VALE_PROGRAM);
    install('markdownlint-cli2', CLI2_PROGRAM);
    folder.write({
      '.gitignore': 'node_modules/\nasked.log\n',
      'docs/.vale.ini': 'StylesPath = styles\n',
      '.markdownlint.json': '{}',
      'docs/a.md': '# A\n\n\u{1F600} very good.\n\n<!-- docent-ignore-next-line vale: quoted -->\nvery\n',
      'docs/b c.md': '[x](gone.md)\n\ttab\n',
      'other/d.md': 'very\n',
    });
    folder.git('init', '-q');
    const args = ['docs', '--linters', '--json'];
    const { code, out } = await folder.check(args, { env: { SECRET_TOKEN: 's3cret' } });
    expect(code).toBe(1);
    expect((JSON.parse(out) as Report).problems).toMatchObject([
      {
        path: 'docs/a.md',
        line: 3,
        column: 4,
        code: 'vale',
        rule: 'House.Very',
        message: "House.Very: Remove 'very'.",
        severity: 'warning',
      },
      { path: 'docs/b c.md', line: 1, code: 'missing-page' },
      { path: 'docs/b c.md', line: 2, column: 1, code: 'markdownlint', rule: 'MD010', severity: 'error' },
    ]);
    const [vale, cli2] = asked();
    expect(vale).toMatchObject({
      args: expect.arrayContaining(['./a.md', './b c.md']),
      cwd: expect.stringMatching(/docs$/),
    });
    expect(cli2!.args).toEqual(['--no-globs', ':docs/a.md', ':docs/b c.md']);
    expect([...vale!.names, ...cli2!.names]).not.toContain('SECRET_TOKEN');
    // Severities, formats, and files that are named.
    folder.write({ '.docent.json': '{"rules": {"markdownlint": "notice"}}' });
    expect(await found(['docs/b c.md'])).toEqual([
      'docs/b c.md:1:5 missing-page/ error',
      'docs/b c.md:2:1 markdownlint/MD010 notice',
    ]);
    const github = await folder.check(['docs', '--linters', '--format', 'github']);
    expect(github.out).toContain('::warning file=docs/a.md,line=3,col=4,title=vale/House.Very::');
    const sarif = JSON.parse((await folder.check(['docs', '--linters', '--format', 'sarif'])).out);
    const [first] = sarif.runs[0].results;
    expect(first.ruleId).toBe('vale/House.Very');
    expect(sarif.runs[0].tool.driver.rules[first.ruleIndex].id).toBe('vale');
  });

  test('never runs without a request, whatever the repository contains, and keeps comments and baseline then', async () => {
    install('markdownlint-cli2', CLI2_PROGRAM);
    folder.write({ '.gitignore': 'node_modules/\nasked.log\n', '.markdownlint.json': '{}' });
    folder.write({ 'a.md': '# A\n\n<!-- docent-ignore-next-line markdownlint: a table -->\n\tone\n\n\ttwo\n' });
    folder.git('init', '-q');
    await folder.check(['--linters', '--update-baseline']);
    const written = readFileSync(path.join(folder.path, '.docent-baseline.json'), 'utf8');
    expect(written).toContain('"markdownlint"');
    expect((await folder.check(['--linters'])).out).toContain('1 ignored by comments, 1 in the baseline');
    const runs = asked().length;
    const { code, out } = await folder.check(['--notices']);
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining('no problems') });
    await folder.check(['--update-baseline']);
    expect(readFileSync(path.join(folder.path, '.docent-baseline.json'), 'utf8')).toBe(written);
    expect(asked()).toHaveLength(runs);
    folder.write({ '.docent.json': '{"linters": true}' });
    expect(await folder.check([])).toMatchObject({ code: 2 });
    // Fixed problems are reported by a run that searched for them.
    folder.write({
      '.docent.json': '{}',
      'a.md': '# A\n\n<!-- docent-ignore-next-line markdownlint: a table -->\none\n',
    });
    const maintenance = await found([]);
    expect(maintenance).toEqual(['.docent-baseline.json:6:0 unused-ignore/ notice', 'a.md:3:1 unused-ignore/ notice']);
  });

  test('with --changed-since, reports lines that changed, in pages that did', async () => {
    install('markdownlint-cli2', CLI2_PROGRAM);
    folder.write({ '.gitignore': 'node_modules/\nasked.log\n', '.markdownlint.json': '{}' });
    folder.write({
      'a.md': '# A\n\n\told\n\nWords.\n',
      'b.md': '\told\n',
      'c.md': '# C is a page with a name\n\n\told in C\n\nMore words here.\n',
    });
    folder.git('init', '-q');
    folder.git('add', '.');
    folder.git('commit', '-qm', 'x');
    folder.git('mv', 'c.md', 'moved.md');
    folder.write({ 'a.md': '# A\n\n\told\n\nWords.\n\tnew\n', 'd.md': '\tnew\n' });
    expect(await found(['--changed-since', 'HEAD'])).toEqual([
      'a.md:6:1 markdownlint/MD010 error',
      'd.md:1:1 markdownlint/MD010 error',
    ]);
    expect(asked()[0]!.args).toEqual(['--no-globs', ':a.md', ':d.md', ':moved.md']);
  });

  test("reports missing programs and configurations, and fails with a failing linter's output", async () => {
    folder.write({ 'docs/a.md': '# A\n', '.gitignore': 'node_modules/\n' });
    folder.git('init', '-q');
    expect((await folder.check(['docs', '--linters'])).out).toContain('--linters has nothing to run');
    folder.write({ '.vale.ini': 'x', '.markdownlint-cli2.yaml': 'config: {}' });
    install('markdownlint', 'process.exit(0)');
    folder.write({ 'tools/vale': '#!/bin/sh\necho {}\n' });
    chmodSync(path.join(folder.path, 'tools/vale'), 0o755);
    // Anyone could put a program into a relative folder of the PATH.
    const { code, out } = await folder.check(['docs', '--linters'], {
      env: { PATH: 'tools:/usr/bin:/bin' },
    });
    expect(code).toBe(0);
    expect(out).toMatch(/Vale is configured here but not installed.*vale sync/);
    expect(out).toMatch(/markdownlint is configured here but not installed.*npm install --save-dev markdownlint-cli2/);
    install(
      'markdownlint-cli2',
      `console.error("Error: Unable to use\\u001b[31m configuration file 'x'\\n    at run (x.mjs:1)"); process.exit(2)`,
    );
    const failed = await folder.check(['docs', '--linters']);
    expect(failed).toMatchObject({ code: 2, out: '' });
    expect(failed.err).toContain('markdownlint could not be run: it exited with 2: Error: Unable to use');
    expect(failed.err).not.toMatch(/\p{Cc}(?<!\n)|at run/u);
    for (const other of ['--watch', '--stdin-path=docs/a.md']) {
      expect(await folder.check(['docs', '--linters', other])).toMatchObject({
        code: 2,
        err: expect.stringContaining('cannot be combined with'),
      });
    }
  });
});

test('a linter that hangs or prints endlessly is killed with its children', async () => {
  const run = (code: string, limit: number) => runProgram(process.execPath, ['-e', code], { cwd: folder.path, limit });
  const pidFile = path.join(folder.path, 'pid');
  const hang = `const { pid } = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' });
    require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(pid)); setInterval(() => {}, 1000);`;
  await expect(run(hang, 2_000)).rejects.toThrow('it took longer than 2 seconds');
  const pid = Number(readFileSync(pidFile, 'utf8'));
  await expect.poll(() => isRunning(pid)).toBe(false);
  const talk = `const line = 'x'.repeat(1e6); for (;;) require('node:fs').writeSync(1, line);`;
  await expect(run(talk, 60_000)).rejects.toThrow('it printed more than 64 MB');
  await expect(runProgram('/no/such/program', [], { cwd: '/', limit: 1_000 })).rejects.toThrow('it cannot be started');
});

function isRunning(pid: number): boolean {
  try {
    // A process that ended without being reaped does not count as running.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
