import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergeProject } from '../../src/analytics/maintenance/merge.ts';
import { ofFamily } from '../../src/analytics/storage/tables.ts';
import { freePort } from '../support/free-port.ts';
import { readManifest } from '../../src/store/analytics/manifest.ts';
import type { FileFamily } from '../../src/store/analytics/analytics-schema.ts';
import { BARE_ENV } from '../support/bare-env.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { eventsOf, knownEventsOf } from '../support/analytics-load.ts';
import { bruteCount } from '../support/brute-count.ts';
import { spawnRole, untilReady, type RoleProcess } from '../support/role-process.ts';
import { CLI } from '../support/processes.ts';
import { services } from '../support/run-services.ts';

const TOKEN = 'a-token-of-an-operator-that-is-long-enough';
const ALL = { from: null, to: null };

let bench: AnalyticsBench;
let api: RoleProcess;
let url: string;
let env: Record<string, string>;
beforeAll(async () => {
  bench = await analyticsBench();
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  env = {
    ...BARE_ENV,
    DATABASE_URL: bench.database.url,
    TEMPORAL_ADDRESS: services.temporalAddress,
    DOCENT_PORT: String(port),
    DOCENT_PUBLIC_URL: url,
    DOCENT_OPERATOR_TOKEN: TOKEN,
    DOCENT_ANALYTICS_DIR: bench.folder.root,
    DOCENT_CACHE_DIR: path.join(bench.folder.root, 'cache'),
  };
  api = spawnRole('api', env);
  await untilReady(api, async () => (await fetch(`${url}/healthz`)).ok);
});
afterAll(async () => {
  await api?.kill();
  await bench.close();
});

/** The answer that an operator's monitoring reads. It is cached for a second. */
async function damagedFiles(): Promise<number | null> {
  await sleep(1_100);
  const answer = await fetch(`${url}/readyz`);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { damagedFiles: number | null }).damagedFiles;
}

async function flipBits(project: string, family: FileFamily): Promise<number> {
  const [file] = ofFamily((await readManifest(bench.database.db, project)).files, family);
  const name = bench.folder.fileOf(file!.path);
  const bytes = await readFile(name);
  bytes[60] = (bytes[60] ?? 0) ^ 0x10;
  await writeFile(name, bytes);
  return file!.rows;
}

async function ask(project: string): Promise<{ totals: { total: number }; visitors: unknown[] }> {
  const answer = await fetch(`${url}/v1/analytics/${project}/views?limit=250`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as never;
}

const analytics = (command: string, project: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [CLI, 'analytics', command, '--project', project, ...args], { env });

test('/readyz reports flipped bits in counts and events until an operator handles them', async () => {
  const project = await bench.newProject();
  const ingestor = await bench.ingestor();
  for (const no of [0, 1]) {
    await ingestor.ingest(project, eventsOf(no));
    await ingestor.flush();
    await mergeProject(bench, project);
  }
  const known = [0, 1].flatMap(knownEventsOf);
  const [site] = bruteCount(known, 'views', ALL).filter((row) => row.path === '');
  expect(await damagedFiles()).toBe(0);

  // Counts: the next query finds the damage, and still answers correctly.
  await flipBits(project, 'cube');
  await flipBits(project, 'views');
  expect((await ask(project)).totals.total).toBe(site!.total);
  expect(await damagedFiles()).toBe(2);

  // Events, which no query reads: the check of all files finds it, here the operator's.
  const lost = await flipBits(project, 'events');
  await expect(analytics('verify', project)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${lost} events are no longer counted`),
  });
  expect(await damagedFiles()).toBe(3);
  expect((await ask(project)).totals.total).toBe(site!.total - lost);

  await analytics('verify', project, '--forget-damage');
  expect(await damagedFiles()).toBe(0);
});
