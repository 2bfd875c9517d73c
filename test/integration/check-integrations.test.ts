import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { CheckFolder } from '../support/check-folder.ts';
import { ROOT } from '../support/processes.ts';

/** What a clone of Docent has of it, at another place, with its packages. */
let clone: string;
let docs: CheckFolder;
beforeAll(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'docent clone '));
  for (const name of ['bin', 'src', 'packages', 'integrations', 'LICENSE', 'package.json', '.pre-commit-hooks.yaml']) {
    cpSync(path.join(ROOT, name), path.join(clone, name), { recursive: true });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

beforeEach(() => {
  docs = new CheckFolder();
  docs.write({ 'docs/a.md': '[x](old.md)\n', 'docs/b.md': '# B\n' });
  docs.git('init', '-q', '-b', 'main');
  docs.git('add', '.');
  docs.git('commit', '-q', '-m', 'A');
  docs.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  docs.write({ 'docs/b.md': '[y](new.md)\n' });
});
afterEach(() => docs.remove());

const read = (name: string) => readFileSync(path.join(clone, name), 'utf8');

function run(
  program: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ code: number; out: string; err: string }> {
  const NODE_COMPILE_CACHE = path.join(clone, 'compiled');
  const given = { PATH: process.env['PATH'] ?? '', NO_COLOR: '1', NODE_COMPILE_CACHE, ...env };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: docs.path, env: given }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

const action = () =>
  parse(read('integrations/github-action/action.yml')) as {
    inputs: Record<string, { default: string }>;
    runs: { steps: { run?: string; env?: Record<string, string> }[] };
  };
const checked = (env: Record<string, string>) =>
  run('bash', [path.join(clone, 'integrations/github-action/check.sh')], env);

describe('the GitHub Action', () => {
  test("reports a pull request's new problems, and writes the requested reports", async () => {
    const { code, out } = await checked({
      DOCENT_CHECK_PATH: 'docs',
      DOCENT_CHECK_BASE: 'main',
      DOCENT_CHECK_SARIF: 'out/../result.sarif',
      DOCENT_CHECK_HTML: 'result.html',
    });
    expect(code).toBe(1);
    expect(out).toContain('::error file=docs/b.md,line=1');
    expect(out).not.toContain('docs/a.md');
    expect(out.match(/Checked 2 pages/g)).toHaveLength(1);
    expect(existsSync(path.join(docs.path, 'result.html'))).toBe(true);
  });

  test('never runs values as code or options, and reports everything on request', async () => {
    const all = await checked({ DOCENT_CHECK_PATH: 'docs', DOCENT_CHECK_BASE: 'main', DOCENT_CHECK_SINCE: 'none' });
    expect(all.out).toContain('docs/a.md');
    const hostile = await checked({ DOCENT_CHECK_PATH: '--help', DOCENT_CHECK_SINCE: 'none' });
    expect(hostile).toMatchObject({ code: 2, out: '' });
    await checked({ DOCENT_CHECK_PATH: '$(touch pwned)', DOCENT_CHECK_SINCE: '`touch pwned`' });
    expect(existsSync(path.join(docs.path, 'pwned'))).toBe(false);
    const { runs } = action();
    for (const { run: script = '' } of runs.steps) expect(script).not.toContain('${{');
  });

  test('hands on each of its inputs, under the name that its script reads', () => {
    const { inputs, runs } = action();
    const env = Object.assign({}, ...runs.steps.map((step) => step.env ?? {})) as Record<string, string>;
    for (const name of Object.keys(inputs)) expect(Object.values(env)).toContain(`\${{ inputs.${name} }}`);
    const script = read('integrations/github-action/check.sh');
    for (const name of Object.keys(env)) expect(script).toContain(name);
  });
});

test("the GitLab template reports problems, and writes the merge request's report", async () => {
  const template = parse(read('integrations/gitlab/docent.gitlab-ci.yml')) as {
    'docent-check': { script: string[]; artifacts: { reports: { junit: string } } };
  };
  const { script, artifacts } = template['docent-check'];
  mkdirSync(path.join(docs.path, 'builds'));
  symlinkSync(clone, path.join(docs.path, 'builds/docent-program'));
  const env = { CI_BUILDS_DIR: path.join(docs.path, 'builds'), DOCENT_CHECK_PATH: 'docs' };
  const since = docs.git('rev-parse', 'HEAD').trim();
  const { code, out } = await run('bash', ['-ec', script.join('\n')], {
    ...env,
    CI_MERGE_REQUEST_DIFF_BASE_SHA: since,
  });
  expect(code).toBe(1);
  expect(out).toContain('docs/b.md');
  expect(out).not.toContain('docs/a.md');
  expect(readFileSync(path.join(docs.path, artifacts.reports.junit), 'utf8')).toContain('tests="1" failures="1"');
  docs.write({ 'docs/a.md': '# A\n', 'docs/b.md': '# B\n' });
  expect(await run('bash', ['-ec', script.join('\n')], env)).toMatchObject({ code: 0 });
});

test('the pre-commit hook checks the pages that are committed', async () => {
  const [hook] = parse(read('.pre-commit-hooks.yaml')) as [{ entry: string; files: string }];
  const bin = path.join(docs.path, 'bin');
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'docent'), `#!/bin/sh\nexec node '${clone}/bin/docent.js' "$@"\n`);
  chmodSync(path.join(bin, 'docent'), 0o755);
  const files = ['docs/a.md', 'docs/b.md', 'x.txt'].filter((name) => new RegExp(hook.files).test(name));
  const [program = '', ...words] = hook.entry.split(' ');
  const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}` };
  const { code, out } = await run(program, [...words, ...files.slice(1)], env);
  expect(code).toBe(1);
  expect(out).toContain('docs/b.md');
  expect(out).not.toContain('docs/a.md\n');
});

test('the package of docs-check is one folder that runs without installed dependencies', async () => {
  // Its packages are found from the checkout, but the build must not need them.
  const built = path.join(clone, 'packages/docs-check/dist');
  await promisify(execFile)(process.execPath, [path.join(clone, 'packages/docs-check/build.ts')]);
  const alone = path.join(docs.path, 'docs-check');
  cpSync(built, alone, { recursive: true });
  const manifest = JSON.parse(readFileSync(path.join(alone, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(manifest).not.toHaveProperty('dependencies');
  const files = readdirSync(alone).map((name) => statSync(path.join(alone, name)).size);
  expect(files.reduce((sum, size) => sum + size, 0)).toBeLessThan(10e6);
  // Enough pages for threads, which are files of their own.
  docs.write(
    Object.fromEntries(Array.from({ length: 320 }, (_, no) => [`docs/p${no}.md`, `# P${no}\n\n[x](gone.md)\n`])),
  );
  const program = path.join(alone, String((manifest['bin'] as Record<string, string>)['docent-check']));
  const { code, out } = await run(process.execPath, [program, '--all', 'docs'], {});
  expect(code).toBe(1);
  expect(out.match(/docs\/p\d+\.md/g)).toHaveLength(320);
});
