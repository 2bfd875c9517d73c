import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCRIPTS } from '@docent/cli/completion/scripts';
import { checkRounds } from '../../src/store/jobs/changes-schema.ts';
import { jobs, pullRequests, turns } from '../../src/store/schema.ts';
import { startAnalyticsApi, type AnalyticsApi } from '../support/analytics-api.ts';
import { addPullRequest, createJob } from '../support/api-jobs.ts';
import type { TestApi } from '../support/api-server.ts';
import { commandEnv } from '../support/command.ts';
import { desktopBrowser } from '../support/desktop-browser.ts';
import { CLI } from '../support/processes.ts';
import { HAS_TERMINALS, onTerminal } from '../support/terminal.ts';
import { runInside } from '../support/run-inside.ts';

const execute = promisify(execFile);

let docs: AnalyticsApi;
let api: TestApi;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  docs = await startAnalyticsApi();
  ({ api } = docs);
  folder = await mkdtemp(path.join(tmpdir(), 'docent-cli-show-'));
  env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
});
afterAll(async () => {
  await docs?.close();
  await rm(folder, { recursive: true, force: true });
});

const docent = (args: string[], more: Record<string, string> = {}) => runInside(args, { ...env, ...more });

async function jobWithPullRequest() {
  const project = await api.addProject();
  const job = await createJob(api, project);
  await addPullRequest(api, { id: `pr-${job}`, projectId: project, jobId: job });
  return { project, job };
}

describe('docent status', () => {
  test('shows the server and what its projects do', async () => {
    const project = await api.addProject();
    const [active, failed] = [await createJob(api, project), await createJob(api, project)];
    const failure = { status: 'failed' as const, errorCode: 'internal', errorMessage: 'No.' };
    await api.database.db.update(jobs).set(failure).where(eq(jobs.id, failed));
    const { stdout, code } = await docent(['status', '--project', project]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/found by +DOCENT_URL\n/);
    expect(stdout).toMatch(/authenticated with +the operator token, from DOCENT_OPERATOR_TOKEN\n/);
    expect(stdout).toMatch(/ready +yes/);
    expect(stdout).toMatch(new RegExp(`${project} +1 +1 +none in 30 days +builtin +`));
    const json = JSON.parse((await docent(['status', '--project', project, '--json'])).stdout);
    expect(json).toMatchObject({ readiness: { ready: true }, projects: [{ jobs: { active: 1, failedLastDay: 1 } }] });
    expect(JSON.stringify(json)).not.toContain(api.operatorToken);
    expect(active).not.toBe(failed);
  });

  test("never shows a job's model as the project's, whatever the key may read", async () => {
    const project = await api.addProject();
    const job = await createJob(api, project);
    await api.database.db.update(jobs).set({ model: 'openai/gone' }).where(eq(jobs.id, job));
    const asKey = { DOCENT_API_KEY: await api.addKey({ projectIds: [project] }), DOCENT_OPERATOR_TOKEN: '' };
    const { stdout, code } = await docent(['status', '--project', project], asKey);
    expect(code).toBe(0);
    expect(stdout).toContain('the key test');
    expect(stdout).toContain(job);
    expect(stdout).not.toContain('openai/gone');
  });

  test('explains what to do if nothing answers, and exits with 4', async () => {
    const home = path.join(folder, 'nothing');
    const nothing = await docent(['status', '--home', home]);
    expect(nothing.code).toBe(4);
    expect(nothing.stderr).toContain('Start it with `docent start`');
    expect((await docent(['status', '--url', 'http://127.0.0.1:9'])).code).toBe(4);
  });
});

describe('docent job show', () => {
  test('shows how many jobs are ahead in the queue', async () => {
    const project = await api.addProject();
    const [first, second] = [await createJob(api, project), await createJob(api, project)];
    for (const [no, id] of [first, second].entries()) {
      await api.database.db
        .update(jobs)
        .set({ queueNo: no + 7 })
        .where(eq(jobs.id, id));
    }
    const show = async (id: string) => (await docent(['job', 'show', id, '--project', project])).stdout;
    expect(await show(first)).toMatch(/queue +next in this project/);
    expect(await show(second)).toMatch(/queue +1 job of this project ahead/);
    const listed = await docent(['job', 'list', '--project', project, '--json']);
    expect(JSON.parse(listed.stdout).map((job: { queue: unknown }) => job.queue)).toEqual([
      { position: 2 },
      { position: 1 },
    ]);
  });
});

