import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';
const FOLLOW_UP = 'Append a section "Last" with text "The end." to the page guides/start';

let docent: Installation;
let worker: RoleProcess;
let paused: Trap;
let killed: Trap;

beforeAll(async () => {
  docent = await Installation.create({
    env: { DOCENT_SECRET_KEY: randomBytes(32).toString('base64'), DOCENT_PRIVATE_HOSTS: '127.0.0.1' },
  });
  paused = trapAt(docent, 'stop:docs-checked');
  killed = trapAt(docent, 'commit-pushed');
  const faults = { DOCENT_TEST_FAULT: `${paused.spec},${killed.spec}` };
  [, worker] = await Promise.all([docent.startApi(), docent.startWorker(faults)]);
  await docent.createProject();
});
afterAll(() => docent?.stop());

/** One branch with a commit for each turn, one pull request, and each message carried out once. */
async function expectOnePullRequest(id: string): Promise<void> {
  const job = await docent.settled(id);
  expect(job).toMatchObject({ status: 'completed', error: null, source: { ref: `docent/${id}` } });
  expect(job.prLink).toMatch(/\/pull-requests\//);
  const commits = await docent.commits(`docent/${id}`);
  const trailer = (commit: string) => docent.git('log', '-1', '--format=%(trailers:key=Docent-Turn,valueonly)', commit);
  const trailers = await Promise.all(commits.map(trailer));
  expect(trailers.map((text) => text.trim())).toEqual([`${id}/1`, `${id}/2`]);
  const { rows } = await docent.database.pool.query('SELECT link FROM pull_requests WHERE job_id = $1', [id]);
  expect(rows).toHaveLength(1);
  const page = await docent.git('show', `docent/${id}:guides/start.mdx`);
  expect(page.match(/^## (Next|Last)$/gm)).toEqual(['## Next', '## Last']);
}

test('a follow-up sent while the job runs becomes the second commit of the same pull request', async () => {
  paused.arm();
  const id = await docent.post(SECTION);
  await until('the worker pauses in the middle of the turn', () => paused.reached());
  expect((await docent.say(id, FOLLOW_UP)).status).toBe(200);
  expect(await docent.job(id)).toMatchObject({ status: 'active', prLink: null });
  await worker.resume();
  await expectOnePullRequest(id);
});

test('a worker killed in the middle of a turn leaves a job that another worker finishes once', async () => {
  killed.arm();
  const id = await docent.post(SECTION);
  expect(await worker.ended).toBe('SIGKILL');
  const killedAt = Date.now();
  await docent.startWorker();
  await docent.settled(id);
  expect(Date.now() - killedAt).toBeLessThan(60_000);
  await docent.say(id, FOLLOW_UP);
  await expectOnePullRequest(id);
});

test('a webhook receives a completed job once, signed, with what the API shows but its prompt', async () => {
  const receiver = await startReceiver();
  const { data: webhook, error } = await docent.client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId: docent.projectId } },
    body: { url: receiver.url, events: ['job.completed'] },
  });
  if (!webhook?.secret) throw new Error(JSON.stringify(error));
  docent.forbiddenTexts.add(webhook.secret);
  const id = await docent.post(SECTION);
  const job = await docent.settled(id);
  await until('the webhook is delivered', () => receiver.received.length > 0);
  const [message] = receiver.received;
  const verified = new Webhook(webhook.secret).verify(message?.body ?? '', { ...message?.headers } as never);
  const { title } = job;
  const shown = { ...job, title: `Job ${id}` };
  expect(verified).toMatchObject({ type: 'job.completed', data: { projectId: docent.projectId, job: shown } });
  expect(message?.body).not.toContain(title);
  expect(receiver.received).toHaveLength(1);
  await receiver.close();
});
