import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { components } from '../../packages/client/src/index.ts';
import { Installation, until } from '../support/installation.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';

/** Leads to where a file says. What may be sent to is another address of this machine, and this name is not named. */
const NAME = 'hooks.example.com';
let docent: Installation;
let worker: RoleProcess;
let nameFile: string;
let names: Record<string, string>;

beforeAll(async () => {
  docent = await Installation.create({
    env: {
      DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
      DOCENT_TEST_WEBHOOK_PAUSES: '300,300',
      DOCENT_PRIVATE_HOSTS: '127.0.0.1',
    },
  });
  nameFile = path.join(docent.folder, 'name');
  names = {
    NODE_OPTIONS: `--import=${new URL('../support/changing-names.ts', import.meta.url).href}`,
    CHANGING_NAME: NAME,
    CHANGING_NAME_FILE: nameFile,
  };
  [worker] = await Promise.all([docent.startWorker(names), docent.startApi(names)]);
  await docent.createProject();
});

afterAll(() => docent.stop());

const at = (webhookId: string) => ({ params: { path: { projectId: docent.projectId, webhookId } } });

async function addWebhook(url: string): Promise<components['schemas']['Webhook']> {
  const { data, error } = await docent.client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId: docent.projectId } },
    body: { url, events: ['job.completed'] },
  });
  if (!data?.secret) throw new Error(JSON.stringify(error));
  docent.unspeakable.add(data.secret);
  return data;
}

async function find(webhookId: string) {
  const { data } = await docent.client.GET('/v1/projects/{projectId}/webhooks/{webhookId}', at(webhookId));
  if (!data) throw new Error(`No webhook ${webhookId}`);
  return data;
}

async function deliveries(webhookId: string) {
  const route = '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries';
  return (await docent.client.GET(route, at(webhookId))).data?.deliveries ?? [];
}

async function remove(...webhooks: { id: string }[]): Promise<void> {
  await Promise.all(
    webhooks.map(({ id }) => docent.client.DELETE('/v1/projects/{projectId}/webhooks/{webhookId}', at(id))),
  );
}

const query = (text: string, ...values: unknown[]) => docent.database.pool.query(text, values);

describe('a receiver that fails', () => {
  test('for three days is told nothing more, and what is shown of it says so, until it is switched on again', async () => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 204 : 500 }));
    const webhook = await addWebhook(receiver.url);
    const run = async () => docent.settled(await docent.post(SECTION));
    const failed = (count: number) =>
      until(`${count} are given up`, async () => {
        const all = await deliveries(webhook.id);
        return all.length === count && all.every(({ state }) => state === 'failed');
      });
    await run();
    await failed(1);
    const failing = await find(webhook.id);
    expect(failing).toMatchObject({ enabled: true, disabledReason: null, failingSince: expect.any(String) });

    await query(`UPDATE webhooks SET failing_since = now() - interval '71 hours' WHERE id = $1`, webhook.id);
    await run();
    await failed(2);
    expect((await find(webhook.id)).enabled).toBe(true);

    await query(`UPDATE webhooks SET failing_since = now() - interval '73 hours' WHERE id = $1`, webhook.id);
    await run();
    await failed(3);
    expect(await find(webhook.id)).toMatchObject({
      enabled: false,
      disabledReason: 'Every attempt of the last three days failed. Enable the webhook again when its server works.',
    });
    const before = receiver.received.length;
    await run();
    expect(await deliveries(webhook.id)).toHaveLength(3);
    expect(receiver.received).toHaveLength(before);

    isUp = true;
    await docent.client.PATCH('/v1/projects/{projectId}/webhooks/{webhookId}', {
      ...at(webhook.id),
      body: { enabled: true },
    });
    expect(await find(webhook.id)).toMatchObject({ enabled: true, disabledReason: null, failingSince: null });
    await run();
    await until('it is told again', () => receiver.received.length === before + 1);
    await remove(webhook);
    await receiver.close();
  });

  test('has a clean record once one message has arrived, or its address is another', async () => {
    const receiver = await startReceiver();
    const [good, moved] = await Promise.all([addWebhook(receiver.url), addWebhook(`${receiver.url}/moved`)]);
    await query(`UPDATE webhooks SET failing_since = now() - interval '80 hours'`);
    await docent.client.PATCH('/v1/projects/{projectId}/webhooks/{webhookId}', {
      ...at(moved.id),
      body: { url: `${receiver.url}/elsewhere` },
    });
    expect((await find(moved.id)).failingSince).toBe(null);
    await docent.settled(await docent.post(SECTION));
    await until('both are told', () => receiver.received.length === 2);
    await until('it is written down', async () => (await find(good.id)).failingSince === null);
    expect((await find(good.id)).enabled).toBe(true);
    await remove(good, moved);
    await receiver.close();
  });
});