test('docent job show names the state of a job, remaining problems, and points to review', async () => {
  const { project, job } = await jobWithPullRequest();
  const { db } = api.database;
  const show = async () => (await docent(['job', 'show', job, '--project', project])).stdout;
  expect(await show()).toMatch(/state +working\n/);
  const link = 'http://x/pull-requests/y';
  await db.update(jobs).set({ status: 'completed', outcome: 'unchanged', prLink: link }).where(eq(jobs.id, job));
  await db.insert(turns).values({ jobId: job, no: 1, state: 'published', commitTime: new Date() });
  const problem = {
    path: 'a.mdx',
    line: 3,
    code: 'missing-page',
    severity: 'error' as const,
    message: 'No \u001b[31mpage.',
  };
  const notes = [{ path: 'b.mdx', message: 'is new code' }];
  const round = { jobId: job, turnNo: 1, stepNo: 1, pages: 1, site: 'x', earlierProblems: 0, told: false, secrets: [] };
  await db.insert(checkRounds).values({ ...round, problems: [problem], notes });
  const shown = await show();
  expect(shown).toMatch(/state +open\n/);
  expect(shown).toMatch(/Remaining docs problems:\n {2}error {2}a\.mdx:3 missing-page: No .*page\.\n/);
  expect(shown).toContain('Please review:\n  review  b.mdx is new code.');
  expect(shown).not.toContain('\u001b[31m');
  expect(JSON.parse((await docent(['job', 'show', job, '--project', project, '--json'])).stdout).state).toBe('open');
});

describe('docent pr', () => {
  test.skipIf(!HAS_TERMINALS).each([
    ['opens the pull request in the browser', 'exit 0', ''],
    ['says where no browser can be opened, below the address', 'exit 3', 'Docent could not open a browser here.'],
  ])('%s, at a terminal', async (_what, script, told) => {
    const { project, job } = await jobWithPullRequest();
    const desktop = await desktopBrowser(folder, script);
    const command = [process.execPath, CLI, 'pr', 'open', job, '--project', project];
    const { code, shown } = await onTerminal(command, { ...env, TEST_COLUMNS: '200', ...desktop }).ends();
    const lines = shown.split('\r\n').filter(Boolean);
    expect([code, lines]).toEqual([0, [`${api.url}/pull-requests/pr-${job}`, told].filter(Boolean)]);
  });

  test('shows, opens and merges the pull request of a job, on any host', async () => {
    const { project, job } = await jobWithPullRequest();
    const where = [job, '--project', project];
    expect((await docent(['pr', 'show', ...where])).stdout).toMatch(/state +open/);
    expect((await docent(['pr', 'open', ...where])).stdout).toBe(`${api.url}/pull-requests/pr-${job}\n`);
    api.workflows.changeAnswer = async ({ pullRequestId }) => {
      await api.database.db.update(pullRequests).set({ state: 'merged' }).where(eq(pullRequests.id, pullRequestId));
      return { ok: true, state: 'merged' };
    };
    // Unchecked changes are merged only with an explicit option.
    const asked = await docent(['pr', 'merge', ...where]);
    expect(asked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('have not covered the whole change. Pass --yes'),
    });
    expect(api.workflows.changed).toEqual([]);
    const merged = await docent(['pr', 'merge', ...where, '--json', '--yes']);
    expect(JSON.parse(merged.stdout)).toMatchObject({ jobId: job, state: 'merged' });
    expect(api.workflows.changed.at(-1)).toEqual({ pullRequestId: `pr-${job}`, action: 'merge' });
  });

  test('explains why not: a conflict, a key without access, a job without a pull request', async () => {
    const { project, job } = await jobWithPullRequest();
    const message = 'Both sides changed guides/start.mdx.';
    api.workflows.changeAnswer = async () => ({ ok: false, code: 'merge_conflict', message });
    const refused = await docent(['pr', 'merge', job, '--project', project, '--yes']);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`${message} (merge_conflict,`) });
    const key = await api.addKey();
    const asKey = await docent(['pr', 'close', job, '--project', project], { DOCENT_API_KEY: key });
    expect(asKey.stderr).toContain('requires the operator token');
    const bare = await createJob(api, project);
    expect((await docent(['pr', 'open', bare, '--project', project])).stderr).toContain('nothing was published');
  });
});

