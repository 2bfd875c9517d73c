import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOldTokens } from '../../src/store/access/access-tokens.ts';
import { accessTokens } from '../../src/store/access/access-schema.ts';
import { apiKeys } from '../../src/store/schema.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';

const ORIGIN = 'https://app.example.com';
let api: TestApi;
let other: TestApi;
let project: string;
let jobId: string;
let key: string;

beforeAll(async () => {
  const config = { allowedOrigins: [ORIGIN] };
  api = await startTestApi({ config });
  other = await startTestApi({ config, deps: { database: api.database } });
  project = await api.addProject();
  jobId = await createJob(api, project);
  key = await api.addKey({ projectIds: [project], scopes: ['write'] });
});
afterAll(async () => {
  await other?.close();
  await api?.close();
});

const ask = (body: object, token = key, headers: Record<string, string> = {}) =>
  api.call('/v1/tokens', { body: { projectId: project, ...body }, token, headers });
const tokenOf = async (body: object = {}, from = key): Promise<string> => {
  const answer = await ask(body, from);
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.json.token;
};
const job = (token: string, at = api, headers: Record<string, string> = {}, id = jobId) =>
  at.call(`/v2/agent/${project}/job/${id}`, { token, headers });
const outcome = (answer: { status: number; json: { code: string } }) => [answer.status, answer.json.code];
const idOf = async (secret: string) => (await api.call('/v1/me', { token: secret })).json.key.id as string;

const revoke = (id: string) => api.call(`/v1/keys/${id}`, { method: 'DELETE' });
const expire = (id: string) =>
  api.database.db
    .update(apiKeys)
    .set({ expiresAt: sql`now()` })
    .where(eq(apiKeys.id, id));
const rotateAway = (id: string) => api.call(`/v1/keys/${id}/rotate`, { body: { overlapSeconds: 0 } });
const loseProject = (id: string) =>
  api.database.db
    .update(apiKeys)
    .set({ projectIds: sql`array_remove(${apiKeys.projectIds}, ${project})` })
    .where(eq(apiKeys.id, id));

/** How long a token would live that is asked for an hour, in milliseconds. */
const left = async (from: string) =>
  Date.parse((await ask({ expiresInSeconds: 3_600 }, from)).json.expiresAt) - Date.now();

