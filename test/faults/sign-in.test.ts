import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { cookieOf, SAME_ORIGIN } from '../support/browsers.ts';
import { markerIn, testWithDocent as test, type Installation } from '../support/installation.ts';

/** An API that dies at this point, once. */
async function doomedApi(docent: Installation, point: string) {
  return docent.startApi({ DOCENT_TEST_FAULT: `${point}@${markerIn(docent, point).file}` });
}

async function newLink(docent: Installation): Promise<string> {
  const { data } = await docent.client.POST('/v1/sign-in-links');
  const link = new URL(data?.url ?? '').hash.slice('#link='.length);
  docent.forbiddenTexts.add(link);
  return link;
}

const signIn = (docent: Installation, link: string) =>
  fetch(`${docent.apiUrl}/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...SAME_ORIGIN },
    body: JSON.stringify({ link }),
  });

/** A browser with this cookie. */
const look = (docent: Installation, cookie: string) => fetch(`${docent.apiUrl}/v1/me`, { headers: { cookie } });

const count = async (docent: Installation, what: string) =>
  (await docent.database.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${what}`)).rows[0]?.n;

describe.concurrent('an API that dies while someone signs in', () => {
  test('with the link taken and nothing stored leaves the link valid for another attempt', async ({ docent }) => {
    const doomed = await doomedApi(docent, 'link-taken');
    const link = await newLink(docent);
    await expect(signIn(docent, link)).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    expect(await count(docent, 'browser_sessions')).toBe(0);
    await docent.startApi();
    const answer = await signIn(docent, link);
    expect(answer.status).toBe(200);
    expect((await look(docent, cookieOf(answer))).status).toBe(200);
    expect((await signIn(docent, link)).status).toBe(401);
  });

  test('with the session made and not yet answered has used the link up: a new one signs in', async ({ docent }) => {
    const doomed = await doomedApi(docent, 'signed-in');
    const link = await newLink(docent);
    await expect(signIn(docent, link)).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    await docent.startApi();
    expect((await signIn(docent, link)).status).toBe(401);
    // Its secret is lost with the process.
    expect(await count(docent, 'browser_sessions')).toBe(1);
    const answer = await signIn(docent, await newLink(docent));
    expect(answer.status).toBe(200);
    expect((await look(docent, cookieOf(answer))).status).toBe(200);
  });
});

describe.concurrent('an API that dies while it replaces the secret of a session', () => {
  test('leaves the browser signed in with its secret, and sends it another', async ({ docent }) => {
    const doomed = await doomedApi(docent, 'session-rotated');
    const before = cookieOf(await signIn(docent, await newLink(docent)));
    docent.forbiddenTexts.add(before.split('=')[1] ?? '');
    const age = (by: string) =>
      docent.database.pool.query(`UPDATE browser_sessions SET secret_created_at = now() - interval '${by}'`);
    await age('25 hours');
    await expect(look(docent, before)).rejects.toThrow();
    expect(await doomed.ended).toBe('SIGKILL');
    expect(await count(docent, 'browser_sessions WHERE former_hash IS NOT NULL')).toBe(1);
    await docent.startApi();
    const still = await look(docent, before);
    expect([still.status, still.headers.getSetCookie()]).toEqual([200, []]);
    await age('2 minutes');
    await sleep(700);
    const again = await look(docent, before);
    expect([again.status, again.headers.getSetCookie().length]).toEqual([200, 1]);
    expect(cookieOf(again)).not.toBe(before);
    expect((await look(docent, cookieOf(again))).status).toBe(200);
    expect(await count(docent, 'browser_sessions')).toBe(1);
  });
});
