import { expect, test } from 'vitest';
import type { HostBench } from './host-bench.ts';

const TITLE = 'Change the title of page `guides/start` to "Begin"';

/** What a user keeps on a host whose API lags behind its git, and behind itself: the same on every code host. */
export function lagTests(benchOf: () => HostBench, createPull: (path: string, id: number) => RegExp): void {
  test('a branch that the API does not see yet gets its pull request all the same', async () => {
    const project = await benchOf().project();
    const { repository } = project;
    repository.lag.pulls = 3;
    const job = await project.run();
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(repository.pulls).toHaveLength(1);
    expect(repository.commits(`docent/${job.id}`)).toHaveLength(1);
  });

  test('a pull request whose answer was lost is found when lists have it, and no second one is opened', async () => {
    const project = await benchOf().project();
    const { repository } = project;
    repository.lag.lists = 8;
    benchOf().host.fault(createPull(repository.path, repository.id), { answer: 'reset', when: 'after' });
    const job = await project.run();
    expect(job).toMatchObject({ status: 'completed', error: null, prLink: expect.stringMatching(/\/1$/) });
    expect(repository.pulls).toHaveLength(1);
    expect(repository.commits(`docent/${job.id}`)).toHaveLength(1);
  });

  test('a job that failed behind its push has its pull request after "go on", with nothing left to change', async () => {
    const project = await benchOf().project();
    const { repository } = project;
    const refuse = { answer: { status: 401, body: { message: 'Not now' } } };
    const on = createPull(repository.path, repository.id);
    benchOf().host.fault(on, { ...refuse, when: 'after' });
    const opened = await project.run(TITLE);
    expect(opened).toMatchObject({ status: 'failed', prLink: null });
    expect(repository.pulls).toHaveLength(1);
    await project.say(opened.id, TITLE);
    expect(await project.settled(opened.id)).toMatchObject({
      status: 'completed',
      error: null,
      prLink: expect.stringMatching(/\/1$/),
      source: { ref: `docent/${opened.id}` },
    });
    expect((await project.pullRequests(opened.id)).map(({ number, state }) => [number, state])).toEqual([[1, 'open']]);

    benchOf().host.fault(on, refuse);
    const pushed = await project.run(TITLE);
    expect(pushed).toMatchObject({ status: 'failed', prLink: null });
    await project.say(pushed.id, TITLE);
    expect(await project.settled(pushed.id)).toMatchObject({ prLink: expect.stringMatching(/\/2$/) });
    expect(repository.pulls).toHaveLength(2);
    for (const { id } of [opened, pushed]) expect(repository.commits(`docent/${id}`)).toHaveLength(1);
  });
}
