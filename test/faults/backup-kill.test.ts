import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readOperatorToken, type RunFile } from '../../src/start/home.ts';
import { commandEnv, runCommand } from '../support/command.ts';
import { cacheVariables, StartedDocent } from '../support/processes.ts';

const START_MS = 120_000;
const LONG_MS = 400_000;
const PASSPHRASE = 'correct horse battery staple';

let folder: string;
const started: StartedDocent[] = [];

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'docent-backup-'));
  chmodSync(folder, 0o711);
  mkdirSync(path.join(folder, 'config'));
});
afterEach(async () => {
  for (const docent of started.splice(0)) await docent.stop();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function start(home: string): StartedDocent {
  const docent = new StartedDocent(home);
  started.push(docent);
  return docent;
}

const run = (args: string[], env: Record<string, string> = {}) =>
  runCommand(args, { ...commandEnv(path.join(folder, 'config'), env), ...cacheVariables() });

async function ask<T>(token: string, { apiUrl }: RunFile, route: string, body?: unknown): Promise<T> {
  const response = await fetch(apiUrl + route, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, `${route}: ${text}`).toBeLessThan(300);
  return JSON.parse(text) as T;
}

const refs = (home: string) =>
  execFileSync('git', ['-C', path.join(home, 'demo-docs'), 'for-each-ref', '--format=%(objectname) %(refname:short)'], {
    encoding: 'utf8',
  });

const TOLD = [
  '/v1/projects',
  '/v1/keys',
  '/v2/agent/demo/jobs',
  '/v1/analytics/demo/timeseries',
  '/v1/analytics/demo/views',
  '/v1/analytics/demo/visitors',
];

test(
  'a home that was backed up while it ran, and whose backup and restore were killed, is restored: jobs, pull requests, page views, keys',
  { timeout: LONG_MS },
  async () => {
    const [original, copy] = [path.join(folder, 'original'), path.join(folder, 'copy')];
    const file = path.join(folder, 'monday.docent-backup');
    const first = start(original);
    const there = await first.ready(START_MS);
    const operator = readOperatorToken(original)!;
    const prompt = 'Add a page titled "Kept" at guides/kept with the text "There."';
    const { id } = await ask<{ id: string }>(operator, there, '/v2/agent/demo/job', { prompt });
    const jobOf = (at: RunFile) => ask<{ status: string; prLink: string }>(operator, at, `/v2/agent/demo/job/${id}`);
    await first.until('the job ends', async () => (await jobOf(there)).status === 'completed', 120_000);
    const events = Array.from({ length: 50 }, (_, n) => ({ path: `/p${n % 5}`, visitorId: `v${n % 9}`, id: `e${n}` }));
    await ask(operator, there, '/v1/analytics/demo/events', { events });

    const well = await run(['doctor', '--home', original, '--json']);
    expect(well.code, well.stdout).toBe(0);
    expect(JSON.parse(well.stdout).findings.filter(({ status }: { status: string }) => status !== 'ok')).toEqual([]);

    for (const point of ['backup-logs-held', 'backup-moment-fixed', 'backup-tables-written']) {
      const died = await run(['backup', file, '--home', original], { DOCENT_TEST_FAULT: point });
      expect(died.code, died.stderr).toBeNull();
      expect(existsSync(file)).toBe(false);
      rmSync(`${file}.partial`);
    }
    const backup = await run(['backup', file, '--home', original, '--json'], { DOCENT_BACKUP_PASSPHRASE: PASSPHRASE });
    expect(backup.code, backup.stderr).toBe(0);
    expect(JSON.parse(backup.stdout)).toMatchObject({ keys: true, repositories: ['demo-docs'] });
    const staged = readdirSync(path.join(original, 'analytics', 'tmp')).filter((name) => name.startsWith('backup-'));
    expect(staged, 'what the killed ones held was let go of').toEqual([]);
    const bytes = readFileSync(file, 'latin1');
    expect(bytes).toContain('home/temporal/temporal.db');
    for (const name of ['secret-key', 'operator-token']) {
      expect(bytes.includes(readFileSync(path.join(original, name), 'utf8').trim()), `${name} is encrypted`).toBe(
        false,
      );
    }
    const told = await Promise.all(TOLD.map((route) => ask(operator, there, route)));
    const repository = refs(original);
    await first.stop();

    expect((await run(['backup', '--verify', file])).code).toBe(0);
    const wrong = await run(['restore', file, '--home', copy], { DOCENT_BACKUP_PASSPHRASE: 'another one' });
    expect(wrong.stderr).toMatch(/The passphrase does not match/);
    expect((await run(['restore', file, '--home', copy])).stderr).toMatch(/Set the passphrase/);
    expect(existsSync(copy)).toBe(false);
    const secret = { DOCENT_BACKUP_PASSPHRASE: PASSPHRASE };
    for (const point of ['restore-begun', 'restore-read', 'restore-committed']) {
      const half = path.join(folder, point);
      const died = await run(['restore', file, '--home', half], { ...secret, DOCENT_TEST_FAULT: point });
      expect(died.code, died.stderr).toBeNull();
      const told = await run(['doctor', '--home', half]);
      expect([told.code, told.stdout]).toEqual([1, expect.stringMatching(/^wrong .* is incomplete: restoring/)]);
    }
    // `start` and `restore` read the same mark of the home as `doctor`: the most complete home shows it for all.
    const half = path.join(folder, 'restore-committed');
    const refused = start(half);
    expect(await refused.ended()).not.toBe(0);
    expect(refused.output).toMatch(/is incomplete: restoring .*monday\.docent-backup was interrupted/);
    expect((await run(['restore', file, '--home', half], secret)).stderr).toMatch(/is not empty/);
    const restored = await run(['restore', file, '--home', copy], secret);
    expect(restored.code, restored.stderr).toBe(0);
    expect(restored.stdout).toContain(`docent start --home '${copy}'`);

    const second = start(copy);
    const here = await second.ready(START_MS);
    expect(readOperatorToken(copy), 'whoever had the token has it still').toBe(operator);
    const place = (value: unknown) =>
      JSON.parse(JSON.stringify(value).replaceAll(here.apiUrl, there.apiUrl).replaceAll(copy, original));
    const counted = async () => JSON.stringify(place(await ask(operator, here, TOLD[3]!))) === JSON.stringify(told[3]);
    await second.until('the logs that were not sealed are counted', counted, 90_000);
    const again = await Promise.all(TOLD.map((route) => ask(operator, here, route)));
    for (const [i, route] of TOLD.entries()) expect(place(again[i]), route).toEqual(told[i]);
    expect(refs(copy)).toBe(repository);
    const next = await ask<{ id: string }>(operator, here, '/v2/agent/demo/job', { prompt });
    const isDone = async () =>
      (await ask<{ status: string }>(operator, here, `/v2/agent/demo/job/${next.id}`)).status === 'completed';
    await second.until('it works on its own repository', isDone, 120_000);
    expect(refs(original)).toBe(repository);
  },
);
