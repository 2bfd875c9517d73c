import { generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createGitHubApi } from '@docent/code-hosts/apis/github-api';
import { createHostFetch, createReadText } from '@docent/code-hosts/host-fetch';
import { createGuardedFetch } from '@docent/base/net/guarded-fetch';
import { FakeHost, type FakeToken } from '../support/fake-host/fake-host.ts';
import type { FakeRepository } from '../support/fake-host/fake-repository.ts';
import { FakeGitHub, secondaryRateLimit } from '../support/fake-host/github.ts';
import { git } from '../support/git-fixture.ts';

const patient = createGuardedFetch({ allowed: ['127.0.0.1'], timeoutMs: 120_000 });
const hasty = createGuardedFetch({ allowed: ['127.0.0.1'], timeoutMs: 500 });
const DOCS = { path: 'acme/docs' };
vi.setConfig({ testTimeout: 30_000 });
const MAY_ALL: FakeToken = { account: 'bot', scopes: ['repo'], contents: 'write', pulls: 'write' };

let kind: FakeGitHub;
let host: FakeHost;
let repository: FakeRepository;

beforeEach(async () => {
  kind = new FakeGitHub();
  host = await FakeHost.start(kind);
  repository = host.addRepository('acme/docs', { 'index.md': 'one\n' });
});
afterEach(async () => {
  await host.close();
  expect(host.violations).toEqual([]);
});

function apiWith(may: FakeToken, credential = 'secret-token', appId: string | null = null, guarded = patient) {
  host.tokens.set(credential, may);
  const apiUrl = `${host.url}/api/v3`;
  return createGitHubApi({
    apiUrl,
    credential,
    appId,
    fetch: createHostFetch(apiUrl, guarded),
    readText: createReadText(guarded),
  });
}

async function problemOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (err: unknown) => err,
  );
}

function pushBranch(name: string): void {
  const tree = git(repository.folder, 'rev-parse', 'main^{tree}');
  const commit = git(repository.folder, 'commit-tree', tree, '-p', 'main', '-m', `On ${name}`);
  git(repository.folder, 'update-ref', `refs/heads/${name}`, commit);
}

describe('missing permissions are reported immediately', () => {
  test('none for a classic token with the scope repo', async () => {
    const api = apiWith(MAY_ALL);
    expect(await api.account()).toEqual({ name: 'bot', problems: [] });
    expect((await api.open(DOCS)).problems).toEqual([]);
    expect(await (await api.open(DOCS)).pullRequestProblems('main')).toEqual([]);
  });

  test('the scope, for a classic token', async () => {
    const api = apiWith({ ...MAY_ALL, scopes: ['read:user'] });
    expect((await api.account()).problems).toEqual([expect.stringContaining('"repo"')]);
    expect(await (await api.open(DOCS)).pullRequestProblems('main')).toEqual([expect.stringContaining('"repo"')]);
  });

  test('the permission for pull requests, for a fine-grained token, without opening one', async () => {
    const { scopes: _scopes, ...fine } = MAY_ALL;
    expect(await (await apiWith(fine).open(DOCS)).pullRequestProblems('main')).toEqual([]);
    const reading = await apiWith({ ...fine, pulls: 'read' }).open(DOCS);
    const lacking = await reading.pullRequestProblems('main');
    expect(lacking).toEqual([expect.stringContaining('Pull requests: Read and write')]);
    expect(repository.pulls).toEqual([]);
  });

  test('that the repository is archived, or not to be seen', async () => {
    repository.archived = true;
    expect((await apiWith(MAY_ALL).open(DOCS)).problems).toEqual([expect.stringContaining('archived')]);
    expect(await problemOf(apiWith(MAY_ALL).open({ path: 'acme/none' }))).toMatchObject({ code: 'repository_missing' });
  });

  test('that the token is wrong', async () => {
    const api = apiWith(MAY_ALL);
    host.tokens.clear();
    const problem = await problemOf(api.account());
    expect(problem).toMatchObject({ code: 'host_unauthorized', message: expect.stringContaining('host update') });
    expect(JSON.stringify(problem) + String((problem as Error).stack)).not.toContain('secret-token');
  });
});

