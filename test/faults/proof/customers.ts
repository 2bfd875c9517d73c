import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@docent/base/time';
import { FEEDBACK_THRESHOLD } from './checker/automations.ts';
import type { LedgerAutomation, LedgerJob } from './checker/ledger-file.ts';
import type { Call, Client } from './client.ts';
import type { Ledger } from './ledger.ts';

/** How much there is to do at `load` 1. */
const JOB_CUSTOMERS = 4;
const JOB_PAUSE_MS = 500;
const VIEWS_PAUSE_MS = 500;
const QUESTIONS_PAUSE_MS = 1_000;
const EVENTS_PER_BATCH = 50;
/** Fewer than the answer of one page of a listing. */
const PATHS = 40;
/** Each returns on other days and pages. */
const VISITORS = 5_000;
const DELIVERIES_PAUSE_MS = 1_000;
const CALLS_PAUSE_MS = 10_000;
/** A count of readers' signals starts a run with 20 pages at most, every ten minutes. */
const FEEDBACK_PAUSE_MS = 10_000;
const FEEDBACK_PAGES = 40;
const AGENTS = 20;
const AUTOMATIONS = '/v1/projects/{projectId}/automations';
const JOB = '/v2/agent/{projectId}/job';
const ONE = '/v2/agent/{projectId}/job/{id}';
/** Pages that jobs change: enough that two rarely want the same at once. */
const PAGES = 150;

export const pageOf = (no: number): string => `notes/n${no % PAGES}`;

/** The site whose pages the jobs change. */
export function site(): Record<string, string> {
  const names = Array.from({ length: PAGES }, (_, no) => pageOf(no));
  return {
    'docs.json': `${JSON.stringify({ name: 'Acme', navigation: { groups: [{ group: 'Notes', pages: ['index', ...names] }] } })}\n`,
    'index.mdx': '---\ntitle: Welcome\n---\n\nAcme does things.\n',
    ...Object.fromEntries(names.map((name, no) => [`${name}.mdx`, `---\ntitle: Note ${no}\n---\n\nWhat happened.\n`])),
  };
}

export interface Work {
  client: Client;
  ledger: Ledger;
  random: () => number;
  /** Of the full load: fewer customers, who wait longer. */
  load: number;
  /** Customers stop when it ends. */
  isOn: boolean;
}

/** All customers in parallel, until it ends. */
export function customers(work: Work): Promise<void>[] {
  const { load } = work;
  const several = Math.max(1, Math.round(JOB_CUSTOMERS * load));
  const slowly = Math.max(1, 1 / load);
  const next = { job: 0, batch: 0 };
  return [
    ...Array.from({ length: several }, () =>
      every(work, JOB_PAUSE_MS * (load < 1 ? slowly : 1), () => aJob(work, (next.job += 1))),
    ),
    every(work, VIEWS_PAUSE_MS * slowly, () => views(work, (next.batch += 1))),
    every(work, QUESTIONS_PAUSE_MS * slowly, () => questions(work)),
    automations(work, slowly),
  ];
}

async function every(work: Work, pauseMs: number, visit: () => Promise<void>): Promise<void> {
  while (work.isOn) {
    await visit().catch((err: unknown) => work.ledger.complaints.push(String(err)));
    await sleep(pauseMs);
  }
}

/**
 * A change with two more messages, one while it works and one when it is done; half of them are merged. Or a
 * question.
 */
async function aJob({ client, ledger, random }: Work, no: number): Promise<void> {
  const kind = random() < 0.15 ? 'question' : 'change';
  const page = pageOf(no);
  const say = (word: string) => {
    const title = `${word} ${no}`;
    return { prompt: `Append a section "${title}" with text "Said in ${title}." to the page ${page}`, title };
  };
  const first = say('First');
  const made = await client.insist({
    method: 'post',
    route: JOB,
    key: `job-${no}`,
    body: { prompt: first.prompt, ...(kind === 'question' ? { mode: 'ask' } : {}) },
  });
  if (!made) return;
  const job: LedgerJob = { id: (made.body as { id: string }).id, kind, page, messages: [first], merge: 'none' };
  ledger.jobs.push(job);
  if (kind === 'question') return settled(client, job);
  for (const word of ['Second', 'Third']) {
    const more = say(word);
    const told = await client.insist({
      method: 'post',
      route: `${ONE}/message`,
      id: job.id,
      key: `message-${word}-${no}`,
      body: { prompt: more.prompt },
    });
    if (told) job.messages.push(more);
    await settled(client, job);
  }
  if (random() < 0.5) await merge(client, job);
}

/**
 * One of each kind: one starts on a schedule, another on merges. Their jobs are previews: they push nothing.
 */