describe('a token', () => {
  test('is shown once, stored as a hash, and works in every process until it expires', async () => {
    const { status, json } = await ask({});
    expect(status).toBe(201);
    expect(json).toMatchObject({ scopes: ['read'], projectId: project, jobId: null, origin: null });
    expect(json.token).toMatch(/^docenttok_[0-9A-Za-z]{38}$/);
    const minutes = (Date.parse(json.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(14.9);
    expect(minutes).toBeLessThan(15.1);
    for (const at of [api, other]) expect((await job(json.token, at)).status).toBe(200);
    const rows = await api.database.db.select().from(accessTokens);
    expect(JSON.stringify(rows)).not.toContain(json.token.slice(14));
    const me = await api.call('/v1/me', { token: json.token });
    expect(me.json).toMatchObject({ kind: 'token', key: null, token: { id: json.id, projectId: project } });
    // Nothing of the key.
    expect(me.text).not.toContain('"name"');
    await api.database.db
      .update(accessTokens)
      .set({ expiresAt: sql`now() + interval '300 milliseconds'` })
      .where(eq(accessTokens.id, json.id));
    await sleep(1_000);
    for (const at of [api, other]) {
      const answer = await job(json.token, at);
      expect(outcome(answer)).toEqual([401, 'unauthorized']);
      expect(answer.json.error).toContain('has expired or was revoked');
    }
    expect(await deleteOldTokens(api.database.db)).toBe(0);
    await api.database.db
      .update(accessTokens)
      .set({ expiresAt: sql`now() - interval '25 hours'` })
      .where(eq(accessTokens.id, json.id));
    expect(await deleteOldTokens(api.database.db)).toBe(1);
    expect(api.logged()).not.toContain(json.token);
  });

  test('may do no more than was asked for', async () => {
    const token = await tokenOf();
    const post = (as: string) => api.call(`/v2/agent/${project}/job`, { token: as, body: { prompt: 'x' } });
    expect(outcome(await post(token))).toEqual([403, 'forbidden_scope']);
    expect((await post(await tokenOf({ scopes: ['write'] }))).status).toBe(201);
    for (const path of ['/v1/keys', '/v1/projects', `/v1/projects/${project}`]) {
      expect(outcome(await api.call(path, { token }))).toEqual([403, 'forbidden_scope']);
    }
    // Neither with itself again, nor with the operator token.
    expect(outcome(await ask({}, token))).toEqual([403, 'forbidden_scope']);
    expect(outcome(await ask({}, api.operatorToken))).toEqual([403, 'forbidden_scope']);
    const elsewhere = await api.addProject();
    expect(outcome(await api.call(`/v2/agent/${elsewhere}/jobs`, { token }))).toEqual([404, 'project_not_found']);
  });

  test('for one job opens that job, and shows no other', async () => {
    const second = await createJob(api, project);
    const token = await tokenOf({ jobId });
    expect((await job(token)).status).toBe(200);
    expect((await api.call(`/v2/agent/${project}/job/${jobId}/events`, { token })).status).toBe(200);
    const [there, none] = [await job(token, api, {}, second), await job(token, api, {}, 'nosuchjob')];
    expect([outcome(there), outcome(none)]).toEqual([
      [404, 'job_not_found'],
      [404, 'job_not_found'],
    ]);
    expect(there.json.error.replace(second, '')).toBe(none.json.error.replace('nosuchjob', ''));
    for (const path of [`/v2/agent/${project}/jobs`, `/v1/analytics/${project}/views`]) {
      expect(outcome(await api.call(path, { token }))).toEqual([403, 'forbidden_scope']);
    }
  });

  test('bound to an origin is for its pages', async () => {
    const token = await tokenOf({ origin: ORIGIN });
    const from = async (headers: Record<string, string>) => outcome(await job(token, api, headers));
    expect((await from({ origin: ORIGIN }))[0]).toBe(200);
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: `${ORIGIN}.evil.example` },
      { origin: 'http://app.example.com' },
    ]) {
      expect(await from(headers as Record<string, string>)).toEqual([403, 'forbidden_origin']);
    }
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['is revoked', async () => revoke, 'revoke'],
    ['expires', async () => expire, 'expire'],
    ['is rotated without overlap', async () => rotateAway, 'rotate'],
    ['loses the project', async () => loseProject, 'lose'],
  ])('ends within a second in every process when its key %s', async (_what, work) => {
    const second = await api.addProject();
    const from = await api.addKey({ projectIds: [project, second], scopes: ['read'] });
    const token = await tokenOf({}, from);
    for (const at of [api, other]) expect((await job(token, at)).status).toBe(200);
    const id = await idOf(from);
    await ((await work()) as (id: string) => Promise<unknown>)(id);
    const until = Date.now() + 950;
    while (Date.now() < until) for (const at of [api, other]) await job(token, at);
    for (const at of [api, other]) expect([401, 404]).toContain((await job(token, at)).status);
  });

  test('ends with its key and with the secret that made it', async () => {
    const made = (await api.call('/v1/keys', { body: { name: 'x', projectIds: null, expiresInDays: 1 } })).json;
    await api.database.db
      .update(apiKeys)
      .set({ expiresAt: sql`now() + interval '1 minute'` })
      .where(eq(apiKeys.id, made.id));
    expect(await left(made.key)).toBeLessThan(61_000);
    const lasting = (await api.call('/v1/keys', { body: { name: 'y', projectIds: null } })).json;
    await api.call(`/v1/keys/${lasting.id}/rotate`, { body: { overlapSeconds: 30 } });
    expect(await left(lasting.key)).toBeLessThan(31_000);
  });

  test('is bound to the addresses of its key', async () => {
    const from = await api.addKey({ scopes: ['read'] });
    const token = await tokenOf({}, from);
    await api.database.db
      .update(apiKeys)
      .set({ allowedAddresses: ['10.0.0.0/8'] })
      .where(eq(apiKeys.id, await idOf(from)));
    await sleep(600);
    expect(outcome(await job(token))).toEqual([403, 'forbidden_address']);
  });

  test('once for an Idempotency-Key of its key, without the token', async () => {
    const headers = { 'idempotency-key': 'one' };
    const first = await ask({}, key, headers);
    const again = await ask({}, key, headers);
    expect(again.json).toEqual({ ...first.json, token: null });
    // What another key asked for under the same name is its own.
    const foreign = await ask({}, await api.addKey({ scopes: ['read'] }), headers);
    expect(foreign.json.id).not.toBe(first.json.id);
  });

  test.each<[string, object, number, string]>([
    ['a scope that the key lacks', { scopes: ['analytics'] }, 403, 'forbidden_scope'],
    ['an unknown scope', { scopes: ['admin'] }, 400, 'bad_request'],
    ['no scope', { scopes: [] }, 400, 'bad_request'],
    ['another project', { projectId: 'nosuchproject' }, 404, 'project_not_found'],
    ['no project', { projectId: undefined }, 400, 'bad_request'],
    ['a job that is not there', { jobId: 'nosuchjob' }, 404, 'job_not_found'],
    ['a job of no form', { jobId: '../x' }, 400, 'bad_request'],
    ['an origin that is not allowed', { origin: 'https://evil.example' }, 400, 'bad_request'],
    ['every origin', { origin: '*' }, 400, 'bad_request'],
    ['more than an hour', { expiresInSeconds: 3_601 }, 400, 'bad_request'],
    ['no time', { expiresInSeconds: 0 }, 400, 'bad_request'],
    ['half a second', { expiresInSeconds: 10.5 }, 400, 'bad_request'],
  ])('is refused for %s', async (_what, body, status, code) => {
    const before = await api.database.db.$count(accessTokens);
    expect(outcome(await ask(body))).toEqual([status, code]);
    expect(await api.database.db.$count(accessTokens)).toBe(before);
  });

  test('goes with its project', async () => {
    const id = await api.addProject();
    const from = await api.addKey({ scopes: ['read'] });
    const token = await tokenOf({ projectId: id }, from);
    expect((await api.call(`/v2/agent/${id}/jobs`, { token })).status).toBe(200);
    expect((await api.call(`/v1/projects/${id}`, { method: 'DELETE' })).status).toBe(204);
    await api.addProject(id);
    await sleep(600);
    expect((await api.call(`/v2/agent/${id}/jobs`, { token })).status).toBe(401);
  });

  test('a key makes this many a minute', async () => {
    const strict = await startTestApi({ config: { tokensPerMinute: 2 } });
    try {
      const id = await strict.addProject();
      const [one, two] = [await strict.addKey(), await strict.addKey()];
      const make = (token: string) => strict.call('/v1/tokens', { token, body: { projectId: id } });
      expect([(await make(one)).status, (await make(one)).status]).toEqual([201, 201]);
      const refused = await make(one);
      expect(outcome(refused)).toEqual([429, 'rate_limited']);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await make(two)).status).toBe(201);
    } finally {
      await strict.close();
    }
  });
});

