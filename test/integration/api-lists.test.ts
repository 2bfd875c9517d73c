import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { JOB_STATES, jobStateOf, type JobState } from '../../src/store/jobs/job-state.ts';
import { codeHosts, jobs, OUTCOMES, pullRequests, turns, type PullRequestState } from '../../src/store/schema.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { MANY_SLOTS } from '../support/job-rows.ts';

let api: TestApi;
let other: TestApi;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 100_000 } });
  other = await startTestApi({ config: { jobsPerHour: 100_000 }, deps: { database: api.database } });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

const operator = () => ({ token: api.operatorToken });
const at = (server: TestApi, path: string) =>
  server.call(path, server === api ? operator() : { token: other.operatorToken });

async function create(project: string, body: object = {}, server = api): Promise<string> {
  const answer = await server.call(`/v2/agent/${project}/job`, { body: { prompt: 'Fix broken links', ...body } });
  expect(answer.status).toBe(201);
  return answer.json.id;
}

const sorted = (query: string) =>
  [...new URLSearchParams(query)].toSorted(([a, b], [c, d]) => (a + b < c + d ? -1 : 1));

/**
 * All pages, as their `Link` says, asked of two servers in turn; `between` runs before each page but the
 * first.
 */
async function allPages(
  path: string,
  name: string,
  limit: number,
  between: () => Promise<unknown> = async () => {},
): Promise<string[]> {
  const ids: string[] = [];
  let url = `${path}${path.includes('?') ? '&' : '?'}limit=${limit}`;
  for (let page = 0; ; page += 1) {
    const answer = await at(page % 2 ? other : api, url);
    expect(answer.status).toBe(200);
    ids.push(...answer.json[name].map(({ id }: { id: string }) => id));
    const link = answer.headers.get('link');
    const { nextCursor } = answer.json;
    expect(link === null).toBe(nextCursor === null);
    if (link === null) return ids;
    const next = /^<(\?[^<>]+)>; rel="next"$/.exec(link)?.[1] ?? '';
    // The address that a client would make itself.
    const made = new URLSearchParams(url.split('?')[1]);
    made.set('cursor', nextCursor);
    expect(sorted(next)).toEqual(sorted(String(made)));
    url = url.split('?')[0] + next;
    await between();
  }
}

