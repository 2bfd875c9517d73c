import { createServer, type Server } from 'node:http';
import { createDocentClient, followJob, FollowRefused, type JobStreamEvent } from '@docent/client';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { updateJob } from '../../src/store/jobs/jobs.ts';
import { addEvent } from '../../src/store/jobs/job-events.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
let projectId: string;
let between: Server | undefined;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 1_000 } });
  projectId = await api.addProject();
});
afterEach(() => between?.close());
afterAll(() => api.close());

const client = (fetch?: (request: Request) => Promise<Response>) =>
  createDocentClient({ baseUrl: api.url, apiKey: api.operatorToken, ...(fetch ? { fetch } : {}) });
const say = (jobId: string, text: string) => addEvent(api.database.db, { jobId, type: 'step', turnNo: 1, text });
const finish = (jobId: string) => updateJob(api.database.db, jobId, { status: 'completed' });

/** Follows to the end; does something after this many events. */
async function follow(
  events: AsyncIterable<JobStreamEvent>,
  doing: Record<number, () => Promise<unknown>> = {},
): Promise<JobStreamEvent[]> {
  const seen: JobStreamEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    await doing[seen.length]?.();
  }
  return seen;
}
const shapes = (events: JobStreamEvent[]) => events.map((event) => ('no' in event ? event.no : event.type));

test('the client follows a job to its end', async () => {
  const id = await createJob(api, projectId);
  const seen = await follow(followJob(client(), { projectId, id }), {
    1: () => say(id, 'a'),
    2: () => finish(id),
  });
  expect(shapes(seen)).toEqual([1, 2, 'end']);
  expect(shapes(await follow(followJob(client(), { projectId, id, after: 1 })))).toEqual([2, 'end']);
});

test('the client reopens a broken stream anywhere, and misses and repeats nothing', async () => {
  const id = await createJob(api, projectId);
  for (let i = 0; i < 30; i++) await say(id, `Event ${i}: ${'é🦊'.repeat(40)}`);
  await finish(id);
  let cut = 900;
  const breaks: string[] = [];
  // Every connection ends after some more bytes, in the middle of an event and of a character.
  const breaking = async (request: Request): Promise<Response> => {
    const response = await fetch(request);
    let left = (cut += 777);
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, left));
          left -= chunk.length;
          if (left < 0) controller.error(new Error('cut'));
        },
      }),
    );
    return new Response(body, response);
  };
  const onBreak = (reason: Error) => breaks.push(reason.message);
  const seen = await follow(followJob(client(breaking), { projectId, id, onBreak }));
  expect(shapes(seen)).toEqual([...Array.from({ length: 31 }, (_, i) => i + 1), 'end']);
  expect(breaks.length).toBeGreaterThan(1);
});

/** The answer of a server without streams. */
function askForPages(request: Request): Promise<Response> {
  const asked = new Request(request);
  asked.headers.set('accept', 'application/json');
  return fetch(asked);
}

test('the client polls pages from a server without streams', async () => {
  const id = await createJob(api, projectId);
  const breaks: Error[] = [];
  const events = followJob(client(askForPages), { projectId, id, onBreak: (reason) => breaks.push(reason) });
  const seen = await follow(events, { 1: () => say(id, 'a'), 3: () => finish(id) });
  expect(shapes(seen).filter((shape) => shape !== 'progress')).toEqual([1, 2, 'end']);
  expect(breaks).toEqual([]);
});

test('the client reports why a job cannot be followed, and stops on request', async () => {
  const missing = follow(followJob(client(), { projectId, id: '0'.repeat(20) }));
  await expect(missing).rejects.toThrow(FollowRefused);
  await expect(missing).rejects.toMatchObject({ status: 404, body: { code: 'job_not_found' } });
  const id = await createJob(api, projectId);
  const stop = new AbortController();
  const seen = await follow(followJob(client(), { projectId, id, signal: stop.signal }), {
    1: async () => stop.abort(),
  });
  expect(shapes(seen)).toEqual([1]);
});

test('the client waits for a busy server, and stops on request', async () => {
  const id = await createJob(api, projectId);
  let asked = 0;
  between = createServer((_request, response) => {
    asked += 1;
    response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' });
    response.end(JSON.stringify({ error: 'Busy.', code: 'unavailable', requestId: 'r' }));
  });
  await new Promise<void>((resolve) => void between?.listen(0, '127.0.0.1', resolve));
  const { port } = between.address() as { port: number };
  const docent = createDocentClient({ baseUrl: `http://127.0.0.1:${port}` });
  const onBreak = (reason: Error) => {
    if (asked === 3) throw new Error(`No more: ${reason.message}`);
  };
  await expect(follow(followJob(docent, { projectId, id, onBreak }))).rejects.toThrow('No more: Busy.');
});
