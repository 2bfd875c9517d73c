import { expect, test } from 'vitest';
import type { HostBench } from './host-bench.ts';

/** What a user sees of the life of a pull request, the same on every code host. */
export function lifecycleTests(benchOf: () => HostBench, pullUrl: (path: string, number: number) => string): void {
  test('a job becomes a pull request, which a follow-up updates around what a person wrote', async () => {
    const project = await benchOf().project({ labels: ['docs', 'nowhere'], reviewers: ['reader', 'stranger'] });
    const { repository } = project;
    const first = await project.run();
    expect(first).toMatchObject({ status: 'completed', error: null, source: { ref: `docent/${first.id}` } });
    expect(first.prLink).toBe(benchOf().host.url + pullUrl(repository.path, 1));
    const pull = repository.pulls[0];
    if (!pull) throw new Error('There is no pull request.');
    expect(pull).toMatchObject({ labels: ['docs'], reviewers: ['reader'], draft: false, base: 'main' });
    expect(pull.body).toContain('guides/start.mdx');
    expect(await project.events(first.id)).toContain('"nowhere"');
    expect(await project.events(first.id)).toContain('stranger');
    expect(repository.commits(`docent/${first.id}`)).toHaveLength(1);

    pull.body = `Seen by me.\n\n${pull.body}\n\nMind the **release**.`;
    pull.title = 'A better title';
    await project.say(first.id);
    expect(await project.settled(first.id)).toMatchObject({ status: 'completed', prLink: first.prLink });
    expect(repository.pulls).toHaveLength(1);
    expect(repository.commits(`docent/${first.id}`)).toHaveLength(2);
    expect(pull.title).toBe('A better title');
    expect(pull.body).toMatch(
      /^Seen by me\.\n\n<!-- docent:begin -->[^]*<!-- docent:end -->\n\nMind the \*\*release\*\*\.$/,
    );
    expect(pull.body).toContain('Set up');
  });

  test('what CI says, what others push, and a merge at the host itself are reported', async () => {
    const project = await benchOf().project();
    const { repository } = project;
    const { id } = await project.run();
    const { client } = benchOf().docent;
    const look = async () => {
      const params = { path: { projectId: project.id, id }, query: { refresh: true } };
      const { data, error } = await client.GET('/v2/agent/{projectId}/job/{id}/pull-request', { params });
      if (!data) throw new Error(JSON.stringify(error));
      return data;
    };
    expect(await look()).toMatchObject({
      state: 'open',
      checks: { state: 'none', total: 0, items: [] },
      problem: null,
    });
    repository.checks = [
      { name: 'build', passed: true },
      { name: 'lint', passed: false },
    ];
    const failed = await look();
    expect(failed.checks).toEqual({
      state: 'failed',
      total: 2,
      failed: 1,
      url: `${benchOf().host.url}/checks/lint`,
      items: [
        { name: 'lint', state: 'failed', url: `${benchOf().host.url}/checks/lint` },
        { name: 'build', state: 'passed', url: `${benchOf().host.url}/checks/build` },
      ],
    });
    const pushed = repository.commitOn(`docent/${id}`);
    expect((await look()).headCommit).toBe(pushed);
    repository.merge(repository.pulls[0]!);
    expect(await look()).toMatchObject({ state: 'merged', mergeCommit: repository.pulls[0]?.mergeCommit });
  });

  test('looks at a pull request that has not changed change nothing, and cost nothing where the host tags its answers', async () => {
    const { host, docent } = benchOf();
    const project = await benchOf().project();
    const { id } = await project.run();
    const path = { projectId: project.id, id };
    const jobNow = async () => (await docent.client.GET('/v2/agent/{projectId}/job/{id}', { params: { path } })).data;
    const [job, opened] = [
      await jobNow(),
      (await docent.client.GET('/v2/agent/{projectId}/job/{id}/pull-request', { params: { path } })).data,
    ];
    const isOf = (line: string) => line.includes(project.id) || line.includes(`/${project.repository.id}/`);
    const look = async () => {
      const [asked, unchanged] = [host.requests.length, host.unchanged.length];
      const params = { path, query: { refresh: true } };
      const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/pull-request', { params });
      return {
        data,
        asked: host.requests.slice(asked).filter(isOf).length,
        unchanged: host.unchanged.slice(unchanged).filter(isOf).length,
      };
    };
    const first = await look();
    const second = await look();
    expect(second.asked).toBeGreaterThan(2);
    expect(second.unchanged).toBe(host.kind.tagsAnswers ? second.asked : 0);
    expect({ ...second.data, lookedAt: null }).toEqual({ ...first.data, lookedAt: null });
    expect(second.data?.updatedAt).toBe(opened?.updatedAt);
    expect(await jobNow()).toEqual(job);
    project.repository.checks = [{ name: 'lint', passed: false }];
    const third = await look();
    expect(third.data?.checks?.state).toBe('failed');
    expect(third.unchanged).toBe(host.kind.tagsAnswers ? third.asked - 1 : 0);
  });

  test('a follow-up after a merge or a close opens a new pull request on a new branch', async () => {
    const project = await benchOf().project({ draft: true });
    const { repository } = project;
    const { id } = await project.run();
    expect(repository.pulls[0]).toMatchObject({ draft: true, state: 'open' });
    repository.close(repository.pulls[0]!);
    await project.say(id);
    expect(await project.settled(id)).toMatchObject({ status: 'completed', source: { ref: `docent/${id}-2` } });
    repository.merge(repository.pulls[1]!);
    await project.say(id, 'Append a section "Last" with text "Bye." to the page guides/log');
    expect(await project.settled(id)).toMatchObject({
      status: 'completed',
      prLink: benchOf().host.url + pullUrl(repository.path, 3),
      source: { ref: `docent/${id}-3` },
    });
    expect(repository.pulls.map(({ state, head }) => [state, head])).toEqual([
      ['closed', `docent/${id}`],
      ['merged', `docent/${id}-2`],
      ['open', `docent/${id}-3`],
    ]);
    expect(repository.read(`docent/${id}-3`, 'guides/start.mdx')).toContain('Set up');
    const rows = await project.pullRequests(id);
    expect(rows.map(({ state, number }) => [state, number])).toEqual([
      ['closed', 1],
      ['merged', 2],
      ['open', 3],
    ]);
  });

  test('a job’s own base branch, branch, draft and title go before the project’s', async () => {
    const project = await benchOf().project({ draft: false });
    const { repository } = project;
    repository.branchOff('next');
    const told = { ref: 'next', branch: 'docs/own', draft: true, title: 'In my words' };
    const job = await project.settled(await project.post(undefined, told));
    expect(job).toMatchObject({ ...told, status: 'completed', source: { ref: 'docs/own' } });
    expect(repository.pulls).toMatchObject([
      { head: 'docs/own', base: 'next', draft: true, title: expect.stringMatching(/^(Draft: |WIP: )?In my words$/) },
    ]);
    repository.merge(repository.pulls[0]!);
    await project.say(job.id, 'Append a section "Last" with text "Bye." to the page guides/log');
    expect(await project.settled(job.id)).toMatchObject({ status: 'completed', source: { ref: 'docs/own-2' } });
    expect(repository.pulls[1]).toMatchObject({ head: 'docs/own-2', base: 'next', draft: true });
    repository.branchOff('theirs');
    const refused = await project.settled(await project.post(undefined, { branch: 'theirs' }));
    expect(refused.error?.code).toBe('branch_taken');
    expect(repository.pulls).toHaveLength(2);
  });

  test('a push to a protected base branch becomes a pull request, one to a free branch a commit', async () => {
    const project = await benchOf().project({ allowPush: true });
    const { repository } = project;
    const free = await project.settled(await project.post(undefined, { mode: 'push' }));
    expect(free).toMatchObject({ outcome: 'changed', prLink: null, source: { ref: 'main' } });
    expect(repository.read('main', 'guides/start.mdx')).toContain('## Next');
    expect(repository.pulls).toEqual([]);
    repository.protect('main');
    const other = 'Append a section "Other" with text "Else." to the page guides/log';
    const held = await project.settled(await project.post(other, { mode: 'push' }));
    expect(held).toMatchObject({
      status: 'completed',
      prLink: benchOf().host.url + pullUrl(repository.path, 1),
      summary: expect.stringMatching(
        /refused the push to main \(.*protected.*\): Docent opens a pull request instead/i,
      ),
    });
    expect(repository.read('main', 'guides/log.mdx')).not.toContain('Other');
  });

  test('a pull request can be merged and closed through the API', async () => {
    const project = await benchOf().project();
    const { repository } = project;
    const merged = await project.run();
    const [row] = await project.pullRequests(merged.id);
    expect((await project.change(row!.id, 'merge')).status).toBe(200);
    expect(repository.pulls[0]).toMatchObject({ state: 'merged' });
    expect((await project.change(row!.id, 'close')).status).toBe(409);
    const closed = await project.run('Append a section "Other" with text "Else." to the page guides/log');
    const [other] = await project.pullRequests(closed.id);
    expect((await project.change(other!.id, 'close')).status).toBe(200);
    expect(repository.pulls[1]).toMatchObject({ state: 'closed' });
    expect((await project.change(other!.id, 'merge')).status).toBe(409);
  });

  test('a renamed repository is followed, and a deleted branch begins a new pull request', async () => {
    const project = await benchOf().project();
    const { repository } = project;
    const { id } = await project.run();
    benchOf().host.rename(repository, `acme/renamed-${repository.id}`);
    await project.say(id);
    expect(await project.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(repository.pulls).toHaveLength(1);
    expect(repository.commits(`docent/${id}`)).toHaveLength(2);
    repository.deleteBranch(`docent/${id}`);
    await project.say(id, 'Append a section "Last" with text "Bye." to the page guides/log');
    expect(await project.settled(id)).toMatchObject({ status: 'completed', source: { ref: `docent/${id}-2` } });
    expect(repository.pulls.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  test('the credential is in no log, row, history or pull request', async () => {
    const project = await benchOf().project();
    await project.run();
    const everything = `${await benchOf().everything()}\n${await project.histories()}`;
    expect(everything).toContain('publishTurn');
    const { token } = benchOf();
    const encoded = Buffer.from(`x-access-token:${token}`).toString('base64');
    for (const secret of [token, encoded, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64')])
      expect(everything.includes(secret)).toBe(false);
  });
}
