import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../packages/client/src/index.ts';
import { projects } from '../../src/store/schema.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';

/**
 * Leads to where a file says. What may be sent to is another address of this machine, and this name is not
 * named.
 */
const NAME = 'hooks.example.com';
let docent: Installation;
/** The webhook of {@link addAgedDeliveries}. */
let aged: string;
let nameFile: string;
let names: Record<string, string>;

beforeAll(async () => {
  docent = await Installation.create({
    env: {
      DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
      DOCENT_PRIVATE_HOSTS: '127.0.0.1',
      DOCENT_TEST_WEBHOOK_PAUSES: '300,300',
      DOCENT_LOG_LEVEL: 'debug',
    },
  });
  nameFile = path.join(docent.folder, 'name');
  names = {
    NODE_OPTIONS: `--import=${new URL('../support/changing-names.ts', import.meta.url).href}`,
    CHANGING_NAME: NAME,
    CHANGING_NAME_FILE: nameFile,
  };
  await docent.startApi(names);
  aged = await addAgedDeliveries();
  // Two of them: what two see at once is sent once.
  await Promise.all([docent.startWorker(names), docent.startWorker(names)]);
  await docent.createProject();
});

afterAll(async () => docent.stop());

const at = (webhookId: string) => ({ params: { path: { projectId: docent.projectId, webhookId } } });
const atDelivery = (webhookId: string, deliveryId: string) => ({
  params: { path: { projectId: docent.projectId, webhookId, deliveryId } },
});

async function addWebhook(body: components['schemas']['NewWebhook']) {
  const { data, error } = await docent.client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId: docent.projectId } },
    body,
  });
  if (!data?.secret) throw new Error(JSON.stringify(error));
  docent.forbiddenTexts.add(data.secret);
  return { ...data, secret: data.secret };
}

async function deliveries(webhookId: string) {
  const { data } = await docent.client.GET('/v1/projects/{projectId}/webhooks/{webhookId}/deliveries', at(webhookId));
  return data?.deliveries ?? [];
}

async function find(webhookId: string) {
  const { data } = await docent.client.GET('/v1/projects/{projectId}/webhooks/{webhookId}', at(webhookId));
  if (!data) throw new Error(`No webhook ${webhookId}`);
  return data;
}

async function delivery(webhookId: string, deliveryId: string) {
  const { data } = await docent.client.GET(
    '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}',
    atDelivery(webhookId, deliveryId),
  );
  if (!data) throw new Error(`No delivery ${deliveryId}`);
  return data;
}

async function remove(...webhookIds: string[]): Promise<void> {
  const removed = webhookIds.map((id) => docent.client.DELETE('/v1/projects/{projectId}/webhooks/{webhookId}', at(id)));
  await Promise.all(removed);
}

let archived: string | undefined;
/** An event that needs no turn: a job is archived, again and again. */
async function archiveJob(): Promise<void> {
  archived ??= await docent.post(SECTION);
  await docent.settled(archived);
  const params = { path: { projectId: docent.projectId, id: archived } };
  await docent.client.POST('/v2/agent/{projectId}/job/{id}/unarchive', { params });
  const { error } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', { params });
  if (error) throw new Error(error.error);
}

const query = (text: string, ...values: unknown[]) => docent.database.pool.query(text, values);

/**
 * Some older than 30 days, which the first process that polls deletes before all else, and then once an hour.
 * @returns their webhook
 */
async function addAgedDeliveries(): Promise<string> {
  const project = { id: 'aged', repository: docent.repository, ref: 'main', model: 'builtin', docsDir: '' };
  await docent.database.db.insert(projects).values(project);
  const { data } = await docent.client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId: project.id } },
    body: { url: 'https://example.com/' },
  });
  docent.forbiddenTexts.add(data?.secret ?? '');
  const webhookId = data?.id ?? '';
  const add = (name: string, count: number, age: string) =>
    query(
      `INSERT INTO webhook_deliveries (id, webhook_id, type, data, target, state, created_at)
       SELECT $1 || n, $2, 'ping', '{"projectId":"aged"}', 'example.com', 'delivered', now() - $4::interval
       FROM generate_series(1, $3::int) n`,
      name,
      webhookId,
      count,
      age,
    );
  await add('msg_old_', 11_000, '30 days 1 minute');
  await add('msg_young_', 1, '29 days 23 hours');
  await query(
    `INSERT INTO webhook_attempts (delivery_id, no, started_at, ms, response) VALUES ('msg_old_1', 1, now(), 1, 'said')`,
  );
  return webhookId;
}