describe('a list of jobs', () => {
  test('returns every existing job once, while two servers accept more', async () => {
    const project = await api.addProject();
    const before = await Promise.all(
      Array.from({ length: 40 }, (_, i) => create(project, { metadata: { n: String(i) } }, i % 2 ? api : other)),
    );
    const added: Promise<string[]>[] = [];
    const listed = await allPages(`/v2/agent/${project}/jobs`, 'jobs', 7, async () => {
      // Some are under way while the next page is read.
      added.push(Promise.all([create(project, {}, other), create(project), create(project, {}, other)]));
      await added.at(-2);
    });
    await Promise.all(added);
    expect(new Set(listed).size).toBe(listed.length);
    expect(before.filter((id) => !listed.includes(id))).toEqual([]);
    const whole = await allPages(`/v2/agent/${project}/jobs`, 'jobs', 100);
    expect(whole).toHaveLength(40 + added.length * 3);
    // The order of acceptance, on any server.
    const rows = await api.database.db.select().from(jobs).where(eq(jobs.projectId, project));
    expect(new Set(rows.map(({ createdAt }) => createdAt.getTime())).size).toBeGreaterThan(1);
    expect(listed).toEqual(whole.filter((id) => listed.includes(id)));
  });

  test('returns every job of one moment once', async () => {
    const project = await api.addProject();
    const made = await Promise.all(Array.from({ length: 9 }, () => create(project)));
    await api.database.db.update(jobs).set({ createdAt: new Date() }).where(eq(jobs.projectId, project));
    const listed = await allPages(`/v2/agent/${project}/jobs`, 'jobs', 2);
    expect(listed).toHaveLength(9);
    expect(listed.toSorted()).toEqual(made.toSorted());
  });

  test('shows no job behind a place that was read before the job was accepted', async () => {
    const project = await api.addProject();
    // A transaction that began first and ends last: what it accepts is the newest anyway.
    const slow = api.database.db.transaction(async (tx) => {
      await tx.execute('SELECT pg_sleep(0.3)');
      const { acceptJob } = await import('../../src/jobs/acceptance.ts');
      return acceptJob(tx, {
        projectId: project,
        prompt: 'Slow',
        repositoryUrl: () => 'file:///x',
        limitPerHour: 10,
        slots: MANY_SLOTS,
      });
    });
    const quick = [await create(project), await create(project)];
    const { id } = await slow;
    expect(await allPages(`/v2/agent/${project}/jobs`, 'jobs', 1)).toEqual([id, ...quick.toReversed()]);
  });

  describe('filters', () => {
    let project: string;
    const ids: Record<string, string> = {};
    const found = async (query: string) => {
      const listed = await allPages(`/v2/agent/${project}/jobs?${query}`, 'jobs', 2);
      return listed
        .map((id) => Object.entries(ids).find(([, known]) => known === id)?.[0] ?? '?')
        .toSorted((a, b) => (a < b ? -1 : 1));
    };

    beforeAll(async () => {
      project = await api.addProject();
      ids.links = await create(project, {
        prompt: 'Fix LINKS in 100% of\nthe_pages',
        metadata: { team: 'docs', n: '1' },
      });
      ids.words = await create(project, { prompt: 'Spelling', title: 'Straße und Ärger', metadata: { team: 'docs' } });
      ids.done = await create(project, { prompt: 'Tidy', metadata: { team: 'web', q: '"\\' } });
      ids.old = await create(project, { prompt: 'Old one' });
      const set = (name: string, values: object) =>
        api.database.db.update(jobs).set(values).where(eq(jobs.id, ids[name]!));
      await set('links', {
        status: 'failed',
        outcome: 'failed',
        errorCode: 'internal',
        createdAt: new Date('2026-01-02T00:00:00Z'),
      });
      await set('words', { status: 'completed', outcome: 'answered', summary: 'It is called Docent.' });
      await set('done', { status: 'archived', outcome: 'changed', prLink: 'http://x/1', model: 'openai/gpt-5.4' });
      await set('old', { createdAt: new Date('2026-01-01T00:00:00Z'), outcome: 'changed' });
    });

    test.each([
      ['status=active', ['old']],
      ['status=completed,failed', ['links', 'words']],
      ['status=completed&status=failed&status=failed', ['links', 'words']],
      ['status=active,completed,failed,archived', ['done', 'links', 'old', 'words']],
      // An active one has no outcome, regardless of its last turn.
      ['outcome=failed', ['links']],
      ['outcome=changed,answered', ['done', 'words']],
      ['q=links', ['links']],
      ['q=THE_PAGES', ['links']],
      ['q=the%25pages', []],
      ['q=100%25', ['links']],
      ['q=e_p', ['links']],
      ['q=%5C', []],
      ['q=stra%C3%9Fe', ['words']],
      ['q=%C3%A4rger', ['words']],
      ['q=called+docent', ['words']],
      ['q=spelling', ['words']],
      ['createdFrom=2026-01-02&createdTo=2026-02-01', ['links']],
      ['createdTo=2026-01-02', ['old']],
      ['createdTo=2026-01-02T00:00:00.001Z', ['links', 'old']],
      ['hasPullRequest=true', ['done']],
      ['hasPullRequest=false', ['links', 'old', 'words']],
      ['model=openai/gpt-5.4', ['done']],
      ['metadata[team]=docs', ['links', 'words']],
      ['metadata%5Bteam%5D=docs&metadata[n]=1', ['links']],
      ['metadata[q]=%22%5C', ['done']],
      ['metadata[team]=doc', []],
      ['metadata[__proto__]=docs', []],
      ['status=failed&q=links&metadata[team]=docs&hasPullRequest=false&outcome=failed&model=builtin', ['links']],
    ])('?%s', async (query, expected) => {
      expect(await found(query)).toEqual(expected);
    });

    test.each([
      ['status=done', 'status'],
      ['status=', 'status'],
      ['status=active,', 'status'],
      ['outcome=null', 'outcome'],
      ['q=', '`q`'],
      ['q=%20', '`q`'],
      ['q=a&q=b', 'more than once'],
      ['q=a%00', 'U+0000'],
      [`q=${'x'.repeat(201)}`, '200'],
      ['createdFrom=yesterday', '`createdFrom`'],
      ['createdTo=2024-02-30', '`createdTo`'],
      ['createdFrom=2026-02-01&createdTo=2026-01-01', '`createdFrom` is after'],
      ['hasPullRequest=yes', '`hasPullRequest`'],
      ['model=a%20b', '`model`'],
      ['metadata[]=x', 'A name in `metadata`'],
      ['metadata[a b]=x', 'A name in `metadata`'],
      ['metadata[a]=x&metadata[a]=y', 'more than once'],
      ['metadata[a]=%00', 'U+0000'],
      [Array.from({ length: 11 }, (_, i) => `metadata[k${i}]=v`).join('&'), '10 entries'],
      ['q=%ED%A0%80%FF', null],
    ])('?%s is answered in kind', async (query, words) => {
      const answer = await at(api, `/v2/agent/${project}/jobs?${query}`);
      expect(answer.status).toBe(words === null ? 200 : 400);
      if (words !== null) expect(answer.json.error).toContain(words);
    });

    test('a cursor is for the filters of its page alone, in whichever form they are written', async () => {
      const first = await at(api, `/v2/agent/${project}/jobs?limit=1&status=failed,completed&metadata[team]=docs`);
      const { nextCursor } = first.json;
      const same = `limit=2&metadata[team]=docs&status=completed&status=failed&cursor=${nextCursor}`;
      expect((await at(other, `/v2/agent/${project}/jobs?${same}`)).json.jobs).toHaveLength(1);
      for (const filters of ['', 'status=failed', 'status=failed,completed', 'q=x', same.replace('docs', 'web')]) {
        const answer = await at(
          api,
          `/v2/agent/${project}/jobs?${filters.replace(/&cursor=.*/, '')}&cursor=${nextCursor}`,
        );
        expect([filters, answer.status, answer.json.code]).toEqual([filters, 400, 'bad_request']);
      }
      const plain = (await at(api, `/v2/agent/${project}/jobs?limit=1`)).json.nextCursor;
      expect((await at(api, `/v2/agent/${project}/jobs?q=x&cursor=${plain}`)).status).toBe(400);
    });
  });
});

