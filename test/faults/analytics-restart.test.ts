import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projects } from '../../src/store/schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';
import { BATCH, eventsOf } from '../support/analytics-load.ts';
import type { ServerOrders } from '../support/analytics-server.ts';
import { builtProcess } from '../support/processes.ts';
import { testWithDocent } from '../support/installation.ts';
import { until } from '../support/patience.ts';

const EVENTS = 50;

testWithDocent('what a killed server had acknowledged shows at once when it is started again', async ({ docent }) => {
  const env = { DOCENT_ANALYTICS_DIR: path.join(docent.folder, 'analytics') };
  const project = 'killed';
  const killed = await docent.startApi(env);
  await docent.database.db
    .insert(projects)
    .values({ id: project, repository: '/nowhere', ref: 'main', model: 'builtin' });
  const headers = { authorization: `Bearer ${docent.operatorToken}`, 'content-type': 'application/json' };
  const events = Array.from({ length: EVENTS }, (_, no) => ({
    timestamp: Date.now(),
    path: '/p',
    visitorId: `v${no}`,
  }));
  const url = `${docent.apiUrl}/v1/analytics/${project}`;
  const answer = await fetch(`${url}/events`, { method: 'POST', headers, body: JSON.stringify({ events }) });
  expect(await answer.json()).toMatchObject({ accepted: EVENTS });
  await killed.kill('SIGKILL');

  await docent.startApi(env);
  await until('the new server is ready', async () => (await fetch(`${docent.apiUrl}/readyz`)).ok);
  const readyAt = performance.now();
  const views = async () =>
    ((await (await fetch(`${url}/views`, { headers })).json()) as { totals: { total: number } }).totals.total;
  while ((await views()) < EVENTS) {
    // A lease lasts for 20 s, so a test that waits for it fails.
    expect(performance.now() - readyAt).toBeLessThan(5_000);
    await sleep(50);
  }
  process.stdout.write(`shown ${Math.round(performance.now() - readyAt)} ms after the server was ready\n`);
  expect(await views()).toBe(EVENTS);
});

describe('a server beside others', () => {
  const SERVER = builtProcess('analytics-server');
  const TOKEN = 'operator-token-of-this-test';
  const LEASE_SECONDS = 6;

  let bench: AnalyticsBench;
  beforeAll(async () => {
    bench = await analyticsBench();
  });
  afterAll(() => bench?.close());

  async function startServer(project: string, sealAfterMs?: number) {
    const orders: ServerOrders = {
      role: 'server',
      databaseUrl: bench.database.url,
      folder: bench.folder.root,
      project,
      token: TOKEN,
      leaseSeconds: LEASE_SECONDS,
      ...(sealAfterMs === undefined ? {} : { sealAfterMs }),
    };
    const child = spawn(process.execPath, [SERVER, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const url = `${line.toString().trim().split(' ')[1]}/v1/analytics/${project}/events`;
    const send = async (no: number) => {
      const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ events: eventsOf(no) });
      const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) });
      return answer.status;
    };
    const kill = async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    };
    return { child, send, kill };
  }

  async function views(project: string): Promise<number> {
    return bench.versions.use(project, undefined, async (pinned) => {
      const page = { limit: 1, offset: 0 };
      return (await bench.queries.byPath(pinned, 'views', { from: null, to: null }, page)).totals.total;
    });
  }

  test('that is only paused keeps its log until its lease ends, and loses nothing', async () => {
    const project = await bench.newProject();
    const paused = await startServer(project, 3_600_000);
    const other = await bench.ingestor({ leaseSeconds: LEASE_SECONDS, takeoverMs: 200 });
    expect(await paused.send(0)).toBe(202);
    paused.child.kill('SIGSTOP');
    const pausedAt = performance.now();
    while (performance.now() - pausedAt < (LEASE_SECONDS * 1_000) / 2) {
      expect(await views(project)).toBe(0);
      await sleep(200);
    }
    await expect.poll(() => views(project)).toBe(BATCH);
    // Late: another process has its log. It reports that, and continues with a new one.
    paused.child.kill('SIGCONT');
    const statuses: number[] = [];
    while (statuses.at(-1) !== 202) {
      statuses.push(await paused.send(1));
      await sleep(100);
    }
    expect(new Set(statuses.slice(0, -1))).toEqual(new Set(statuses.length > 1 ? [503] : []));
    await paused.kill();
    await expect.poll(() => views(project)).toBe(2 * BATCH);
    await other.close();
  });

  test('on another machine is known by its lease alone', async () => {
    const project = await bench.newProject();
    const away = await startServer(project, 3_600_000);
    expect(await away.send(0)).toBe(202);
    // As seen from elsewhere: the lock files of that machine mean nothing here.
    for (const name of await readdir(bench.folder.walFolder)) {
      if (name.endsWith('.lock')) await rm(path.join(bench.folder.walFolder, name));
    }
    const other = await bench.ingestor({ leaseSeconds: LEASE_SECONDS, takeoverMs: 200 });
    const until = performance.now() + 2 * LEASE_SECONDS * 1_000;
    while (performance.now() < until) {
      expect(await other.takeOver()).toBe(0);
      await sleep(200);
    }
    await away.kill();
    await expect.poll(() => views(project)).toBe(BATCH);
    await other.close();
  });

  test('that is killed is taken over immediately, and its folder and lock file are deleted', async () => {
    const project = await bench.newProject();
    const killed = await startServer(project, 3_600_000);
    expect(await killed.send(0)).toBe(202);
    const other = await bench.ingestor({ leaseSeconds: 3_600, takeoverMs: 200 });
    expect(await views(project)).toBe(0);
    await killed.kill();
    await expect.poll(() => views(project)).toBe(BATCH);
    await other.close();
    expect(await readdir(bench.folder.walFolder)).toEqual([]);
    expect((await bench.database.pool.query('SELECT id FROM analytics_writers')).rows).toEqual([]);
  });
});