describe('events of a job and its pull request', () => {
  test('are sent once, signed, as the API shows them', async () => {
    const receiver = await startReceiver(() => ({ status: 200, body: 'thanks' }));
    const webhook = await addWebhook({ url: `${receiver.url}?token=of-the-receiver` });
    const id = await docent.post(SECTION);
    const job = await docent.settled(id);
    await until('both are reported', () => receiver.received.length >= 2);
    const [completed] = receiver.ofType('job.completed');
    const verified = new Webhook(webhook.secret).verify(completed?.body ?? '', { ...completed?.headers } as never);
    expect(verified).toEqual({
      type: 'job.completed',
      timestamp: expect.any(String),
      data: { projectId: docent.projectId, job: { ...job, title: `Job ${id}` } },
    });
    expect(completed?.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': /^Docent\// });
    const [opened] = receiver.ofType('pull_request.opened');
    expect(opened?.json.data.pullRequest).toMatchObject({ jobId: id, state: 'open', link: job.prLink });

    await docent.say(id, 'Replace "Read on." with "Read more." in guides/start');
    await docent.settled(id);
    const params = { path: { projectId: docent.projectId, id } };
    await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', { params });
    await docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', { params });
    // Each is sent separately: a later one may arrive first.
    await until('all are reported', () => receiver.received.length >= 6);
    expect(receiver.received.map(({ json }) => String(json.type)).toSorted()).toEqual([
      'job.archived',
      'job.completed',
      'job.completed',
      'pull_request.merged',
      'pull_request.opened',
      'pull_request.updated',
    ]);
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(6);
    // What was received is written down a moment later.
    const isDone = async () => (await deliveries(webhook.id)).every(({ state }) => state === 'delivered');
    await until('all are written down', isDone);
    const log = await deliveries(webhook.id);
    expect(log.map(({ state, attempts, lastStatus }) => [state, attempts, lastStatus])).toEqual(
      Array.from({ length: 6 }, () => ['delivered', 1, 200]),
    );
    const details = await delivery(webhook.id, completed?.id ?? '');
    expect(details.payload).toEqual(completed?.json);
    expect(details.log).toEqual([
      { no: 1, startedAt: expect.any(String), ms: expect.any(Number), status: 200, problem: null, response: 'thanks' },
    ]);
    await remove(webhook.id);
    await receiver.close();
  });

  test("are only sent to the job's own webhook", async () => {
    const [own, others] = await Promise.all([startReceiver(), startReceiver()]);
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    docent.forbiddenTexts.add(secret, 'token-that-is-nobody-elses');
    const post = (url: string) =>
      docent.client.POST('/v2/agent/{projectId}/job', {
        params: { path: { projectId: docent.projectId } },
        body: { prompt: SECTION, webhook: { url, secret, events: ['job.completed'] } },
      });
    const [{ data: job }] = await Promise.all([
      post(`${own.url}?key=token-that-is-nobody-elses`),
      post(`${others.url}/2`),
    ]);
    expect(job?.webhook).toEqual({ url: own.url, events: ['job.completed'] });
    await until('both are reported', () => own.received.length === 1 && others.received.length === 1);
    const [message] = own.received;
    expect(new Webhook(secret).verify(message?.body ?? '', { ...message?.headers } as never)).toMatchObject({
      type: 'job.completed',
      data: { job: { id: job?.id } },
    });
    const { data } = await docent.client.GET('/v1/projects/{projectId}/webhooks', {
      params: { path: { projectId: docent.projectId }, query: { jobId: job?.id ?? '' } },
    });
    expect(data?.webhooks).toMatchObject([{ jobId: job?.id, url: own.url, signed: true }]);
    await Promise.all([own.close(), others.close()]);
  });
});

describe('a receiver', () => {
  test('that fails is tried again under the same id, and is given up at last; a redelivery has the same id', async () => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 204 : 500, body: 'x'.repeat(5_000) }));
    const webhook = await addWebhook({ url: receiver.url, events: ['job.archived'] });
    await archiveJob();
    await until('it is given up', async () => (await deliveries(webhook.id))[0]?.state === 'failed');
    const [failed] = await deliveries(webhook.id);
    expect(failed).toMatchObject({ attempts: 3, lastStatus: 500, problem: 'The receiver returned 500.' });
    expect(new Set(receiver.received.map(({ id }) => id))).toEqual(new Set([failed?.id]));
    const { log } = await delivery(webhook.id, failed?.id ?? '');
    expect(log.map(({ no, response }) => [no, response?.length])).toEqual([
      [1, 1_024],
      [2, 1_024],
      [3, 1_024],
    ]);
    isUp = true;
    const again = atDelivery(webhook.id, failed?.id ?? '');
    await docent.client.POST('/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', again);
    await until('it is delivered', async () => (await deliveries(webhook.id))[0]?.state === 'delivered');
    expect(receiver.received).toHaveLength(4);
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
    await remove(webhook.id);
    await receiver.close();
  });

  test('that answers 410 gets nothing more; redirects are not followed; Retry-After is respected', async () => {
    const target = await startReceiver();
    const gone = await startReceiver(() => ({ status: 410 }));
    const moved = await startReceiver(() => ({ status: 307, headers: { location: target.url } }));
    const busy = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '3600' } }));
    const [a, b, c] = await Promise.all(
      [gone, moved, busy].map(({ url }) => addWebhook({ url, events: ['job.archived'] })),
    );
    await archiveJob();
    await until('410 is heard', async () => (await deliveries(a?.id ?? ''))[0]?.state === 'failed');
    expect(await find(a?.id ?? '')).toMatchObject({
      enabled: false,
      disabledReason: 'The receiver returned 410 (gone), so the webhook was disabled.',
    });
    await until('the redirect is given up', async () => (await deliveries(b?.id ?? ''))[0]?.state === 'failed');
    expect(target.received).toEqual([]);
    expect((await deliveries(b?.id ?? ''))[0]?.problem).toContain('a redirect');
    await until('503 is heard', async () => (await deliveries(c?.id ?? ''))[0]?.attempts === 1);
    await until('its next attempt is known', async () => (await deliveries(c?.id ?? ''))[0]?.nextAttemptAt !== null);
    const [waiting] = await deliveries(c?.id ?? '');
    expect(Date.parse(waiting?.nextAttemptAt ?? '') - Date.now()).toBeGreaterThan(3_000_000);
    await remove(...[a, b, c].map((webhook) => webhook?.id ?? ''));
    await Promise.all([target, gone, moved, busy].map((one) => one.close()));
  });

  test('gets a ping on request, and its answer is reported; both secrets sign while one replaces the other', async () => {
    const receiver = await startReceiver(() => ({ status: 202, body: 'pong' }));
    const webhook = await addWebhook({ url: receiver.url, enabled: false });
    const ping = async () => {
      const route = '/v1/projects/{projectId}/webhooks/{webhookId}/test';
      return (await docent.client.POST(route, at(webhook.id))).data;
    };
    expect(await ping()).toMatchObject({ type: 'ping', state: 'delivered', log: [{ status: 202, response: 'pong' }] });
    const rotated = await docent.client.POST('/v1/projects/{projectId}/webhooks/{webhookId}/rotate', at(webhook.id));
    const secret = rotated.data?.secret ?? '';
    docent.forbiddenTexts.add(secret);
    expect(secret).not.toBe(webhook.secret);
    await ping();
    const message = receiver.received[1];
    for (const each of [webhook.secret, secret]) {
      expect(new Webhook(each).verify(message?.body ?? '', { ...message?.headers } as never)).toMatchObject({
        type: 'ping',
      });
    }
    await query(`UPDATE webhooks SET previous_until = now() WHERE id = $1`, webhook.id);
    await ping();
    const last = receiver.received[2];
    expect(() => new Webhook(webhook.secret).verify(last?.body ?? '', { ...last?.headers } as never)).toThrow();
    await receiver.close();
    expect(await ping()).toMatchObject({ state: 'failed', log: [{ status: null, problem: /could not be reached/ }] });
    await remove(webhook.id);
  });

  test('that is slow gets four messages at a time, and delays no other', async () => {
    const slow = await startReceiver(() => ({ status: 204, waitMs: 2_000 }));
    const quick = await startReceiver();
    const hooks = await Promise.all([
      ...Array.from({ length: 10 }, (_, no) => addWebhook({ url: `${slow.url}/${no}`, events: ['job.archived'] })),
      addWebhook({ url: quick.url, events: ['job.archived'] }),
    ]);
    const id = await docent.post(SECTION);
    await docent.settled(id);
    const params = { path: { projectId: docent.projectId, id } };
    await docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', { params });
    await until('the quick one is reported', () => quick.received.length === 1);
    expect(slow.received.length).toBeLessThan(10);
    await until('all slow ones are reported', () => slow.received.length === 10);
    expect(slow.mostAtOnce()).toBeLessThanOrEqual(4);
    await remove(...hooks.map(({ id: one }) => one));
    await Promise.all([slow.close(), quick.close()]);
  });
});