describe('the state of jobs', () => {
  const ENDED = new Date('2026-02-01T00:00:00Z');
  const PULLS = [null, 'open', 'merged before', 'merged since', 'closed before', 'closed since'] as const;
  /** The state of each of them, by the function that all of Docent uses. */
  const expected = new Map<string, JobState>();
  let project: string;

  beforeAll(async () => {
    project = await api.addProject();
    const { db } = api.database;
    for (const outcome of [null, ...OUTCOMES])
      for (const pull of PULLS)
        for (const pendingChanges of [null, { files: 1, additions: 1, deletions: 0 }])
          for (const branch of [null, 'main'])
            for (const [status, queueNo] of [
              ['completed', null],
              ['archived', null],
              ['active', null],
              ['active', 1],
            ] as const) {
              const id = `state-${expected.size}`;
              const [state, when] = (pull?.split(' ') ?? []) as [PullRequestState?, string?];
              const row = { id, projectId: project, status, queueNo, outcome, pendingChanges, branch, lastTurnNo: 2 };
              const told = { model: 'builtin', repositoryUrl: 'file:///x', baseRef: 'main', title: id };
              const [job] = await db
                .insert(jobs)
                .values({ ...row, ...told })
                .returning();
              await db.insert(turns).values([
                { jobId: id, no: 1, state: 'published', commitTime: ENDED, endedAt: new Date('2025-01-01T00:00:00Z') },
                { jobId: id, no: 2, state: 'unchanged', commitTime: ENDED, endedAt: ENDED },
              ]);
              const pullRequest = (chainNo: number, value: PullRequestState, at: Date | null) => ({
                id: `${id}-${chainNo}`,
                projectId: project,
                jobId: id,
                chainNo,
                repository: '/x',
                title: id,
                body: '',
                headBranch: `${id}-${chainNo}`,
                baseBranch: 'main',
                headCommit: 'a'.repeat(40),
                state: value,
                settledAt: at,
              });
              const at = new Date(ENDED.getTime() + (when === 'since' ? 1_000 : -1_000));
              // The newest counts, regardless of earlier ones.
              if (state)
                await db
                  .insert(pullRequests)
                  .values([pullRequest(1, 'merged', new Date()), pullRequest(2, state, state === 'open' ? null : at)]);
              expected.set(id, jobStateOf(job!, state ? { state, isSettledSince: when === 'since' } : null));
            }
  });

  test('matches the function, for a job and in a list', async () => {
    const ids = await allPages(`/v2/agent/${project}/jobs`, 'jobs', 100);
    expect(ids).toHaveLength(expected.size);
    const page = await at(api, `/v2/agent/${project}/jobs?limit=100`);
    for (const { id, state } of page.json.jobs) expect([id, state]).toEqual([id, expected.get(id)]);
    for (const state of JOB_STATES) {
      const [id = ''] = [...expected].find(([, each]) => each === state) ?? [];
      expect((await at(api, `/v2/agent/${project}/job/${id}`)).json).toMatchObject({ id, state });
    }
  });

  test.each([...JOB_STATES.map((state) => [state]), ['open', 'ready', 'refused', 'asked'], ['queued', 'pushed']])(
    'filters the list: %s',
    async (...states) => {
      const found = await allPages(`/v2/agent/${project}/jobs?state=${states.join(',')}`, 'jobs', 50);
      const those = [...expected].filter(([, state]) => states.includes(state)).map(([id]) => id);
      expect(those.length).toBeGreaterThan(0);
      expect(found.toSorted()).toEqual(those.toSorted());
    },
  );

  test('filters together with a status, and rejects an unknown state', async () => {
    const found = await allPages(`/v2/agent/${project}/jobs?state=open&status=completed`, 'jobs', 50);
    const { rows } = await api.database.pool.query(
      `SELECT id FROM jobs WHERE project_id = $1 AND status = 'completed'`,
      [project],
    );
    const those = rows.map(({ id }) => id as string).filter((id) => expected.get(id) === 'open');
    expect(found.toSorted()).toEqual(those.toSorted());
    expect((await at(api, `/v2/agent/${project}/jobs?state=done`)).json.error).toContain('`state`');
  });
});

