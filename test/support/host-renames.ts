import { expect, test } from 'vitest';
import type { FakeRepository } from './fake-host/fake-repository.ts';
import type { BenchProject, HostBench } from './host-bench.ts';

const LOG_SECTION = 'Append a section "Last" with text "Bye." to the page guides/log';
const TITLE = 'Change the title of page `guides/start` to "Begin"';

const repositoryName = (what: string, { id }: FakeRepository) => `acme/${what}-${id}`;

const run = async (project: BenchProject, prompt?: string) => {
  const job = await project.run(prompt);
  expect(job).toMatchObject({ status: 'completed', error: null });
  return job;
};

/**
 * What a user keeps when repositories are renamed, moved and recreated under old names: on one code host for
 * all of them.
 */
export function renameTests(benchOf: () => HostBench, pullUrl: (path: string, number: number) => string): void {
  const shownRepository = async ({ id }: BenchProject) =>
    (await benchOf().docent.client.GET('/v1/projects/{projectId}', { params: { path: { projectId: id } } })).data
      ?.repositoryUrl;

  test('its jobs continue in a renamed repository, even if another one takes the old name, and when it gets that back', async () => {
    const { host } = benchOf();
    const project = await benchOf().project();
    const { repository } = project;
    const handbook = repository.path;
    const first = await run(project);

    const old = repositoryName('handbook-old', repository);
    host.rename(repository, old);
    const second = await run(project, LOG_SECTION);
    expect(second.prLink).toBe(host.url + pullUrl(old, 2));
    expect(second.source.repository).toBe(`${host.url}/${old}`);
    expect(await shownRepository(project)).toBe(`${host.url}/${old}`);

    const other = benchOf().impostorOf(repository, handbook);
    const third = await run(project, TITLE);
    await project.say(first.id);
    expect(await project.settled(first.id)).toMatchObject({ status: 'completed', error: null });
    expect(repository.commits(`docent/${first.id}`)).toHaveLength(2);
    expect([other.branches(), other.pulls]).toEqual([['main'], []]);

    host.delete(other);
    host.rename(repository, handbook);
    const last = await run(project, LOG_SECTION);
    expect(last.prLink).toBe(host.url + pullUrl(handbook, 4));
    const branches = [first, second, third, last].map(({ id }) => `docent/${id}`);
    expect(repository.branches()).toEqual(['main', ...branches].toSorted());
    expect(repository.pulls).toHaveLength(4);
  });

  test('a repository that was re-created under the same name gets nothing until a person confirms it', async () => {
    const { host, docent } = benchOf();
    const project = await benchOf().project();
    const { repository } = project;
    const { id } = await run(project);
    host.delete(repository);
    const another = benchOf().impostorOf(repository, repository.path);
    const refused = await project.run(LOG_SECTION);
    expect(refused).toMatchObject({ status: 'failed', error: { code: 'repository_replaced' } });
    expect(refused.error?.message).toContain(
      `docent project update <project> --repository ${host.url}/${another.path}`,
    );
    const [row] = await project.pullRequests(id);
    expect((await project.change(row!.id, 'merge')).status).not.toBe(200);
    expect([another.branches(), another.pulls]).toEqual([['main'], []]);

    const update = (body: { ref?: string; repository?: string }) =>
      docent.client.PATCH('/v1/projects/{projectId}', { params: { path: { projectId: project.id } }, body });
    expect((await update({ ref: 'main' })).response.status).toBe(400);
    expect((await update({ repository: `${host.url}/${another.path}` })).response.status).toBe(200);
    await project.say(refused.id, LOG_SECTION);
    expect(await project.settled(refused.id)).toMatchObject({ status: 'completed', error: null });
    await project.say(id);
    expect(await project.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(another.pulls.map(({ head }) => head)).toEqual([`docent/${refused.id}`, `docent/${id}`]);
  });

  test.each([
    // The turn's only call of git-upload-pack lists the branches: creating the project has fetched the files.
    // Then the agent works.
    ['while the agent works', (at: string) => new RegExp(`^POST ${at}.git/git-upload-pack`), 1, false],
    ['after the push', (at: string) => new RegExp(`^POST ${at}.git/git-receive-pack`), 1, true],
    ['in the moment of the push', (at: string) => new RegExp(`^GET ${at}.git/info/refs.*receive-pack`), 1, true],
  ] as const)('a name that changes hands %s leads no pull request astray', async (_when, on, nth, mayStray) => {
    const project = await benchOf().project();
    const { repository } = project;
    let impostor: FakeRepository | null = null;
    // Creating the project has looked at what may be pushed.
    benchOf().host.after(on(`/${repository.path}`), nth, () => (impostor = benchOf().swap(repository)));
    const job = await run(project);
    expect(impostor).not.toBeNull();
    expect(job.prLink).toBe(benchOf().host.url + pullUrl(repository.path, 1));
    expect(repository.commits(`docent/${job.id}`)).toHaveLength(1);
    const { pulls, branches } = impostor as unknown as FakeRepository;
    expect(pulls).toEqual([]);
    if (!mayStray) expect(branches.call(impostor)).toEqual(['main']);
  });

  test('a project of an earlier version learns which repository it has, and not from another with its name', async () => {
    const { pool } = benchOf().docent.database;
    const forget = async ({ id }: BenchProject) => {
      const unknown = 'repository_id = NULL';
      await pool.query(`UPDATE projects SET ${unknown} WHERE id = $1`, [id]);
      await pool.query('UPDATE pull_requests SET repository_id = NULL WHERE project_id = $1', [id]);
    };
    const project = await benchOf().project();
    const { repository } = project;
    await run(project);
    await forget(project);
    await run(project, LOG_SECTION);
    const impostor = benchOf().swap(repository);
    await run(project, TITLE);
    expect(impostor.branches()).toEqual(['main']);
    expect(repository.pulls).toHaveLength(3);

    const late = await benchOf().project();
    await run(late);
    await forget(late);
    const other = benchOf().swap(late.repository);
    expect(await late.run(LOG_SECTION)).toMatchObject({ status: 'failed', error: { code: 'repository_replaced' } });
    expect(other.branches()).toEqual(['main']);
  });
}
