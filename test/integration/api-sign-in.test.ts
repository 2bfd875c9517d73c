import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/api/contract/operations.ts';
import { browserSessions, people, signInLinks } from '../../src/store/people-schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { addPerson, type Browser, browserOf, cookieOf, SAME_ORIGIN, signInWithLink } from '../support/browsers.ts';

let api: TestApi;
/** A second process of the same installation, with what it remembers of its own. */
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

const outcome = ({ status, json }: { status: number; json?: { code?: string } }) => [status, json?.code];
const signIn = (body: object, headers: Record<string, string> = {}, at = api) =>
  at.call('/v1/sign-in', { body, token: null, headers: { ...SAME_ORIGIN, ...headers } });
const newLink = async () => new URL((await api.call('/v1/sign-in-links', { method: 'POST' })).json.url as string);
const secretOf = (link: URL) => link.hash.slice('#link='.length);
const SOON = { timeout: 1_000, interval: 50 };

const age = (sessionId: string, set: object) =>
  api.database.db.update(browserSessions).set(set).where(eq(browserSessions.id, sessionId));

const fill = (path: string) =>
  path
    .replace('{projectId}', 'acme')
    .replace('{signInId}', `sin_${'0'.repeat(20)}`)
    .replaceAll(/\{\w+\}/g, 'abcdefghijklmnopqrstuv');

