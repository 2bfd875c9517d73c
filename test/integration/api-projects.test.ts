import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPullRequest, createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { idempotencyKeys, jobs, messages, projects } from '../../src/store/schema.ts';

let api: TestApi;

beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

const create = (body: object) => api.call('/v1/projects', { body });
const patch = (id: string, body: object) => api.call(`/v1/projects/${id}`, { method: 'PATCH', body });
const remove = (id: string) => api.call(`/v1/projects/${id}`, { method: 'DELETE' });

describe('creating a project', () => {
  test('checks the repository and stores the result', async () => {
    api.workflows.checkAnswer = async () => ({
      ok: true,
      repository: '/srv/git/real path',
      url: 'file:///srv/git/real%20path',
      ref: 'trunk',
      commit: 'a'.repeat(40),
      repositoryId: null,
      site: null,
      instructions: null,
    });
    const answer = await create({ id: 'docs-site', repository: '/srv/git/link' });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('location')).toBe('/v1/projects/docs-site');
    expect(answer.json).toEqual({
      id: 'docs-site',
      host: 'local',
      repository: '/srv/git/real path',
      repositoryUrl: 'file:///srv/git/real%20path',
      ref: 'trunk',
      docsDir: '',
      model: 'builtin',
      modelFrom: 'installation',
      settings: expect.objectContaining({
        instructionFiles: null,
        styleGuides: null,
        branchPrefix: null,
        archiveAfterDays: null,
        analyticsOrigins: null,
        budgetJobTokens: null,
        budgetJobUsd: null,
        budgetDayTokens: null,
        budgetDayUsd: null,
        draft: null,
        labels: null,
        reviewers: null,
        site: null,
        analyticsRetentionDays: null,
        analyticsHumanClasses: null,
        analyticsAiClasses: null,
        analyticsSaltPolicy: null,
        analyticsPathPrefix: null,
        analyticsReport: null,
        analyticsAlerts: null,
        analyticsRecipients: null,
        timeZone: null,
      }),
      site: null,
      analyticsSalts: [{ policy: 'fixed', from: null }],
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(api.workflows.checked.at(-1)).toEqual({
      host: 'local',
      repository: '/srv/git/link',
      repositoryId: null,
      ref: null,
      docsDir: '',
      site: null,
      branchPrefix: null,
    });
    expect((await api.call('/v1/projects/docs-site')).json).toEqual({ ...answer.json, site: undefined });
    const { json } = await api.call('/v2/agent/docs-site/job', { body: { prompt: 'x' } });
    expect(json.source).toEqual({ repository: 'file:///srv/git/real%20path', ref: 'trunk' });
  });

  test('an id can be claimed once', async () => {
    await create({ id: 'taken', repository: '/srv/git/a' });
    const answer = await create({ id: 'taken', repository: '/srv/git/b' });
    expect([answer.status, answer.json.code]).toEqual([409, 'project_exists']);
  });

  test('two at the same time: one wins, the other gets an error', async () => {
    const answers = await Promise.all([1, 2].map(() => create({ id: 'contested', repository: '/srv/git/a' })));
    expect(answers.map((answer) => answer.status).toSorted((left, right) => left - right)).toEqual([201, 409]);
  });

  test('a refusal is a sentence, and nothing is stored', async () => {
    const before = api.workflows.checkAnswer;
    api.workflows.checkAnswer = async () => ({
      ok: false,
      code: 'repository_missing',
      message: 'There is no git repository at /srv/git/none.',
    });
    try {
      const answer = await create({ id: 'refused', repository: '/srv/git/none' });
      expect([answer.status, answer.json.code]).toEqual([400, 'repository_refused']);
      expect(answer.json.error).toContain('/srv/git/none');
      expect((await api.call('/v1/projects/refused')).status).toBe(404);
    } finally {
      api.workflows.checkAnswer = before;
    }
  });

  test.each([
    'https://github.com/acme/docs',
    'docs',
    './docs',
    '../docs',
    'git@host:docs',
    '~/docs',
    'file:///srv/docs',
  ])('the repository %s is refused before anyone looks at it', async (repository) => {
    const looked = api.workflows.checked.length;
    const answer = await create({ id: 'elsewhere', repository });
    expect([answer.status, answer.json.code]).toEqual([400, 'repository_refused']);
    expect(api.workflows.checked).toHaveLength(looked);
  });

  test.each<[string, object, string]>([
    ['no id', { repository: '/a' }, '`id` is missing'],
    ['an id in capitals', { id: 'Docs', repository: '/a' }, '`id`'],
    ['an id of 64 characters', { id: 'a'.repeat(64), repository: '/a' }, '`id`'],
    ['an id that begins with a hyphen', { id: '-a', repository: '/a' }, '`id`'],
    ['a reserved id', { id: 'v2', repository: '/a' }, 'reserved'],
    ['another reserved id', { id: 'pull-requests', repository: '/a' }, 'reserved'],
    ['no repository', { id: 'a' }, '`repository` is missing'],
    ['an empty repository', { id: 'a', repository: '' }, '`repository`'],
    ['a repository of 5,000 characters', { id: 'a', repository: `/${'a'.repeat(5_000)}` }, '`repository`'],
    [
      'an unknown model',
      { id: 'a', repository: '/a', model: 'gpt-x' },
      '`model`: The model "gpt-x" has no known provider',
    ],
    ['a wrong number of days', { id: 'a', repository: '/a', settings: { archiveAfterDays: 0 } }, 'archiveAfterDays'],
    ['a branch prefix with ..', { id: 'a', repository: '/a', settings: { branchPrefix: 'a..b' } }, 'branchPrefix'],
    ['a branch prefix with -', { id: 'a', repository: '/a', settings: { branchPrefix: '-f' } }, 'branchPrefix'],
  ])('%s is refused', async (_what, body, words) => {
    const answer = await create(body);
    expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
    expect(answer.json.error).toContain(words);
  });

  test.each([
    '-x',
    'a..b',
    'a b',
    'a~1',
    'a^',
    'a:b',
    'a?',
    'a*',
    'a[',
    String.raw`a\b`,
    '/a',
    'a/',
    'a//b',
    '.a',
    'a/.b',
    'a.',
    'a.lock',
    'a.lock/b',
    'a@{1}',
    '\u007f',
    '',
  ])('the ref %j is refused', async (ref) => {
    const answer = await create({ id: 'refs', repository: '/a', ref });
    expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
    expect(answer.json.error).toContain('`ref`');
  });

  test.each(['main', 'release/1.x', 'feature/ünïcode', 'a-b_c', 'x'])('the ref %j is taken', async (ref) => {
    const id = `ref-${Buffer.from(ref).toString('hex')}`;
    expect((await create({ id, repository: '/a', ref })).status).toBe(201);
  });

  test.each(['/docs', 'docs/', '..', 'a/../b', '.git', 'a/.GIT/b', './docs', 'a//b', String.raw`a\b`, 'a\nb'])(
    'the docs folder %j is refused',
    async (docsDir) => {
      const answer = await create({ id: 'folders', repository: '/a', docsDir });
      expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
      expect(answer.json.error).toContain('`docsDir`');
    },
  );

  test.each(['', 'docs', 'packages/site/docs', '.github-docs', 'a.b', '..docs'])(
    'the docs folder %j is taken',
    async (docsDir) => {
      const id = `dir-${Buffer.from(docsDir).toString('hex')}`;
      expect((await create({ id, repository: '/a', docsDir })).json).toMatchObject({ docsDir });
    },
  );

  test('a repository that may be readable later is a 503', async () => {
    const before = api.workflows.checkAnswer;
    api.workflows.checkAnswer = async () => ({ ok: false, code: 'unreachable', message: 'The host does not answer.' });
    try {
      const answer = await create({ id: 'later', repository: '/a' });
      expect([answer.status, answer.json.code]).toEqual([503, 'unavailable']);
    } finally {
      api.workflows.checkAnswer = before;
    }
  });
});

describe('changing a project', () => {
  test('only changes the given fields', async () => {
    const id = await api.addProject();
    const looked = api.workflows.checked.length;
    const settings = { branchPrefix: 'bots/docs', archiveAfterDays: 7 };
    const first = await patch(id, { docsDir: 'site', settings, unknown: 1 });
    expect(first.json).toMatchObject({ docsDir: 'site', ref: 'main', settings });
    const second = await patch(id, { settings: { archiveAfterDays: null } });
    expect(second.json).toMatchObject({
      docsDir: 'site',
      settings: { branchPrefix: 'bots/docs', archiveAfterDays: null, analyticsOrigins: null },
    });
    const third = await patch(id, {
      settings: { analyticsRetentionDays: 0, analyticsAiClasses: ['search', 'assistant'] },
    });
    expect(third.json.settings).toMatchObject({ branchPrefix: 'bots/docs', analyticsRetentionDays: 0 });
    expect((await patch(id, { settings: { analyticsSaltPolicy: 'daily' } })).json).toMatchObject({
      settings: {
        analyticsSaltPolicy: 'daily',
        analyticsAiClasses: ['search', 'assistant'],
        analyticsRetentionDays: 0,
      },
      analyticsSalts: [{ policy: 'daily', from: null }],
    });
    expect((await patch(id, {})).json).toMatchObject({ docsDir: 'site' });
    // The branch prefix alone is looked at in the repository.
    expect(api.workflows.checked.slice(looked)).toMatchObject([{ branchPrefix: 'bots/docs' }]);
  });

  test.each([
    [{ analyticsRetentionDays: -1 }],
    [{ analyticsRetentionDays: 36_501 }],
    [{ analyticsRetentionDays: 1.5 }],
    [{ analyticsSaltPolicy: 'weekly' }],
    [{ analyticsAiClasses: ['robot'] }],
    [{ analyticsAiClasses: ['search', 'search'] }],
    [{ analyticsAiClasses: ['human'] }],
    [{ analyticsHumanClasses: 'human' }],
  ])('%j is refused, and changes nothing', async (settings) => {
    const id = await api.addProject();
    const before = (await api.call(`/v1/projects/${id}`)).json;
    const answer = await patch(id, { settings });
    expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
    expect((await api.call(`/v1/projects/${id}`)).json).toEqual(before);
  });

  test('a new base branch is checked, and refused while jobs are active', async () => {
    const id = await api.addProject();
    const jobId = await createJob(api, id);
    const busy = await patch(id, { ref: 'next' });
    expect([busy.status, busy.json.code]).toEqual([409, 'project_has_active_jobs']);
    expect((await patch(id, { docsDir: 'x' })).status).toBe(200);
    await api.call(`/v2/agent/${id}/job/${jobId}/cancel`, { method: 'POST' });
    expect((await patch(id, { ref: 'next' })).status).toBe(200);
    expect(api.workflows.checked.at(-1)).toEqual({
      host: 'local',
      repository: `/srv/git/${id}`,
      repositoryId: null,
      ref: 'next',
      docsDir: 'x',
      site: null,
      branchPrefix: null,
    });
  });

  test('a project that does not exist', async () => {
    expect((await patch('nosuch', { docsDir: 'x' })).json.code).toBe('project_not_found');
    expect((await patch('nosuch', { ref: 'x' })).json.code).toBe('project_not_found');
  });
});

describe('deleting a project', () => {
  test('is refused while a job is active', async () => {
    const id = await api.addProject();
    await createJob(api, id);
    const answer = await remove(id);
    expect([answer.status, answer.json.code]).toEqual([409, 'project_has_active_jobs']);
    expect(await api.database.db.$count(jobs, eq(jobs.projectId, id))).toBe(1);
  });

  test('deletes its jobs, pages and idempotency keys, and notifies the workflows', async () => {
    const id = await api.addProject();
    const answer = await api.call(`/v2/agent/${id}/job`, {
      body: { prompt: 'x' },
      headers: { 'idempotency-key': 'k' },
    });
    const jobId = answer.json.id;
    await api.call(`/v2/agent/${id}/job/${jobId}/cancel`, { method: 'POST' });
    await addPullRequest(api, { id: `pr${jobId}`, projectId: id, jobId });
    const deleted = await remove(id);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect((await api.call(`/v2/agent/${id}/job/${jobId}`)).json.code).toBe('project_not_found');
    expect((await api.call(`/pull-requests/pr${jobId}`)).status).toBe(404);
    expect(await api.database.db.$count(messages, eq(messages.jobId, jobId))).toBe(0);
    expect(await api.database.db.$count(idempotencyKeys, eq(idempotencyKeys.owner, id))).toBe(0);
    await expect.poll(() => api.jobWorkflows.calls.at(-1)).toMatchObject({ call: 'signalOpen', job: { id: jobId } });
    expect((await remove(id)).status).toBe(404);
  });

  test('closes it to old keys, even when the id is used again', async () => {
    const [id, other] = [await api.addProject(), await api.addProject()];
    const only = await api.addKey({ projectIds: [id] });
    const both = await api.addKey({ projectIds: [id, other] });
    expect((await remove(id)).status).toBe(204);
    await api.addProject(id);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await api.call(`/v2/agent/${id}/jobs`, { token: only })).status).toBe(401);
    expect((await api.call(`/v2/agent/${id}/jobs`, { token: both })).status).toBe(404);
    expect((await api.call(`/v2/agent/${other}/jobs`, { token: both })).status).toBe(200);
  });

  test('never loses a message that was accepted in the meantime', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await api.addProject();
      const jobId = await createJob(api, id);
      await api.call(`/v2/agent/${id}/job/${jobId}/cancel`, { method: 'POST' });
      const [message, deletion] = await Promise.all([
        api.call(`/v2/agent/${id}/job/${jobId}/message`, { body: { prompt: 'x' } }),
        remove(id),
      ]);
      expect([
        [200, 409],
        [404, 204],
      ]).toContainEqual([message.status, deletion.status]);
      expect(await api.database.db.$count(projects, eq(projects.id, id))).toBe(message.status === 200 ? 1 : 0);
    }
  });

  test('never leaves a job without its project', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await api.addProject();
      const [job, deletion] = await Promise.all([
        api.call(`/v2/agent/${id}/job`, { body: { prompt: 'x' } }),
        remove(id),
      ]);
      expect([
        [201, 409],
        [404, 204],
      ]).toContainEqual([job.status, deletion.status]);
    }
  });
});

