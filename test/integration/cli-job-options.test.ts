import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { commandEnv } from '../support/command.ts';
import { runInside } from '../support/run-inside.ts';

let api: TestApi;
let project: string;
let folder: string;
let env: Record<string, string>;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
  folder = await mkdtemp(path.join(tmpdir(), 'docent-cli-job-options-'));
  env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });
});
afterAll(async () => {
  await api.close();
  await rm(folder, { recursive: true, force: true });
});

const job = (...args: string[]) => {
  const [command = '', ...rest] = args;
  return runInside(['job', command, '--project', project, ...rest], env);
};

test('a job is created, shown, found and changed with its options', async () => {
  const created = await job(
    'run',
    'Fix links',
    '--no-wait',
    '--json',
    '--ref',
    'next',
    '--branch',
    'docs/x',
    '--effort',
    'low',
    '--no-draft',
    '--title',
    'Links',
    '--budget-tokens',
    '5000',
    '--budget-usd',
    '1.5',
    '--metadata',
    'ticket=DOC-17=b',
    '--metadata',
    'team=',
    '--model',
    'builtin',
  );
  expect(created.code).toBe(0);
  const { id, ...told } = JSON.parse(created.stdout);
  expect(told).toMatchObject({
    ref: 'next',
    branch: 'docs/x',
    effort: 'low',
    draft: false,
    title: 'Links',
    budget: { tokens: 5_000, usd: 1.5 },
    metadata: { ticket: 'DOC-17=b', team: '' },
    model: 'builtin',
  });
  const plain = JSON.parse((await job('run', 'Tidy up', '--no-wait', '--json')).stdout);
  expect(plain).toMatchObject({ ref: null, branch: null, draft: null, budget: null, metadata: {} });

  const shown = (await job('show', id)).stdout;
  for (const line of [/base +next/, /branch +docs\/x/, /effort +low/, /draft +no/, /budget +5,000 tokens, \$1\.5/])
    expect(shown).toMatch(line);
  expect(shown).toMatch(/metadata +.*ticket=DOC-17=b/);
  expect((await job('show', plain.id)).stdout).not.toMatch(/budget|effort|metadata|draft/);

  const ids = async (...args: string[]) =>
    JSON.parse((await job('list', '--json', ...args)).stdout).map((each: { id: string }) => each.id);
  expect(await ids()).toEqual([plain.id, id]);
  expect(await ids('--metadata', 'ticket=DOC-17=b', '--text', 'LINKS', '--pull-request', 'no')).toEqual([id]);
  expect(await ids('--status', 'failed,active', '--status', 'completed', '--model', 'builtin')).toHaveLength(2);
  expect(await ids('--created-to', '2020-01-01')).toEqual([]);
  expect((await job('list', '--text', 'nothing')).stdout).toContain('Remove a filter');
  expect((await job('list', '--status', 'failed')).stdout).toContain('No failed jobs.');

  const updated = await job(
    'update',
    id,
    '--title',
    'Other',
    '--no-budget',
    '--metadata',
    'a=b',
    '--remove-metadata',
    'team',
  );
  expect(updated.stdout).toMatch(/title +Other/);
  expect(updated.stdout).toMatch(/metadata +.*a=b/);
  expect(updated.stdout).not.toMatch(/budget|team=/);
});

test.each([
  [['run', 'x', '--budget-usd', '0'], 'US dollars'],
  [['run', 'x', '--metadata', 'novalue'], 'ticket=DOC-17'],
  [['run', 'x', '--effort', 'most'], 'low, medium, high'],
  [['list', '--status', 'done'], 'active, completed, failed, archived'],
  [['list', '--outcome', 'done'], 'changed, answered'],
  [['update', 'x'], 'Specify what to change'],
])('docent job %j is refused as a usage error', async (args, words) => {
  const { code, stderr } = await job(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
});
