import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readOperatorToken, type RunFile } from '../../src/start/home.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { cookieOf, SAME_ORIGIN } from '../support/browsers.ts';
import { cacheVariables, descendantsOf, ROOT, StartedDocent, survivorsOf } from '../support/processes.ts';
import { expectMetrics } from '../support/started-metrics.ts';

// Each test starts several servers, one after the other, which takes minutes under load.
vi.setConfig({ testTimeout: 400_000 });

let folder: string;
let home: string;
const started: StartedDocent[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-start-'));
  execFileSync('chmod', ['711', folder]);
  home = path.join(folder, 'home');
});

afterAll(async () => {
  for (const docent of started) await docent.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function start(options?: ConstructorParameters<typeof StartedDocent>[1], where = home): StartedDocent {
  const docent = new StartedDocent(where, options);
  started.push(docent);
  return docent;
}

interface Job {
  id: string;
  status: string;
  prLink: string | null;
}

async function api<T>(run: RunFile, route: string, init: RequestInit = {}): Promise<T> {
  const headers = { authorization: `Bearer ${readOperatorToken(home)}`, 'content-type': 'application/json' };
  const response = await fetch(run.apiUrl + route, { headers, ...init });
  expect(response.status, `${route}: ${await response.clone().text()}`).toBeLessThan(300);
  return (await response.json()) as T;
}

const KEY_FILE = /^ +API key +in (\S+) /m;

/** The secret in the file that the output names, which its owner alone may read. */
function secretIn(output: string, where: RegExp): string {
  const file = where.exec(output)?.[1] ?? '';
  expect(statSync(file).mode & 0o777).toBe(0o600);
  return readFileSync(file, 'utf8').trim();
}

/** The files below a folder, the database's and the log's with them, that hold one of the words. */
function filesWith(words: readonly string[], below: string): string[] {
  const isFound = (file: string) => {
    try {
      const bytes = readFileSync(file);
      return words.some((word) => bytes.includes(word));
    } catch {
      return false; // It went meanwhile: a server's own.
    }
  };
  return readdirSync(below, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter(isFound);
}

const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });

async function finished(run: RunFile, id: string): Promise<Job> {
  for (let waited = 0; waited < 45_000; waited += 200) {
    const job = await api<Job>(run, `/v2/agent/demo/job/${id}`);
    if (job.status !== 'active') return job;
    await sleep(200);
  }
  throw new Error(`Job ${id} is still active.`);
}

/**
 * Runs the demo, which exits with 0, and compares its output with git's.
 * @returns its output, and what it had started itself
 */
async function demo(): Promise<{ output: string; pids: number[] }> {
  const env = { ...BARE_ENV, HOME: folder, DOCENT_HOME: home, DOCENT_PORT: '0', ...cacheVariables() };
  const child = spawn(process.execPath, [path.join(ROOT, 'scripts', 'demo.ts')], { env });
  let output = '';
  let pids: number[] = [];
  const onData = (chunk: Buffer) => {
    output += chunk.toString();
    if (pids.length === 0 && output.includes('1. A prompt')) pids = descendantsOf(child.pid as number);
  };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', onData);
  const [status] = await once(child, 'close');
  expect(status, output).toBe(0);
  expect(output).toContain(
    'All of it happened: one job, two turns, one pull request, two commits, and a month of readers counted.',
  );
  const shown = [...output.matchAll(/^\$ (git .+)$/gm)].map(([, command = '']) => command);
  expect(shown).toHaveLength(2);
  for (const command of shown) {
    const itself = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trim();
    expect(output, 'git itself prints what is shown').toContain(`$ ${command}\n${itself}\n`);
  }
  return { output, pids };
}

/** As `npm start`, in its own process group. */
const underNpm = () =>
  start({
    command: ['npm', 'run', '--silent', 'start', '--'],
    env: { HOME: folder, DOCENT_METRICS_PORT: '0' },
    spawn: { detached: true },
  });

describe('a home from its first start to its last', () => {
  let newKey: string;
  let docent: StartedDocent;
  let run: RunFile;

  test('the demo exits with 0 when it starts Docent itself, and stops everything', async () => {
    const { output, pids } = await demo();
    newKey = secretIn(output, KEY_FILE);
    expect(newKey).toMatch(/^docent_[0-9A-Za-z]{38}$/);
    expect(pids.length).toBeGreaterThan(5);
    expect(await survivorsOf(pids), 'SIGTERM takes down everything').toEqual([]);
    for (const name of ['run.json', 'sign-in-link']) expect(existsSync(path.join(home, name))).toBe(false);
  });

  test("a later start keeps keys and jobs, and its API and worker report their work, without any user's text", async () => {
    docent = underNpm();
    run = await docent.ready();
    expect(run).toMatchObject({ projectId: 'demo', apiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
    expect(secretIn(docent.output, KEY_FILE), 'the first key stays where it is').toBe(newKey);
    const { jobs } = await api<{ jobs: Job[] }>(run, '/v2/agent/demo/jobs');
    expect(jobs, 'jobs and keys are as they were').toHaveLength(1);

    const prompt = 'Replace "Welcome" with "sekretword" in index.mdx.';
    const job = await api<Job>(run, '/v2/agent/demo/job', post({ prompt }));
    const view = { path: '/sekretpath', userAgent: 'Sekret/1.0', visitorId: 'sekret-reader' };
    const events = [{ ...view, timestamp: new Date().toISOString() }];
    await api(run, '/v1/analytics/demo/events', post({ events }));
    await api(run, '/v1/analytics/demo/visitors?from=2026-11-01&to=2026-11-30');
    await finished(run, job.id);
    await expectMetrics(run, home, job.id);
  });

  test('a start prints addresses and a curl that works when pasted, and puts its secrets into files', async () => {
    expect((await fetch(run.temporalUiUrl ?? '')).ok).toBe(true);
    expect(statSync(path.join(home, 'operator-token')).mode & 0o777).toBe(0o600);
    const curl = /^ +(curl .*)$/m.exec(docent.output)?.[1] ?? '';
    const job = JSON.parse(execFileSync('sh', ['-c', curl], { encoding: 'utf8' })) as Job;
    expect(await finished(run, job.id)).toMatchObject({
      status: 'completed',
      prLink: expect.stringContaining(run.apiUrl),
    });
    const branches = execFileSync('git', ['-C', path.join(home, 'demo-docs'), 'branch', '--list'], {
      encoding: 'utf8',
    });
    expect(branches).toContain(`docent/${job.id}`);
    const request = /"operation":"createJob"[^\n]*"msg":"request"/;
    expect(readFileSync(path.join(home, 'logs', 'docent.log'), 'utf8')).toMatch(request);
    expect(docent.output, 'requests are in the log alone').not.toMatch(/\brequest \{/);

    const link = new URL(secretIn(docent.output, /^ +Dashboard .* the sign-in link in (\S+): /m));
    expect(link.origin + link.pathname).toBe(`${run.apiUrl}/sign-in`);
    const secret = link.hash.slice('#link='.length);
    const signIn = () =>
      fetch(`${run.apiUrl}/v1/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...SAME_ORIGIN },
        body: JSON.stringify({ link: secret }),
      });
    const answer = await signIn();
    expect(answer.status, 'the printed link signs in').toBe(200);
    const cookie = cookieOf(answer);
    expect((await fetch(`${run.apiUrl}/v1/hosts`, { headers: { cookie } })).status).toBe(200);
    expect((await signIn()).status, 'once').toBe(401);
    for (const hidden of [newKey, secret]) expect(docent.output, 'output ends in logs').not.toContain(hidden);
    expect(filesWith([secret, cookie.split('=')[1] ?? ''], home), 'and is nowhere else').toEqual([
      path.join(home, 'sign-in-link'),
    ]);
  });

  test('a second start is refused in one sentence', async () => {
    const second = start();
    expect(await second.ended()).toBe(1);
    expect(second.output.trim()).toBe(
      `${home} is in use by another \`docent start\` (process ${run.pid}, ${run.apiUrl}). ` +
        'Stop it, or choose another folder with --home.',
    );
    expect((await fetch(`${run.apiUrl}/readyz`)).status, 'and the first goes on').toBe(200);
  });

  test('under npm, Ctrl-C arrives twice and still stops everything in order, and the demo leaves it running', async () => {
    await demo();
    expect((await fetch(`${run.apiUrl}/readyz`)).status, 'what the demo found it leaves running').toBe(200);

    const all = descendantsOf(docent.child.pid as number);
    // Ctrl-C, as a terminal does it: to the whole foreground process group, so that npm passes on a second
    // one.
    process.kill(-(docent.child.pid as number), 'SIGINT');
    await docent.ended();
    expect(await survivorsOf(all)).toEqual([]);
    expect(docent.output).toContain('Docent has stopped.');
    for (const name of ['run.json', 'sign-in-link']) expect(existsSync(path.join(home, name))).toBe(false);
  });
});

test('a taken port is refused in one sentence', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  for (const option of ['--port', '--ui-port']) {
    const args = [...(option === '--port' ? [] : ['--port', '0']), option, String(port)];
    const docent = start({ args }, path.join(folder, 'other'));
    expect(await docent.ended()).toBe(1);
    expect(docent.output).toContain(
      `Port ${port} is in use by another program. Stop it, or choose another port with ${option}.`,
    );
  }
  server.close();
});
