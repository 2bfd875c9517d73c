import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formerKeySecrets } from '../../src/store/access/access-schema.ts';
import { apiKeys } from '../../src/store/schema.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

let api: TestApi;
/** A second process of the same installation, with its own caches. */
let other: TestApi;
let project: string;
let jobId: string;

beforeAll(async () => {
  api = await startTestApi();
  other = await startTestApi({ deps: { database: api.database } });
  project = await api.addProject();
  jobId = await createJob(api, project);
});
afterAll(async () => {
  await other?.close();
  await api?.close();
});

const read = (token: string, at = api) => at.call(`/v2/agent/${project}/job/${jobId}`, { token });
const outcome = (answer: { status: number; json: { code: string } }) => [answer.status, answer.json.code];
const DAY = 86_400_000;

async function newKey(body: object = {}) {
  const { json } = await api.call('/v1/keys', { body: { name: 'CI', projectIds: null, ...body } });
  return json as { id: string; key: string; hint: string; createdAt: string; expiresAt: string };
}

const rotate = (id: string, body: unknown = undefined, headers: Record<string, string> = {}) =>
  api.call(`/v1/keys/${id}/rotate`, { method: 'POST', body, headers });

/** All caches of both processes have expired. */
const forgotten = () => sleep(1_000);

describe('one key and one code host', () => {
  test('are got as the lists show them', async () => {
    const { id, key } = await newKey();
    const { status, json, text } = await api.call(`/v1/keys/${id}`);
    const list = await api.call('/v1/keys?limit=100');
    expect([status, json]).toEqual([200, list.json.keys.find((listed: { id: string }) => listed.id === id)]);
    expect(json.secrets).toEqual([
      { hint: json.hint, createdAt: json.createdAt, validUntil: json.expiresAt, lastUsedAt: null },
    ]);
    expect(text).not.toContain(key);
    expect(outcome(await api.call('/v1/keys/key_none'))).toEqual([404, 'key_not_found']);
    expect(outcome(await api.call(`/v1/keys/${id}`, { token: key }))).toEqual([403, 'forbidden_scope']);

    const host = { id: 'work', kind: 'gitea', url: 'https://git.example.com', credential: 'c'.repeat(40) };
    expect((await api.call('/v1/hosts', { body: host })).status).toBe(201);
    const one = await api.call('/v1/hosts/work');
    expect([one.status, one.json]).toEqual([200, (await api.call('/v1/hosts')).json.hosts[0]]);
    expect(one.text).not.toContain('cccc');
    expect(outcome(await api.call('/v1/hosts/none'))).toEqual([404, 'host_not_found']);
  });
});

describe('a change of a key', () => {
  test('is of what is given, and of no revoked key', async () => {
    const { id, key } = await newKey({ expiresInDays: 5 });
    const before = (await api.call(`/v1/keys/${id}`)).json;
    const patch = (body: unknown) => api.call(`/v1/keys/${id}`, { method: 'PATCH', body });
    const nothing = await patch({});
    expect([nothing.status, nothing.json]).toEqual([200, before]);
    const named = (await patch({ name: 'Docs bot' })).json;
    expect(named).toMatchObject({ name: 'Docs bot', expiresAt: before.expiresAt, allowedAddresses: null });
    expect((await patch({ allowedAddresses: ['::ffff:10.0.0.1'] })).json.allowedAddresses).toEqual(['10.0.0.1']);
    await forgotten();
    expect(outcome(await read(key))).toEqual([403, 'forbidden_address']);
    expect((await patch({ allowedAddresses: null, expiresInDays: null })).json).toMatchObject({
      allowedAddresses: null,
      expiresAt: null,
    });
    for (const body of [
      { name: ' ' },
      { name: 'a\nb' },
      { expiresInDays: 0 },
      { allowedAddresses: ['0.0.0.0/0'] },
      [],
    ]) {
      expect(outcome(await patch(body))).toEqual([400, 'bad_request']);
    }
    await api.call(`/v1/keys/${id}`, { method: 'DELETE' });
    expect(outcome(await patch({ name: 'again' }))).toEqual([409, 'key_revoked']);
    expect(outcome(await patch({}))).toEqual([409, 'key_revoked']);
    expect(outcome(await api.call('/v1/keys/key_none', { method: 'PATCH', body: {} }))).toEqual([404, 'key_not_found']);
  });
});

