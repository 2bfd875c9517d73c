import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { text as textOf } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { eq } from 'drizzle-orm';
import { SMTPServer, type Session } from 'smtp-server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { DAY_MS } from '@docent/base/time';
import { AnalyticsReports } from '../../src/activities/reports/analytics-reports.ts';
import type { Ingestor } from '../../src/analytics/ingest/ingestor.ts';
import { createMailer, type Mailer } from '../../src/platform/mail/mailer.ts';
import { Secret } from '../../src/platform/secret.ts';
import { analyticsMessages } from '../../src/store/analytics/report-schema.ts';
import { projects, type ProjectSettings } from '../../src/store/schema.ts';
import { webhookDeliveries, webhooks } from '../../src/store/webhooks/webhook-schema.ts';
import { analyticsBench, type AnalyticsBench } from '../support/analytics.ts';

/** A Monday: the week before is over. */
const NOW = Date.parse('2026-11-23T12:00:00Z');
const PASSWORD = 'p@ss word';
let bench: AnalyticsBench;
let ingestor: Ingestor;
let server: SMTPServer;
let mailer: Mailer;
let project: string;
let received: { to: string; text: string }[] = [];
/** What the server answers to the next messages. */
const refusals: Error[] = [];

beforeAll(async () => {
  bench = await analyticsBench();
  ingestor = await bench.ingestor();
  server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'docent' && password === PASSWORD
        ? done(null, { user: username })
        : done(new Error('Wrong password')),
    onData: callbackify(take),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const url = new Secret(`smtp://docent:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`);
  mailer = createMailer({ url, from: 'Docent <docent@example.com>' });
});

/** Takes a message, or throws the next refusal. */
async function take(stream: Readable, { envelope }: Session): Promise<void> {
  const text = await textOf(stream);
  const refusal = refusals.shift();
  if (refusal) throw refusal;
  received.push({ to: envelope.rcptTo.map(({ address }) => address).join(), text });
}
afterAll(async () => {
  await new Promise<void>((resolve) => (server ? server.close(resolve) : resolve()));
  await bench?.close();
});
beforeEach(async () => {
  received = [];
  await bench.database.db.update(projects).set({ settings: {} });
  project = await bench.newProject();
});

const urlOf = (path: string) => `https://docent.example.com${path}`;

interface Round {
  mailer?: Mailer | null;
  now?: number;
  quietMs?: number;
}

function reporter(more: Round = {}): AnalyticsReports {
  const { now = NOW, ...others } = more;
  const { database, folder, duck, log } = bench;
  return new AnalyticsReports({ database, folder, duck, log, urlOf, mailer, quietMs: 0, now: () => now, ...others });
}

async function reports(more: Round = {}): Promise<void> {
  const task = reporter(more);
  await task.round();
  await task.stop();
}

const set = (settings: ProjectSettings) =>
  bench.database.db.update(projects).set({ settings }).where(eq(projects.id, project));
const mails = () => bench.database.db.select().from(analyticsMessages).where(eq(analyticsMessages.projectId, project));
const makeDue = () => bench.database.pool.query(`UPDATE analytics_messages SET due_at = now()`);

async function views(at: number, visitors: number, more: object = {}): Promise<void> {
  const events = Array.from({ length: visitors }, (_, no) => ({
    timestamp: new Date(at).toISOString(),
    path: '/start',
    visitorId: `reader-${no}`,
    ...more,
  }));
  await ingestor.ingest(project, events);
  await ingestor.flush();
}

async function addWebhook(): Promise<void> {
  const row = { id: `hook-${project}`, projectId: project, url: 'https://example.com/hook' };
  await bench.database.db.insert(webhooks).values({ ...row, events: ['analytics.report', 'analytics.alert'] });
}
const deliveries = async () =>
  (
    await bench.database.db
      .select()
      .from(webhookDeliveries)
      .where(eq(webhookDeliveries.webhookId, `hook-${project}`))
  ).map(({ type, data }) => ({ type, data }));