test('what was sent is kept for 30 days, and all that is older goes', async () => {
  const receiver = await startReceiver();
  const webhook = await addWebhook(receiver.url);
  await docent.settled(await docent.post(SECTION));
  await until('it is told', async () => (await deliveries(webhook.id))[0]?.state === 'delivered');
  const [kept] = await deliveries(webhook.id);
  const add = (name: string, count: number, age: string) =>
    query(
      `INSERT INTO webhook_deliveries (id, webhook_id, type, data, target, state, created_at)
       SELECT $1 || n, $2, 'ping', '{"projectId":"acme"}', 'example.com', 'delivered', now() - $4::interval
       FROM generate_series(1, $3::int) n`,
      name,
      webhook.id,
      count,
      age,
    );
  await add('msg_old_', 11_000, '30 days 1 minute');
  await add('msg_young_', 1, '29 days 23 hours');
  await query(
    `INSERT INTO webhook_attempts (delivery_id, no, started_at, ms, response) VALUES ('msg_old_1', 1, now(), 1, 'said')`,
  );
  // Whoever takes over the looks begins with it, and then does it once an hour.
  await worker.kill('SIGTERM');
  worker = await docent.startWorker(names);
  const ids = async () =>
    (await query(`SELECT id FROM webhook_deliveries WHERE webhook_id = $1`, webhook.id)).rows.map(({ id }) => id);
  await until('the old ones are gone', async () => (await ids()).length === 2);
  expect(new Set(await ids())).toEqual(new Set([kept?.id, 'msg_young_1']));
  expect((await query(`SELECT 1 FROM webhook_attempts WHERE delivery_id = 'msg_old_1'`)).rows).toEqual([]);
  await remove(webhook);
  await receiver.close();
});

// The slow ones take 12 s each.
const SLOW_MS = 120_000;

test('20 slow receivers hold up neither jobs nor each other nor a quick one', { timeout: SLOW_MS }, async () => {
  const slow = await Promise.all(
    Array.from({ length: 20 }, () => startReceiver(() => ({ status: 204, waitMs: 12_000 }))),
  );
  const quick = await startReceiver();
  const webhooks = await Promise.all(slow.map(({ url }) => addWebhook(url)));
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
  await until('the quick one is told', () => quick.received.length === 1);
  await post();
  await until('the quick one is told again', () => quick.received.length === 2);
  expect(waiting()).toBeGreaterThan(0);
  const ids = webhooks.map(({ id }) => id);
  const all = async () =>
    (await query('SELECT state, attempts FROM webhook_deliveries WHERE webhook_id = ANY($1)', ids)).rows;
  await until('all are delivered', async () => (await all()).every(({ state }) => state === 'delivered'));
  expect((await all()).map(({ attempts }) => attempts)).toEqual(Array.from({ length: 40 }, () => 1));
  await remove(...webhooks);
  await Promise.all([...slow, quick].map((receiver) => receiver.close()));
});

test('a name that leads to this machine by the time of a message is sent nothing', async () => {
  const receiver = await startReceiver(undefined, '127.0.0.2');
  writeFileSync(nameFile, '93.184.216.34');
  const webhook = await addWebhook(receiver.url.replace('127.0.0.2', NAME));
  writeFileSync(nameFile, '127.0.0.2');
  await docent.settled(await docent.post(SECTION));
  const found = async () => (await deliveries(webhook.id))[0];
  await until('it is given up', async () => (await found())?.state === 'failed');
  // No attempt goes better until somebody changes something.
  expect(await found()).toMatchObject({ attempts: 1, lastStatus: null });
  expect((await found())?.problem).toContain(`${NAME} points to an address of the server's own machine`);
  const route = '/v1/projects/{projectId}/webhooks/{webhookId}/test';
  const { data: ping } = await docent.client.POST(route, at(webhook.id));
  expect(ping).toMatchObject({
    state: 'failed',
    log: [{ status: null, problem: expect.stringMatching(/DOCENT_PRIVATE_HOSTS/) }],
  });
  expect(receiver.received).toEqual([]);
  await receiver.close();
});
