import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/api/contract/operations.ts';
import { browserSessions, signInLinks } from '../../src/store/access/people-schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { browserOf, cookieOf, SAME_ORIGIN, signInWithLink } from '../support/browsers.ts';

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

const outcome = ({ status, json }: { status: number; json?: { code?: string } }) => [status, json?.code];
const signIn = (body: object, headers: Record<string, string> = {}, at = api) =>
  at.call('/v1/sign-in', { body, token: null, headers: { ...SAME_ORIGIN, ...headers } });
const newLink = async () => new URL((await api.call('/v1/sign-in-links', { method: 'POST' })).json.url as string);
const secretOf = (link: URL) => link.hash.slice('#link='.length);
const hashOf = (text: string) => createHash('sha256').update(text).digest();

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
      // Cookie names that a page on another port or over http could set are ignored.
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

  test('rejects links that are old, invalid, or of a previous operator token', async () => {
    const made = (await api.call('/v1/sign-in-links', { method: 'POST' })).json;
    const minutes = (Date.parse(made.expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(9);
    expect(minutes).toBeLessThan(11);
    const old = secretOf(new URL(made.url));
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

  test("issues a new secret each time, and ends the browser's previous session", async () => {
    const first = await signIn({ operatorToken: api.operatorToken });
    const second = await signIn({ operatorToken: api.operatorToken }, { cookie: cookieOf(first) });
    expect(cookieOf(second)).not.toBe(cookieOf(first));
    expect((await browserOf(api, first)('/v1/me')).status).toBe(401);
    expect((await browserOf(api, second)('/v1/me')).status).toBe(200);
    // If there are two cookies with its name, one is forged, and it is unknown which.
    const two = `${cookieOf(second)}; docent_session=${'A'.repeat(43)}`;
    expect((await api.call('/v1/me', { token: null, headers: { cookie: two } })).status).toBe(401);
    // Cookies set by others are not accepted.
    const planted = `docent_session=${'A'.repeat(43)}`;
    const third = await signIn({ operatorToken: api.operatorToken }, { cookie: planted });
    expect(cookieOf(third)).not.toBe(planted);
    expect((await api.call('/v1/me', { token: null, headers: { cookie: planted } })).status).toBe(401);
  });

  test('is refused to pages of other sites, and after repeated requests with invalid keys', async () => {
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

  test('signs no one in while the audit log is not writable, and keeps the link valid', async () => {
    const { db } = api.database;
    const link = secretOf(await newLink());
    const before = await db.$count(browserSessions);
    await db.execute(sql`ALTER TABLE audit_log RENAME TO audit_log_away`);
    try {
      for (const body of [{ link }, { operatorToken: api.operatorToken }]) {
        const answer = await signIn(body);
        expect(answer.status).toBeGreaterThanOrEqual(500);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
    } finally {
      await db.execute(sql`ALTER TABLE audit_log_away RENAME TO audit_log`);
    }
    expect(await db.$count(browserSessions)).toBe(before);
    expect((await signIn({ link })).status).toBe(200);
  });

  test('leaves no secrets or tokens in the log or the database', async () => {
    const answer = await signIn({ operatorToken: api.operatorToken });
    const secret = cookieOf(answer).split('=')[1] ?? '';
    await browserOf(api, answer)('/v1/me');
    expect(api.logged()).not.toContain(secret);
    expect(api.logged()).not.toContain(api.operatorToken);
    const rows = await api.database.db.select().from(browserSessions);
    expect(rows.some(({ hash }) => hash.equals(hashOf(secret)))).toBe(true);
    const link = secretOf(await newLink());
    const links = await api.database.db.select().from(signInLinks);
    expect(links.some(({ hash }) => hash.equals(hashOf(link)))).toBe(true);
    // As text or as bytes.
    const cells = [...rows, ...links].flatMap((row) => Object.values(row)).filter((cell) => cell !== null);
    for (const cell of cells) {
      const bytes = Buffer.isBuffer(cell) ? cell : Buffer.from(String(cell));
      expect(bytes.includes(secret) || bytes.includes(link)).toBe(false);
    }
    const tokenHash = createHash('sha256').update(api.operatorToken).digest();
    expect(rows.some((row) => row.operatorFingerprint?.equals(tokenHash))).toBe(false);
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

  test("are distinguished from this server's own by origin when a browser sends no fetch metadata", async () => {
    const answer = await signInWithLink(api);
    const browser = browserOf(api, answer);
    expect((await browser('/v1/sign-in-links', { method: 'POST', headers: { origin: api.url } })).status).toBe(201);
    // A token proves more than a cookie does, because browsers never send it automatically.
    const headers = { cookie: cookieOf(answer), 'sec-fetch-site': 'cross-site' };
    expect((await api.call('/v1/sign-in-links', { method: 'POST', headers })).status).toBe(201);
    const wrong = { cookie: cookieOf(answer), authorization: `Bearer ${'x'.repeat(40)}` };
    expect((await api.call('/v1/me', { token: null, headers: wrong })).status).toBe(401);
  });
});