test('projects are listed by id, in pages', async () => {
  const listed: string[] = [];
  let cursor: string | null = null;
  do {
    const { json } = await api.call(`/v1/projects?limit=3${cursor === null ? '' : `&cursor=${cursor}`}`);
    listed.push(...json.projects.map((project: { id: string }) => project.id));
    cursor = json.nextCursor;
  } while (cursor !== null);
  const all = await api.database.db.select({ id: projects.id }).from(projects);
  expect(listed).toEqual(all.map((project) => project.id).toSorted());
  expect((await api.call('/v1/projects?cursor=Li4')).status).toBe(400);
});

const add = (body: object, id = 'sourced') => api.call(`/v1/projects/${id}/sources`, { body });

describe('sources', () => {
  beforeAll(async () => {
    await create({ id: 'sourced', repository: '/srv/git/sourced' });
  });

  test('are checked for reading alone, listed by name, and removed', async () => {
    const answer = await add({ name: 'server', repository: '/srv/git/server', paths: ['src', 'src', 'docs/api.yaml'] });
    expect(answer.status, answer.text).toBe(201);
    expect(answer.json).toMatchObject({ name: 'server', host: 'local', paths: ['src', 'docs/api.yaml'] });
    expect(api.workflows.checked.at(-1)).toMatchObject({ repository: '/srv/git/server', access: 'read' });
    await add({ name: 'cli', repository: '/srv/git/cli' });
    const names = async () =>
      (await api.call('/v1/projects/sourced/sources')).json.sources.map((one: { name: string }) => one.name);
    expect(await names()).toEqual(['cli', 'server']);
    expect((await api.call('/v1/projects/sourced/sources/cli', { method: 'DELETE' })).status).toBe(204);
    expect(await names()).toEqual(['server']);
    const again = await api.call('/v1/projects/sourced/sources/cli', { method: 'DELETE' });
    expect([again.status, again.json.code]).toEqual([404, 'source_not_found']);
  });

  test('get another branch, which is checked first, or other paths', async () => {
    await create({ id: 'moving-sources', repository: '/srv/git/moving' });
    await add({ name: 'server', repository: '/srv/git/server', ref: 'main', paths: ['src'] }, 'moving-sources');
    const change = (body: object, name = 'server') =>
      api.call(`/v1/projects/moving-sources/sources/${name}`, { method: 'PATCH', body });
    const checks = api.workflows.checked.length;
    expect((await change({ paths: ['lib', 'lib'] })).json).toMatchObject({ paths: ['lib'] });
    expect(api.workflows.checked, 'paths need no look at the repository').toHaveLength(checks);
    expect((await change({ ref: 'next' })).json).toMatchObject({ paths: ['lib'] });
    expect(api.workflows.checked.at(-1)).toMatchObject({ ref: 'next', access: 'read' });
    expect((await change({ repository: '/srv/git/other' })).status, 'another repository is another source').toBe(400);
    expect((await change({})).status).toBe(400);
    expect((await change({ ref: 'next' }, 'none')).json.code).toBe('source_not_found');
  });

  test('have unique names, at most ten per project, even with simultaneous requests', async () => {
    await create({ id: 'many-sources', repository: '/srv/git/many' });
    const names = Array.from({ length: 12 }, (_, i) => `s${i}`);
    const answers = await Promise.all(
      names.map((name) => add({ name, repository: `/srv/git/${name}` }, 'many-sources')),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(({ json }) => json.code)).toEqual(['too_many_sources', 'too_many_sources']);
    const first = answers.find(({ status }) => status === 201)!.json.name;
    const taken = await add({ name: first, repository: '/srv/git/other' }, 'many-sources');
    expect([taken.status, taken.json.code]).toEqual([409, 'source_exists']);
  });

  test.each(['../up', 'a/../b', '/etc', '.git/config', 'a\\b', ''])('refuse the path %j', async (path) => {
    const answer = await add({ name: 'paths', repository: '/srv/git/paths', paths: [path] });
    expect([answer.status, answer.json.code]).toEqual([400, 'bad_request']);
  });

  test('report problems of a repository, and are not stored then', async () => {
    const { checkAnswer } = api.workflows;
    api.workflows.checkAnswer = async () => ({ ok: false, code: 'repository_missing', message: 'There is nothing.' });
    const answer = await add({ name: 'gone', repository: '/srv/git/gone' });
    api.workflows.checkAnswer = checkAnswer;
    expect([answer.status, answer.json.code]).toEqual([400, 'repository_refused']);
    expect((await add({ name: 'x', repository: '/srv/git/x' }, 'no-such-project')).json.code).toBe('project_not_found');
  });
});