describe('a receiver that fails', () => {
  test('for three days gets nothing more, and shows the reason, until it is enabled again', async () => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 204 : 500 }));
    const webhook = await addWebhook({ url: receiver.url, events: ['job.archived'] });
    const failed = (count: number) =>
      until(`${count} are given up`, async () => {
        const all = await deliveries(webhook.id);
        return all.length === count && all.every(({ state }) => state === 'failed');
      });
    await archiveJob();
    await failed(1);
    const failing = await find(webhook.id);
    expect(failing).toMatchObject({ enabled: true, disabledReason: null, failingSince: expect.any(String) });

    await query(`UPDATE webhooks SET failing_since = now() - interval '71 hours' WHERE id = $1`, webhook.id);
    await archiveJob();
    await failed(2);
    expect((await find(webhook.id)).enabled).toBe(true);

    await query(`UPDATE webhooks SET failing_since = now() - interval '73 hours' WHERE id = $1`, webhook.id);
    await archiveJob();
    await failed(3);
    expect(await find(webhook.id)).toMatchObject({
      enabled: false,
      disabledReason: 'Every attempt of the last three days failed. Enable the webhook again when its server works.',
    });
    const before = receiver.received.length;
    await archiveJob();
    expect(await deliveries(webhook.id)).toHaveLength(3);
    expect(receiver.received).toHaveLength(before);

    isUp = true;
    await docent.client.PATCH('/v1/projects/{projectId}/webhooks/{webhookId}', {
      ...at(webhook.id),
      body: { enabled: true },
    });
    expect(await find(webhook.id)).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    await archiveJob();
    await until('it is sent again', () => receiver.received.length === before + 1);
    await remove(webhook.id);
    await receiver.close();
  });

  test('has a clean record once one message has arrived, or its address changed', async () => {
    const receiver = await startReceiver();
    const [good, moved] = await Promise.all([
      addWebhook({ url: receiver.url, events: ['job.archived'] }),
      addWebhook({ url: `${receiver.url}/moved`, events: ['job.archived'] }),
    ]);
    await query(`UPDATE webhooks SET failing_since = now() - interval '80 hours'`);
    await docent.client.PATCH('/v1/projects/{projectId}/webhooks/{webhookId}', {
      ...at(moved.id),
      body: { url: `${receiver.url}/elsewhere` },
    });
    expect((await find(moved.id)).failingSince).toBe(null);
    await archiveJob();
    await until('both are reported', () => receiver.received.length === 2);
    await until('it is written down', async () => (await find(good.id)).failingSince === null);
    expect((await find(good.id)).enabled).toBe(true);
    await remove(good.id, moved.id);
    await receiver.close();
  });
});