test('a week is reported once to each recipient and webhook, with exact numbers', async () => {
  await views(NOW - 3 * DAY_MS, 7);
  await views(NOW - 2 * DAY_MS, 5);
  await views(NOW - 2 * DAY_MS, 2, { class: 'assistant', visitorId: 'one-assistant' });
  await views(NOW - 9 * DAY_MS, 4);
  await views(NOW - 2 * DAY_MS, 3, { path: '/gone', notFound: true });
  await addWebhook();
  await set({
    analyticsReport: 'week',
    analyticsRecipients: ['a@example.com', 'b@example.com'],
    timeZone: 'Europe/Berlin',
  });
  await reports();
  await reports();
  expect(received.map(({ to }) => to).toSorted()).toEqual(['a@example.com', 'b@example.com']);
  const [{ text } = { text: '' }] = received;
  expect(text).toContain(`Subject: ${project}: reader report, Nov 16, 2026 to Nov 22, 2026`);
  expect(text).toContain('7 humans (+75% compared with the previous week: 4)');
  expect(text).toContain('/gone: 3 times');
  expect(text).toContain(`https://docent.example.com/projects/${project}/analytics`);
  expect(new Set(received.map((mail) => /^Message-ID: (.*)$/m.exec(mail.text)?.[1])).size).toBe(2);
  const [delivery, ...others] = await deliveries();
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({
    type: 'analytics.report',
    data: { report: { visitors: { now: { human: 7, ai: 1, total: 8 }, before: { human: 4, total: 4 } } } },
  });
  // A week later there is another one.
  await reports({ now: NOW + 7 * DAY_MS });
  expect(received).toHaveLength(4);
});

test('a failed e-mail is sent later, its text is not kept then, and no password from a server’s answer', async () => {
  await set({ analyticsReport: 'month', analyticsRecipients: ['a@example.com'] });
  const secrets = [
    PASSWORD,
    ...[`\0docent\0${PASSWORD}`, PASSWORD].map((text) => Buffer.from(text).toString('base64')),
  ];
  refusals.push(new Error(`Mailbox is busy, ${secrets.join(' ')}`));
  await reports();
  expect(received).toEqual([]);
  expect((await mails()).find(({ recipient }) => recipient)).toMatchObject({
    state: 'waiting',
    attempts: 1,
    problem: expect.stringContaining('Mailbox is busy, *** *** ***'),
  });
  await reports();
  expect(received).toEqual([]);
  await makeDue();
  await reports();
  expect(received.map(({ to }) => to)).toEqual(['a@example.com']);
  expect((await mails()).find(({ recipient }) => recipient)).toMatchObject({ state: 'sent', body: null });
});

test('an e-mail is repeated once, with its Message-ID, if the worker dies between sending and recording', async () => {
  await set({ analyticsReport: 'week', analyticsRecipients: ['a@example.com'] });
  for (let deaths = 0; deaths < 3; deaths++) {
    const taken = Promise.withResolvers<void>();
    const task = reporter({
      mailer: {
        send: async (mail) => {
          await mailer.send(mail);
          taken.resolve();
          // The process is gone: it never learns that the server took the message.
          await new Promise(() => {});
        },
      },
    });
    await Promise.race([taken.promise, task.round()]);
    await task.stop();
    await makeDue();
  }
  expect(received).toHaveLength(2);
  expect(new Set(received.map(({ text }) => /^Message-ID: (.*)$/m.exec(text)?.[1])).size).toBe(1);
  expect((await mails()).find(({ recipient }) => recipient)).toMatchObject({ state: 'failed' });
});

test('without a mail server, webhooks get the report all the same', async () => {
  await addWebhook();
  await set({ analyticsReport: 'week', analyticsRecipients: ['a@example.com'] });
  await reports({ mailer: null });
  expect(await deliveries()).toHaveLength(1);
  expect((await mails()).map(({ recipient }) => recipient)).toEqual(['']);
});

test('an unusual day is reported once, but not before its data is complete', async () => {
  await addWebhook();
  await set({ analyticsAlerts: true, analyticsRecipients: ['a@example.com'] });
  const yesterday = NOW - DAY_MS;
  for (const week of [1, 2, 3, 4]) await views(yesterday - 7 * week * DAY_MS, 60);
  await reports();
  expect(await deliveries()).toEqual([]);
  await views(yesterday, 1);
  // It changed less than an hour ago: page views may still be imported.
  await reports({ quietMs: 3_600_000 });
  expect(await deliveries()).toEqual([]);
  await reports();
  await reports();
  const [delivery, ...others] = await deliveries();
  expect(others).toEqual([]);
  expect(delivery).toMatchObject({
    type: 'analytics.alert',
    data: { alert: { kind: 'drop', readers: 'human', day: '2026-11-22', visitors: 1, usual: 60, weeks: 4 } },
  });
  expect(received.map(({ text }) => /^Subject: (.*)$/m.exec(text)?.[1])).toEqual([
    `${project}: fewer human visitors than usual on 2026-11-22`,
  ]);
});
