import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { FakeHost } from '../support/fake-host/fake-host.ts';
import { FakeGitHub } from '../support/fake-host/github.ts';
import { git } from '../support/git-fixture.ts';
import { HostBench, SECTION, type BenchProject } from '../support/host-bench.ts';

let bench: HostBench;

beforeAll(async () => {
  bench = await HostBench.start(new FakeGitHub(), {
    token: `github_pat_${'a1B2c'.repeat(14)}`,
    may: { account: 'docent-bot', contents: 'write', pulls: 'write' },
  });
  expect(await bench.addHost()).toMatchObject({ status: 201 });
});
afterAll(async () => {
  const { violations } = bench.host;
  await bench.stop();
  expect(violations).toEqual([]);
});

const api = (project: BenchProject, method: string, rest: string) =>
  new RegExp(`^${method} /repos/${project.repository.path}${rest}`);
const receivePack = ({ repository }: BenchProject) => new RegExp(`^POST /${repository.path}.git/git-receive-pack`);
const said = (message: string) => ({
  message,
  documentation_url: 'https://docs.github.com/rest',
});

/** One pull request with one commit: whatever went wrong on the way, nothing was done twice. */
function expectOnePullRequest(project: BenchProject, id: string): void {
  expect(project.repository.pulls.map(({ head, state }) => [head, state])).toEqual([[`docent/${id}`, 'open']]);
  expect(project.repository.commits(`docent/${id}`)).toHaveLength(1);
}

describe.concurrent('a job gets through', () => {
  /** Each fault once at least, one after the other on the way of one job. */
  test.each<[string, (project: BenchProject) => [on: RegExp, fault: Parameters<FakeHost['fault']>[1]][]]>([
    [
      'server errors, an answer to the push that was lost, and broken connections before and after the pull request',
      (p) => [
        [receivePack(p), { answer: 'reset', when: 'after' }],
        [api(p, 'GET', '/pulls'), { answer: { status: 502 }, times: 2 }],
        [api(p, 'POST', '/pulls$'), { answer: 'reset' }],
        [api(p, 'POST', '/pulls$'), { answer: 'reset', when: 'after' }],
      ],
    ],
    [
      'a push that met a server error, and one after the pull request was opened',
      (p) => [
        [receivePack(p), { answer: { status: 503 }, times: 2 }],
        [api(p, 'POST', '/pulls$'), { answer: { status: 500 }, when: 'after' }],
      ],
    ],
    [
      'a pull request that is said to exist already',
      (p) => {
        const errors = [{ message: 'A pull request already exists for acme:it.' }];
        const answer = { status: 422, body: { ...said('Validation Failed'), errors } };
        return [[api(p, 'POST', '/pulls$'), { answer, when: 'after' }]];
      },
    ],
  ])('%s', async (_name, faultsOf) => {
    const project = await bench.project();
    const faults = faultsOf(project).map(([on, fault]) => bench.host.fault(on, fault));
    const job = await project.run();
    expect(job).toMatchObject({ status: 'completed', error: null });
    expectOnePullRequest(project, job.id);
    expect(
      faults.map(({ times }) => times),
      'every fault was met',
    ).toEqual(faults.map(() => 0));
  });

  test('a secondary rate limit pauses for the requested time', async () => {
    const project = await bench.project();
    const answer = {
      status: 403,
      headers: { 'retry-after': '6' },
      body: said('You have exceeded a secondary rate limit.'),
    };
    const opens = api(project, 'POST', '/pulls$');
    bench.host.fault(opens, { answer });
    const asked: number[] = [];
    for (const nth of [1, 2]) bench.host.after(opens, nth, () => asked.push(Date.now()));
    const job = await project.run();
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(asked[1]! - asked[0]!).toBeGreaterThan(5_900);
    expectOnePullRequest(project, job.id);
  });

  test("a person's commit on its branch, which stays", async () => {
    const project = await bench.project();
    const { repository } = project;
    const { id } = await project.run();
    const branch = `refs/heads/docent/${id}`;
    const theirs = git(repository.folder, 'commit-tree', `${branch}^{tree}`, '-p', branch, '-m', 'Mine');
    git(repository.folder, 'update-ref', branch, theirs);
    await project.say(id);
    expect(await project.settled(id)).toMatchObject({ status: 'completed' });
    const commits = repository.commits(`docent/${id}`);
    expect(commits).toHaveLength(3);
    expect(commits).toContain(theirs);
    expect(repository.pulls).toHaveLength(1);
  });
});