describe('an App', () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

  function appApi(permissions: Record<string, string>, tokenMs = 3_600_000) {
    kind.app = { id: '42', publicKey, permissions, tokenMs, minted: [] };
    return apiWith(MAY_ALL, privateKey, '42');
  }

  test('has a token made per installation, and uses it until shortly before its end', async () => {
    const api = appApi({ contents: 'write', pull_requests: 'write', metadata: 'read' });
    expect(await api.account()).toEqual({ name: 'docent-app', problems: [] });
    expect(await (await api.open(DOCS)).pullRequestProblems('main')).toEqual([]);
    const there = await api.open(DOCS);
    const first = await there.gitLogin();
    expect(first).toEqual({ username: 'x-access-token', password: kind.app?.minted[0] });
    expect(await (await api.open(DOCS)).gitLogin()).toEqual(first);
    pushBranch('docent/a');
    expect(await there.create({ head: 'docent/a', base: 'main', title: 'T', body: 'B', draft: false })).toMatchObject({
      number: 1,
    });
    expect(kind.app?.minted).toHaveLength(1);
  });

  test('gets a new one for git when the old one ends soon', async () => {
    const api = appApi({ contents: 'write', pull_requests: 'write', metadata: 'read' }, 300_000);
    const first = await (await api.open(DOCS)).gitLogin();
    expect((await (await api.open(DOCS)).gitLogin()).password).not.toBe(first.password);
  });

  test('names the missing permissions', async () => {
    const api = appApi({ contents: 'read', metadata: 'read' });
    expect((await api.account()).problems).toEqual([
      expect.stringContaining('Contents: Read and write'),
      expect.stringContaining('Pull requests: Read and write'),
    ]);
  });

  test('with another key is refused', async () => {
    const other = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    appApi({});
    expect(await problemOf(apiWith(MAY_ALL, other.privateKey, '42').account())).toMatchObject({
      code: 'host_unauthorized',
    });
  });
});

