import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import autocannon from 'autocannon';
import { createProject } from './bench-project.ts';
import { median, ms, percentile, type BenchRow } from './bench-row.ts';
import type { BenchStack } from './bench-stack.ts';

const POSTS = 300;
const SECONDS = 5;
const PAUSE_MS = 25;
const CLIENTS = 8;
/**
 * Enough to keep the servers busy: with few, this would measure the database's latency instead of the rate.
 */
const CONNECTIONS = 50;

/**
 * Accepting and reading jobs, against a minimal alternative: starting an empty workflow on the same server,
 * and a Koa route that answers the same JSON from memory. No worker runs in the meantime.
 */
export async function benchRequests(stack: BenchStack): Promise<BenchRow[]> {
  const worker = await stack.startWorker();
  const projectId = await createProject(stack, 'requests');
  await worker.kill('SIGTERM');

  const connection = await Connection.connect({ address: stack.temporalAddress });
  const { workflow } = new Client({ connection });
  const post = async () => {
    const { data } = await stack.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId } },
      body: { prompt: 'Replace "one" with "two"' },
    });
    if (!data) throw new Error('The job was refused.');
    return data.id;
  };
  let started = 0;
  const start = () =>
    workflow.start('empty', { workflowId: `bench-empty-${(started += 1)}`, taskQueue: 'bench-nobody' });
  const jobId = await post();
  const posts: number[] = [];
  const starts: number[] = [];
  for (let n = 0; n < POSTS + 20; n += 1) {
    // Neither is measured during the other's work: a POST signals Temporal after its answer.
    const [postMs, startMs] = [await timed(post), await timed(start)];
    if (n < 20) continue; // warm-up
    posts.push(postMs);
    starts.push(startMs);
  }
  const postRatio = median(posts) / median(starts);
  const [postsAtOnce, startsAtOnce] = [await perSecond(post), await perSecond(start)];
  stack.pauseTemporal(true);
  const paused: number[] = [];
  for (let n = 0; n < POSTS; n += 1) paused.push(await timed(post));
  stack.pauseTemporal(false);
  // Sends waiting signals before the next measurement.
  await sleep(3_000);
  await connection.close();

  const url = `${stack.apiUrl}/v2/agent/${projectId}/job/${jobId}`;
  const headers = { authorization: `Bearer ${stack.token}` };
  const answer = await (await fetch(url, { headers })).text();
  const bare = fork(path.join(import.meta.dirname, 'bare-koa.ts'), {
    env: { PATH: process.env.PATH, BENCH_ANSWER: answer },
  });
  const [port] = (await once(bare, 'message')) as [number];
  const gets: number[] = [];
  const bares: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    gets.push(await rate(url, headers));
    bares.push(await rate(`http://127.0.0.1:${port}/v2/agent/${projectId}/job/${jobId}`, headers));
  }
  bare.kill();
  const getRatio = median(gets) / median(bares);

  return [
    {
      name: 'POST job, against a bare workflow start',
      measured: `p50 ${ms(median(posts))} (p99 ${ms(percentile(posts, 99))}) / ${ms(median(starts))}`,
      ratio: postRatio,
      goal: 'at most 1.2',
      met: postRatio <= 1.2,
    },
    {
      name: `POST job by ${CLIENTS} clients at once, against as many bare starts`,
      measured: `${postsAtOnce.toFixed(0)}/s / ${startsAtOnce.toFixed(0)}/s`,
      ratio: postsAtOnce / startsAtOnce,
    },
    {
      name: 'POST job while Temporal does not answer, against while it does',
      measured: `p50 ${ms(median(paused))} (p99 ${ms(percentile(paused, 99))}) / ${ms(median(posts))}`,
      ratio: median(paused) / median(posts),
      goal: 'at most 1.2',
      met: median(paused) <= 1.2 * median(posts),
    },
    {
      name: 'GET job, against a bare Koa route',
      measured: `${median(gets).toFixed(0)}/s / ${median(bares).toFixed(0)}/s`,
      ratio: getRatio,
      goal: 'at least 0.4',
      met: getRatio >= 0.4,
    },
  ];
}

/** How long one call takes, after a pause in which the previous one ends. */
async function timed(call: () => Promise<unknown>): Promise<number> {
  await sleep(PAUSE_MS);
  const from = performance.now();
  await call();
  return performance.now() - from;
}

async function perSecond(call: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  let calls = 0;
  const client = async () => {
    for (; performance.now() - from < SECONDS * 1_000; calls += 1) await call();
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return calls / ((performance.now() - from) / 1_000);
}

async function rate(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed.`);
  return result.requests.average;
}
