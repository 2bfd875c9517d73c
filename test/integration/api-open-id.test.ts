import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Attempts } from '../../src/api/open-id/attempt.ts';
import { Secret } from '../../src/platform/secret.ts';
import { loadConfig } from '../../src/config/config.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import {
  account,
  Browser,
  CLIENT,
  signInWithProvider,
  startIdentityProvider,
  type IdentityProvider,
} from '../support/identity-provider.ts';

const RULES =
  'docs-team=editor, boss@example.com=admin, @partner.example=handbook:viewer, @partner.example=guides:viewer';

let provider: IdentityProvider;
let api: TestApi;
beforeAll(async () => {
  provider = await startIdentityProvider();
  api = await startTestApi({ config: configOf(provider.issuer) });
  provider.open(`${api.url}/sign-in/openid/callback`);
});
afterEach(() => {
  provider.forged = null;
  provider.userInfo = null;
});
afterAll(async () => {
  await api.close();
  await provider.close();
});

function configOf(issuer: string) {
  const { openIdRoles } = loadConfig({ DOCENT_OIDC_ROLES: RULES });
  const openIdClientSecret = new Secret(CLIENT.secret);
  return { openIdIssuer: issuer, openIdClientId: CLIENT.id, openIdClientSecret, openIdName: 'Example', openIdRoles };
}

const signIn = (options: Parameters<typeof signInWithProvider>[1] = {}) => signInWithProvider(api.url, options);
const me = (browser: Browser) => api.call('/v1/me', { token: null, headers: { cookie: browser.cookies(api.url) } });

const personOf = async (email: string) =>
  (await api.call('/v1/people')).json.people.find((person: { email: string }) => person.email === email);