describe('faults', () => {
  const cases: [
    string,
    { status: number; headers?: Record<string, string>; body?: unknown } | 'reset' | 'hang',
    object,
  ][] = [
    ['a server error', { status: 502 }, { code: 'host_unavailable' }],
    ['a broken connection', 'reset', { code: 'host_unavailable' }],
    ['no answer', 'hang', { code: 'host_unavailable', message: expect.stringContaining('no answer in time') }],
    [
      'a used up limit',
      {
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.ceil(Date.now() / 1_000) + 120) },
        body: { message: 'API rate limit exceeded' },
      },
      { code: 'host_rate_limited', retryAfterMs: expect.closeTo(120_000, -5) },
    ],
    [
      'a secondary limit',
      { status: 403, headers: { 'retry-after': '30' }, body: { message: 'You have exceeded a secondary rate limit' } },
      { code: 'host_rate_limited', retryAfterMs: 30_000 },
    ],
    [
      'a secondary limit without a time',
      { status: 429, body: { message: 'slow down' } },
      { code: 'host_rate_limited', retryAfterMs: 60_000 },
    ],
    [
      'a forbidden call',
      { status: 403, body: { message: 'Resource protected by organization SAML enforcement' } },
      { code: 'host_forbidden', message: expect.stringContaining('SAML') },
    ],
    [
      'an address elsewhere',
      { status: 302, headers: { location: 'http://169.254.169.254/latest' } },
      { code: 'address_refused' },
    ],
  ];
  test.each(cases)('%s is recognized', async (_name, answer, expected) => {
    host.fault(/GET \/repos\/acme\/docs\/pulls/, { answer });
    const api = answer === 'hang' ? apiWith(MAY_ALL, 'secret-token', null, hasty) : apiWith(MAY_ALL);
    const there = await api.open(DOCS);
    const problem = await problemOf(there.findByHead({ head: 'docent/a', base: 'main', known: null }));
    expect(problem).toMatchObject(expected);
  });

  test('an existing pull request is not opened again', async () => {
    pushBranch('docent/a');
    const api = await apiWith(MAY_ALL).open(DOCS);
    const input = { head: 'docent/a', base: 'main', title: 'T', body: 'B', draft: false };
    expect(await api.create(input)).toMatchObject({ number: 1, state: 'open', isDraft: false });
    expect(await api.create(input)).toBeNull();
    expect(await api.findByHead({ head: 'docent/a', base: 'main', known: null })).toHaveLength(1);
  });

  test('a missing base branch is a final refusal', async () => {
    pushBranch('docent/a');
    const input = { head: 'docent/a', base: 'gone', title: 'T', body: 'B', draft: false };
    const there = await apiWith(MAY_ALL).open(DOCS);
    expect(await problemOf(there.create(input))).toMatchObject({ code: 'host_refused', mayPass: false });
  });

  test.each(['nothing', 'base'] as const)('an API that lags behind the push and sees %s may catch up', async (sees) => {
    pushBranch('docent/a');
    const api = await apiWith(MAY_ALL).open(DOCS);
    const input = { head: 'docent/a', base: 'main', title: 'T', body: 'B', draft: true };
    Object.assign(repository.lag, { pulls: 1, sees });
    expect(await problemOf(api.create(input))).toMatchObject({
      code: 'host_refused',
      mayPass: true,
      message: expect.stringContaining('does not see the branch'),
    });
    expect(await api.create(input)).toMatchObject({ number: 1, isDraft: true });
  });

  test.each([
    [secondaryRateLimit(30), 30_000],
    [secondaryRateLimit(), 60_000],
    [{ status: 403, body: { message: 'You have triggered an abuse detection mechanism.' } }, 60_000],
    [
      { status: 422, body: { message: 'Validation Failed', errors: [{ message: 'was submitted too quickly' }] } },
      60_000,
    ],
  ])('%j is a limit that passes', async (answer, retryAfterMs) => {
    pushBranch('docent/a');
    host.fault(/POST .*pulls/, { answer });
    const api = await apiWith(MAY_ALL).open(DOCS);
    const input = { head: 'docent/a', base: 'main', title: 'T', body: 'B', draft: false };
    expect(await problemOf(api.create(input))).toMatchObject({
      code: 'host_rate_limited',
      mayPass: true,
      retryAfterMs,
    });
  });

  test('a repository is found by its id, with an App as well, whatever it is named by now', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    kind.app = {
      id: '42',
      publicKey,
      permissions: { contents: 'write', pull_requests: 'write' },
      tokenMs: 3_600_000,
      minted: [],
    };
    pushBranch('docent/a');
    for (const api of [apiWith(MAY_ALL), apiWith(MAY_ALL, privateKey, '42')]) {
      const { id, path } = await api.open(DOCS);
      expect(path).toBe('acme/docs');
      host.rename(repository, 'acme/new');
      expect(await api.open(DOCS)).toMatchObject({ id, path: 'acme/new' });
      const other = host.addRepository('acme/docs', { 'index.md': 'two\n' });
      expect((await api.open(DOCS)).id).toBe(String(other.id));
      expect(await api.open({ id })).toMatchObject({ id, path: 'acme/new' });
      host.delete(other);
      host.rename(repository, 'acme/docs');
    }
  });

  test('a rename between two requests is recognized', async () => {
    pushBranch('docent/a');
    const api = await apiWith(MAY_ALL).open(DOCS);
    host.rename(repository, 'acme/new');
    const input = { head: 'docent/a', base: 'main', title: 'T', body: 'B', draft: true };
    expect(await problemOf(api.create(input))).toMatchObject({ code: 'host_unavailable', mayPass: true });
    expect(repository.pulls).toEqual([]);
  });
});
