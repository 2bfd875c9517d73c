import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import autocannon from 'autocannon';
import { createProject } from './bench-project.ts';
import { median, ms, percentile, type BenchRow } from './bench-row.ts';
import type { BenchStack } from './bench-stack.ts';

const POSTS = 300;
const SECONDS = 5;
const CONNECTIONS = 10;

/**
 * Accepting and reading jobs, against the least that could be done instead: starting an empty workflow on the same server,
 * and a Koa route that answers the same JSON from memory. No worker runs meanwhile.
 */
export async function benchRequests(stack: BenchStack): Promise<BenchRow[]> {
  const worker = await stack.startWorker();
  const projectId = await createProject(stack, 'requests');
  await worker.kill('SIGTERM');

  const connection = await Connection.connect({ address: stack.temporalAddress });
  const { workflow } = new Client({ connection });
  const posts: number[] = [];
  const starts: number[] = [];
  let jobId = '';
  for (let n = 0; n < POSTS + 20; n += 1) {
    const postedAt = performance.now();
    const { data } = await stack.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId } },
      body: { prompt: 'Replace "one" with "two"' },
    });
    const answeredAt = performance.now();
    await workflow.start('empty', { workflowId: `bench-empty-${n}`, taskQueue: 'bench-nobody' });
    const startedAt = performance.now();
    if (!data) throw new Error('The job was refused.');
    jobId = data.id;
    if (n < 20) continue; // warm-up
    posts.push(answeredAt - postedAt);
    starts.push(startedAt - answeredAt);
  }
  await connection.close();
  const postRatio = median(posts) / median(starts);

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
      goal: 'at most 2',
      met: postRatio <= 2,
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

async function rate(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx + result.errors} requests failed.`);
  return result.requests.average;
}
