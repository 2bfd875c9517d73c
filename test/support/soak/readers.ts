import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { BATCH, eventsOf } from '../analytics-load.ts';
import type { MadeJob } from './jobs.ts';
import { count, PAGES, type Soak } from './soak.ts';

/** Follows a job from its first event to its rest, over broken streams. */
export async function follower(soak: Soak): Promise<void> {
  const { jobs } = soak;
  const made = await jobs.create('pull-request', PAGES[0]);
  if (!made) return;
  count(soak, 'jobs followed live');
  const numbers: number[] = [];
  for (let tries = 0; tries < 30; tries += 1) {
    // Now and then, the reader goes away in the middle and comes back to the other API.
    const isCut = Math.random() < 0.3 && tries < 3;
    if (await readStream(soak, made, numbers, isCut)) break;
    count(soak, 'streams opened again');
  }
  if (numbers.some((no, i) => no !== i + 1)) soak.ledger.wrong(`Stream of ${made.id} told ${numbers.join(', ')}.`);
  const page = await jobs.get<{ events: { no: number }[] }>(made, 'events', { limit: 500 });
  if (page?.events.length !== numbers.length)
    soak.ledger.wrong(`Stream of ${made.id} told ${numbers.length} events of ${page?.events.length}.`);
}

/** @returns whether there is no more to come */
async function readStream(
  { ledger, docent }: Soak,
  made: MadeJob,
  numbers: number[],
  isCut: boolean,
): Promise<boolean> {
  const last = numbers.at(-1);
  const response = await ledger.send(
    {
      method: 'get',
      route: '/v2/agent/{projectId}/job/{id}/events',
      path: { projectId: docent.projectId, id: made.id },
      headers: {
        accept: 'text/event-stream',
        ...(last === undefined ? {} : { 'last-event-id': String(last) }),
      },
      expect: [200, 204],
    },
    AbortSignal.timeout(120_000),
  );
  if (response.status !== 200 || !response.body) return true;
  let isOver = false;
  const parser = createParser({
    onEvent: ({ id, event }) => {
      if (id !== undefined && id !== '') numbers.push(Number(id));
      isOver ||= event === 'end';
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (isCut && numbers.length > (last ?? 0)) break;
  }
  return isOver;
}

/** Pages of the newest jobs, while others are added; and what has not changed is not sent again. */
export async function lists({ ledger, docent }: Soak): Promise<void> {
  const path = { projectId: docent.projectId };
  const seen = new Set<string>();
  const route = '/v2/agent/{projectId}/jobs';
  let cursor: string | null = null;
  for (let pages = 0; pages < 4; pages += 1) {
    const page: { jobs: { id: string }[]; nextCursor: string | null } | null = await ledger.ask({
      method: 'get',
      route,
      path,
      query: { limit: 10, 'metadata[made-by]': 'soak', cursor: cursor ?? undefined },
      expect: [200],
    });
    if (!page) return;
    for (const { id } of page.jobs) {
      if (seen.has(id)) ledger.wrong(`Job ${id} is on two pages of one list.`);
      seen.add(id);
    }
    cursor = page.nextCursor;
    if (cursor === null) break;
  }
  const [id] = seen;
  if (id === undefined) return;
  const one = '/v2/agent/{projectId}/job/{id}';
  const first = await ledger.send({ method: 'get', route: one, path: { ...path, id }, expect: [200] });
  const etag = first.headers.get('etag');
  await first.text();
  if (etag === null) return ledger.wrong('A job has no ETag.');
  const again = { method: 'get', route: one, path: { ...path, id }, headers: { 'if-none-match': etag } } as const;
  await (await ledger.send({ ...again, expect: [200, 304] })).text();
  for (const what of ['messages', 'diff', 'checks', 'usage'])
    await ledger.ask({ method: 'get', route: `${one}/${what}`, path: { ...path, id }, expect: [200] });
}

let batch = 0;

export async function views(soak: Soak): Promise<void> {
  const { ledger, docent } = soak;
  const path = { projectId: docent.projectId };
  const body = { events: eventsOf(batch++) };
  const route = '/v1/analytics/{projectId}/events';
  const { status } = await ledger.send({ method: 'post', route, path, body, expect: [202] });
  if (status === 202) count(soak, 'page views', BATCH);
}

export async function questions({ ledger, docent }: Soak): Promise<void> {
  const path = { projectId: docent.projectId };
  for (const what of ['visitors', 'views', 'timeseries', 'agents', 'referrers', 'not-found'])
    await ledger.ask({ method: 'get', route: `/v1/analytics/{projectId}/${what}`, path, expect: [200] });
  const csv = {
    method: 'get',
    route: '/v1/analytics/{projectId}/visitors',
    path,
    headers: { accept: 'text/csv' },
  } as const;
  const page = await ledger.send({ ...csv, query: { limit: 10 }, expect: [200] });
  const { version, total } = tableHeaders(page);
  await page.text();
  // All of it, of the same moment.
  const whole = await ledger.send({ ...csv, query: { all: true, version }, expect: [200] });
  const lines = (await whole.text()).trim().split('\r\n');
  if (lines[0] !== 'path,human,ai,total') ledger.wrong(`CSV begins with ${lines[0]?.slice(0, 40)}`);
  if (lines.length - 1 !== total || tableHeaders(whole).version !== version)
    ledger.wrong(`A whole listing of version ${version} has ${lines.length - 1} rows of ${total}.`);
}

const tableHeaders = ({ headers }: Response) => ({
  version: Number(headers.get('x-version')),
  total: Number(headers.get('x-total-count')),
});

/** A key, a token for a browser from it, a new secret, and the end of all of them. */
export async function keys(soak: Soak): Promise<void> {
  const { ledger, docent } = soak;
  const { projectId } = docent;
  const made = await ledger.ask<{ id: string; key: string }>({
    method: 'post',
    route: '/v1/keys',
    body: { name: 'soak', projectIds: [projectId], scopes: ['read'] },
    expect: [201],
  });
  if (!made) return;
  count(soak, 'keys');
  const { id, key } = made;
  const ask = (token: string, expect: readonly number[]) =>
    ledger.ask({ method: 'get', route: '/v2/agent/{projectId}/jobs', path: { projectId }, token, expect });
  const token = await ledger.ask<{ token: string }>({
    method: 'post',
    route: '/v1/tokens',
    token: key,
    body: { projectId, expiresInSeconds: 60 },
    expect: [201],
  });
  const rotate = { method: 'post', route: '/v1/keys/{keyId}/rotate', path: { keyId: id } } as const;
  const rotated = await ledger.ask<{ key: string }>({ ...rotate, body: { overlapSeconds: 600 }, expect: [200] });
  if (!token || !rotated) return;
  for (const each of [key, rotated.key, token.token]) await ask(each, [200]);
  await ledger.send({ method: 'delete', route: '/v1/keys/{keyId}', path: { keyId: id }, expect: [200] });
  // Within a second, at each of the APIs.
  await sleep(1_200);
  for (const each of [key, rotated.key, token.token]) await ask(each, [401]);
}

/** Mistakes of clients. */
export async function mistakes({ ledger, docent }: Soak): Promise<void> {
  const path = { projectId: docent.projectId };
  const job = '/v2/agent/{projectId}/job';
  await ledger.ask({ method: 'post', route: job, path, body: { prompt: '' }, expect: [400] });
  await ledger.ask({ method: 'post', route: job, path, body: { prompt: 'x', mode: 'wrong' }, expect: [400] });
  await ledger.ask({
    method: 'post',
    route: job,
    path: { projectId: 'nowhere' },
    body: { prompt: 'x' },
    expect: [404],
  });
  await ledger.ask({ method: 'get', route: `${job}/{id}`, path: { ...path, id: 'none' }, expect: [404] });
  await ledger.ask({ method: 'get', route: `${job}s`, path, query: { cursor: 'x' }, expect: [400] });
}
