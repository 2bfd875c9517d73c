import { afterEach, describe, expect, test } from 'vitest';
import { createGiteaApi } from '@docent/code-hosts/apis/gitea-api';
import { createGitLabApi } from '@docent/code-hosts/apis/gitlab-api';
import { createHostFetch, createReadText } from '@docent/code-hosts/host-fetch';
import type { RemoteApi } from '@docent/code-hosts/remote-api';
import { createGuardedFetch } from '@docent/base/net/guarded-fetch';
import { FakeHost, type FakeKind, type FakeToken } from '../support/fake-host/fake-host.ts';
import type { FakeRepository } from '../support/fake-host/fake-repository.ts';
import { FakeGitea } from '../support/fake-host/gitea.ts';
import { FakeGitLab } from '../support/fake-host/gitlab.ts';
import { git } from '../support/git-fixture.ts';

const guarded = createGuardedFetch({ allowed: ['127.0.0.1'], timeoutMs: 120_000 });
const DOCS = { path: 'acme/docs' };
const INPUT = { head: 'docent/a', base: 'main', title: 'T', body: 'B', draft: false };

let host: FakeHost;
let repository: FakeRepository;

afterEach(async () => {
  await host.close();
  expect(host.violations).toEqual([]);
});

async function apiOf(kind: FakeKind, may: Partial<FakeToken> = {}, fetch = guarded): Promise<RemoteApi> {
  host = await FakeHost.start(kind);
  repository = host.addRepository('acme/docs', { 'index.md': 'one\n' });
  const commit = git(repository.folder, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'On a');
  git(repository.folder, 'update-ref', 'refs/heads/docent/a', commit);
  const scopes = kind.name === 'gitlab' ? ['api'] : ['write:repository'];
  host.tokens.set('secret-token', { account: 'bot', scopes, contents: 'write', pulls: 'write', ...may });
  const apiUrl = host.url + kind.apiBase;
  const create = kind.name === 'gitlab' ? createGitLabApi : createGiteaApi;
  return create({
    apiUrl,
    token: 'secret-token',
    fetch: createHostFetch(apiUrl, fetch),
    readText: createReadText(fetch),
  });
}

const problemOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (err: unknown) => err,
  );

