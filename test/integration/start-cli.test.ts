import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SAME_ORIGIN } from '../support/browsers.ts';
import { commandEnv, runCommand } from '../support/command.ts';
import { desktopBrowser } from '../support/desktop-browser.ts';
import { Installation } from '../support/installation.ts';
import { makeRepository, SITE } from '../support/repository.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { ROOT } from '../support/processes.ts';
import { runInside } from '../support/run-inside.ts';

const PROMPT = 'Append a section "Next" with text "Read on." to the page guides/start';
let docent: Installation;
let worker: RoleProcess;

beforeAll(async () => {
  docent = await Installation.create();
  [worker] = await Promise.all([docent.startWorker(), docent.startApi()]);
});
afterAll(() => docent?.stop());

/** Runs a command, with the operator token unless `env` says otherwise. */
async function cli(
  args: string[],
  env: Record<string, string> = { DOCENT_OPERATOR_TOKEN: docent.operatorToken },
  input = '',
) {
  const ended = await runInside(args, envOf(env), { input });
  return { ...ended, json: () => JSON.parse(ended.stdout) as Record<string, unknown> };
}

const envOf = (env: Record<string, string>) => commandEnv(docent.folder, { DOCENT_URL: docent.apiUrl, ...env });

/** Runs the published command, in its own process. */
function published(args: string[], env: Record<string, string>, input = '') {
  return runCommand(args, envOf(env), input, path.join(ROOT, 'bin', 'docent.js'));
}

