import { newId } from '../../src/store/ids.ts';
import { people, type Role } from '../../src/store/access/people-schema.ts';
import { createBrowserSession } from '../../src/store/access/browser-sessions.ts';
import type { TestApi } from './api-server.ts';

/** What a browser sends with a request of a page of the server. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

/** The cookie that an answer has set, as a browser sends it back. */
export function cookieOf({ headers }: { headers: Headers }): string {
  return headers.getSetCookie().at(-1)?.split(';')[0] ?? '';
}

export type Browser = TestApi['call'];

/** Calls with the cookie that an answer has set, and without a token. */
export function browserOf(api: TestApi, answer: { headers: Headers }): Browser {
  return browserWith(api, cookieOf(answer));
}

function browserWith(api: TestApi, cookie: string): Browser {
  return (path, call = {}) => api.call(path, { ...call, token: null, headers: { cookie, ...call.headers } });
}

/** Signs a browser in as the operator. */
export async function signInWithLink(api: TestApi): Promise<Awaited<ReturnType<Browser>>> {
  const { json } = await api.call('/v1/sign-in-links', { method: 'POST' });
  const link = new URL(json.url as string).hash.slice('#link='.length);
  return api.call('/v1/sign-in', { body: { link }, token: null, headers: SAME_ORIGIN });
}

/** Puts a person into the database, as an identity provider would have brought them. */
export async function addPerson(
  api: TestApi,
  { role, projectIds = null }: { role: Role; projectIds?: string[] | null },
): Promise<{ id: string; signIn: (at?: TestApi) => Promise<Browser> }> {
  const { db } = api.database;
  const id = `per_${newId()}`;
  const email = `${id}@example.com`;
  await db.insert(people).values({
    id,
    issuer: 'https://id.example.com',
    subject: id,
    name: 'Ann',
    email,
    role,
    projectIds,
    roleSetBy: 'person',
  });
  return {
    id,
    async signIn(at = api) {
      const from = { absoluteDays: 30, address: null, userAgent: null };
      const { secret } = await createBrowserSession(db, { personId: id }, from);
      return browserWith(at, `docent_session=${secret}`);
    },
  };
}
