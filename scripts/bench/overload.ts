import { setTimeout as sleep } from 'node:timers/promises';
import { createProject } from './bench-project.ts';
import type { BenchRow } from './bench-row.ts';
import type { BenchStack } from './bench-stack.ts';

/** Jobs in flight that keep a worker busy. */
const IN_FLIGHT = 20;
const CAPACITY_MS = 20_000;
/** Several times the capacity of two cores. */
const POSTS_PER_SECOND = 60;
const WARM_UP_MS = 5_000;
const OVERLOAD_MS = 20_000;
const PAGE = 100;
const LEAST_KEPT = 0.8;

/**
 * Jobs that a worker finishes while clients wait for one before they post the next, and while they post
 * faster than it can work. Leaves jobs behind that wait.
 */
export async function benchOverload(stack: BenchStack): Promise<BenchRow[]> {
  const capacity = await capacityOf(stack, await createProject(stack, 'capacity'));
  const overloaded = await rateUnderOverload(stack, await createProject(stack, 'overload'));
  return [
    {
      name: `Jobs finished while ${POSTS_PER_SECOND} a second are posted, against ${IN_FLIGHT} in flight`,
      measured: `${overloaded.toFixed(1)} jobs/s / ${capacity.toFixed(1)} jobs/s`,
      ratio: overloaded / capacity,
      goal: `at least ${LEAST_KEPT}`,
      met: overloaded / capacity >= LEAST_KEPT,
    },
  ];
}

async function capacityOf(stack: BenchStack, projectId: string): Promise<number> {
  const until = performance.now() + CAPACITY_MS;
  let finished = 0;
  const client = async (no: number) => {
    for (let n = 0; performance.now() < until; n += 1) {
      const id = await post(stack, projectId, `${no}-${n}`);
      while (!(await isFinished(stack, projectId, id))) await sleep(50);
      if (performance.now() < until) finished += 1;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, (_, no) => client(no)));
  return finished / (CAPACITY_MS / 1_000);
}

async function rateUnderOverload(stack: BenchStack, projectId: string): Promise<number> {
  const posts: Promise<string>[] = [];
  const timer = setInterval(() => posts.push(post(stack, projectId, `${posts.length}`)), 1_000 / POSTS_PER_SECOND);
  try {
    await sleep(WARM_UP_MS);
    const [before, startedAt] = [await countCompleted(stack, projectId), performance.now()];
    await sleep(OVERLOAD_MS);
    const [after, endedAt] = [await countCompleted(stack, projectId), performance.now()];
    return (after - before) / ((endedAt - startedAt) / 1_000);
  } finally {
    clearInterval(timer);
    await Promise.all(posts);
  }
}

async function post(stack: BenchStack, projectId: string, name: string): Promise<string> {
  const { data, error } = await stack.client.POST('/v2/agent/{projectId}/job', {
    params: { path: { projectId } },
    body: { prompt: `Append a section "Load ${name}" with text "Text." to the page guides/page-1` },
  });
  if (!data) throw new Error(`The job was refused: ${JSON.stringify(error)}`);
  return data.id;
}

async function isFinished(stack: BenchStack, projectId: string, id: string): Promise<boolean> {
  const { data } = await stack.client.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { projectId, id } } });
  return data !== undefined && data.status !== 'active';
}

async function countCompleted(stack: BenchStack, projectId: string): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const query = { status: 'completed' as const, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const { data } = await stack.client.GET('/v2/agent/{projectId}/jobs', { params: { path: { projectId }, query } });
    if (!data) throw new Error('The jobs could not be listed.');
    count += data.jobs.length;
    if (data.nextCursor === null) return count;
    cursor = data.nextCursor;
  }
}