describe('docent analytics show', () => {
  test('shows the readers of each page, and explains missing data', async () => {
    const project = await api.addProject();
    const show = ['analytics', 'show', '--project', project];
    const empty = await docent(show);
    expect(empty).toMatchObject({ code: 0, stdout: expect.stringContaining(`/${project}/script.js`) });

    const timestamp = new Date().toISOString();
    const events = ['/start', '/start', '/long'].map((page, no) => ({
      id: `e${no}`,
      path: page,
      timestamp,
      visitorId: `v${no}`,
      class: no === 0 ? 'assistant' : 'human',
    }));
    const sent = await api.call(`/v1/analytics/${project}/events`, { body: { events } });
    expect([sent.status, sent.json.accepted]).toEqual([202, 3]);
    const table = () => docent(show).then(({ stdout }) => stdout);
    await expect.poll(table).toMatch(/Visitors +2 +1 +3\n/);
    expect(await table()).toMatch(/ 1 +1 +2 {2}\/start\n/);
    expect((await docent([...show, '--csv', '--views'])).stdout).toBe(
      'path,human,ai,total\r\n/start,1,1,2\r\n/long,1,0,1\r\n',
    );
    expect((await docent([...show, '--csv', '--views', '--all'])).stdout).toBe(
      'path,human,ai,total\r\n/start,1,1,2\r\n/long,1,0,1\r\n',
    );
    expect((await docent([...show, '--csv', '--all', '--limit', '5'])).code).toBe(2);
    expect((await docent([...show, '--all'])).code).toBe(2);
    expect(JSON.parse((await docent([...show, '--json', '--days', '1'])).stdout)).toMatchObject({
      visitors: { total: 3 },
      views: { total: 3 },
      days: [{ date: timestamp.slice(0, 10) }],
    });
    expect((await docent([...show, '--days', '3', '--from', '2026-01-01'])).code).toBe(2);
    expect((await docent([...show, '--from', 'soon'])).stderr).toContain('`dateFrom` must be a date');
    const refused = await docent([...show, '--csv', '--all', '--from', 'soon']);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('`dateFrom` must be a date')]);
  });
});

const has = (shell: string) => spawnSync(shell, ['-c', 'true']).status === 0;
const shellEnv = () => ({ ...env, PATH: `${folder}/bin:${env.PATH}` });

/**
 * The completions that bash would offer. The server is in this process, so no shell may block it.
 */
async function inBash(line: string): Promise<string[]> {
  const script = `source '${folder}/script.bash'; source '${folder}/script.bash'
    COMP_LINE=$1; COMP_POINT=\${#1}; _docent; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = await execute('bash', ['-c', script, 'bash', line], { env: shellEnv(), cwd: folder });
  expect(stderr).toBe('');
  return stdout.split('\n').filter(Boolean);
}

/** The command's output for bash scripts. */
async function offers(...words: string[]): Promise<string[]> {
  const { stdout } = await docent(['complete', 'bash', '--', ...words]);
  return stdout
    .split('\n')
    .map((line) => line.split('\t')[0]!)
    .filter(Boolean);
}

describe('completion', () => {
  let project: string;
  let job: string;
  beforeAll(async () => {
    ({ project, job } = await jobWithPullRequest());
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'docent'), `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
    await chmod(path.join(bin, 'docent'), 0o755);
    for (const [shell, script] of Object.entries(SCRIPTS))
      await writeFile(path.join(folder, `script.${shell}`), script);
  });

  test('bash: commands, options, values, and the ids that the server has', async () => {
    expect(await inBash('docent job w')).toEqual(['watch']);
    expect(await inBash('docent job run "some prompt" --no-w')).toEqual(['--no-wait']);
    expect(await inBash(`docent job show --project=${project} ${job.slice(0, 4)}`)).toEqual([job]);
  });

  test('completes values and existing ids in each shell', async () => {
    expect(await offers('job', 'list', '--status', '')).toEqual(['active', 'completed', 'failed', 'archived']);
    expect(await offers('job', 'watch', '--project', project, '')).toEqual([job]);
    expect(await offers('job', 'list', '--project', project.slice(0, 5))).toContain(project);
    expect(await offers('context', 'use', '')).toEqual(['local']);
  });

  test('runs nothing from the line, and is silent if no server answers', async () => {
    await inBash("docent job run '$(touch pwned)' `touch pwned` --pro");
    const { stdout, stderr, code } = await runInside(['complete', 'bash', '--', 'job', 'watch', ''], {
      ...env,
      DOCENT_URL: 'http://127.0.0.1:9',
    });
    expect({ stdout, stderr, code }).toEqual({ stdout: '', stderr: '', code: 0 });
    expect(await readdir(folder)).not.toContain('pwned');
  });

  test.skipIf(!has('fish'))('fish, with descriptions', async () => {
    const ask = `source '${folder}/script.fish'; complete -C 'docent job watch --project ${project} '`;
    const { stdout } = await execute('fish', ['-c', ask], { env: shellEnv() });
    expect(stdout).toBe(`${job}\tactive: Fix broken links\n`);
  });

  test.skipIf(!has('zsh') || !HAS_TERMINALS)('zsh, by the Tab key', async () => {
    const shell = onTerminal(['zsh', '-f', '-i'], { ...shellEnv(), PS1: '> ' });
    shell.type(`autoload -Uz compinit && compinit -u -D; source '${folder}/script.zsh'; echo rea''dy\r`);
    await shell.sees('ready');
    shell.type(`docent job show --project ${project} \t`);
    await shell.sees(job, 30_000);
    shell.kill();
  });
});
