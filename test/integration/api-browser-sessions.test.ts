import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq, isNull, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserSessions, people } from '../../src/store/access/people-schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { addPerson, type Browser, browserOf, SAME_ORIGIN, signInWithLink } from '../support/browsers.ts';

let api: TestApi;
/** A second process of the same installation, with its own caches. */
let other: TestApi;

beforeAll(async () => {
  api = await startTestApi();
  const operatorTokenHashes = [createHash('sha256').update(api.operatorToken).digest()];
  other = await startTestApi({ deps: { database: api.database, operatorTokenHashes } });
});
afterAll(async () => {
  await other?.close();
  await api?.close();
});

const signIn = (body: object) => api.call('/v1/sign-in', { body, token: null, headers: SAME_ORIGIN });
const secretOf = (link: URL) => link.hash.slice('#link='.length);
const sessionOf = async (browser: Browser) => (await browser('/v1/me')).json.person.sessionId as string;
/** A link that a browser requested. */
const linkOf = async (browser: Browser) => {
  const made = await browser('/v1/sign-in-links', { method: 'POST', headers: SAME_ORIGIN });
  return { browser, link: secretOf(new URL(made.json.url as string)) };
};
/** The limit is a second; test machines also do other work. */
const SOON = { timeout: 5_000, interval: 50 };

const age = (sessionId: string, set: object) =>
  api.database.db.update(browserSessions).set(set).where(eq(browserSessions.id, sessionId));

describe('a session ends', () => {
  test('within a second at another server, when one signs out', async () => {
    const answer = await signInWithLink(api);
    const there = browserOf(other, answer);
    expect((await there('/v1/me')).status).toBe(200);
    const out = await browserOf(api, answer)('/v1/sign-out', { method: 'POST', headers: SAME_ORIGIN });
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([
      204,
      expect.stringMatching(/^docent_session=; Max-Age=0;/),
    ]);
    await expect.poll(async () => (await there('/v1/me')).status, SOON).toBe(401);
    expect((await browserOf(api, answer)('/v1/me')).status).toBe(401);
  });

  test('everywhere, or one by one, and only one’s own', async () => {
    const ann = await addPerson(api, { role: 'viewer' });
    const bob = await addPerson(api, { role: 'admin' });
    const [a1, a2, a3] = [await ann.signIn(), await ann.signIn(), await ann.signIn()];
    const b = await bob.signIn();
    const { sessions } = (await a1('/v1/me/sessions')).json as { sessions: { id: string; current: boolean }[] };
    expect([sessions.length, sessions.filter(({ current }) => current).length]).toEqual([3, 1]);
    const mine = (await a2('/v1/me')).json.person.sessionId as string;
    const end = (by: typeof a1) => by(`/v1/me/sessions/${mine}`, { method: 'DELETE', headers: SAME_ORIGIN });
    expect((await end(b)).status).toBe(204);
    expect((await a2('/v1/me')).status).toBe(200);
    expect((await end(a1)).status).toBe(204);
    expect((await a2('/v1/me')).status).toBe(401);
    // As it was asked a moment before.
    expect((await a3('/v1/me')).status).toBe(200);
    await a1('/v1/sign-out', { method: 'POST', body: { everywhere: true }, headers: SAME_ORIGIN });
    expect([(await a3('/v1/me')).status, (await b('/v1/me')).status]).toEqual([401, 200]);
  });

  test('everywhere with their sign-in links, for a person and for the operator, and for no one else', async () => {
    const [ann, bob] = [await addPerson(api, { role: 'admin' }), await addPerson(api, { role: 'admin' })];
    const [a, b, operator] = await Promise.all([
      linkOf(await ann.signIn()),
      linkOf(await bob.signIn()),
      linkOf(browserOf(api, await signInWithLink(api))),
    ]);
    const out = { method: 'POST', body: { everywhere: true }, headers: SAME_ORIGIN };
    expect((await a.browser('/v1/sign-out', out)).status).toBe(204);
    expect((await signIn({ link: a.link })).status).toBe(401);
    expect((await operator.browser('/v1/sign-out', out)).status).toBe(204);
    expect((await signIn({ link: operator.link })).status).toBe(401);
    expect((await signIn({ link: b.link })).status).toBe(200);
    // From one browser alone, a link is left for the next.
    const next = await linkOf(b.browser);
    await b.browser('/v1/sign-out', { method: 'POST', headers: SAME_ORIGIN });
    expect((await signIn({ link: next.link })).json.person.id).toBe(bob.id);
  });

  test('and is no longer in the list of sessions, even when it expired', async () => {
    const ann = await addPerson(api, { role: 'viewer' });
    const [here, ...others] = [await ann.signIn(), await ann.signIn(), await ann.signIn(), await ann.signIn()];
    const [mine, left, old, idle] = await Promise.all([here, ...others].map(sessionOf));
    // Their use is recorded after the answers.
    const isUnnoted = and(eq(browserSessions.personId, ann.id), isNull(browserSessions.secretUsedAt));
    await expect.poll(() => api.database.db.$count(browserSessions, isUnnoted)).toBe(0);
    await age(old ?? '', { expiresAt: sql`now()` });
    await age(idle ?? '', { lastUsedAt: sql`now() - interval '8 days'` });
    const { sessions } = (await here('/v1/me/sessions')).json as { sessions: { id: string }[] };
    expect(new Set(sessions.map(({ id }) => id))).toEqual(new Set([mine, left]));
  });

  test('when the person is disabled, or loses the role, within a second', async () => {
    const { db } = api.database;
    const ann = await addPerson(api, { role: 'admin' });
    const browser = await ann.signIn();
    const made = await browser('/v1/sign-in-links', { method: 'POST', headers: SAME_ORIGIN });
    expect((await browser('/v1/hosts')).status).toBe(200);
    await db.update(people).set({ role: 'viewer' }).where(eq(people.id, ann.id));
    await expect.poll(async () => (await browser('/v1/hosts')).status, SOON).toBe(403);
    await db.update(people).set({ disabledAt: new Date() }).where(eq(people.id, ann.id));
    await expect.poll(async () => (await browser('/v1/me')).status, SOON).toBe(401);
    // Nor does a link that was made before.
    expect((await signIn({ link: secretOf(new URL(made.json.url as string)) })).status).toBe(401);
  });

  test('of the operator, when the operator token changes', async () => {
    const answer = await signInWithLink(api);
    const changed = await startTestApi({ deps: { database: api.database } });
    expect((await browserOf(changed, answer)('/v1/me')).status).toBe(401);
    await changed.server.close({ deadlineMs: 500 });
  });

  test('after its days, however much it is used, and after a week without use', async () => {
    const { db } = api.database;
    for (const over of [{ expiresAt: sql`now() - interval '1 s'` }, { lastUsedAt: sql`now() - interval '8 days'` }]) {
      const answer = await signInWithLink(api);
      const { sessionId } = (await browserOf(other, answer)('/v1/me')).json.person as { sessionId: string };
      await sleep(700);
      await db.update(browserSessions).set(over).where(eq(browserSessions.id, sessionId));
      expect((await browserOf(api, answer)('/v1/me')).status).toBe(401);
    }
  });
});

