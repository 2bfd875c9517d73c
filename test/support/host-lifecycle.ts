import { expect, test } from 'vitest';
import type { BenchProject, HostBench } from './host-bench.ts';

/**
 * What depends on a host's API and its git over HTTP: the same on every code host. What comes of it is tested
 * on one of them.
 */
export function lifecycleTests(benchOf: () => HostBench, pullUrl: (path: string, number: number) => string): void {
  /** In no log, row, history or pull request. */
  async function expectNoCredential(project: BenchProject): Promise<void> {
    const everything = `${await benchOf().everything()}\n${await project.histories()}`;
    expect(everything).toContain('publishTurn');
    const { token } = benchOf();
    const logins = ['x-access-token', 'oauth2'].map((user) => Buffer.from(`${user}:${token}`).toString('base64'));
    for (const secret of [token, ...logins, Buffer.from(token).toString('hex'), Buffer.from(token).toString('base64')])
      expect(everything.includes(secret)).toBe(false);
  }

  test('a job becomes a pull request, which a follow-up updates around what a person wrote, and shows no credential', async () => {
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
    await expectNoCredential(project);
  });

  test('polls of a pull request report CI, pushes of others and a merge, and cost nothing while the host tags the same answers', async () => {
    const { host, docent } = benchOf();
    const project = await benchOf().project();
    const { repository } = project;
    const { id } = await project.run();
    const path = { projectId: project.id, id };
    const jobNow = async () => (await docent.client.GET('/v2/agent/{projectId}/job/{id}', { params: { path } })).data;
    const route = '/v2/agent/{projectId}/job/{id}/pull-request';
    const [job, opened] = [await jobNow(), (await docent.client.GET(route, { params: { path } })).data];
    const isOf = (line: string) => line.includes(project.id) || line.includes(`/${repository.id}/`);
    const look = async () => {
      const [asked, unchanged] = [host.requests.length, host.unchanged.length];
      const { data, error } = await docent.client.GET(route, { params: { path, query: { refresh: true } } });
      if (!data) throw new Error(JSON.stringify(error));
      return {
        data,
        asked: host.requests.slice(asked).filter(isOf).length,
        unchanged: host.unchanged.slice(unchanged).filter(isOf).length,
      };
    };
    const first = await look();
    expect(first.data).toMatchObject({
      state: 'open',
      checks: { state: 'none', total: 0, items: [] },
      problem: null,
    });
    const second = await look();
    expect(second.asked).toBeGreaterThan(2);
    expect(second.unchanged).toBe(host.kind.tagsAnswers ? second.asked : 0);
    expect({ ...second.data, lookedAt: null }).toEqual({ ...first.data, lookedAt: null });
    expect(second.data.updatedAt).toBe(opened?.updatedAt);
    expect(await jobNow()).toEqual(job);

    repository.checks = [
      { name: 'build', passed: true },
      { name: 'lint', passed: false },
    ];
    const failed = await look();
    expect(failed.data.checks).toEqual({
      state: 'failed',
      total: 2,
      failed: 1,
      url: `${host.url}/checks/lint`,
      items: [
        { name: 'lint', state: 'failed', url: `${host.url}/checks/lint` },
        { name: 'build', state: 'passed', url: `${host.url}/checks/build` },
      ],
    });
    expect(failed.unchanged).toBe(host.kind.tagsAnswers ? failed.asked - 1 : 0);
    const pushed = repository.commitOn(`docent/${id}`);
    expect((await look()).data.headCommit).toBe(pushed);
    repository.merge(repository.pulls[0]!);
    expect((await look()).data).toMatchObject({ state: 'merged', mergeCommit: repository.pulls[0]?.mergeCommit });
  });

  test('its jobs continue where it was transferred to, including those that were begun before', async () => {
    const { host } = benchOf();
    const project = await benchOf().project();
    const { repository } = project;
    const { id } = await project.run();
    const impostor = benchOf().swap(repository);
    host.rename(repository, `elsewhere/manual-${repository.id}`);
    await project.say(id);
    const job = await project.settled(id);
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(job.prLink).toBe(host.url + pullUrl(repository.path, 1));
    expect(repository.commits(`docent/${id}`)).toHaveLength(2);
    expect(impostor.branches()).toEqual(['main']);
    const [row] = await project.pullRequests(id);
    expect((await project.change(row!.id, 'merge')).status).toBe(200);
    expect(repository.pulls.map(({ state }) => state)).toEqual(['merged']);
  });
}
