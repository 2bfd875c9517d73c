import { setTimeout as sleep } from 'node:timers/promises';
import { attachment, preview, push, question } from './modes.ts';
import { automation, monitor, newSecret, readers, repeated, webhookOwner } from './others.ts';
import { follower, keys, lists, mistakes, questions, views } from './readers.ts';
import { count, every, PAGES, type Soak } from './soak.ts';

/** All customers in parallel, until the soak ends. */
export function customers(soak: Soak): Promise<void>[] {
  return [
    every(soak, 2_000, jobWithMessages),
    every(soak, 6_000, stoppedJob),
    every(soak, 4_000, preview),
    every(soak, 6_000, question),
    every(soak, 8_000, push),
    every(soak, 10_000, attachment),
    every(soak, 5_000, follower),
    every(soak, 8_000, versionOne),
    every(soak, 500, lists),
    every(soak, 200, views),
    every(soak, 600, questions),
    every(soak, 7_000, keys),
    every(soak, 3_000, mistakes),
    every(soak, 5_000, repeated),
    every(soak, 2_000, readers),
    every(soak, 7_000, automation),
    every(soak, 9_000, webhookOwner),
    every(soak, 4_000, monitor),
    newSecret(soak),
  ];
}

/** A job, a message while it works and one when it is done. */
async function jobWithMessages(soak: Soak): Promise<void> {
  const { jobs, ledger } = soak;
  const made = await jobs.create('pull-request', PAGES[0], { metadata: { 'made-by': 'soak' }, draft: false });
  if (!made) return;
  count(soak, 'jobs that open a pull request');
  await jobs.say(made, PAGES[1]);
  await jobs.settled(made);
  await jobs.say(made, PAGES[2]);
  const done = await jobs.settled(made);
  if (done && (done.status !== 'completed' || done.prLink === null || done.outcome !== 'changed'))
    ledger.wrong(`Job ${made.id} is ${JSON.stringify(done)}`);
  const told = await jobs.get<{ messages: { role: string }[] }>(made, 'messages');
  const asked = told?.messages.filter(({ role }) => role === 'user').length;
  if (asked !== made.sections.length) ledger.wrong(`Job ${made.id} has ${asked} messages of ${made.sections.length}.`);
  if (Math.random() < 0.3) {
    await jobs.post(made, 'pull-request/close', undefined, [200]);
    count(soak, 'pull requests closed');
  }
}

/** Cancelled or archived at once, whatever it is at. */
async function stoppedJob(soak: Soak): Promise<void> {
  const { jobs } = soak;
  const made = await jobs.create('stopped', PAGES[0]);
  if (!made) return;
  count(soak, 'jobs stopped');
  await sleep(Math.random() * 300);
  // It may have ended before.
  await jobs.post(made, 'cancel', undefined, [200, 409]);
  await jobs.post(made, 'archive', undefined, [200]);
  await jobs.post(made, 'unarchive', undefined, [200]);
  await jobs.post(made, 'archive', undefined, [200]);
}

/** A client of version 1, which reads the answer to its end. */
async function versionOne({ ledger, docent, jobs, counts }: Soak): Promise<void> {
  const { prompt } = jobs.section(PAGES[1]);
  const path = { projectId: docent.projectId };
  const response = await ledger.send(
    {
      method: 'post',
      route: '/v1/agent/{projectId}/job',
      path,
      body: { messages: [{ role: 'user', content: prompt }] },
      expect: [200],
    },
    AbortSignal.timeout(120_000),
  );
  await response.text();
  counts['jobs of version 1'] = (counts['jobs of version 1'] ?? 0) + 1;
  const id = response.headers.get('x-session-id') ?? '';
  await ledger.ask({ method: 'get', route: '/v1/agent/{projectId}/job/{id}', path: { ...path, id }, expect: [200] });
}
