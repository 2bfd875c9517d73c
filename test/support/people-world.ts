import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import type { components } from '@docent/client';
import { loadConfig } from '../../src/config/config.ts';
import { Secret } from '../../src/platform/secret.ts';
import { startTestApi, type TestApi } from './api-server.ts';
import { SAME_ORIGIN } from './browsers.ts';
import { commandEnv } from './command.ts';
import { runInside } from './run-inside.ts';
import { account, type Browser, CLIENT, signInWithProvider, startIdentityProvider } from './identity-provider.ts';

type Person = components['schemas']['Person'];

/**
 * People who come from a real identity provider, two servers of one installation, and the commands of its
 * operator.
 */
export type PeopleWorld = Awaited<ReturnType<typeof startPeople>>;

/** Of the provider's groups, `admins` and `docs-team` have a role. */
export async function startPeople() {
  const provider = await startIdentityProvider();
  const config = {
    openIdIssuer: provider.issuer,
    openIdClientId: CLIENT.id,
    openIdClientSecret: new Secret(CLIENT.secret),
    openIdRoles: loadConfig({ DOCENT_OIDC_ROLES: 'admins=admin, docs-team=editor' }).openIdRoles,
    authorizeMs: 200,
  };
  const api = await startTestApi({ config });
  const operatorTokenHashes = [createHash('sha256').update(api.operatorToken).digest()];
  const other = await startTestApi({ config, deps: { database: api.database, operatorTokenHashes } });
  provider.open(`${api.url}/sign-in/openid/callback`);
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-people-'));
  const env = commandEnv(folder, { DOCENT_URL: api.url, DOCENT_OPERATOR_TOKEN: api.operatorToken });

  const person = (...args: string[]) => runInside(['person', ...args], env);
  const me = (browser: Browser, at = api) => call(browser, at, '/v1/me');

  /** What a command prints for programs. */
  async function inJson(...args: string[]) {
    const { stdout, stderr, code } = await person(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  }

  function call(browser: Browser, at: TestApi, address: string, options: Parameters<TestApi['call']>[1] = {}) {
    const headers = { ...SAME_ORIGIN, cookie: browser.cookies(api.url), ...options.headers };
    return at.call(address, { ...options, token: null, headers });
  }

  const listed = async (sub: string) =>
    ((await inJson('list')) as Person[]).find(({ email }) => email === `${sub}@example.com`);

  return {
    provider,
    /** Where people sign in, and which the commands reach. */
    api,
    /** A second process of the same installation, with its own caches. */
    other,
    env,
    /** Runs `docent person …`. */
    person,
    inJson,
    /** Calls a server with the cookie that the browser got at the first. */
    call,
    me,
    /** How the browsers are answered, each at both servers. */
    seen: (...browsers: Browser[]) =>
      Promise.all(browsers.flatMap((browser) => [api, other].map(async (at) => (await me(browser, at)).status))),
    /** Someone of these groups signs in. */
    comes(sub: string, groups: string[] = ['docs-team']) {
      provider.account = account(sub, { groups });
      return signInWithProvider(api.url);
    },
    /** The entry of someone in the list. */
    listed,
    idOf: async (sub: string) => (await listed(sub))?.id ?? '',
    /** At the first server. */
    change: (id: string, body: unknown, at = api) =>
      at.call(`/v1/people/${id}`, { method: 'PATCH', body, token: api.operatorToken }),
    async close() {
      await other.server.close({ deadlineMs: 500 });
      await api.close();
      await provider.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What is changed holds at every server within a second, which is five under load. */
export const WITHIN_A_SECOND = { timeout: 5_000, interval: 50 };