test('deliveries are kept for 30 days, and older ones are deleted', async () => {
  const ids = async () =>
    (await query(`SELECT id FROM webhook_deliveries WHERE webhook_id = $1`, aged)).rows.map(({ id }) => id);
  await until('the old ones are gone', async () => (await ids()).length === 1);
  expect(await ids()).toEqual(['msg_young_1']);
  expect((await query(`SELECT 1 FROM webhook_attempts WHERE delivery_id = 'msg_old_1'`)).rows).toEqual([]);
});

// The slow ones take 12 s each.
const SLOW_MS = 120_000;

test('20 slow receivers delay neither jobs nor each other nor a fast one', { timeout: SLOW_MS }, async () => {
  const slow = await Promise.all(
    Array.from({ length: 20 }, () => startReceiver(() => ({ status: 204, waitMs: 12_000 }))),
  );
  const quick = await startReceiver();
  const webhooks = await Promise.all(slow.map(({ url }) => addWebhook({ url, events: ['job.completed'] })));
  const waiting = () => slow.reduce((sum, receiver) => sum + receiver.waiting(), 0);
  const post = async () => {
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: docent.projectId } },
      body: { prompt: SECTION, webhook: { url: quick.url, events: ['job.completed'] } },
    });
    return docent.settled(data?.id ?? '');
  };
  await post();
  await until('all 20 are sent to at once', () => waiting() === 20);
  await until('the quick one is reported', () => quick.received.length === 1);
  await post();
  await until('the quick one is sent again', () => quick.received.length === 2);
  expect(waiting()).toBeGreaterThan(0);
  const ids = webhooks.map(({ id }) => id);
  const all = async () =>
    (await query('SELECT state, attempts FROM webhook_deliveries WHERE webhook_id = ANY($1)', ids)).rows;
  await until('all are delivered', async () => (await all()).every(({ state }) => state === 'delivered'));
  expect((await all()).map(({ attempts }) => attempts)).toEqual(Array.from({ length: 40 }, () => 1));
  await remove(...ids);
  await Promise.all([...slow, quick].map((receiver) => receiver.close()));
});