describe('a key that is rotated', () => {
  test('is the same key with a new secret, shown once, and the old one works a while longer', async () => {
    const made = await newKey({ name: 'rotated', projectIds: [project], scopes: ['read'], expiresInDays: 10 });
    expect((await read(made.key)).status).toBe(200);
    await expect.poll(async () => (await api.call(`/v1/keys/${made.id}`)).json.lastUsedAt).not.toBeNull();
    const { status, json } = await rotate(made.id, { overlapSeconds: 3_600 });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: made.id,
      name: 'rotated',
      projectIds: [project],
      scopes: ['read'],
      revokedAt: null,
    });
    expect(json.key).toMatch(/^docent_[0-9A-Za-z]{38}$/);
    expect(json.key).not.toBe(made.key);
    expect(json.secrets.map(({ hint }: { hint: string }) => hint)).toEqual([json.hint, made.hint]);
    // The new one was never used; of the old one, the use is kept.
    expect(json.secrets[0].lastUsedAt).toBeNull();
    expect(json.secrets[1].lastUsedAt).toBe(json.lastUsedAt);
    expect(Date.parse(json.secrets[1].validUntil) - Date.now()).toBeGreaterThan(3_500_000);
    expect(Date.parse(json.expiresAt) - Date.now()).toBeGreaterThan(9.9 * DAY);
    for (const at of [api, other]) {
      expect((await read(made.key, at)).status).toBe(200);
      expect((await read(json.key, at)).status).toBe(200);
    }
    const shown = await api.call(`/v1/keys/${made.id}`);
    expect(shown.text).not.toContain(json.key);
    expect(api.logged()).not.toContain(json.key);
    // Without a body: a day.
    const again = await rotate(made.id);
    const hours = (Date.parse(again.json.secrets[1].validUntil) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  test('reports the last use of each secret', async () => {
    const made = await newKey();
    const { json } = await rotate(made.id);
    const secrets = async () => (await api.call(`/v1/keys/${made.id}`)).json.secrets;
    await read(made.key);
    await expect.poll(async () => (await secrets())[1].lastUsedAt).not.toBeNull();
    expect((await secrets())[0].lastUsedAt).toBeNull();
    await read(json.key);
    await expect.poll(async () => (await secrets())[0].lastUsedAt).not.toBeNull();
  });

  test("ends old secrets at their time, by the database's clock, in every process", async () => {
    const made = await newKey();
    const first = (await rotate(made.id, { overlapSeconds: 2 })).json.key;
    for (const at of [api, other]) expect((await read(made.key, at)).status).toBe(200);
    await sleep(2_100);
    for (const at of [api, other]) {
      const answer = await read(made.key, at);
      expect(outcome(answer)).toEqual([401, 'unauthorized']);
      expect(answer.json.error).toContain('rotated and has expired');
      expect((await read(first, at)).status).toBe(200);
    }
  });

  test('without an overlap ends every secret that it ever had within a second', async () => {
    const made = await newKey();
    const second = (await rotate(made.id, { overlapSeconds: 86_400 })).json.key;
    for (const secret of [made.key, second]) {
      for (const at of [api, other]) expect((await read(secret, at)).status).toBe(200);
    }
    const third = (await rotate(made.id, { overlapSeconds: 0 })).json.key;
    const until = Date.now() + 950;
    while (Date.now() < until) for (const at of [api, other]) await read(made.key, at);
    for (const secret of [made.key, second]) {
      for (const at of [api, other]) expect((await read(secret, at)).status).toBe(401);
    }
    expect((await read(third, other)).status).toBe(200);
  });

  test('never extends an earlier secret', async () => {
    const made = await newKey({ expiresInDays: 1 });
    await rotate(made.id, { overlapSeconds: 60 });
    const { json } = await rotate(made.id, { overlapSeconds: 2_592_000 });
    const [, second, first] = json.secrets.map(({ validUntil }: { validUntil: string }) => Date.parse(validUntil));
    expect(first - Date.now()).toBeLessThan(61_000);
    // It would have expired.
    expect(second - Date.now()).toBeLessThan(1.01 * DAY);
    const never = await newKey({ expiresInDays: null });
    expect((await rotate(never.id)).json).toMatchObject({ expiresAt: null, secrets: [{ validUntil: null }, {}] });
  });

  test('is revoked with every secret, and rotated no more', async () => {
    const made = await newKey();
    const { key } = (await rotate(made.id)).json;
    for (const secret of [made.key, key]) expect((await read(secret, other)).status).toBe(200);
    await api.call(`/v1/keys/${made.id}`, { method: 'DELETE' });
    await forgotten();
    for (const secret of [made.key, key]) {
      for (const at of [api, other]) expect((await read(secret, at)).json.error).toContain('revoked');
    }
    expect(outcome(await rotate(made.id))).toEqual([409, 'key_revoked']);
    expect(outcome(await rotate('key_none'))).toEqual([404, 'key_not_found']);
    expect(outcome(await rotate(made.id, { overlapSeconds: -1 }))).toEqual([400, 'bad_request']);
    expect(outcome(await rotate(made.id, { overlapSeconds: 2_592_001 }))).toEqual([400, 'bad_request']);
    expect(outcome(await rotate(made.id, { overlapSeconds: '60' }))).toEqual([400, 'bad_request']);
  });

  test('an expired one comes back with its new secret alone', async () => {
    const made = await newKey({ expiresInDays: 1 });
    await api.database.db
      .update(apiKeys)
      .set({ createdAt: sql`now() - interval '25 hours'`, expiresAt: sql`now() - interval '1 hour'` })
      .where(eq(apiKeys.id, made.id));
    const { json } = await rotate(made.id);
    expect(Date.parse(json.expiresAt) - Date.now()).toBeGreaterThan(0.99 * DAY);
    expect((await read(json.key)).status).toBe(200);
    expect((await read(made.key)).status).toBe(401);
  });

  test('once for an Idempotency-Key, without the secret, and not for another key', async () => {
    const [one, two] = [await newKey(), await newKey()];
    const headers = { 'idempotency-key': 'rotate-me' };
    const first = await rotate(one.id, { overlapSeconds: 60 }, headers);
    const again = await rotate(one.id, { overlapSeconds: 60 }, headers);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.json).toEqual({ ...first.json, key: null });
    expect((await rotate(two.id, { overlapSeconds: 60 }, headers)).json.id).toBe(two.id);
    expect(outcome(await rotate(one.id, { overlapSeconds: 61 }, headers))).toEqual([422, 'idempotency_key_reused']);
    const { rows } = await api.database.db.execute(sql`SELECT response::text FROM idempotency_keys`);
    expect(JSON.stringify(rows)).not.toContain(first.json.key);
  });

  test('by many at the same time leaves one secret, and each issued one works', async () => {
    const made = await newKey();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, i) => (i % 2 ? api : other)).map((at) =>
        at.call(`/v1/keys/${made.id}/rotate`, { method: 'POST', token: at.operatorToken }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    for (const { json } of answers) expect((await read(json.key)).status).toBe(200);
    expect(await api.database.db.$count(formerKeySecrets, eq(formerKeySecrets.keyId, made.id))).toBe(8);
  });
});