const createLink = async (body: object, headers = {}) =>
  (await api.call(`/v1/projects/${project}/share-links`, { body: { name: 'Team', ...body }, headers })).json;
const openLink = (secret: string, password?: string, at = api) =>
  at.call('/v1/share-links/open', { body: { secret, ...(password === undefined ? {} : { password }) }, token: null });
const secretOf = ({ url }: { url: string }) => new URL(url).hash.slice(1);
const listLinks = async () =>
  (await api.call(`/v1/projects/${project}/share-links`)).json.shareLinks as { id: string }[];
const visitors = (token: string, of = project) => other.call(`/v1/analytics/${of}/visitors`, { token });

describe('a share link', () => {
  test('opens the analytics of its project, and nothing else, until it is deleted', async () => {
    const link = await createLink({});
    expect(link.url).toMatch(/\/shared#[\w-]{43}$/);
    const { json } = await openLink(secretOf(link));
    expect(json).toMatchObject({ projectId: project, name: 'Team' });
    // This server counts no views: 503 is past the authorization.
    expect(outcome(await visitors(json.token))).toEqual([503, 'unavailable']);
    expect(outcome(await visitors(json.token, await api.addProject()))).toEqual([404, 'project_not_found']);
    expect(outcome(await job(json.token))).toEqual([403, 'forbidden_scope']);
    expect(outcome(await ask({ scopes: ['analytics'] }, json.token))).toEqual([403, 'forbidden_scope']);

    // The key behind it is no key that can be listed, rotated or used.
    const keys = (await api.call('/v1/keys')).json.keys as { id: string }[];
    expect(keys.map(({ id }) => id)).not.toContain(link.id);
    expect(outcome(await api.call(`/v1/keys/${link.id}/rotate`, { method: 'POST' }))).toEqual([404, 'key_not_found']);
    expect(outcome(await visitors(secretOf(link)))).toEqual([401, 'unauthorized']);
    const [row] = await api.database.db.select().from(apiKeys).where(eq(apiKeys.id, link.id));
    expect(JSON.stringify(row)).not.toContain(secretOf(link));

    expect(
      outcome(await api.call(`/v1/projects/${await api.addProject()}/share-links/${link.id}`, { method: 'DELETE' })),
    ).toEqual([404, 'share_link_not_found']);
    expect((await api.call(`/v1/projects/${project}/share-links/${link.id}`, { method: 'DELETE' })).status).toBe(204);
    expect(outcome(await openLink(secretOf(link)))).toEqual([404, 'share_link_not_found']);
    await expect.poll(async () => (await visitors(json.token)).status).toBe(401);
    expect((await listLinks()).map(({ id }) => id)).not.toContain(link.id);
  });

  test('with a password opens with this password alone, even if its letters are typed in another way', async () => {
    const password = 'café and \u212b';
    const link = await createLink({ password, expiresInDays: null });
    expect(link).toMatchObject({ hasPassword: true, expiresAt: null });
    expect(outcome(await openLink(secretOf(link)))).toEqual([403, 'password_required']);
    expect(outcome(await openLink(secretOf(link), 'cafe and \u212b'))).toEqual([403, 'password_required']);
    expect((await openLink(secretOf(link), password.normalize('NFD'))).status).toBe(200);
    const [row] = await api.database.db.select().from(apiKeys).where(eq(apiKeys.id, link.id));
    expect(row?.linkPassword?.toString('latin1')).not.toContain('and');
  });

  test('cannot be opened after its end, and its tokens end with it', async () => {
    const link = await createLink({ expiresInDays: 1 });
    const { json } = await openLink(secretOf(link));
    await expire(link.id);
    expect(outcome(await openLink(secretOf(link)))).toEqual([404, 'share_link_not_found']);
    await expect.poll(async () => (await visitors(json.token)).status).toBe(401);
    expect((await listLinks()).map(({ id }) => id)).toContain(link.id);
  });

  test('passwords cannot be tried without end, and its address is not shown again', async () => {
    const limited = await startTestApi({ deps: { database: api.database } });
    const link = await createLink({ password: 'a long password' }, { 'Idempotency-Key': 'share' });
    const again = await createLink({ password: 'a long password' }, { 'Idempotency-Key': 'share' });
    expect(again).toMatchObject({ id: link.id, url: null });
    const statuses: number[] = [];
    // The limit allows one more every six seconds, which ten checks of a password can take.
    while (statuses.length < 30 && statuses.at(-1) !== 429)
      statuses.push((await openLink(secretOf(link), `guess ${statuses.length}`, limited)).status);
    expect(statuses.slice(0, 10).every((status) => status === 403)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    await limited.close();
  });
});