test('a name that resolves to this machine at delivery time is sent nothing', async () => {
  const receiver = await startReceiver(undefined, '127.0.0.2');
  writeFileSync(nameFile, '93.184.216.34');
  const webhook = await addWebhook({ url: receiver.url.replace('127.0.0.2', NAME), events: ['job.archived'] });
  writeFileSync(nameFile, '127.0.0.2');
  await archiveJob();
  const found = async () => (await deliveries(webhook.id))[0];
  await until('it is given up', async () => (await found())?.state === 'failed');
  // Every attempt fails until the receiver is fixed.
  expect(await found()).toMatchObject({ attempts: 1, lastStatus: null });
  expect((await found())?.problem).toContain(`${NAME} points to an address of the server itself`);
  const route = '/v1/projects/{projectId}/webhooks/{webhookId}/test';
  const { data: ping } = await docent.client.POST(route, at(webhook.id));
  expect(ping).toMatchObject({
    state: 'failed',
    log: [{ status: null, problem: expect.stringMatching(/DOCENT_PRIVATE_HOSTS/) }],
  });
  expect(receiver.received).toEqual([]);
  await receiver.close();
});

test('no stored or sent data contains a secret', async () => {
  const { rows } = await docent.database.pool.query(
    `SELECT coalesce(string_agg(data::text, ' '), '') || coalesce((SELECT string_agg(options::text, ' ') FROM jobs), '') AS text
     FROM webhook_deliveries`,
  );
  expect(docent.forbiddenTexts.foundIn(rows[0].text.replaceAll(SECTION, ''))).not.toMatch(/whsec_|token-that-is/);
});