test('from a repository to a pull request and back, by commands alone', async () => {
  const created = await cli(['project', 'create', 'handbook', '--repository', docent.repository, '--json']);
  expect(created.stderr).toBe('');
  expect(created.json()).toMatchObject({ id: 'handbook', ref: 'main', repository: docent.repository });
  expect((await cli(['project', 'list'])).stdout).toMatch(/^ID .*\nhandbook +main +\/ +builtin +\//);

  const key = (
    await cli(['key', 'create', '--project', 'handbook', '--name', 'ci', '--scope', 'write', '--json'])
  ).json();
  expect(key).toMatchObject({ name: 'ci', scopes: ['write'], projectIds: ['handbook'] });
  const own = { DOCENT_API_KEY: String(key.key) };

  const run = await published(['job', 'run', '--project', 'handbook', '-'], own, PROMPT);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  const prLink = /^Pull request: (\S+)$/m.exec(run.stdout)?.[1] ?? '';
  expect((await fetch(prLink)).status).toBe(200);

  // A script must distinguish a job that did nothing of the request from one that did it.
  const undone = await cli(['job', 'run', '--project', 'handbook', 'Rename docs/a.mdx docs/b.mdx page'], own);
  expect(undone).toMatchObject({ code: 6, stderr: '' });
  expect(undone.stdout).toContain('The built-in editor only follows [recipes](');
  expect(undone.stdout).toMatch(/\nOutcome: refused\n$/);
  const unchanged = await cli(['job', 'run', '--project', 'handbook', 'Fix broken links', '--json'], own);
  expect([unchanged.code, unchanged.json().outcome]).toEqual([0, 'unchanged']);
  expect((await cli(['job', 'list', '--project', 'handbook'], own)).stdout).toMatch(/^ID +STATE .*\n\S+ +unchanged /);

  const [, , job] = JSON.parse((await cli(['job', 'list', '--project', 'handbook', '--json'], own)).stdout) as {
    id: string;
  }[];
  const id = job?.id ?? '';
  const again = await cli(
    ['job', 'message', id, PROMPT.replace('Next', 'Later'), '--project', 'handbook', '--json'],
    own,
  );
  expect(again.json()).toMatchObject({ id, status: 'completed', prLink });
  expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
  expect((await cli(['job', 'diff', id, '--project', 'handbook'], own)).stdout).toContain('+Read on.');

  expect((await cli(['job', 'archive', id, '--project', 'handbook'], own)).stdout).toMatch(/status +archived/);
  const refused = await cli(['job', 'message', id, PROMPT, '--project', 'handbook'], own);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/\(job_archived, request [\w-]+\)\n$/);
  expect((await cli(['job', 'unarchive', id, '--project', 'handbook'], own)).stdout).toMatch(/status +completed/);

  await cli(['key', 'revoke', String(key.id), '--yes']);
  // An API caches a key for half a second, and a command may be faster.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const shut = await cli(['job', 'show', id, '--project', 'handbook', '--json'], own);
  expect(shut.code).toBe(1);
  expect(JSON.parse(shut.stderr)).toMatchObject({ code: 'unauthorized' });

  expect(
    (
      await cli(['project', 'update', 'handbook', '--docs-dir', 'guides', '--archive-after-days', '7', '--json'])
    ).json(),
  ).toMatchObject({
    docsDir: 'guides',
    settings: { archiveAfterDays: 7 },
  });
  expect((await cli(['project', 'delete', 'handbook'])).stderr).toContain('Pass --yes');
  expect((await cli(['project', 'delete', 'handbook', '--yes'])).stdout).toBe('Deleted handbook.\n');
  expect((await cli(['project', 'show', 'handbook'])).stderr).toMatch(/\(project_not_found, /);
});

test('a job that cannot be done ends with 1 and its reason', async () => {
  const repository = path.join(docent.folder, 'short-lived.git');
  await makeRepository(repository, SITE);
  await cli(['project', 'create', 'short-lived', '--repository', repository]);
  await rm(repository, { recursive: true });
  const run = await cli(['job', 'run', '--project', 'short-lived', PROMPT]);
  expect(run.code).toBe(1);
  expect(run.stdout).toMatch(/The job failed: .+ \(repository_missing\)/);
});

test('a job that is archived before it is done ends with 3', async () => {
  await cli(['project', 'create', 'more', '--repository', docent.repository]);
  await worker.kill('SIGKILL'); // No one does it now.
  const running = published(['job', 'run', '--project', 'more', PROMPT], {
    DOCENT_OPERATOR_TOKEN: docent.operatorToken,
  });
  const list = async () =>
    JSON.parse((await cli(['job', 'list', '--project', 'more', '--json'])).stdout) as { id: string }[];
  await expect.poll(list).toHaveLength(1);
  await cli(['job', 'archive', (await list())[0]?.id ?? '', '--project', 'more']);
  expect((await running).code).toBe(3);
});

/** Signs a browser in with a link that was printed. */
function signIn(url: string): Promise<Response> {
  expect(url.startsWith(`${docent.apiUrl}/sign-in#link=`)).toBe(true);
  return fetch(`${docent.apiUrl}/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SAME_ORIGIN },
    body: JSON.stringify({ link: new URL(url).hash.slice('#link='.length) }),
  });
}

test('docent dashboard prints a link that signs in once, and accepts the operator token', async () => {
  const printed = await cli(['dashboard', '--no-open']);
  expect(printed).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\S+\n$/) });
  const answer = await signIn(printed.stdout.trim());
  expect(await answer.json()).toMatchObject({ kind: 'person', person: { name: 'Operator', role: 'admin' } });
  expect((await signIn(printed.stdout.trim())).status).toBe(401);

  // For scripts: nothing opens, regardless of other options.
  const json = (await cli(['dashboard', '--json'])).json() as { url: string; expiresAt: string };
  expect(Object.keys(json).toSorted()).toEqual(['expiresAt', 'url']);
  const minutes = (Date.parse(json.expiresAt) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(9);
  expect(minutes).toBeLessThanOrEqual(10.1);
  expect((await signIn(json.url)).status).toBe(200);

  const key = (await cli(['key', 'create', '--name', 'x', '--all-projects', '--scope', 'write', '--json'])).json();
  const refused = await cli(['dashboard', '--no-open'], { DOCENT_API_KEY: String(key.key) });
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/\(forbidden_scope, request /);
});

test('docent dashboard opens the browser, or prints the link', async () => {
  const opens = async (script: string) => {
    const desktop = await desktopBrowser(docent.folder, script);
    return cli(['dashboard'], { DOCENT_OPERATOR_TOKEN: docent.operatorToken, ...desktop });
  };
  const opened = path.join(docent.folder, 'opened');
  const told = { code: 0, stderr: '', stdout: 'The dashboard opens in your browser.\n' };
  expect(await opens(`printf %s "$1" > '${opened}'`)).toMatchObject(told);
  expect((await signIn(await readFile(opened, 'utf8'))).status).toBe(200);
  // A browser that stays in the foreground is not waited for.
  expect(await opens('sleep 600')).toMatchObject(told);
  expect(await opens('exit 3')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Docent could not open a browser\. Open this link within 10 minutes:\nhttp\S+\n$/),
  });
});

test('a server that is not there ends with 4, and a key that is not known with 1', async () => {
  expect((await cli(['job', 'list', '--project', 'handbook', '--url', 'http://127.0.0.1:9'])).code).toBe(4);
  const denied = await cli(['job', 'list', '--project', 'handbook'], { DOCENT_API_KEY: 'docent_nobody' });
  expect(denied.code).toBe(1);
  expect(denied.stderr).toMatch(/\(unauthorized, request /);
});