describe.each([
  ['GitLab', () => new FakeGitLab()],
  ['Gitea', () => new FakeGitea()],
])('%s', (_name, kind) => {
  test("names the token's account, and reports no problem for a valid repository", async () => {
    const api = await apiOf(kind());
    expect(await api.account()).toEqual({ name: 'bot', problems: [] });
    expect(await api.open(DOCS)).toMatchObject({ defaultBranch: 'main', problems: [] });
  });

  test('reports a repository that is archived, has no pull requests, or is not visible', async () => {
    const api = await apiOf(kind());
    repository.archived = true;
    repository.takesPulls = false;
    expect((await api.open(DOCS)).problems).toEqual([
      expect.stringContaining('archived'),
      expect.stringContaining('disabled'),
    ]);
    expect(await problemOf(api.open({ path: 'acme/none' }))).toMatchObject({ code: 'repository_missing' });
  });

  test('reports that the account may not push', async () => {
    const api = await apiOf(kind(), { contents: 'read' });
    expect((await api.open(DOCS)).problems).toHaveLength(1);
  });

  test('reports a wrong token without quoting it', async () => {
    const api = await apiOf(kind());
    host.tokens.clear();
    const problem = (await problemOf(api.account())) as Error;
    expect(problem).toMatchObject({ code: 'host_unauthorized' });
    expect(`${problem.stack}${JSON.stringify(problem)}`).not.toContain('secret-token');
  });

  test('opens one pull request for a branch, and finds it in every state', async () => {
    const api = await (await apiOf(kind())).open(DOCS);
    const at = { head: 'docent/a', base: 'main', known: null };
    expect(await api.findByHead(at)).toEqual([]);
    const made = await api.create({ ...INPUT, draft: true });
    expect(made).toMatchObject({ number: 1, state: 'open', body: 'B', isDraft: true });
    expect(repository.pulls).toMatchObject([{ title: expect.stringMatching(/^(Draft|WIP): T$/), base: 'main' }]);
    expect(await api.create(INPUT)).toBeNull();
    expect(await api.findByHead(at)).toMatchObject([{ number: 1, state: 'open' }]);
    await api.close(1);
    expect(await api.findByHead({ ...at, known: 1 })).toMatchObject([{ number: 1, state: 'closed' }]);
    expect(await api.create(INPUT)).toMatchObject({ number: 2 });
    const found = await api.findByHead({ ...at, known: 1 });
    expect(
      found.toSorted((left, right) => left.number - right.number).map(({ number, state }) => [number, state]),
    ).toEqual([
      [1, 'closed'],
      [2, 'open'],
    ]);
  });

  test('merges the commit that was seen, and no other', async () => {
    const api = await (await apiOf(kind())).open(DOCS);
    const made = await api.create(INPUT);
    const pushed = repository.commitOn('docent/a');
    const headCommit = made?.headCommit ?? '';
    expect(await api.merge(1, { headCommit })).toMatchObject({ refused: expect.stringMatching(/^merge_/) });
    expect(repository.pulls[0]?.state).toBe('open');
    const merged = await api.merge(1, { headCommit: pushed });
    const { state, mergeCommit: commit } = repository.pulls[0]!;
    expect({ state, merged }).toEqual({ state: 'merged', merged: { commit } });
  });

  test('finds a repository by its id, whatever it is named by now and whatever has its name', async () => {
    const api = await apiOf(kind());
    const { id } = await api.open(DOCS);
    host.rename(repository, 'elsewhere/manual');
    expect(await api.open(DOCS)).toMatchObject({ id, path: 'elsewhere/manual' });
    const other = host.addRepository('acme/docs', { 'index.md': 'two\n' });
    expect((await api.open(DOCS)).id).toBe(String(other.id));
    const there = await api.open({ id });
    expect(there).toMatchObject({ id, path: 'elsewhere/manual' });
    expect(await there.create(INPUT)).toMatchObject({ number: 1 });
    host.delete(repository);
    expect(await problemOf(api.open({ id }))).toMatchObject({ code: 'repository_missing' });
  });

  test('treats a branch that the API does not see yet as temporary', async () => {
    const api = await (await apiOf(kind())).open(DOCS);
    repository.lag.pulls = 1;
    expect(await problemOf(api.create(INPUT))).toMatchObject({ code: 'host_refused', mayPass: true });
    expect(await api.create(INPUT)).toMatchObject({ number: 1 });
  });

  test('treats a rename between two requests as temporary', async () => {
    const api = await (await apiOf(kind())).open(DOCS);
    host.rename(repository, 'acme/new');
    const made = await api.create(INPUT).catch((err: unknown) => err);
    // GitLab is asked by the id throughout.
    if (kind().name === 'gitlab') expect(made).toMatchObject({ number: 1 });
    else expect(made).toMatchObject({ code: 'host_unavailable', mayPass: true });
    expect(repository.pulls).toHaveLength(kind().name === 'gitlab' ? 1 : 0);
  });

  test('reads no answer to its end that is larger than any', async () => {
    const bounded = createGuardedFetch({ allowed: ['127.0.0.1'], maxBytes: 100_000 });
    const api = await apiOf(kind(), {}, bounded);
    host.fault(/user/, { answer: { status: 200, body: { name: 'x'.repeat(200_000) } } });
    expect(await problemOf(api.account())).toMatchObject({
      code: 'host_unavailable',
      message: expect.stringContaining('in one answer'),
    });
  });

  test('distinguishes a rate limit from a server error', async () => {
    const api = await (await apiOf(kind())).open(DOCS);
    host.fault(/pulls|merge_requests/, { answer: { status: 429, headers: { 'retry-after': '7' } } });
    const at = { head: 'docent/a', base: 'main', known: null };
    expect(await problemOf(api.findByHead(at))).toMatchObject({
      code: 'host_rate_limited',
      retryAfterMs: 7_000,
    });
    host.fault(/pulls|merge_requests/, { answer: { status: 503, body: { message: 'maintenance' } } });
    expect(await problemOf(api.findByHead(at))).toMatchObject({ code: 'host_unavailable' });
  });
});

test('GitLab: reports a token without the scope api', async () => {
  const api = await apiOf(new FakeGitLab(), { scopes: ['read_api', 'write_repository'] });
  expect((await api.account()).problems).toEqual([expect.stringContaining('"api"')]);
});