describe.concurrent('a job fails with a code and a sentence, and continues once the cause is fixed', () => {
  test('a revoked token', async () => {
    const project = await bench.project();
    bench.host.fault(api(project, 'POST', '/pulls$'), { answer: { status: 401, body: said('Bad credentials') } });
    const failed = await project.run();
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'host_unauthorized', message: expect.stringContaining('docent host update') },
    });
    await project.say(failed.id, SECTION);
    expect(await project.settled(failed.id)).toMatchObject({ status: 'completed', error: null });
    expect(project.repository.pulls.map(({ state }) => state)).toEqual(['open']);
    expect(project.repository.read(`docent/${failed.id}`, 'guides/start.mdx')).toContain('Read on.');
  });

  test('a rate limit that lasts for hours', async () => {
    const project = await bench.project();
    const reset = String(Math.ceil(Date.now() / 1_000) + 7_200);
    const headers = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
    const answer = { status: 403, headers, body: said('API rate limit exceeded') };
    bench.host.fault(api(project, 'POST', '/pulls$'), { answer });
    expect(await project.run()).toMatchObject({
      status: 'failed',
      error: { code: 'host_rate_limited', message: expect.stringContaining('is reached') },
    });
  });

  test('an unexpected refusal that repeats the credential is redacted', async () => {
    const project = await bench.project();
    const answer = { status: 422, body: said(`No new pull requests today for ${bench.token}`) };
    bench.host.fault(api(project, 'POST', '/pulls$'), { answer });
    expect(await project.run()).toMatchObject({
      status: 'failed',
      error: { code: 'host_refused', message: expect.stringContaining('No new pull requests today') },
    });
    const everything = `${await bench.everything()}\n${await project.histories()}`;
    expect(everything.includes(bench.token)).toBe(false);
  });

  test('a push that a hook of the server refuses', async () => {
    const project = await bench.project();
    project.repository.refusePushes('GH006: Protected branch update failed.');
    const failed = await project.run();
    expect(failed).toMatchObject({
      status: 'failed',
      error: {
        code: 'push_refused',
        message: expect.stringContaining('GH006: Protected branch update failed.'),
      },
    });
    expect(project.repository.pulls).toEqual([]);
  });

  test('a push that a proxy finds too large', async () => {
    const project = await bench.project();
    bench.host.fault(receivePack(project), { answer: { status: 413 } });
    expect(await project.run()).toMatchObject({
      status: 'failed',
      error: { code: 'repository_unreadable', message: expect.stringContaining('rejected a push of this size (413)') },
    });
    expect(project.repository.pulls).toEqual([]);
  });

  test('a base branch that was renamed', async () => {
    const project = await bench.project();
    git(project.repository.folder, 'branch', '-m', 'main', 'trunk');
    expect(await project.run()).toMatchObject({
      status: 'failed',
      error: { code: 'branch_missing' },
    });
  });

  test('an API that never sees the branch', { timeout: 400_000 }, async () => {
    const project = await bench.project();
    project.repository.lag.pulls = 1_000;
    const id = await project.post();
    const failed = await project.settled(id, 230_000);
    expect(failed).toMatchObject({
      status: 'failed',
      prLink: null,
      error: { code: 'host_refused', message: expect.stringContaining('does not see the branch') },
    });
    project.repository.lag.pulls = 0;
    await project.say(id, SECTION);
    expect(await project.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(project.repository.pulls.map(({ head }) => head)).toEqual([`docent/${id}`]);
  });

  test('a host that is permanently down', { timeout: 400_000 }, async () => {
    const project = await bench.project();
    bench.host.fault(api(project, 'GET', '/pulls'), {
      answer: { status: 503 },
      times: 1_000,
    });
    const id = await project.post();
    expect(await project.settled(id, 230_000)).toMatchObject({
      status: 'failed',
      error: {
        code: 'host_unavailable',
        message: expect.stringContaining('(503)'),
      },
    });
  });
});

