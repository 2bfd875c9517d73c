import { setTimeout as sleep } from 'node:timers/promises';
import { eventsOf, BATCH } from '../analytics-load.ts';
import type { Installation } from '../installation.ts';
import type { JobClient } from './jobs.ts';
import type { Ledger } from './ledger.ts';

/** A soak as its customers see it. */
export interface Soak {
  readonly docent: Installation;
  readonly ledger: Ledger;
  readonly jobs: JobClient;
  /** Customers go home when it is no longer on. */
  isOn: boolean;
  /** How often what was acknowledged. */
  readonly counts: Record<string, number>;
}

export function count(soak: Soak, what: string, by = 1): void {
  soak.counts[what] = (soak.counts[what] ?? 0) + by;
}

const PAGES = ['guides/start', 'guides/log', 'index'];

/** Everybody at once, each until the soak is over. */
export function customers(soak: Soak): Promise<void>[] {
  return [
    every(soak, 1_500, () => jobWithMessages(soak)),
    every(soak, 6_000, () => stoppedJob(soak)),
    every(soak, 400, () => lists(soak)),
    every(soak, 150, () => views(soak)),
    every(soak, 500, () => questions(soak)),
    every(soak, 2_000, () => mistakes(soak)),
  ];
}

/** Starts again as long after each end, and writes down what it could not do. */
export async function every(soak: Soak, pauseMs: number, work: () => Promise<void>): Promise<void> {
  while (soak.isOn) {
    await work().catch((err: unknown) => soak.ledger.wrong(`${String(err)} ${String((err as Error).cause ?? '')}`));
    await sleep(pauseMs);
  }
}

/** A job, a message while it works and one when it is done. */
async function jobWithMessages(soak: Soak): Promise<void> {
  const { jobs } = soak;
  const made = await jobs.create('pull-request', PAGES[0]!);
  if (!made) return;
  count(soak, 'jobs that open a pull request');
  await jobs.say(made, PAGES[1]!);
  await jobs.settled(made);
  await jobs.say(made, PAGES[2]!);
  const done = await jobs.settled(made);
  if (done && (done.status !== 'completed' || done.prLink === null || done.outcome !== 'changed'))
    soak.ledger.wrong(`Job ${made.id} is ${JSON.stringify(done)}`);
}

/** Cancelled or archived at once, whatever it is at. */
async function stoppedJob(soak: Soak): Promise<void> {
  const { jobs } = soak;
  const made = await jobs.create('stopped', PAGES[0]!);
  if (!made) return;
  count(soak, 'jobs stopped');
  await sleep(Math.random() * 300);
  // It may have ended before.
  await jobs.post(made, 'cancel', undefined, [200, 409]);
  await jobs.post(made, 'archive', undefined, [200]);
  await jobs.post(made, 'unarchive', undefined, [200]);
  await jobs.post(made, 'archive', undefined, [200]);
}

async function lists({ ledger, docent }: Soak): Promise<void> {
  const path = { projectId: docent.projectId };
  const seen = new Set<string>();
  for (let cursor: string | null = null, pages = 0; pages < 4; pages += 1) {
    const page: { jobs: { id: string }[]; nextCursor: string | null } | null = await ledger.ask({
      method: 'get',
      route: '/v2/agent/{projectId}/jobs',
      path,
      query: { limit: 10, cursor: cursor ?? undefined },
      expect: [200],
    });
    if (!page) return;
    for (const { id } of page.jobs) {
      if (seen.has(id)) ledger.wrong(`Job ${id} is on two pages of one list.`);
      seen.add(id);
    }
    cursor = page.nextCursor;
    if (cursor === null) return;
  }
}

let batch = 0;

async function views(soak: Soak): Promise<void> {
  const { ledger, docent } = soak;
  const path = { projectId: docent.projectId };
  const body = { events: eventsOf(batch++) };
  const { status } = await ledger.send({
    method: 'post',
    route: '/v1/analytics/{projectId}/events',
    path,
    body,
    expect: [202],
  });
  if (status === 202) count(soak, 'page views', BATCH);
}

async function questions({ ledger, docent }: Soak): Promise<void> {
  const path = { projectId: docent.projectId };
  for (const what of ['visitors', 'views', 'timeseries', 'agents', 'referrers', 'not-found']) {
    await ledger.ask({ method: 'get', route: `/v1/analytics/{projectId}/${what}`, path, expect: [200] });
  }
}

/** What clients get wrong. */
async function mistakes({ ledger, docent }: Soak): Promise<void> {
  const path = { projectId: docent.projectId };
  const job = '/v2/agent/{projectId}/job';
  await ledger.ask({ method: 'post', route: job, path, body: { prompt: '' }, expect: [400] });
  await ledger.ask({
    method: 'post',
    route: job,
    path: { projectId: 'nowhere' },
    body: { prompt: 'x' },
    expect: [404],
  });
  await ledger.ask({ method: 'get', route: `${job}/{id}`, path: { ...path, id: 'none' }, expect: [404] });
  await ledger.ask({ method: 'get', route: `${job}s`, path, token: 'docent_wrong', expect: [401, 429] });
}
