import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { commandEnv } from '../support/command.ts';
import { CLI } from '../support/processes.ts';
import { HAS_TERMINALS, onTerminal } from '../support/terminal.ts';
import { runInside } from '../support/run-inside.ts';

let api: TestApi;
let config: string;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.close());
beforeEach(async () => {
  config = await mkdtemp(path.join(tmpdir(), 'docent-config-'));
});
afterEach(() => rm(config, { recursive: true, force: true }));

const envOf = (env: Record<string, string> = {}) => commandEnv(config, env);
const docent = (args: string[], { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {}) =>
  runInside(args, envOf(env), { input });

const file = () => path.join(config, 'docent', 'contexts.json');

describe('a login', () => {
  test('keeps a key that the server knows, for the owner alone, and is used until the logout', async () => {
    const project = await api.addProject();
    const key = await api.addKey({ name: 'ci', projectIds: [project], scopes: ['read'] });
    const login = await docent(['login', api.url, '--name', 'work', '--key-stdin'], { input: `${key}\n` });
    expect(login).toMatchObject({ code: 0, stderr: '' });
    expect(login.stdout).toContain('with the key ci');
    expect(login.stdout).not.toContain(key);
    expect((await stat(file())).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(file()))).mode & 0o777).toBe(0o700);

    // From now on, its only project is the default.
    expect(await docent(['job', 'list', '--json'])).toMatchObject({ code: 0, stdout: '[]\n' });
    const list = await docent(['context', 'list']);
    expect(list.stdout).toMatch(new RegExp(`\\*  work +${api.url} +${project} `));
    expect((await docent(['context', 'show'])).stdout).toContain('the context work');
    for (const name of ['list', 'show']) {
      expect((await docent(['context', name, '--json'])).stdout).not.toContain(key);
    }

    expect((await docent(['logout'])).stdout).toContain('docent key revoke');
    expect(await readFile(file(), 'utf8')).not.toContain(key);
    expect((await docent(['logout'])).stderr).toBe('You are not logged in anywhere.\n');
  });

  test('is refused for an unknown key, and stores nothing', async () => {
    const login = await docent(['login', api.url, '--key-stdin'], { input: 'docent_wrong' });
    expect(login.code).toBe(1);
    expect(login.stderr).toContain('The key is from what was entered.');
    await expect(stat(file())).rejects.toThrow('ENOENT');
    expect((await docent(['login', api.url])).stderr).toContain('--key-stdin');
    expect((await docent(['login', 'http://127.0.0.1:9', '--key-stdin'], { input: 'docent_x' })).code).toBe(4);
    expect((await docent(['login', 'example.com', '--key-stdin'], { input: 'docent_x' })).code).toBe(2);
  });

  test("yields to more specific settings, and every refusal names the key's origin", async () => {
    const project = await api.addProject();
    const key = await api.addKey({ projectIds: [project], scopes: ['read'] });
    await docent(['login', api.url, '--name', 'work', '--key-stdin'], { input: key });
    const jobs = ['job', 'list', '--project', project];
    const wrong = { DOCENT_API_KEY: 'docent_wrong' };
    expect((await docent(jobs, { env: wrong })).stderr).toContain('The key is from DOCENT_API_KEY.');
    // A named context takes precedence.
    expect((await docent([...jobs, '--context', 'work'], { env: wrong })).code).toBe(0);
    expect((await docent(jobs, { env: { DOCENT_URL: 'http://127.0.0.1:9', ...wrong } })).code).toBe(4);
    // A server with a login needs no key in addition to its address; another one never gets that key.
    expect((await docent([...jobs, '--url', api.url])).code).toBe(0);
    expect((await docent([...jobs, '--url', 'http://127.0.0.1:9'])).stderr).toContain(
      'docent login http://127.0.0.1:9',
    );
    expect((await docent([...jobs, '--context', 'wrok'])).stderr).toContain('Available contexts: local, work.');
    await api.database.db.execute('UPDATE api_keys SET revoked_at = now()');
    // A revoked key stops within a second.
    await sleep(1_100);
    expect((await docent(jobs)).stderr).toContain('The key is from the context work.');
  });

  test('never guesses the content of a damaged contexts file', async () => {
    await docent(['login', api.url, '--key-stdin'], { input: api.operatorToken });
    await writeFile(file(), '{"current": "x", ');
    const refused = await docent(['project', 'list']);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('is damaged');
  });
});

describe.skipIf(!HAS_TERMINALS)('at a terminal', () => {
  const DOCENT = [process.execPath, CLI];

  test('a key that is typed does not show', async () => {
    const login = onTerminal([...DOCENT, 'login', api.url], envOf());
    await login.sees('API key or operator token');
    login.type(`${api.operatorToken}\r`);
    const { code, shown } = await login.ends();
    expect(code).toBe(0);
    expect(shown).toContain('with the operator token');
    expect(shown).not.toContain(api.operatorToken.slice(0, 12));
    expect(await readFile(file(), 'utf8')).toContain(api.operatorToken);
  });

  test('Ctrl-C at a question changes nothing', async () => {
    const login = onTerminal([...DOCENT, 'login', api.url], envOf());
    await login.sees('API key or operator token');
    login.type('\u0003');
    expect(await login.ends()).toMatchObject({ code: 130, shown: expect.stringContaining('Nothing was changed.') });
  });

  test('irreversible actions ask: no is no, yes is yes', async () => {
    const env = envOf({ DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
    const [key] = (await api.call('/v1/keys', { body: { name: 'gone', projectIds: null } })).json.id.split(' ');
    const no = onTerminal([...DOCENT, 'key', 'revoke', key], env);
    await no.sees('Continue? [y/N]');
    no.type('\r');
    expect(await no.ends()).toMatchObject({ code: 2, shown: expect.stringContaining('Nothing was changed.') });
    const yes = onTerminal([...DOCENT, 'key', 'revoke', key], env);
    await yes.sees('Continue? [y/N]');
    yes.type('y\r');
    expect(await yes.ends()).toMatchObject({ code: 0, shown: expect.stringContaining(`Revoked ${key}`) });
  });

  test('Ctrl-C leaves a job running, and explains how to come back', async () => {
    const project = await api.addProject();
    const env = envOf({ DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
    const run = onTerminal([...DOCENT, 'job', 'run', '--project', project, 'Fix broken links'], env);
    await run.sees(/Fix broken links/);
    run.type('\u0003');
    const { code, shown } = await run.ends();
    expect(code).toBe(130);
    const [job] = (await api.call(`/v2/agent/${project}/jobs`)).json.jobs;
    expect(job.status).toBe('active');
    expect(shown).toContain(`docent job watch ${job.id} --project ${project}`);
    expect(shown).toContain(`docent job cancel ${job.id} --project ${project}`);
    // It does not fail the job, and is reported once.
    expect(shown).not.toContain('✖');
    expect(shown.split('Watch it').length).toBe(2);

    // Back again, from another terminal.
    const watch = onTerminal([...DOCENT, 'job', 'watch', job.id, '--project', project, '--url', api.url], env);
    await watch.sees(/Fix broken links/);
    watch.type('\u0003');
    expect(await watch.ends()).toMatchObject({ code: 130, shown: expect.stringContaining(`--url ${api.url}`) });
  });
});