describe('the secret of a session', () => {
  const YESTERDAY = { secretCreatedAt: sql`now() - interval '25 hours'` };

  test('is replaced daily by one of many requests, while the others and late ones come in with the old one', async () => {
    const answer = await signInWithLink(api);
    const old = browserOf(api, answer);
    const { sessionId } = (await old('/v1/me')).json.person as { sessionId: string };
    await sleep(700);
    await age(sessionId, YESTERDAY);
    const answers = await Promise.all([api, other, api, other, api].map((at) => browserOf(at, answer)('/v1/me')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const fresh = answers.filter(({ headers }) => headers.getSetCookie().length > 0);
    expect(fresh).toHaveLength(1);
    expect(fresh[0]?.headers.get('cache-control')).toBe('no-store');
    const renewed = browserOf(other, fresh[0] ?? answer);
    expect((await renewed('/v1/me')).json.person.sessionId).toBe(sessionId);
    expect((await old('/v1/me')).status).toBe(200);
    // The old one expires minutes after the browser has used the new one.
    const row = async () =>
      (await api.database.db.select().from(browserSessions).where(eq(browserSessions.id, sessionId)))[0];
    await expect.poll(async () => (await row())?.formerValidUntil, SOON).not.toBeNull();
    expect(((await row())?.formerValidUntil?.getTime() ?? Infinity) - Date.now()).toBeLessThan(6 * 60_000);
    await age(sessionId, { formerValidUntil: sql`now() - interval '1 s'` });
    await expect.poll(async () => (await old('/v1/me')).status, SOON).toBe(401);
    expect((await renewed('/v1/me')).status).toBe(200);
  });

  test('is replaced once if two tabs come late with a lost one, and either tab continues', async () => {
    const answer = await signInWithLink(api);
    const { sessionId } = (await browserOf(api, answer)('/v1/me')).json.person as { sessionId: string };
    await sleep(700);
    await age(sessionId, YESTERDAY);
    const lost = await browserOf(api, answer)('/v1/me');
    await sleep(700);
    await age(sessionId, { secretCreatedAt: sql`now() - interval '2 minutes'` });
    const tabs = await Promise.all([api, other].map((at) => browserOf(at, answer)('/v1/me')));
    expect(tabs.map(({ status }) => status)).toEqual([200, 200]);
    const fresh = tabs.filter(({ headers }) => headers.getSetCookie().length > 0);
    expect(fresh).toHaveLength(1);
    // Whichever answer comes last, the browser has a cookie that works; the one that was lost opens nothing.
    const after = await Promise.all([answer, fresh[0] ?? answer].map((had) => browserOf(api, had)('/v1/me')));
    expect(after.map(({ status, json }) => [status, json.person?.sessionId])).toEqual([
      [200, sessionId],
      [200, sessionId],
    ]);
    expect((await browserOf(api, lost)('/v1/me')).status).toBe(401);
  });

  test('is sent again to a browser that never got it', async () => {
    const answer = await signInWithLink(api);
    const old = browserOf(api, answer);
    const { sessionId } = (await old('/v1/me')).json.person as { sessionId: string };
    await sleep(700);
    await age(sessionId, YESTERDAY);
    // Its answer is lost, and no cache has kept it, though it keeps others of this route.
    const lost = await old('/v1/projects');
    expect([lost.headers.getSetCookie().length, lost.headers.get('cache-control')]).toEqual([1, 'no-store']);
    expect((await old('/v1/projects')).headers.get('cache-control')).toBe('private, no-cache');
    await sleep(700);
    await age(sessionId, { secretCreatedAt: sql`now() - interval '2 minutes'` });
    const again = await old('/v1/me');
    expect(again.headers.getSetCookie()).toHaveLength(1);
    expect((await browserOf(api, again)('/v1/me')).status).toBe(200);
  });
});