const TRIGGERS = [
  { type: 'webhook' },
  { type: 'api' },
  { type: 'schedule', cron: '*/15 * * * *', timezone: 'UTC' },
  { type: 'code', events: ['pushed'], repositories: ['.'], paths: ['notes/**'] },
  { type: 'readers', signal: 'agent_feedback', threshold: FEEDBACK_THRESHOLD, days: 1 },
] as const;
const ONE_AUTOMATION = `${AUTOMATIONS}/{automationId}`;

async function automations(work: Work, slowly: number): Promise<void> {
  const { client, ledger, random } = work;
  const prompt = 'Append a section "Run" with text "It ran." to the page index';
  const made = new Map<string, LedgerAutomation>();
  for (const trigger of TRIGGERS) {
    const id = `by-${trigger.type}`;
    const body = { id, name: id, prompt, mode: 'preview', trigger };
    if (!(await client.insist({ method: 'post', route: AUTOMATIONS, key: id, body }))) continue;
    const createdAt = new Date().toISOString();
    const automation = { id, trigger: trigger.type, createdAt, deliveries: [], jobs: [] };
    ledger.automations.push(automation);
    made.set(id, automation);
  }
  const route = ONE_AUTOMATION;
  const hook = await client.insist({ method: 'post', route: `${route}/secret`, id: 'by-webhook' });
  const token = (hook?.body as { secret?: string } | undefined)?.secret ?? '';
  let no = 0;
  /** Some are sent again after their answer. */
  const sent = async (call: Omit<Call, 'method'>) => {
    const answer = await client.insist({ method: 'post', ...call });
    if (answer && random() < 0.3) await client.insist({ method: 'post', ...call });
    return answer;
  };
  const deliver = async () => {
    const key = `delivery-${(no += 1)}`;
    const answer = await sent({ route: '/v1/hooks/{automationId}', id: 'by-webhook', token, key, body: { key } });
    if (answer) made.get('by-webhook')?.deliveries.push(key);
  };
  const callIt = async () => {
    const answer = await sent({ route: `${route}/trigger`, id: 'by-api', key: `call-${(no += 1)}`, body: {} });
    if (answer) made.get('by-api')?.jobs.push((answer.body as { id: string }).id);
  };
  const report = async () => {
    const path = `/asked-${Math.floor(random() * FEEDBACK_PAGES)}`;
    const userAgent = `proof-agent/${Math.floor(random() * AGENTS)}`;
    const body = { path, feedback: 'The example does not run.' };
    const sent = await client.insist({ method: 'post', route: '/{projectId}/feedback', body, userAgent });
    if (sent) made.get('by-readers')?.deliveries.push(path);
  };
  await Promise.all([
    every(work, DELIVERIES_PAUSE_MS * slowly, deliver),
    every(work, CALLS_PAUSE_MS * slowly, callIt),
    every(work, FEEDBACK_PAUSE_MS * slowly, report),
  ]);
}

/** Readers' signals are counted again soon after a change of their automation, not only every ten minutes. */
export async function countSignalsNow(client: Client): Promise<void> {
  const body = { name: 'by-readers, counted at the end' };
  await client.insist({ method: 'patch', route: ONE_AUTOMATION, id: 'by-readers', body });
}

/** Waits until it is at rest, through outages of any length. */
async function settled(client: Client, { id }: LedgerJob): Promise<void> {
  for (let looks = 0; looks < 1_200; looks += 1) {
    const answer = await client.insist({ method: 'get', route: ONE, id });
    if ((answer?.body as { status?: string } | undefined)?.status !== 'active') return;
    await sleep(500);
  }
}

/** Repeated until it is answered, which a merge may be. */
async function merge(client: Client, job: LedgerJob): Promise<void> {
  const done = await client.insist({ method: 'post', route: `${ONE}/pull-request/merge`, id: job.id, over: [409] });
  if (done) job.merge = done.status === 200 ? 'merged' : 'refused';
}

async function views({ client, ledger, random }: Work, no: number): Promise<void> {
  const events = Array.from({ length: EVENTS_PER_BATCH }, (_, i) => ({
    id: `e${no}-${i}`,
    path: `/page-${Math.floor(random() * PATHS)}`,
    visitorId: `v${Math.floor(random() * VISITORS)}`,
    timestamp: new Date(Date.now() - Math.floor(random() * 20) * DAY_MS).toISOString(),
    class: 'human',
  }));
  const route = '/v1/analytics/{projectId}/events';
  if (await client.insist({ method: 'post', route, body: { events } })) ledger.viewed(events);
}

async function questions({ client }: Work): Promise<void> {
  for (const what of ['views', 'visitors', 'timeseries'])
    await client.insist({ method: 'get', route: `/v1/analytics/{projectId}/${what}` });
  await client.insist({ method: 'get', route: '/v2/agent/{projectId}/jobs', query: '?limit=20' });
}
