import { randomBytes } from 'node:crypto';
import { describe, expect } from 'vitest';
import { markerIn, testWithDocent as test, until, type Installation } from '../support/installation.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';
const ENV = {
  DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
  DOCENT_PRIVATE_HOSTS: '127.0.0.1',
  DOCENT_TEST_WEBHOOK_PAUSES: '500,500,500,500',
};

async function addWebhook(
  docent: Installation,
  url: string,
  event: 'job.completed' | 'job.archived' = 'job.completed',
): Promise<void> {
  const { data } = await docent.client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId: docent.projectId } },
    body: { url, events: [event] },
  });
  expect(data?.secret).toMatch(/^whsec_/);
}

describe.concurrent('a message', () => {
  test.for(['webhook-started', 'webhook-claimed', 'webhook-sent', 'webhook-recorded'])(
    'whose worker dies at %s is delivered by another one, under one id',
    async (point, { docent }) => {
      const receiver = await startReceiver();
      const marker = markerIn(docent, point);
      const armed = { ...ENV, DOCENT_TEST_FAULT: `${point}@${marker.file}` };
      const [, ...workers] = await Promise.all([
        docent.startApi(ENV),
        docent.startWorker(armed),
        docent.startWorker(armed),
      ]);
      await docent.createProject();
      await addWebhook(docent, receiver.url);
      await docent.settled(await docent.post(SECTION));
      const rows = async () =>
        (await docent.database.pool.query(`SELECT state, attempts FROM webhook_deliveries`)).rows;
      await until('it is delivered', async () => (await rows())[0]?.state === 'delivered');
      // What is recorded is seen a moment before.
      await until('the point was reached', () => marker.struck());
      const dead = () => workers.filter(({ child }) => child.signalCode === 'SIGKILL').length;
      await until('one has died', () => dead() === 1);
      expect(await rows()).toHaveLength(1);
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1);
      // Twice only where nobody could know that it had been sent.
      expect(receiver.received).toHaveLength(point === 'webhook-sent' ? 2 : 1);
      await receiver.close();
    },
  );

  test('that was written while no worker ran, and a receiver that was away, lose nothing', async ({ docent }) => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 204 : 503 }));
    await docent.startApi(ENV);
    const first = await docent.startWorker(ENV);
    await docent.createProject();
    await addWebhook(docent, receiver.url);
    const id = await docent.post(SECTION);
    await docent.settled(id);
    await until('it was tried', () => receiver.received.length > 0);
    await first.kill('SIGKILL');
    isUp = true;
    await docent.startWorker(ENV);
    const isDelivered = async () => {
      const { rows } = await docent.database.pool.query(`SELECT state FROM webhook_deliveries`);
      return rows.every(({ state }) => state === 'delivered');
    };
    await until('it is delivered', isDelivered);
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(1);
    await receiver.close();
  });
});

describe('a process that dies between the change of a job and its message', () => {
  test('leaves neither behind: the API, asked again, archives the job and tells it once', async ({ docent }) => {
    const receiver = await startReceiver();
    const marker = markerIn(docent, 'job-changed');
    const [api] = await Promise.all([
      docent.startApi({ ...ENV, DOCENT_TEST_FAULT: `job-changed@${marker.file}` }),
      docent.startWorker(ENV),
    ]);
    await docent.createProject();
    await addWebhook(docent, receiver.url, 'job.archived');
    const id = await docent.post(SECTION);
    await docent.settled(id);
    const params = { path: { projectId: docent.projectId, id } };
    const archive = () => docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', { params });
    await expect(archive()).rejects.toThrow();
    expect(await api.ended).toBe('SIGKILL');
    await docent.startApi(ENV);
    expect((await docent.job(id)).status).toBe('completed');
    expect(receiver.received).toEqual([]);
    expect((await archive()).data?.status).toBe('archived');
    expect((await archive()).data?.status).toBe('archived');
    await until('it is told', () => receiver.received.length > 0);
    const { rows } = await docent.database.pool.query(`SELECT type FROM webhook_deliveries`);
    expect(rows).toEqual([{ type: 'job.archived' }]);
    expect(receiver.received.map(({ json }) => json.data.job.status)).toEqual(['archived']);
    await receiver.close();
  });

  test('leaves neither behind: another worker ends the turn and tells it once', async ({ docent }) => {
    const receiver = await startReceiver();
    const marker = markerIn(docent, 'job-changed');
    const armed = { ...ENV, DOCENT_TEST_FAULT: `job-changed@${marker.file}` };
    await Promise.all([docent.startApi(ENV), docent.startWorker(armed), docent.startWorker(armed)]);
    await docent.createProject();
    await addWebhook(docent, receiver.url);
    const job = await docent.settled(await docent.post(SECTION), 180_000);
    expect(marker.struck()).toBe(true);
    expect(job.status).toBe('completed');
    await until('it is told', () => receiver.received.length > 0);
    const { rows } = await docent.database.pool.query(`SELECT type FROM webhook_deliveries`);
    expect(rows).toEqual([{ type: 'job.completed' }]);
    await receiver.close();
  });
});