describe('signing in', () => {
  test('with the operator token gives a cookie that opens every route, and a script cannot read', async () => {
    const answer = await signIn({ operatorToken: api.operatorToken });
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ kind: 'person', person: { id: null, name: 'Operator', role: 'admin' } });
    const [header] = answer.headers.getSetCookie();
    expect(header).toMatch(/^docent_session=[\w-]{43}; Max-Age=259\d{4}; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const me = browserOf(api, answer);
    expect((await me('/v1/me')).json.person).toEqual(answer.json.person);
    expect((await me('/v1/hosts')).status).toBe(200);
    expect((await api.call('/v1/sign-in', { token: null })).json).toEqual({ openIdConnect: null, signedIn: false });
    expect((await me('/v1/sign-in')).json).toEqual({ openIdConnect: null, signedIn: true });
  });

  test('over https keeps the cookie to this host and to TLS', async () => {
    const tls = await startTestApi({
      deps: { database: api.database, publicUrl: () => 'https://docent.example.com/d' },
    });
    try {
      const answer = await signIn({ operatorToken: tls.operatorToken }, {}, tls);
      expect(answer.headers.getSetCookie()[0]).toMatch(
        /^__Host-docent_session=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      );
      expect((await browserOf(tls, answer)('/v1/me')).status).toBe(200);
      // A name that a page on another port or over http could set is not looked at.
      const secret = cookieOf(answer).split('=')[1];
      const headers = { cookie: `docent_session=${secret}` };
      expect((await tls.call('/v1/me', { token: null, headers })).status).toBe(401);
    } finally {
      await tls.server.close({ deadlineMs: 500 });
    }
  });

  test('works once with a link, whichever of two servers is first', async () => {
    const secret = secretOf(await newLink());
    const all = await api.database.db.transaction(async (tx) => {
      // All of them have begun before one can take it.
      await tx.execute(sql`SELECT 1 FROM sign_in_links FOR UPDATE`);
      const begun = [api, other, api, other].map((at) => signIn({ link: secret }, {}, at));
      await sleep(500);
      return () => Promise.all(begun);
    });
    const answers = await all();
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401, 401]);
    const rows = await api.database.db
      .select()
      .from(signInLinks)
      .where(sql`used_at IS NOT NULL`);
    expect(rows).toHaveLength(1);
    expect(api.logged() + other.logged()).not.toContain(secret);
  });

  test('takes no link that is old, none or of an operator token of before', async () => {
    const old = secretOf(await newLink());
    await api.database.db.update(signInLinks).set({ expiresAt: sql`now()` });
    expect(outcome(await signIn({ link: old }))).toEqual([401, 'unauthorized']);
    expect(outcome(await signIn({ link: 'none' }))).toEqual([401, 'unauthorized']);
    const link = secretOf(await newLink());
    const changed = await startTestApi({ deps: { database: api.database } });
    expect(outcome(await signIn({ link }, {}, changed))).toEqual([401, 'unauthorized']);
    await changed.server.close({ deadlineMs: 500 });
    expect(outcome(await signIn({}))).toEqual([400, 'bad_request']);
    expect(outcome(await signIn({ link, operatorToken: api.operatorToken }))).toEqual([400, 'bad_request']);
  });

  test('gives a new secret each time, and ends the session that the browser had', async () => {
    const first = await signIn({ operatorToken: api.operatorToken });
    const second = await signIn({ operatorToken: api.operatorToken }, { cookie: cookieOf(first) });
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    expect((await browserOf(api, first)('/v1/me')).status).toBe(401);
    expect((await browserOf(api, second)('/v1/me')).status).toBe(200);
    // Of two with its name, one was set by somebody else, and nobody knows which.
    const two = `${cookieOf(second)}; docent_session=${'A'.repeat(43)}`;
    expect((await api.call('/v1/me', { token: null, headers: { cookie: two } })).status).toBe(401);
    // What somebody else has put there is not taken over.
    const planted = `docent_session=${'A'.repeat(43)}`;
    const third = await signIn({ operatorToken: api.operatorToken }, { cookie: planted });
    expect(cookieOf(third)).not.toBe(planted);
    expect((await api.call('/v1/me', { token: null, headers: { cookie: planted } })).status).toBe(401);
  });

  test('is refused to pages of others, and to whoever tries again and again', async () => {
    const body = { operatorToken: api.operatorToken };
    expect(outcome(await signIn(body, { 'sec-fetch-site': 'cross-site' }))).toEqual([403, 'forbidden_origin']);
    const strict = await startTestApi({ config: { failedSignInsPerMinute: 2 } });
    try {
      const tried = [];
      for (let i = 0; i < 3; i += 1) tried.push((await signIn({ link: `wrong${i}` }, {}, strict)).status);
      expect(tried).toEqual([401, 401, 429]);
      expect((await signIn({ operatorToken: strict.operatorToken }, {}, strict)).status).toBe(200);
    } finally {
      await strict.close();
    }
  });

  test('leaves neither secrets nor tokens in the log or the database', async () => {
    const answer = await signIn({ operatorToken: api.operatorToken });
    const secret = cookieOf(answer).split('=')[1] ?? '';
    await browserOf(api, answer)('/v1/me');
    expect(api.logged()).not.toContain(secret);
    expect(api.logged()).not.toContain(api.operatorToken);
    const rows = await api.database.db.select().from(browserSessions);
    expect(JSON.stringify(rows)).not.toContain(secret);
    const tokenHash = createHash('sha256').update(api.operatorToken).digest();
    expect(rows.some((row) => row.operatorFingerprint?.equals(tokenHash))).toBe(false);
  });
});

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
    await a1('/v1/sign-out', { method: 'POST', body: { everywhere: true }, headers: SAME_ORIGIN });
    expect([(await a3('/v1/me')).status, (await b('/v1/me')).status]).toEqual([401, 200]);
  });

  test('everywhere with the links that were made, of a person and of the operator, and of nobody else', async () => {
    const linkOf = async (by: Awaited<ReturnType<typeof signInWithLink>> | Browser) => {
      const browser = typeof by === 'function' ? by : browserOf(api, by);
      const made = await browser('/v1/sign-in-links', { method: 'POST', headers: SAME_ORIGIN });
      return { browser, link: secretOf(new URL(made.json.url as string)) };
    };
    const [ann, bob] = [await addPerson(api, { role: 'admin' }), await addPerson(api, { role: 'admin' })];
    const [a, b, operator] = await Promise.all([
      linkOf(await ann.signIn()),
      linkOf(await bob.signIn()),
      linkOf(await signInWithLink(api)),
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

  test('of the operator, when the operator token is another one', async () => {
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
    // Minutes after the browser has shown that it has the new one, the old one is over.
    const row = async () =>
      (await api.database.db.select().from(browserSessions).where(eq(browserSessions.id, sessionId)))[0];
    await expect.poll(async () => (await row())?.formerValidUntil, SOON).not.toBeNull();
    await age(sessionId, { formerValidUntil: sql`now() - interval '1 s'` });
    await expect.poll(async () => (await old('/v1/me')).status, SOON).toBe(401);
    expect((await renewed('/v1/me')).status).toBe(200);
  });

  test('is replaced once where two tabs come late with one that was lost, and either tab goes on', async () => {
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
    // Its answer is lost.
    expect((await old('/v1/me')).headers.getSetCookie()).toHaveLength(1);
    await sleep(700);
    await age(sessionId, { secretCreatedAt: sql`now() - interval '2 minutes'` });
    const again = await old('/v1/me');
    expect(again.headers.getSetCookie()).toHaveLength(1);
    expect((await browserOf(api, again)('/v1/me')).status).toBe(200);
  });
});

describe('pages of others', () => {
  const unsafe = operations.filter(({ method, access }) => method !== 'get' && access.kind !== 'public');
  const pages = ['mergePullRequest', 'closePullRequest'];
  const paths = new Map(
    operations
      .filter(({ id }) => unsafe.some((operation) => operation.id === id) || pages.includes(id))
      .map(({ id, method, path }) => [id, { method: method.toUpperCase(), path }]),
  );

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another origin of the same site', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' }],
    ['an address bar', { 'sec-fetch-site': 'none' }],
    ['another origin, in a browser without fetch metadata', { origin: 'https://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['nobody knows where', {}],
  ])('may change nothing with the cookie of a browser: from %s', async (_from, headers: Record<string, string>) => {
    const browser = browserOf(api, await signInWithLink(api));
    expect(paths.size).toBeGreaterThan(40);
    const taken: string[] = [];
    for (const [id, { method, path }] of paths) {
      const answer = await browser(fill(path), { method, headers: { accept: 'application/json', ...headers } });
      if (answer.status !== 403 || answer.json?.code !== 'forbidden_origin') taken.push(`${id}: ${answer.text}`);
    }
    expect(taken).toEqual([]);
    expect((await browser('/v1/me', { headers })).status).toBe(200);
  });

  test('are told from those of this server, by its origin where a browser sends no fetch metadata', async () => {
    const answer = await signInWithLink(api);
    const browser = browserOf(api, answer);
    expect((await browser('/v1/sign-in-links', { method: 'POST', headers: { origin: api.url } })).status).toBe(201);
    // A token proves more than a cookie does, and no page can send it by itself.
    const headers = { cookie: cookieOf(answer), 'sec-fetch-site': 'cross-site' };
    expect((await api.call('/v1/sign-in-links', { method: 'POST', headers })).status).toBe(201);
    const wrong = { cookie: cookieOf(answer), authorization: `Bearer ${'x'.repeat(40)}` };
    expect((await api.call('/v1/me', { token: null, headers: wrong })).status).toBe(401);
  });
});
