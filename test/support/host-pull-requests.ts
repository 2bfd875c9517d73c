import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { HostBench } from './host-bench.ts';
import { until } from './patience.ts';

const LOG_SECTION = 'Append a section "Last" with text "Bye." to the page guides/log';
const TITLE = 'Change the title of page `guides/start` to "Begin"';
const createPull = (path: string) => new RegExp(`^POST /repos/${path}/pulls$`);

/** Pull requests: on GitHub, for all kinds of code hosts. */
export function pullRequestTests(benchOf: () => HostBench, pullUrl: (path: string, number: number) => string): void {
  test('a follow-up after a merge or a close opens a new pull request on a new branch', async () => {
    const project = await benchOf().project({ draft: true });
    const { repository } = project;
    const { id } = await project.run();
    expect(repository.pulls[0]).toMatchObject({ draft: true, state: 'open' });
    repository.close(repository.pulls[0]!);
    await project.say(id);
    expect(await project.settled(id)).toMatchObject({ status: 'completed', source: { ref: `docent/${id}-2` } });
    repository.merge(repository.pulls[1]!);
    await project.say(id, LOG_SECTION);
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
    await project.say(job.id, LOG_SECTION);
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

  test('a deleted branch begins a new pull request', async () => {
    const project = await benchOf().project();
    const { repository } = project;
    const { id } = await project.run();
    repository.deleteBranch(`docent/${id}`);
    await project.say(id, LOG_SECTION);
    expect(await project.settled(id)).toMatchObject({ status: 'completed', source: { ref: `docent/${id}-2` } });
    expect(repository.pulls.map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  describe('an API that lags behind its git, and behind itself', () => {
    test('a branch that the API does not see yet gets its pull request anyway', async () => {
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
      benchOf().host.fault(createPull(repository.path), { answer: 'reset', when: 'after' });
      const job = await project.run();
      expect(job).toMatchObject({ status: 'completed', error: null, prLink: expect.stringMatching(/\/1$/) });
      expect(repository.pulls).toHaveLength(1);
      expect(repository.commits(`docent/${job.id}`)).toHaveLength(1);
    });

    test('a job that failed after its push gets its pull request with "continue", without further changes', async () => {
      const project = await benchOf().project();
      const { repository } = project;
      const refuse = { answer: { status: 401, body: { message: 'Not now' } } };
      const on = createPull(repository.path);
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
      expect((await project.pullRequests(opened.id)).map(({ number, state }) => [number, state])).toEqual([
        [1, 'open'],
      ]);

      benchOf().host.fault(on, refuse);
      const pushed = await project.run(TITLE);
      expect(pushed).toMatchObject({ status: 'failed', prLink: null });
      await project.say(pushed.id, TITLE);
      expect(await project.settled(pushed.id)).toMatchObject({ prLink: expect.stringMatching(/\/2$/) });
      expect(repository.pulls).toHaveLength(2);
      for (const { id } of [opened, pushed]) expect(repository.commits(`docent/${id}`)).toHaveLength(1);
    });
  });

  test.each([
    ['openai-compatible/test', /Say what[^]*"\/guides\/missing" is broken/, 'One page, one question.'],
    ['builtin', /"\/guides\/missing" is broken/, 'The built-in editor does not review texts.'],
  ])('a review by %s puts what it and the docs checks find on lines, once', async (model, found, summary) => {
    const { client, apiUrl } = benchOf().docent;
    const project = await benchOf().project();
    const { repository } = project;
    const params = { path: { projectId: project.id } };
    await client.PATCH('/v1/projects/{projectId}', { params, body: { model } });
    const page = '---\ntitle: "More"\n---\n\nSee [the guide](/guides/missing).\n';
    const tip = repository.addPage('more', 'guides/more.mdx', page);
    const pull = repository.open({ head: 'more', base: 'main', title: 'More', body: '', draft: false });
    const { data } = await client.POST('/v1/hosts/{hostId}/connect', {
      params: { path: { hostId: benchOf().hostId } },
      body: { newSecret: true },
    });
    const payload = JSON.stringify({
      action: 'created',
      repository: { id: repository.id, full_name: repository.path },
      issue: { number: pull.number, pull_request: {} },
      comment: {
        id: pull.number + 900,
        user: { id: 7, login: 'ada' },
        body: '@docent review',
        html_url: 'https://github.com/c/900',
        created_at: '2026-01-01T00:00:00Z',
      },
    });
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'issue_comment',
      'x-hub-signature-256': `sha256=${createHmac('sha256', data?.secret ?? '')
        .update(payload)
        .digest('hex')}`,
    };
    const deliver = () =>
      fetch(`${apiUrl}/v1/hosts/${benchOf().hostId}/hook`, { method: 'POST', headers, body: payload });
    expect((await deliver()).status).toBe(202);
    await until('the reply', () => pull.comments.length > 0);
    expect(await (await deliver()).json()).toMatchObject({ duplicates: 1 });
    expect(pull.lineComments.map(({ path, line }) => `${path}:${line}`)).toContain('guides/more.mdx:5');
    expect(pull.lineComments.find(({ line }) => line === 5)?.body).toMatch(found);
    expect(pull.comments).toEqual([expect.objectContaining({ body: expect.stringContaining(summary) })]);
    expect(pull.reactions).toEqual(['eyes']);
    expect([repository.tip('more'), repository.pulls.length]).toEqual([tip, 1]);
  });
}