describe('the other lists', () => {
  test('pages of code hosts skip no host while more are added', async () => {
    const add = (id: string) =>
      api.database.db.insert(codeHosts).values({
        id,
        kind: 'gitea',
        webUrl: `https://${id}.example`,
        apiUrl: `https://${id}.example/api`,
        credential: randomBytes(40),
        keyId: 'k',
      });
    for (const id of ['b', 'd', 'f', 'h']) await add(id);
    let n = 0;
    const listed = await allPages('/v1/hosts', 'hosts', 1, () => add(`a${(n += 1)}`));
    expect(listed.filter((id) => id.length === 1)).toEqual(['b', 'd', 'f', 'h']);
    expect((await at(api, '/v1/hosts')).json.hosts).toHaveLength(4 + n);
    expect((await at(api, '/v1/hosts?cursor=x')).status).toBe(400);
    expect((await at(api, '/v1/hosts?limit=0')).status).toBe(400);
  });

  test('keys and projects, too; a cursor of keys is for its project alone', async () => {
    const projects = ['list-a', 'list-b', 'list-c', 'list-d'];
    for (const id of projects) await api.addProject(id);
    let n = 0;
    const listed = await allPages('/v1/projects', 'projects', 2, () => api.addProject(`list-a${(n += 1)}`));
    expect(listed.filter((id) => projects.includes(id))).toEqual(projects);
    expect(new Set(listed).size).toBe(listed.length);
    const key = () => api.addKey({ projectIds: ['list-a'] });
    for (let i = 0; i < 5; i += 1) await key();
    const keys = await allPages('/v1/keys?projectId=list-a', 'keys', 2, key);
    expect(keys).toHaveLength(5);
    const { nextCursor } = (await at(api, '/v1/keys?projectId=list-a&limit=1')).json;
    expect((await at(api, `/v1/keys?projectId=list-b&cursor=${nextCursor}`)).status).toBe(400);
    expect((await at(api, `/v1/keys?cursor=${nextCursor}`)).status).toBe(400);
  });
});