describe('a person who signs in with the identity provider', () => {
  test('has the role of their group, and returns to the requested page', async () => {
    provider.account = account('ada', { groups: ['staff', 'docs-team'] });
    const { end, browser } = await signIn({ next: '/projects/acme-docs?tab=jobs' });
    expect(end).toBe('/projects/acme-docs?tab=jobs');
    const { json } = await me(browser);
    expect(json).toMatchObject({
      kind: 'person',
      person: { name: 'Name of ada', email: 'ada@example.com', role: 'editor', projectIds: null },
    });
    await expect
      .poll(async () => (await api.call('/v1/audit?operation=finishOpenIdSignIn')).json.entries[0])
      .toMatchObject({ actor: { kind: 'person', name: 'Name of ada' }, status: 303, code: null, changed: [] });
  });

  test('has the role of their address, and of their domain, for its projects', async () => {
    provider.account = account('boss', { email: 'Boss@example.com' });
    expect((await me((await signIn()).browser)).json.person).toMatchObject({ role: 'admin', projectIds: null });
    provider.account = account('pat', { email: 'pat@partner.example' });
    const partner = (await me((await signIn()).browser)).json.person;
    expect(partner).toMatchObject({ role: 'viewer', projectIds: ['guides', 'handbook'] });
    provider.account = account('mallory', { email: 'x@evil.partner.example' });
    expect((await signIn()).end).toBe('/sign-in?error=no_role');
  });

  test.each([
    'https://evil.example',
    '//evil.example/x',
    '/.//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/%0d%0ax\r\ny',
  ])('is not led to %j afterwards', async (next) => {
    provider.account = account('ada', { groups: ['docs-team'] });
    expect((await signIn({ next })).end).toBe('/');
  });

  test('is not led to another server by a cookie that another page of the domain has set', async () => {
    provider.account = account('ada', { groups: ['docs-team'] });
    const browser = new Browser();
    const { attempt, cookie } = new Attempts(() => api.url).begin('//evil.example/x');
    browser.keep(api.url, cookie);
    const challenge = createHash('sha256').update(attempt.codeVerifier).digest('base64url');
    const change = ({ searchParams }: URL) => {
      searchParams.set('state', attempt.state);
      searchParams.set('nonce', attempt.nonce);
      searchParams.set('code_challenge', challenge);
    };
    expect((await signIn({ browser, change })).end).toBe('/');
    expect((await me(browser)).status).toBe(200);
  });

  test('gets no role from an unverified address', async () => {
    provider.account = account('liar', { email: 'boss@example.com', email_verified: false });
    expect((await signIn()).end).toBe('/sign-in?error=email_not_verified');
    provider.account = account('liar', { email: 'boss@example.com', email_verified: undefined, groups: ['docs-team'] });
    expect((await me((await signIn()).browser)).json.person).toMatchObject({ role: 'editor', email: null });
  });

  test('gets a changed role at the next sign-in, and no role without a matching rule', async () => {
    provider.account = account('eve', { groups: ['docs-team'] });
    const { browser } = await signIn();
    provider.account = account('eve', { email: 'boss@example.com' });
    await signIn();
    expect((await me(browser)).json.person.role).toBe('admin');
    provider.account = account('eve');
    expect((await signIn()).end).toBe('/sign-in?error=no_role');
    await expect.poll(async () => (await me(browser)).status).toBe(401);
  });

  test('keeps a role that was set manually, until the provider may decide again', async () => {
    provider.account = account('max', { groups: ['docs-team'] });
    const { browser } = await signIn();
    const { id } = await personOf('max@example.com');
    const change = (body: object) => api.call(`/v1/people/${id}`, { method: 'PATCH', body });
    expect((await change({ role: 'viewer', projectIds: ['handbook'] })).json).toMatchObject({
      roleFromProvider: false,
    });
    await expect.poll(async () => (await me(browser)).json.person.role).toBe('viewer');
    await signIn();
    expect(await personOf('max@example.com')).toMatchObject({ role: 'viewer', projectIds: ['handbook'] });
    provider.account = account('max');
    expect((await signIn()).end).toBe('/');
    expect((await change({ roleFromProvider: true })).json.roleFromProvider).toBe(true);
    expect((await signIn()).end).toBe('/sign-in?error=no_role');
  });

  test('is out within a second when they are disabled or forgotten', async () => {
    provider.account = account('kim', { groups: ['docs-team'] });
    const { browser } = await signIn();
    const { id } = await personOf('kim@example.com');
    await api.call(`/v1/people/${id}`, { method: 'PATCH', body: { disabled: true } });
    await expect.poll(async () => (await me(browser)).status, { timeout: 5_000 }).toBe(401);
    expect((await signIn()).end).toBe('/sign-in?error=person_disabled');
    await api.call(`/v1/people/${id}`, { method: 'PATCH', body: { disabled: false } });
    const again = await signIn();
    expect((await me(again.browser)).status).toBe(200);
    expect((await api.call(`/v1/people/${id}`, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(async () => (await me(again.browser)).status, { timeout: 5_000 }).toBe(401);
    expect((await api.call(`/v1/people/${id}`)).json.code).toBe('person_not_found');
  });
});

describe('no one is signed in', () => {
  beforeAll(() => {
    provider.account = account('ada', { groups: ['docs-team'] });
  });

  test('by another state, by the state of another browser, or without one', async () => {
    const { end } = await signIn({ change: (url) => url.searchParams.set('state', 'A'.repeat(43)) });
    expect(end).toBe('/sign-in?error=openid_expired');
    const stolen = new Browser();
    const { callback } = await signIn();
    expect((await stolen.open(callback)).to).toBe(`${api.url}/sign-in?error=openid_expired`);
    expect((await stolen.open(`${api.url}/sign-in/openid/callback?code=x`)).to).toContain('openid_expired');
    expect((await me(stolen)).status).toBe(401);
    await expect
      .poll(async () => (await api.call('/v1/audit?operation=finishOpenIdSignIn')).json.entries[0])
      .toMatchObject({ actor: { kind: 'anonymous' }, status: 303, code: 'unauthorized' });
  });

  test('by a code that was used, though the cookie was copied', async () => {
    const { callback, browser } = await signIn();
    expect((await browser.open(callback)).to).toBe(`${api.url}/sign-in?error=openid_expired`);
  });

  test('by a token for another nonce', async () => {
    const { end } = await signIn({ change: (url) => url.searchParams.set('nonce', 'another') });
    expect(end).toBe('/sign-in?error=openid_invalid');
  });

  test('after cancelling at the provider', async () => {
    provider.account = null;
    expect((await signIn()).end).toBe('/sign-in?error=openid_denied');
    provider.account = account('ada', { groups: ['docs-team'] });
  });

  test("with another person's response from the provider", async () => {
    provider.userInfo = account('boss', { groups: ['docs-team'] });
    expect((await signIn()).end).toBe('/sign-in?error=openid_invalid');
  });

  test('with the role of an address that the token has not, though the user info has it', async () => {
    provider.account = account('sly');
    provider.forged = { claims: (claims) => ({ ...claims, email: 'sly@example.com', email_verified: true }) };
    provider.userInfo = account('sly', { email: 'boss@example.com' });
    expect((await signIn()).end).toBe('/sign-in?error=no_role');
    provider.account = account('ada', { groups: ['docs-team'] });
  });

  const past = Math.floor(Date.now() / 1_000) - 3_600;
  test.each<[string, IdentityProvider['forged']]>([
    ['another client', { claims: (claims) => ({ ...claims, aud: 'another' }) }],
    ['another issuer', { claims: (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' }) }],
    ['a time that is over', { claims: (claims) => ({ ...claims, iat: past, exp: past + 60 }) }],
    ['nobody', { claims: ({ sub: _sub, ...claims }) => claims }],
    ['a key of somebody else', { claims: (claims) => claims, isForeignKey: true }],
  ])('by a token of %s', async (_what, forged) => {
    provider.forged = forged;
    expect((await signIn()).end).toBe('/sign-in?error=openid_invalid');
  });
});

test('without its provider the server starts, reports it, and signs people in once it is reachable', async () => {
  const late = await startIdentityProvider();
  const own = await startTestApi({ config: configOf(late.issuer) });
  try {
    const browser = new Browser();
    const start = () => browser.open(`${own.url}/sign-in/openid`);
    expect((await start()).to).toBe(`${own.url}/sign-in?error=openid_unavailable`);
    const asked = await own.call('/sign-in/openid', { token: null, headers: { accept: 'application/json' } });
    expect(asked).toMatchObject({ status: 503, json: { code: 'unavailable' } });
    expect(own.logged()).not.toContain(CLIENT.secret);
    late.open(`${own.url}/sign-in/openid/callback`);
    expect((await start()).to).toContain(`${late.issuer}/auth?`);
    expect((await own.call('/v1/sign-in', { token: null })).json.openIdConnect).toEqual({
      name: 'Example',
      url: '/sign-in/openid',
    });
  } finally {
    await own.close();
    await late.close();
  }
});

test('an address that comes back again and again waits a minute, and others do not', async () => {
  const own = await startTestApi({ config: { ...configOf(provider.issuer), trustedProxies: ['127.0.0.1'] } });
  try {
    const { attempt, cookie } = new Attempts(() => own.url).begin('/');
    const comeBack = (address: string) => {
      const headers = { cookie: cookie.split(';')[0] ?? '', 'x-forwarded-for': address, accept: 'application/json' };
      return own.call(`/sign-in/openid/callback?code=none&state=${attempt.state}`, { token: null, headers });
    };
    const answers = await Promise.all(Array.from({ length: 200 }, () => comeBack('203.0.113.1')));
    expect(new Set(answers.map(({ json }) => json.code))).toEqual(new Set(['unauthorized', 'rate_limited']));
    const refused = answers.filter(({ status }) => status === 429);
    // 60, and one more each second.
    expect(refused.length).toBeGreaterThan(80);
    expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await comeBack('203.0.113.2')).json.code).toBe('unauthorized');
  } finally {
    await own.close();
  }
});

test('a server without a provider reports that', async () => {
  const own = await startTestApi();
  try {
    const asked = await own.call('/sign-in/openid', { token: null, headers: { accept: 'application/json' } });
    expect(asked).toMatchObject({ status: 404, json: { code: 'not_found' } });
    expect((await own.call('/v1/sign-in', { token: null })).json.openIdConnect).toBe(null);
  } finally {
    await own.close();
  }
});
