import { setTimeout as sleep } from 'node:timers/promises';
import { BATCH, eventsOf } from './analytics-load.ts';
import { patienceMs } from './patience.ts';

/** A server, and a project of it. */
export interface Seen {
  url: string;
  operatorToken: string;
  projectId: string;
}

/** What was made by {@link fill}. */
export interface Made {
  /** Jobs at rest, by what became of them. */
  jobs: { published: string; followedUp: string; failed: string; archived: string };
  events: number;
}

/** Answers by their addresses. */
export type Answers = Record<string, unknown>;

const BATCHES = 30;
const append = (title: string) => `Append a section "${title}" with text "Of ${title}." to the page guides/log`;

/** @throws with the answer where it is not of these statuses */
export async function ask(
  { url, operatorToken }: Pick<Seen, 'url' | 'operatorToken'>,
  path: string,
  { body, method = body === undefined ? 'GET' : 'POST' }: { body?: unknown; method?: string } = {},
): Promise<Record<string, unknown>> {
  const answer = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${operatorToken}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

export async function settled(seen: Seen, id: string, withinMs = patienceMs()): Promise<string> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const { status } = await ask(seen, `/v2/agent/${seen.projectId}/job/${id}`);
    if (status !== 'active') return status as string;
    if (Date.now() > deadline) throw new Error(`The job ${id} is still active after ${withinMs} ms.`);
    await sleep(200);
  }
}

export async function post(seen: Seen, prompt: string): Promise<string> {
  return (await ask(seen, `/v2/agent/${seen.projectId}/job`, { body: { prompt } })).id as string;
}

/**
 * Something of what people make, with requests that every release takes, and waits until all of it is at rest
 * and counted.
 */
export async function fill(seen: Seen): Promise<Made> {
  const { projectId } = seen;
  const [published, followedUp, failed, archived] = [
    await post(seen, append('One')),
    await post(seen, append('Two')),
    await post(seen, 'Append a section "Three" with text "x" to the page no/such/page'),
    await post(seen, append('Four')),
  ] as const;
  for (const id of [published, followedUp, failed, archived]) await settled(seen, id);
  await ask(seen, `/v2/agent/${projectId}/job/${followedUp}/message`, { body: { prompt: append('Two again') } });
  await settled(seen, followedUp);
  await ask(seen, `/v2/agent/${projectId}/job/${archived}/archive`, { method: 'POST' });
  await ask(seen, '/v1/keys', { body: { name: 'CI', scopes: ['read'], projectIds: [projectId] } });
  for (let no = 0; no < BATCHES; no += 1)
    await ask(seen, `/v1/analytics/${projectId}/events`, { body: { events: eventsOf(no) } });
  const events = BATCHES * BATCH;
  await counted(seen, events);
  return { jobs: { published, followedUp, failed, archived }, events };
}

export async function counted(seen: Seen, events: number): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { totals } = (await ask(seen, `/v1/analytics/${seen.projectId}/views`)) as {
      totals: { total: number };
    };
    if (totals.total === events) return;
    if (Date.now() > deadline) throw new Error(`${totals.total} of ${events} page views count.`);
    await sleep(300);
  }
}

/**
 * Everything that clients of every release can ask about it. What an older release does not know yet is left
 * out.
 */
export async function answersOf(seen: Seen, { jobs }: Pick<Made, 'jobs'>): Promise<Answers> {
  const { projectId } = seen;
  const answers: Answers = {};
  const ofProject = ['visitors', 'views', 'timeseries', 'agents', 'referrers'].flatMap((what) => [
    `/v1/analytics/${projectId}/${what}`,
    `/v1/analytics/${projectId}/${what}?dateFrom=2026-10-05&dateTo=2026-10-12`,
  ]);
  const ofJobs = Object.values(jobs).flatMap((id) => {
    const job = `/v2/agent/${projectId}/job/${id}`;
    return [
      job,
      `${job}/events`,
      `${job}/messages`,
      `${job}/diff`,
      `${job}/usage`,
      `${job}/pull-request`,
      `/v1/agent/${projectId}/job/${id}`,
    ];
  });
  const addresses = [`/v1/projects/${projectId}`, '/v1/projects', '/v1/keys', ...ofProject, ...ofJobs];
  for (const address of addresses) {
    try {
      answers[address] = JSON.parse(JSON.stringify(await ask(seen, address)).replaceAll(seen.url, 'http://docent'));
    } catch (err) {
      // Refusals are compared, too; but an older release may lack a route, whose answer is not a contract.
      const [, status] = /: (\d{3}) /.exec(String(err)) ?? [];
      const isUnknown = String(err).includes('"not_found"') || status === '405';
      if (!isUnknown) answers[address] = { refused: status };
    }
  }
  return answers;
}

/** When it was answered, and what code hosts are asked again and again: other at each time. */
const PASSING = new Set(['requestId', 'version', 'asOf', 'lastUsedAt', 'lookedAt', 'checks', 'mergeable']);

/** What was said before and is not said now, or is said otherwise. More may be said than before. */
export function lostOf(before: unknown, now: unknown, at = ''): string[] {
  if (now === undefined && before !== undefined) return [`${at}: is now undefined`];
  if (before === null || typeof before !== 'object')
    return Object.is(before, now)
      ? []
      : [`${at}: ${JSON.stringify(before)} is now ${JSON.stringify(now)?.slice(0, 200)}`];
  if (Array.isArray(before)) {
    if (!Array.isArray(now) || now.length !== before.length)
      return [`${at}: ${before.length} are now ${Array.isArray(now) ? now.length : JSON.stringify(now)}`];
    return before.flatMap((item, i) => lostOf(item, now[i], `${at}[${i}]`));
  }
  if (now === null || typeof now !== 'object') return [`${at}: is now ${JSON.stringify(now)}`];
  return Object.entries(before)
    .filter(([key]) => !PASSING.has(key))
    .flatMap(([key, value]) => lostOf(value, (now as Answers)[key], at === '' ? key : `${at}.${key}`));
}
