import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOperatorToken, type RunFile } from '../../src/start/home.ts';
import { identityOf } from '@docent/servers/processes/identity';
import { StartedDocent } from '../support/processes.ts';
import { services } from '../support/run-services.ts';
import { createTestDatabase } from '../support/stack.ts';

let folder: string;
let home: string;
let docent: StartedDocent;
let run: RunFile;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-given-up-'));
  execFileSync('chmod', ['711', folder]);
  home = path.join(folder, 'home');
  writeFileSync(models(), '{}');
  docent = new StartedDocent(home, { env: { DOCENT_MODELS_FILE: models() } });
  run = await docent.ready();
});
afterAll(async () => {
  await docent?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

const models = () => path.join(folder, 'models.json');

async function ask(route: string, init: RequestInit = {}) {
  const headers = { authorization: `Bearer ${readOperatorToken(home)}`, 'content-type': 'application/json' };
  const response = await fetch(run.apiUrl + route, { headers, ...init });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const post = (title: string) =>
  ask('/v2/agent/demo/job', {
    method: 'POST',
    body: JSON.stringify({
      prompt: `Add a page titled "${title}" at guides/${title.toLowerCase()} with the text "There."`,
    }),
  });

/** Whether the API answers reads and takes a job, which is done once the worker is back. */
async function expectOnlyTheWorkerGone(title: string): Promise<string> {
  expect((await ask('/healthz')).status).toBe(200);
  expect((await ask('/v2/agent/demo/jobs')).status).toBe(200);
  const accepted = await post(title);
  expect(accepted.status).toBe(201);
  return String(accepted.body.id);
}

const isReady = async () => (await ask('/readyz')).status === 200;

async function expectRecovery(job: string): Promise<void> {
  await docent.until('the worker is back, without a restart', isReady, 120_000);
  const isDone = async () => (await ask(`/v2/agent/demo/job/${job}`)).body.status === 'completed';
  await docent.until('what was accepted meanwhile is done', isDone, 60_000);
  expect(docent.output).toContain('worker is running again and stable.');
}

test('six deaths of the worker in a row only stop the worker: the API accepts jobs, which run later', async () => {
  const others = ['postgres', 'temporal', 'api'].map((name) => docent.pidOf(name));
  const givenUp = () => docent.output.includes('worker is down after 6 failures in a row');
  const killed = new Set<number>();
  await docent.until(
    'the worker is given up',
    () => {
      if (givenUp() || docent.hasEnded) return true;
      try {
        const pid = docent.pidOf('worker');
        if (!killed.has(pid)) process.kill(pid, 'SIGKILL');
        killed.add(pid);
      } catch {
        // Between two tries there is none.
      }
      return false;
    },
    120_000,
  );
  expect(docent.hasEnded, docent.output).toBe(false);
  expect(killed.size).toBe(6);
  const { status, body } = await ask('/readyz');
  expect([status, body]).toMatchObject([503, { givenUpParts: [{ name: 'worker' }], temporal: true, database: true }]);
  expect(body.error).toMatch(/^Not ready. The part worker of `docent start` is down and is retried: .*signal SIGKILL/);
  const job = await expectOnlyTheWorkerGone('Deaths');
  for (const pid of others) expect(await identityOf(pid), 'nothing else was started again').not.toBeNull();
  await expectRecovery(job);
});

test('a worker that refuses its settings is suspended immediately with the reason, and recovers when they are right', async () => {
  writeFileSync(models(), '{ not JSON');
  process.kill(docent.pidOf('worker'), 'SIGKILL');
  await docent.until('it is said', () => docent.output.includes('worker is down: it did not start (Invalid settings'));
  const { status, body } = await ask('/readyz');
  expect(status).toBe(503);
  expect(body.error).toContain(`DOCENT_MODELS_FILE is ${models()}`);
  const job = await expectOnlyTheWorkerGone('Settings');
  writeFileSync(models(), '{}');
  await expectRecovery(job);
});

test('at the very first start, a part that cannot start ends `docent start` with its reason', async () => {
  writeFileSync(models(), '{ not JSON');
  const database = await createTestDatabase();
  const servers = { DATABASE_URL: database.url, TEMPORAL_ADDRESS: services.temporalAddress };
  const second = new StartedDocent(path.join(folder, 'second'), { env: { ...servers, DOCENT_MODELS_FILE: models() } });
  expect(await second.ended()).toBe(2);
  expect(second.output).toContain(`DOCENT_MODELS_FILE is ${models()}`);
  await database.drop();
});
