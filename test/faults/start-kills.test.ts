import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocentClient } from '../../packages/client/src/index.ts';
import { readOperatorToken, type RunFile } from '../../src/start/home.ts';
import { descendantsOf, StartedDocent, survivorsOf } from '../support/processes.ts';

// Two starts and four restarts of servers take minutes under load.
const LONG_MS = 400_000;

let folder: string;
let docent: StartedDocent;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-start-kills-'));
  chmodSync(folder, 0o711);
});
afterAll(async () => {
  await docent?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const params = { path: { projectId: 'demo' } };
const clientOf = ({ apiUrl }: RunFile) =>
  createDocentClient({ baseUrl: apiUrl, apiKey: readOperatorToken(docent.home) ?? '' });

async function post(run: RunFile, title: string): Promise<string> {
  const prompt = `Add a page titled "${title}" at guides/${title.toLowerCase()} with the text "Still here."`;
  const { data, error } = await clientOf(run).POST('/v2/agent/{projectId}/job', { params, body: { prompt } });
  if (!data) throw new Error(error.error);
  return data.id;
}

const jobs = async (run: RunFile) => (await clientOf(run).GET('/v2/agent/{projectId}/jobs', { params })).data?.jobs;

async function expectPullRequest(run: RunFile, id: string): Promise<void> {
  const job = async () => (await jobs(run))?.find((one) => one.id === id);
  await docent.until('the job ends', async () => (await job())?.status !== 'active');
  expect(await job()).toMatchObject({ status: 'completed', prLink: expect.any(String) });
}

test('any process killed with SIGKILL is restarted and continues, with a log line', { timeout: LONG_MS }, async () => {
  const home = path.join(folder, 'home');
  docent = new StartedDocent(home);
  const run = await docent.ready();
  for (const part of ['postgres', 'temporal', 'worker', 'api']) {
    const before = docent.pidOf(part);
    process.kill(before, 'SIGKILL');
    await docent.until('it says so', () => docent.output.includes(`${part} is running again.`));
    expect(docent.output).toContain(`${part}: it exited with signal SIGKILL. Restarting`);
    expect(docent.pidOf(part)).not.toBe(before);
  }
  const isReady = async () => (await fetch(`${run.apiUrl}/readyz`).catch(() => null))?.status === 200;
  await docent.until('it is ready', isReady);
  await expectPullRequest(run, await post(run, 'After'));

  const interrupted = await post(run, 'Crash');
  const before = await jobs(run);
  const pids = descendantsOf(docent.child.pid as number);
  docent.child.kill('SIGKILL');
  docent = new StartedDocent(home);
  const next = await docent.ready();
  expect(next.apiUrl, 'addresses stay').toBe(run.apiUrl);
  expect(await survivorsOf(pids), 'a killed supervisor leaves nothing behind').toEqual([]);
  expect(
    (await jobs(next))?.map(({ id }) => id),
    'jobs are as they were',
  ).toEqual(before?.map(({ id }) => id));
  await expectPullRequest(next, interrupted);
});
