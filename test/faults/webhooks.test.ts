import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer, type Session } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import type { RoleProcess } from '../support/role-process.ts';
import { startReceiver } from '../support/webhook-receiver.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';
const ENV = {
  DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
  DOCENT_PRIVATE_HOSTS: '127.0.0.1',
  DOCENT_TEST_WEBHOOK_PAUSES: '500,500,500,500',
};

const POINTS = ['webhook-started', 'webhook-claimed', 'webhook-sent', 'webhook-recorded'];

let docent: Installation;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
let isUp = true;
/** Of each worker. */
let traps: ReadonlyMap<string, Trap>;
let apiTrap: Trap;
let api: RoleProcess;
let worker: RoleProcess;

async function startApi(): Promise<void> {
  api = await docent.startApi({ ...ENV, DOCENT_TEST_FAULT: apiTrap.spec });
}

async function startWorker(): Promise<void> {
  const DOCENT_TEST_FAULT = [...traps.values()].map(({ spec }) => spec).join(',');
  worker = await docent.startWorker({ ...ENV, DOCENT_TEST_FAULT });
}

beforeAll(async () => {
  docent = await Installation.create();
  receiver = await startReceiver(() => ({ status: isUp ? 204 : 503 }));
  traps = new Map([...POINTS, 'job-changed'].map((point) => [point, trapAt(docent, point)]));
  apiTrap = trapAt(docent, 'job-changed', 'api');
  await Promise.all([startApi(), startWorker()]);
  await docent.createProject();
  const { data } = await docent.client.POST('/v1/projects/{projectId}/webhooks', {
    params: { path: { projectId: docent.projectId } },
    body: { url: receiver.url, events: ['job.completed', 'job.archived'] },
  });
  expect(data?.secret).toMatch(/^whsec_/);
});
afterAll(async () => {
  await docent.stop();
  await receiver.close();
});

const receivedOf = (id: string) => receiver.received.filter(({ json }) => json.data.job.id === id);
const rowsOf = async (id: string): Promise<{ type: string; state: string }[]> =>
  (
    await docent.database.pool.query(
      `SELECT type, state FROM webhook_deliveries WHERE data->'job'->>'id' = $1 ORDER BY type`,
      [id],
    )
  ).rows;
const untilDelivered = (id: string) =>
  until('it is delivered', async () => {
    const rows = await rowsOf(id);
    return rows.length > 0 && rows.every(({ state }) => state === 'delivered');
  });

describe('a message', () => {
  test.for(POINTS)('whose worker dies at %s is delivered by another one, under one id', async (point) => {
    traps.get(point)!.arm();
    const id = await docent.post(SECTION);
    expect(await worker.ended).toBe('SIGKILL');
    expect(await rowsOf(id)).toHaveLength(1);
    await startWorker();
    await docent.settled(id);
    await untilDelivered(id);
    expect(await rowsOf(id)).toHaveLength(1);
    expect(new Set(receivedOf(id).map((message) => message.id)).size).toBe(1);
    // Twice only if the record of sending was lost.
    expect(receivedOf(id)).toHaveLength(point === 'webhook-sent' ? 2 : 1);
  });

  test('that waits while no worker runs and the receiver cannot be reached is delivered later', async () => {
    isUp = false;
    const id = await docent.post(SECTION);
    await docent.settled(id);
    await until('it was tried', () => receivedOf(id).length > 0);
    await worker.kill('SIGKILL');
    isUp = true;
    await startWorker();
    await untilDelivered(id);
    expect(new Set(receivedOf(id).map((message) => message.id)).size).toBe(1);
  });
});

describe('a process that dies between the change of a job and its message', () => {
  test('leaves neither behind: another worker ends the turn and sends it once', async () => {
    const trap = traps.get('job-changed')!;
    trap.arm();
    const id = await docent.post(SECTION);
    expect(await worker.ended).toBe('SIGKILL');
    expect(trap.reached()).toBe(true);
    expect(await rowsOf(id)).toEqual([]);
    await startWorker();
    expect((await docent.settled(id)).status).toBe('completed');
    await untilDelivered(id);
    expect(await rowsOf(id)).toEqual([{ type: 'job.completed', state: 'delivered' }]);
  });

  test('leaves neither behind: the API, asked again, archives the job and sends it once', async () => {
    const id = await docent.post(SECTION);
    await docent.settled(id);
    await untilDelivered(id);
    apiTrap.arm();
    const params = { path: { projectId: docent.projectId, id } };
    const archive = () => docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', { params });
    await expect(archive()).rejects.toThrow();
    expect(await api.ended).toBe('SIGKILL');
    await startApi();
    expect((await docent.job(id)).status).toBe('completed');
    expect((await rowsOf(id)).map(({ type }) => type)).toEqual(['job.completed']);
    expect((await archive()).data?.status).toBe('archived');
    expect((await archive()).data?.status).toBe('archived');
    await untilDelivered(id);
    expect((await rowsOf(id)).map(({ type }) => type)).toEqual(['job.archived', 'job.completed']);
    expect(receivedOf(id).map(({ json }) => json.data.job.status)).toEqual(['completed', 'archived']);
  });
});

describe('a report about readers', () => {
  const mails: string[] = [];
  let server: SMTPServer;
  beforeAll(async () => {
    server = new SMTPServer({
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData: callbackify(async (stream: Readable, { envelope }: Session) => {
        const to = envelope.rcptTo.map(({ address }) => address).join();
        mails.push(`To ${to}\n${await textOf(stream)}`);
      }),
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    await worker.kill('SIGKILL');
  });
  afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

  /** A worker whose first round begins at once. */
  async function reporter(trap?: Trap): Promise<RoleProcess> {
    await docent.database.pool.query(`DELETE FROM periodic_tasks WHERE name = 'analytics-reports'`);
    await docent.database.pool.query(`UPDATE analytics_messages SET due_at = now()`);
    trap?.arm();
    const DOCENT_SMTP_URL = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const env = { ...ENV, DOCENT_SMTP_URL, DOCENT_MAIL_FROM: 'docent@example.com' };
    return docent.startWorker({ ...env, ...(trap && { DOCENT_TEST_FAULT: trap.spec }) });
  }

  test('is lost by no death, and sent at most twice, with one Message-ID', async () => {
    await docent.database.pool.query(`UPDATE projects SET settings = settings || $1`, [
      { analyticsReport: 'month', analyticsRecipients: ['team@example.com'] },
    ]);
    const [noted, sent] = [trapAt(docent, 'report-noted'), trapAt(docent, 'report-sent')];
    expect(await (await reporter(noted)).ended).toBe('SIGKILL');
    expect(mails).toHaveLength(0);
    expect(await (await reporter(sent)).ended).toBe('SIGKILL');
    expect(mails).toHaveLength(1);
    await reporter();
    const states = async () =>
      (await docent.database.pool.query(`SELECT state FROM analytics_messages ORDER BY recipient`)).rows;
    await until('it is recorded', async () => JSON.stringify(await states()) === '[{"state":"sent"},{"state":"sent"}]');
    expect(mails).toHaveLength(2);
    expect(new Set(mails.map((text) => /^Message-ID: (.*)$/m.exec(text)?.[1])).size).toBe(1);
  });
});
