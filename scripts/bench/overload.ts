import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProject } from './bench-project.ts';
import type { BenchRow } from './bench-row.ts';
import type { BenchStack } from './bench-stack.ts';

/** Jobs in flight that keep a worker busy, also between two looks. */
export const IN_FLIGHT = 20;
/** Between two looks at what is finished. */
const ROUND_MS = 1_000;
/** Posts for each job that could be finished: 60 a second on a machine that finishes 3.75. */
const POSTS_PER_JOB = 16;
const WARM_UP_MS = 5_000;
const MEASURED_MS = 40_000;
const PAGE = 100;
const LEAST_KEPT = 0.8;

/**
 * Jobs that a worker finishes while as many are in flight all the time, and while clients post faster
 * than it can work. Leaves jobs behind that wait.
 */
export async function benchOverload(stack: BenchStack): Promise<BenchRow[]> {
  const capacity = await capacityOf(stack, await createProject(stack, 'capacity'));
  const perSecond = Math.max(1, capacity * POSTS_PER_JOB);
  const overloaded = await rateUnderOverload(stack, await createProject(stack, 'overload'), perSecond);
  return [
    {
      name: `Jobs finished while ${perSecond.toFixed(0)} a second are posted, against ${IN_FLIGHT} in flight`,
      measured: `${overloaded.rate.toFixed(1)} jobs/s / ${capacity.toFixed(1)} jobs/s, ${overloaded.refused} of ${overloaded.posts} posts refused`,
      ratio: overloaded.rate / capacity,
      goal: `at least ${LEAST_KEPT}`,
      met: overloaded.rate / capacity >= LEAST_KEPT,
    },
  ];
}

async function capacityOf(stack: BenchStack, projectId: string): Promise<number> {
  let posted = 0;
  const over = new AbortController();
  // One query a round for all jobs, so that the clients take next to nothing of what they measure.
  const keepInFlight = async () => {
    while (!over.signal.aborted) {
      const missing = IN_FLIGHT - posted + (await countCompleted(stack, projectId));
      const taken = await Promise.all(
        Array.from({ length: missing }, (_, k) => post(stack, projectId, `${posted + k}`)),
      );
      posted += taken.filter(Boolean).length;
      await sleep(ROUND_MS);
    }
  };
  const [, rate] = await Promise.all([keepInFlight(), rateOf(stack, projectId).finally(() => over.abort())]);
  return rate;
}

/** Completed jobs a second, once the load is steady. */
async function rateOf(stack: BenchStack, projectId: string): Promise<number> {
  await sleep(WARM_UP_MS);
  const [before, startedAt] = [await countCompleted(stack, projectId), performance.now()];
  await sleep(MEASURED_MS);
  const [after, endedAt] = [await countCompleted(stack, projectId), performance.now()];
  return (after - before) / ((endedAt - startedAt) / 1_000);
}

interface Overload {
  /** Completed jobs a second. */
  rate: number;
  posts: number;
  /** Answered with 503: there is no room for more. */
  refused: number;
}

async function rateUnderOverload(stack: BenchStack, projectId: string, perSecond: number): Promise<Overload> {
  const posts: Promise<boolean>[] = [];
  const timer = setInterval(() => posts.push(post(stack, projectId, `${posts.length}`)), 1_000 / perSecond);
  const rate = await rateOf(stack, projectId).finally(() => clearInterval(timer));
  const answers = await Promise.all(posts);
  return { rate, posts: answers.length, refused: answers.filter((wasTaken) => !wasTaken).length };
}

/** `fetch` would cost half as much processor time as the API. */
const agent = new Agent({ keepAlive: true });

/** @returns whether the server had room for the job */
async function post({ apiUrl, token }: BenchStack, projectId: string, name: string): Promise<boolean> {
  const prompt = `Append a section "Load ${name}" with text "Text." to the page guides/page-1`;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sent = request(`${apiUrl}/v2/agent/${projectId}/job`, { method: 'POST', agent, headers });
  sent.end(JSON.stringify({ prompt }));
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await text(answer);
  if (answer.statusCode === 201) return true;
  if (answer.statusCode === 503) return false;
  throw new Error(`The job was refused: ${body}`);
}

async function countCompleted(stack: BenchStack, projectId: string): Promise<number> {
  let count = 0;
  for (let cursor: string | undefined; ;) {
    const query = { status: 'completed' as const, limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const { data, response } = await stack.client.GET('/v2/agent/{projectId}/jobs', {
      params: { path: { projectId }, query },
    });
    if (response.status === 503) continue;
    if (!data) throw new Error('The jobs could not be listed.');
    count += data.jobs.length;
    if (data.nextCursor === null) return count;
    cursor = data.nextCursor;
  }
}
