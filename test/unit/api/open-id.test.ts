import { describe, expect, test } from 'vitest';
import { Attempts } from '../../../src/api/open-id/attempt.ts';
import { grantOf, identityOf } from '../../../src/api/open-id/roles.ts';
import { ConfigError } from '@docent/base/config-error';
import { loadConfig } from '../../../src/config/config.ts';

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 10, 23);

describe('a sign-in that is under way', () => {
  const attempts = new Attempts(() => 'https://docent.example.com');
  const begin = (next = '/') => {
    const { attempt, cookie } = attempts.begin(next, NOW);
    return { attempt, cookie, sent: cookie.slice(0, cookie.indexOf(';')) };
  };

  test('is over after ten minutes, and not before', () => {
    const { attempt, sent } = begin('/projects');
    expect(attempts.find(sent, attempt.state, NOW + 9 * MINUTE)).toEqual({ ...attempt, next: '/projects' });
    expect(attempts.find(sent, attempt.state, NOW + 11 * MINUTE)).toBe(null);
  });

  test('differs if its time, its path or its secret was changed', () => {
    const { attempt, sent } = begin('/projects');
    const [name = '', value = ''] = sent.split('=');
    const [begun = '', secret = '', path = ''] = value.split('.');
    const changed = [
      `${Number(begun) + MINUTE}.${secret}.${path}`,
      `${begun}.${secret}.${Buffer.from('/keys').toString('base64url')}`,
      `${begun}.${'A'.repeat(43)}.${path}`,
      `${begun}.${secret}`,
      '',
    ];
    for (const other of changed) expect(attempts.find(`${name}=${other}`, attempt.state, NOW)).toBe(null);
    expect(attempts.find(undefined, attempt.state, NOW)).toBe(null);
    for (const state of ['', 'short', `${attempt.state.slice(0, -1)}~`])
      expect(attempts.find(sent, state, NOW)).toBe(null);
  });

  test('does not end another one of the same browser', () => {
    const [a, b] = [begin('/a'), begin('/b')];
    const both = `x=1; ${a.sent}; ${b.sent}`;
    expect(attempts.find(both, a.attempt.state, NOW)?.next).toBe('/a');
    expect(attempts.find(both, b.attempt.state, NOW)?.next).toBe('/b');
  });

  test('is in a cookie that goes over TLS alone, to this host alone, and to no script', () => {
    expect(begin().cookie).toMatch(/^__Host-docent_openid_[\w-]{8}=.*; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  });
});

const settingsOf = (DOCENT_OIDC_ROLES: string, DOCENT_OIDC_DEFAULT_ROLE = '') =>
  loadConfig({ DOCENT_OIDC_ROLES, DOCENT_OIDC_DEFAULT_ROLE });

const grant = (roles: string, claims: object, fallback?: string) =>
  grantOf(identityOf({ sub: 'a', ...claims }, 'groups'), settingsOf(roles, fallback));

describe('permissions', () => {
  const jane = { email: 'Jane@Example.com', email_verified: true };

  test.each([
    ['docs=editor', { groups: ['docs'] }, { role: 'editor', projectIds: null }],
    ['docs=editor', { groups: 'docs' }, { role: 'editor', projectIds: null }],
    ['docs=editor', { groups: ['Docs', 'docs '] }, null],
    ['docs=editor', { groups: { docs: true } }, null],
    ['jane@example.com=admin', jane, { role: 'admin', projectIds: null }],
    ['@example.com=viewer', jane, { role: 'viewer', projectIds: null }],
    ['@example.com=viewer', { ...jane, email: 'a@sub.example.com' }, null],
    ['@example.com=viewer', { ...jane, email: 'a@evil.com@example.com' }, null],
    ['@example.com=viewer', { ...jane, email_verified: false }, null],
    ['@example.com=viewer', { email: 'jane@example.com' }, null],
    // A group that is called like an address is not an address.
    ['jane@example.com=admin', { groups: ['jane@example.com'] }, null],
    ['docs=a:editor, docs=b:editor, docs=c:viewer', { groups: ['docs'] }, { role: 'editor', projectIds: ['a', 'b'] }],
    ['docs=a:editor, @example.com=editor', { ...jane, groups: ['docs'] }, { role: 'editor', projectIds: null }],
    ['cn=docs=editor', { groups: ['cn=docs'] }, { role: 'editor', projectIds: null }],
  ])('by %j, with %j: %j', (roles, claims, expected) => {
    expect(grant(roles, claims)).toEqual(expected);
  });

  test('is the default if no entry fits', () => {
    expect(grant('', {}, 'viewer')).toEqual({ role: 'viewer', projectIds: null });
    expect(grant('docs=editor', { groups: ['docs'] }, 'admin')).toEqual({ role: 'editor', projectIds: null });
  });

  test('is read from a nested claim, but not from inherited properties of objects', () => {
    const claims = { sub: 'a', realm_access: { roles: ['docs', 7, null] }, 'https://docs.example/roles': ['x'] };
    expect(identityOf(claims, 'realm_access.roles').groups).toEqual(['docs']);
    expect(identityOf(claims, 'https://docs.example/roles').groups).toEqual(['x']);
    expect(identityOf(claims, 'constructor.name').groups).toEqual([]);
  });
});

describe('settings that make no sense are refused', () => {
  test.each([
    [{ DOCENT_OIDC_ROLES: 'docs' }, 'DOCENT_OIDC_ROLES must be entries'],
    [{ DOCENT_OIDC_ROLES: 'docs=owner' }, 'DOCENT_OIDC_ROLES must be entries'],
    [{ DOCENT_OIDC_ROLES: '@=viewer' }, 'DOCENT_OIDC_ROLES must be entries'],
    [{ DOCENT_OIDC_SCOPES: 'profile' }, 'must have the scope openid'],
    [{ DOCENT_OIDC_ISSUER: 'login.example.com' }, 'DOCENT_OIDC_ISSUER must be an http'],
    [{ DOCENT_OIDC_ISSUER: 'https://login.example.com' }, 'needs DOCENT_OIDC_CLIENT_ID'],
    [{ DOCENT_OIDC_CLIENT_ID: 'docent' }, 'needs DOCENT_OIDC_ISSUER'],
  ])('%j', (env, sentence) => {
    expect(() => loadConfig(env)).toThrow(ConfigError);
    expect(() => loadConfig(env)).toThrow(sentence);
  });
});