describe('missing permissions are reported before a job begins', () => {
  test('a wrong token is not kept', async () => {
    const refused = await bench.addHost('nobody-knows-this-token', 'wrong');
    expect(refused).toMatchObject({
      status: 400,
      error: { code: 'host_refused' },
    });
    expect(JSON.stringify(refused)).not.toContain('nobody-knows-this-token');
    const { data } = await bench.docent.client.GET('/v1/hosts');
    expect(data?.hosts.map(({ id }) => id)).toEqual(['github']);
    expect(JSON.stringify(data)).not.toContain(bench.token);
  });

  test('an invalid App key is reported immediately, and not stored', async () => {
    const pem = { type: 'pkcs8', format: 'pem' } as const;
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const whole = privateKey.export(pem).toString();
    const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export(pem).toString();
    const locked = privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }).toString();
    const cases: [string, RegExp][] = [
      ['ghp_a_token', /not a private key.*token/],
      [publicKey.export({ type: 'spki', format: 'pem' }).toString(), /this is a public key/],
      [whole.slice(0, 900), /cannot be read/],
      [whole.replace('END', 'DNE'), /cannot be read/],
      [locked, /passphrase/],
      [elliptic, /RSA/],
      // A key of another App: only GitHub can detect it.
      [whole, /does not accept the credential/],
      [privateKey.export({ type: 'pkcs1', format: 'pem' }).toString().replaceAll('\n', '\\n'), /does not accept/],
    ];
    for (const [key, expected] of cases) {
      const refused = await bench.addHost(key, 'app', '1234');
      expect(refused, key.slice(0, 30)).toMatchObject({ status: 400, error: { code: 'host_refused' } });
      expect(refused.error).toMatchObject({ error: expect.stringMatching(expected) });
    }
    const { rows } = await bench.docent.database.pool.query(
      `SELECT input->'candidate' AS credential FROM control_requests WHERE input->>'host' = 'app'`,
    );
    expect(rows).toEqual(cases.map(() => ({ credential: null })));
  });

  test('a code host is there once its credential was found good, and keeps the old one until a new one is', async () => {
    const asked = bench.host.requests.length;
    bench.host.fault(/^GET \/user$/, { answer: 'hang' });
    // Its answer takes half a minute, and is irrelevant here.
    void bench.addHost(bench.token, 'slow').catch(() => undefined);
    // Polls for the pull requests of earlier jobs may come before and after it.
    await vi.waitFor(() => expect(bench.host.requests.slice(asked)).toContain('GET /user'), 60_000);
    const { data } = await bench.docent.client.GET('/v1/hosts');
    expect(data?.hosts.map(({ id }) => id)).toEqual(['github']);
    const early = await bench.createProject('early', 'acme/docs', { host: 'slow' });
    expect(early.response.status).toBe(404);

    expect((await bench.addHost(bench.token, 'github')).status).toBe(409);
  }, 300_000);

  test('missing permissions of a token are reported when a project is created', async () => {
    const { tokens } = bench.host;
    tokens.set('token-that-reads', {
      account: 'reader',
      contents: 'read',
      pulls: 'read',
    });
    tokens.set('token-that-pushes', {
      account: 'pusher',
      contents: 'write',
      pulls: 'read',
    });
    expect(await bench.addHost('token-that-reads', 'reads')).toMatchObject({
      status: 201,
    });
    expect(await bench.addHost('token-that-pushes', 'pushes')).toMatchObject({
      status: 201,
    });
    const repository = bench.host.addRepository('acme/checked', {
      'index.md': 'one\n',
    });
    const refusal = async (more: { host?: string; ref?: string }, path = repository.path) => {
      const { response, error } = await bench.createProject('checked', path, {
        host: 'github',
        ...more,
      });
      return `${response.status} ${(error as { error?: string } | undefined)?.error}`;
    };
    expect(await refusal({ host: 'reads' })).toMatch(/^400 .*cannot push/);
    expect(await refusal({ host: 'pushes' })).toMatch(/^400 .*Pull requests: Read and write/);
    expect(await refusal({ ref: 'none' })).toMatch(/^400 .*no branch "none"/);
    expect(await refusal({}, 'acme/none')).toMatch(/^400 .*moved or deleted, or the credential cannot see it/);
    repository.archived = true;
    expect(await refusal({})).toMatch(/^400 .*archived/);
    expect(repository.pulls).toEqual([]);
    const { id: projectId } = await bench.project();
    const source = { name: 'code', repository: `${bench.host.url}/${repository.path}`, host: 'reads' };
    const added = await bench.docent.client.POST('/v1/projects/{projectId}/sources', {
      params: { path: { projectId } },
      body: source,
    });
    expect(added.response.status, 'what is only read needs no permission to push').toBe(201);
    const removed = await bench.docent.client.DELETE('/v1/hosts/{hostId}', { params: { path: { hostId: 'reads' } } });
    expect(removed.error).toMatchObject({ code: 'host_in_use' });
    const path = { projectId, sourceName: 'code' };
    await bench.docent.client.DELETE('/v1/projects/{projectId}/sources/{sourceName}', { params: { path } });

    const check = (hostId: string) =>
      bench.docent.client.POST('/v1/hosts/{hostId}/check', {
        params: { path: { hostId } },
        body: { repository: `${bench.host.url}/${repository.path}` },
      });
    repository.archived = false;
    expect((await check('github')).data).toEqual({
      ok: true,
      account: 'docent-bot',
      problems: [],
      deliveries: null,
    });
    expect((await check('reads')).data).toMatchObject({
      ok: false,
      account: 'reader',
      problems: [/cannot push/].map((m) => expect.stringMatching(m)),
    });
  });

  test('several hosts with such URLs are named, and one in use is not removed', async () => {
    const { response, error } = await bench.docent.client.POST('/v1/projects', {
      body: { id: 'unclear', repository: `${bench.host.url}/acme/checked` },
    });
    expect([response.status, (error as { error?: string }).error]).toEqual([
      400,
      expect.stringContaining('github, pushes, reads'),
    ]);
    const { id } = await bench.project();
    const change = (body: { repository?: string; host?: string }) =>
      bench.docent.client.PATCH('/v1/projects/{projectId}', { params: { path: { projectId: id } }, body });
    const repository = `${bench.host.url}/acme/checked`;
    expect((await change({ repository })).error).toMatchObject({ error: expect.stringContaining('github, pushes') });
    expect((await change({ repository, host: 'github' })).data).toMatchObject({ repository, host: 'github' });
    // The same URL on another code host, with that one's credential.
    expect((await change({ host: 'reads' })).error).toMatchObject({ error: expect.stringMatching(/cannot push/) });
    expect((await change({ host: 'none' })).response.status).toBe(404);

    const remove = (hostId: string) =>
      bench.docent.client.DELETE('/v1/hosts/{hostId}', {
        params: { path: { hostId } },
      });
    await bench.project();
    expect((await remove('github')).response.status).toBe(409);
    expect((await remove('reads')).response.status).toBe(204);
    expect((await remove('pushes')).response.status).toBe(204);
    expect((await remove('pushes')).response.status).toBe(404);
  });

  test('a new credential is used immediately, and a wrong one changes nothing', async () => {
    const project = await bench.project();
    const update = (credential: string) =>
      bench.docent.client.PATCH('/v1/hosts/{hostId}', {
        params: { path: { hostId: 'github' } },
        body: { credential },
      });
    expect((await update('a-token-of-nobody')).response.status).toBe(400);
    const next = 'the-next-token-of-it';
    bench.host.tokens.set(next, {
      account: 'docent-bot',
      contents: 'write',
      pulls: 'write',
    });
    expect((await update(next)).response.status).toBe(200);
    bench.host.tokens.delete(bench.token);
    expect(await project.run()).toMatchObject({
      status: 'completed',
      error: null,
    });
    expect(await bench.everything()).not.toContain(next);
  });

  test('a credential that cannot be decrypted is reported', async () => {
    const project = await bench.project();
    const { pool } = bench.docent.database;
    const { rows } = await pool.query(`UPDATE code_hosts SET key_id = 'another' RETURNING key_id`);
    expect(rows).toHaveLength(1);
    expect(await project.run()).toMatchObject({
      status: 'failed',
      error: {
        code: 'credential_unreadable',
        message: expect.stringContaining('DOCENT_SECRET_KEY'),
      },
    });
  });
});
