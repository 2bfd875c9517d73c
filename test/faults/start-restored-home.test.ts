import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readOperatorToken, readRunFile, type RunFile } from '../../src/start/home.ts';
import { descendantsOf, StartedDocent, survivorsOf } from '../support/processes.ts';

const START_MS = 120_000;
const LONG_MS = 400_000;
const FORM = 'application/x-www-form-urlencoded';

let folder: string;
let original: string;
const started: StartedDocent[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-restored-'));
  chmodSync(folder, 0o711);
  original = path.join(folder, 'original');
});
afterEach(async () => {
  for (const docent of started.splice(0)) await docent.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function start(home: string, env: Record<string, string> = {}): StartedDocent {
  const docent = new StartedDocent(home, { env });
  started.push(docent);
  return docent;
}

interface Job {
  id: string;
  status: string;
  prLink: string;
  source: { repository: string };
}

async function ask<T>(home: string, run: RunFile, route: string, init: RequestInit = {}): Promise<T> {
  const headers = {
    authorization: `Bearer ${readOperatorToken(home)}`,
    'content-type': typeof init.body === 'string' && !init.body.startsWith('{') ? FORM : 'application/json',
    accept: 'application/json',
  };
  const response = await fetch(run.apiUrl + route, { headers, ...init });
  expect(response.status, `${route}: ${await response.clone().text()}`).toBeLessThan(300);
  return response.headers.get('content-type')?.includes('json') ? ((await response.json()) as T) : (undefined as T);
}

async function post(home: string, run: RunFile, name: string): Promise<Job> {
  const prompt = `Add a page titled "${name}" at guides/${name.toLowerCase()} with the text "There."`;
  return ask<Job>(home, run, '/v2/agent/demo/job', { method: 'POST', body: JSON.stringify({ prompt }) });
}

async function finished(home: string, docent: StartedDocent, run: RunFile, id: string): Promise<Job> {
  let job: Job | undefined;
  const isDone = async () => {
    job = await ask<Job>(home, run, `/v2/agent/demo/job/${id}`);
    return job.status !== 'active';
  };
  await docent.until('the job ends', isDone, 120_000);
  return job as Job;
}

const refs = (home: string) =>
  execFileSync('git', ['-C', path.join(home, 'demo-docs'), 'for-each-ref', '--format=%(objectname) %(refname:short)'], {
    encoding: 'utf8',
  });

/** As after `cp -a`: the database belongs to another user. */
const copyHome = (name: string) => {
  const copy = path.join(folder, name);
  execFileSync('cp', ['-a', original, copy]);
  return copy;
};

test(
  'a restored home works on its own demo repository alone, and leaves the original and its processes in peace',
  { timeout: LONG_MS },
  async () => {
    const marker = path.join(folder, 'died');
    const first = start(original, { DOCENT_TEST_FAULT: `model-recorded@${marker}` });
    const run = await first.ready(START_MS);
    const interrupted = await post(original, run, 'Interrupted');
    await first.until('the worker dies in the middle of the job', () => existsSync(marker));
    const pids = [first.child.pid as number, ...descendantsOf(first.child.pid as number)];
    for (const pid of pids) if ((await survivorsOf([pid])).length > 0) process.kill(pid, 'SIGKILL');
    await first.until('everything is dead', async () => (await survivorsOf(pids)).length === 0);
    const before = refs(original);
    const copy = copyHome('copy');

    // The copy of a running home has the list of its processes, and where its API is.
    const running = start(original);
    const there = await running.ready(START_MS);
    const merged = await finished(original, running, there, interrupted.id);
    expect(merged.status, 'a job in which everything was killed at once is finished').toBe('completed');
    const inOriginal = refs(original);
    expect(inOriginal).not.toBe(before);
    for (const name of ['processes.json', 'run.json']) cpSync(path.join(original, name), path.join(copy, name));
    expect(readRunFile(copy), 'commands for the copy do not go to the original').toBeNull();
    const parts = ['postgres', 'temporal', 'worker', 'api'].map((part) => running.pidOf(part));

    const restored = start(copy);
    const here = await restored.ready(START_MS);
    expect(await survivorsOf(parts), 'the processes of the original go on').toEqual(parts);
    const job = await finished(copy, restored, here, interrupted.id);
    expect(job.status).toBe('completed');
    expect(job.source.repository, 'the API names the repository that is worked on').toContain('/copy/demo-docs');
    expect(refs(copy)).toContain(`docent/${interrupted.id}`);
    await ask(copy, here, `${new URL(job.prLink).pathname}/merge`, { method: 'POST', body: 'merge=1' });
    expect(refs(copy)).not.toBe(before);
    const another = await post(copy, here, 'Another');
    expect((await finished(copy, restored, here, another.id)).status).toBe('completed');
    expect(refs(original), 'nothing was pushed or merged there').toBe(inOriginal);
    expect(merged.source.repository).toContain('/original/demo-docs');
    await restored.stop();
  },
);
