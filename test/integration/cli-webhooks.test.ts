import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BARE_ENV } from '../support/bare-env.ts';
import { commandEnv, runCommand } from '../support/command.ts';
import { blocksOf } from '../support/docs-blocks.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { ROOT } from '../support/processes.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { runInside } from '../support/run-inside.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';

let docent: Installation;
let env: Record<string, string>;

beforeAll(async () => {
  docent = await Installation.started({
    env: {
      DOCENT_SECRET_KEY: randomBytes(32).toString('base64'),
      DOCENT_PRIVATE_HOSTS: '127.0.0.1',
      DOCENT_TEST_WEBHOOK_PAUSES: '200,200',
    },
  });
  env = commandEnv(docent.folder, { DOCENT_URL: docent.apiUrl, DOCENT_OPERATOR_TOKEN: docent.operatorToken });
});
afterAll(() => docent.stop());

const run = (args: string[], input = '') => runInside([...args, '--project', docent.projectId], env, { input });
const webhook = (...args: string[]) => run(['webhook', ...args]);
async function json(...args: string[]) {
  const { stdout, stderr } = await webhook(...args, '--json');
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

async function add(url: string, ...more: string[]): Promise<{ id: string; secret: string }> {
  const added = await json('add', url, ...more);
  docent.forbiddenTexts.add(added.secret);
  return added;
}

describe('docent webhook', () => {
  test('adds, shows, tries, switches, and removes a webhook', async () => {
    const receiver = await startReceiver(() => ({ status: 202, body: 'thanks' }));
    expect((await webhook('list')).stdout).toContain('Add one: docent webhook add URL');
    const added = await webhook(
      'add',
      `${receiver.url}?token=abc`,
      '--description',
      'For chat',
      '--event',
      'job.completed,job.failed',
    );
    expect(added.code).toBe(0);
    const secret = /secret +(whsec_\S+)/.exec(added.stdout)?.[1] ?? '';
    docent.forbiddenTexts.add(secret);
    expect(added.stdout).toContain('Save the secret now. It is not shown again.');
    const id = /id +(\S+)/.exec(added.stdout)?.[1] ?? '';
    expect((await webhook('list')).stdout).toMatch(new RegExp(`${id} .* on +job.completed,job.failed`));
    const shown = (await webhook('show', id)).stdout;
    for (const line of [/description +For chat/, /state +on\n/, /url +http.*token=abc/]) expect(shown).toMatch(line);
    expect(shown).not.toContain(secret);

    const tried = await webhook('test', id);
    expect([tried.code, tried.stdout]).toEqual([0, expect.stringMatching(/attempt 1 +202, \d+ ms\n *answer +thanks/)]);
    expect((await webhook('disable', id)).stdout).toBe(`Webhook ${id} is disabled.\n`);
    expect((await webhook('show', id)).stdout).toMatch(/state +off\n/);
    expect((await webhook('enable', id)).stdout).toBe(`Webhook ${id} is enabled.\n`);
    const rotated = await json('rotate', id);
    docent.forbiddenTexts.add(rotated.secret);
    expect(rotated.secret).not.toBe(secret);
    expect((await webhook('show', id)).stdout).toMatch(/old secret until +\d/);

    const unsure = await webhook('remove', id);
    expect([unsure.code, unsure.stderr]).toEqual([2, expect.stringContaining('--yes')]);
    expect((await webhook('remove', id, '--yes')).stdout).toBe(`Removed ${id}.\n`);
    const gone = await webhook('show', id);
    expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('docent webhook list')]);
    await receiver.close();
  });

  test('shows what was sent and the response, and sends it again', async () => {
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 204 : 500, body: isUp ? '' : 'down\u001B[31m' }));
    const { id } = await add(receiver.url, '--event', 'job.completed');
    expect((await webhook('deliveries', id)).stdout).toContain(`Send a ping`);
    await docent.settled(await docent.post(SECTION));
    const failed = () => json('deliveries', id, '--state', 'failed');
    await until('it is given up', async () => (await failed()).length === 1);
    const [{ id: deliveryId }] = await failed();
    expect((await webhook('deliveries', id)).stdout).toMatch(
      new RegExp(`${deliveryId} +job.completed +failed +3 +500`),
    );
    const shown = (await webhook('delivery', id, deliveryId)).stdout;
    expect(shown).toMatch(/attempt 3 +500, \d+ ms: The receiver returned 500\./);
    expect(shown).toContain('"type": "job.completed"');
    expect(shown, 'a terminal gets no control characters of others').not.toContain('\u001B');
    const tried = await webhook('test', id);
    expect([tried.code, tried.stdout]).toEqual([1, expect.stringContaining('500')]);
    isUp = true;
    expect((await webhook('redeliver', id, deliveryId)).stdout).toBe(`Sending ${deliveryId} again.\n`);
    await until('it is delivered', async () => (await json('deliveries', id, '--state', 'delivered')).length === 1);
    expect(receiver.ofType('job.completed').map((message) => message.id)).toEqual(Array(4).fill(deliveryId));
    await webhook('remove', id, '--yes');
    await receiver.close();
  });

  test.each([
    [['webhook', 'add', 'https://example.com/', '--event', 'job.exploded'], 'budget.reached'],
    [['webhook', 'deliveries', 'x', '--state', 'lost'], 'pending, delivered, failed'],
    [['job', 'run', 'x', '--webhook-event', 'job.failed'], '--webhook URL'],
    [['job', 'run', 'x', '--webhook', 'https://example.com/', '--webhook-secret', '/nowhere'], 'cannot be read'],
  ])('%j is refused as a usage error', async (args, words) => {
    const { code, stderr } = await run(args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

test('docent job run brings a webhook, with a secret from a file or standard input', async () => {
  const receiver = await startReceiver();
  const secret = `whsec_${randomBytes(24).toString('base64')}`;
  docent.forbiddenTexts.add(secret);
  const options = ['--webhook', `${receiver.url}?ticket=17`, '--webhook-event', 'job.completed'];
  // The command reads the secret from the descriptor of standard input, which is a process's own.
  const args = ['job', 'run', SECTION, '--json', ...options, '--webhook-secret', '-', '--project', docent.projectId];
  const signed = await runCommand(args, env, `${secret}\n`);
  expect([signed.code, signed.stderr]).toEqual([0, expect.stringMatching(/^Job [0-9a-z]{20}\n$/)]);
  const job = JSON.parse(signed.stdout);
  expect(job.webhook).toEqual({ url: receiver.url, events: ['job.completed'] });
  expect(signed.stdout).not.toContain(secret);
  await until('it is reported', () => receiver.received.length === 1);
  expect(receiver.received[0]).toMatchObject({
    headers: { 'webhook-signature': expect.stringMatching(/^v1,/) },
    json: { type: 'job.completed', data: { job: { id: job.id } } },
  });
  expect((await run(['job', 'show', job.id])).stdout).toMatch(/webhook +http:\S+: job.completed\n/);
  await receiver.close();
});

test('docent status names disabled webhooks, with the reason and what to do', async () => {
  const gone = await startReceiver(() => ({ status: 410 }));
  const [off, on] = [await add(`${gone.url}?token=abc`), await add('https://example.com/')];
  await webhook('disable', on.id);
  await docent.settled(await docent.post(SECTION));
  await until('410 is heard', async () => !(await json('show', off.id)).enabled);
  const shown = await run(['status']);
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain(
    `webhook ${off.id} (${new URL(gone.url).host}) is disabled. The receiver returned 410 (gone), so the webhook was disabled. To enable it: docent webhook enable ${off.id} --project acme\n`,
  );
  expect(shown.stdout, 'a person did that').not.toContain(on.id);
  expect(shown.stdout).not.toContain('token=abc');
  const { data } = await docent.client.POST('/v1/keys', {
    body: { name: 'reader', projectIds: [docent.projectId], scopes: ['read'] },
  });
  const asReader = await runInside(['status'], { ...env, DOCENT_OPERATOR_TOKEN: '', DOCENT_API_KEY: data?.key ?? '' });
  expect([asReader.code, asReader.stdout]).toEqual([0, expect.not.stringContaining('webhook')]);

  const offered = await runInside(
    ['complete', 'bash', '--', 'webhook', 'enable', '--project', docent.projectId, ''],
    env,
  );
  expect(offered.stdout.split('\n').filter(Boolean).toSorted()).toEqual(
    [`${off.id}\t${new URL(gone.url).host}`, `${on.id}\texample.com`].toSorted(),
  );
  await webhook('enable', off.id);
  expect((await run(['status'])).stdout).not.toContain(off.id);
  await Promise.all([off, on].map(({ id }) => webhook('remove', id, '--yes')));
  await gone.close();
});

describe('the receiver that the guide shows', () => {
  let example: ChildProcess | undefined;
  afterAll(() => example?.kill());

  test("accepts Docent's signed messages once, and nothing else", async () => {
    const folder = path.join(docent.folder, 'receiver');
    mkdirSync(path.join(folder, 'node_modules'), { recursive: true });
    symlinkSync(
      path.join(ROOT, 'node_modules', 'standardwebhooks'),
      path.join(folder, 'node_modules', 'standardwebhooks'),
    );
    const block = blocksOf('docs/guides/webhooks.mdx').find(({ title }) => title === 'receiver.mjs');
    writeFileSync(path.join(folder, 'receiver.mjs'), block?.text ?? '');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/hooks/docent`;
    const { id, secret } = await add(url, '--event', 'job.completed');
    example = spawn(process.execPath, [path.join(folder, 'receiver.mjs')], {
      env: { ...BARE_ENV, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    example.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const post = (headers: Record<string, string>, body = '{"type":"job.completed","data":{}}') =>
      fetch(url, { method: 'POST', headers, body });
    await until('it answers', async () => (await post({}).catch(() => null))?.status === 401);
    const forged = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    expect((await post({ ...forged, 'webhook-signature': 'v1,Zm9yZ2Vk' })).status).toBe(401);
    expect((await webhook('test', id)).code).toBe(0);
    const jobId = await docent.post(SECTION);
    await docent.settled(jobId);
    const [delivery] = await json('deliveries', id);
    await until('it is taken', () => printed.includes(`job.completed ${jobId}\n`));
    await until('it is written down', async () => (await json('delivery', id, delivery.id)).state === 'delivered');
    expect((await webhook('redeliver', id, delivery.id)).code).toBe(0);
    await until('it is sent again', async () => (await json('delivery', id, delivery.id)).log.length === 2);
    expect((await json('delivery', id, delivery.id)).log.map(({ status }: { status: number }) => status)).toEqual([
      204, 204,
    ]);
    expect(printed).toBe(`ping \njob.completed ${jobId}\n`);
    await webhook('remove', id, '--yes');
  });
});
