import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  mirrorPullRequest,
  savePullRequest,
  setPullRequestState,
} from '../../src/store/pull-requests/pull-requests.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { addPerson, browserOf, SAME_ORIGIN, signInWithLink } from '../support/browsers.ts';

let api: TestApi;
let other: TestApi;
let project: string;
let made = 0;

beforeAll(async () => {
  api = await startTestApi();
  other = await startTestApi({ deps: { database: api.database } });
  project = await api.addProject();
});
afterAll(async () => {
  await other.close();
  await api.close();
});

async function open(projectId: string, createdAt: string): Promise<string> {
  made += 1;
  const job = await api.call(`/v2/agent/${projectId}/job`, { body: { prompt: `Fix ${made}` } });
  const { id } = await savePullRequest(api.database.db, {
    projectId,
    jobId: job.json.id,
    chainNo: 1,
    repository: '/tmp/nowhere',
    headBranch: `docent/${made}`,
    baseBranch: 'main',
    title: `Fix ${made}`,
    body: 'x'.repeat(10_000),
    headCommit: 'a'.repeat(40),
    diff: 'x'.repeat(10_000),
    commits: [],
  });
  await api.database.pool.query('UPDATE pull_requests SET created_at = $2 WHERE id = $1', [id, createdAt]);
  return id;
}

const list = (query = '', server = api) =>
  server.call(`/v1/projects/${project}/pull-requests?${query}`, { token: server.operatorToken });
const idsOf = (answer: { json: { pullRequests: { id: string }[] } }) => answer.json.pullRequests.map(({ id }) => id);

describe('the pull requests of a project', () => {
  let waiting: string;
  let merged: string;
  let seenMerged: string;
  let closed: string;

  beforeAll(async () => {
    const { db, pool } = api.database;
    merged = await open(project, '2026-01-01T00:00:00Z');
    seenMerged = await open(project, '2026-01-02T00:00:00Z');
    closed = await open(project, '2026-01-03T00:00:00Z');
    waiting = await open(project, '2026-01-04T00:00:00Z');
    await setPullRequestState(db, merged, { from: 'open', to: 'merged', mergeCommit: 'b'.repeat(40) });
    await setPullRequestState(db, closed, { from: 'open', to: 'closed' });
    const { rows } = await pool.query('SELECT head_branch FROM pull_requests WHERE id = $1', [seenMerged]);
    const seen = { state: 'merged', number: 7, link: 'https://git.example/7', mergeCommit: null } as const;
    const at = { projectId: project, headBranch: rows[0].head_branch };
    await mirrorPullRequest(db, at, seen);
    await pool.query(`UPDATE pull_requests SET settled_at = '2026-02-01' WHERE id = $1`, [seenMerged]);
    // Later information does not change the time of the merge.
    await mirrorPullRequest(db, at, { ...seen, mergeCommit: 'c'.repeat(40) });
    await open(await api.addProject(), '2026-01-05T00:00:00Z');
  });

  test('come newest first, with when they were merged or closed, page by page, from two servers', async () => {
    const all = await list();
    expect(idsOf(all)).toEqual([waiting, closed, seenMerged, merged]);
    const [one, two, three] = all.json.pullRequests;
    expect([one.mergedAt, one.closedAt]).toEqual([null, null]);
    expect(two).toMatchObject({ state: 'closed', mergedAt: null, closedAt: expect.any(String) });
    expect(three).toMatchObject({ state: 'merged', mergedAt: '2026-02-01T00:00:00.000Z', number: 7 });
    expect(all.text).not.toContain('xxxx');

    const paged: string[] = [];
    let query = 'limit=1';
    for (let page = 0; query !== ''; page += 1) {
      const answer = await list(query, page % 2 ? other : api);
      paged.push(...idsOf(answer));
      query = /\?([^>]+)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
    }
    expect(paged).toEqual(idsOf(all));
  });

  test('are those that the filters leave', async () => {
    expect(idsOf(await list('state=open'))).toEqual([waiting]);
    expect(idsOf(await list('state=merged,closed'))).toEqual([closed, seenMerged, merged]);
    expect(idsOf(await list('mergedFrom=2026-02-01&mergedTo=2026-02-02'))).toEqual([seenMerged]);
    expect(idsOf(await list('createdFrom=2026-01-02&createdTo=2026-01-04'))).toEqual([closed, seenMerged]);
    expect(idsOf(await list('state=open&mergedFrom=2020-01-01'))).toEqual([]);
  });

  test.each([
    ['state=draft', 'state'],
    ['mergedFrom=yesterday', 'mergedFrom'],
    ['mergedFrom=2026-02-02&mergedTo=2026-02-01', 'mergedFrom'],
    ['cursor=x', 'cursor'],
    ['limit=1000', 'limit'],
  ])('%s is refused by its name', async (query, param) => {
    const answer = await list(query);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toContain(param);
  });

  test('a cursor is for its filters alone', async () => {
    const { nextCursor } = (await list('limit=1&state=merged')).json;
    expect((await list(`limit=1&state=open&cursor=${nextCursor}`)).status).toBe(400);
  });

  test('are for keys that may read the project, and for no others', async () => {
    const at = `/v1/projects/${project}/pull-requests`;
    const read = await api.addKey({ scopes: ['read'], projectIds: [project] });
    const counts = await api.addKey({ scopes: ['analytics'], projectIds: [project] });
    const elsewhere = await api.addKey({ scopes: ['read'], projectIds: [await api.addProject()] });
    expect((await api.call(at, { token: read })).status).toBe(200);
    expect((await api.call(at, { token: counts })).json.code).toBe('forbidden_scope');
    expect((await api.call(at, { token: elsewhere })).json.code).toBe('project_not_found');
    expect((await api.call('/v1/projects/nowhere/pull-requests')).json.code).toBe('project_not_found');
  });
});

describe('the creator of a job', () => {
  test('is returned with it, and is a filter of the list', async () => {
    const place = await api.addProject();
    const key = await api.addKey({ name: 'CI', projectIds: [place] });
    const automation = await api.call(`/v1/projects/${place}/automations`, {
      body: { name: 'nightly', prompt: 'Tidy' },
    });
    const at = `/v2/agent/${place}/job`;
    const byOperator = await api.call(at, { body: { prompt: 'One' } });
    const byKey = await api.call(at, { body: { prompt: 'Two' }, token: key });
    const { token } = (await api.call('/v1/tokens', { body: { projectId: place, scopes: ['write'] }, token: key }))
      .json;
    const byToken = await api.call(at, { body: { prompt: 'Three' }, token });
    const byAutomation = await api.call(`/v1/projects/${place}/automations/${automation.json.id}/trigger`, {
      method: 'POST',
      token: key,
    });
    const keyId = byKey.json.createdBy.id;
    expect(byOperator.json.createdBy).toEqual({ kind: 'operator', id: null, name: 'Operator' });
    expect(byKey.json.createdBy).toEqual({ kind: 'key', id: keyId, name: 'CI' });
    expect(byToken.json.createdBy).toEqual(byKey.json.createdBy);
    expect(byAutomation.json.createdBy).toEqual({ kind: 'automation', id: automation.json.id, name: 'nightly' });
    const ann = await addPerson(api, { role: 'editor', projectIds: [place] });
    const inBrowser = { body: { prompt: 'Five' }, headers: SAME_ORIGIN };
    const byPerson = await (await ann.signIn())(at, inBrowser);
    expect(byPerson.json.createdBy).toEqual({ kind: 'person', id: ann.id, name: 'Ann' });
    const operators = browserOf(api, await signInWithLink(api));
    const inOperatorsBrowser = await operators(at, inBrowser);
    expect(inOperatorsBrowser.json.createdBy).toEqual(byOperator.json.createdBy);

    const found = async (createdBy: string) => {
      const answer = await api.call(`/v2/agent/${place}/jobs?createdBy=${createdBy}`);
      return answer.json.jobs.map(({ id }: { id: string }) => id);
    };
    expect(await found('operator')).toEqual([inOperatorsBrowser.json.id, byOperator.json.id]);
    expect(await found(`key:${keyId}`)).toEqual([byToken.json.id, byKey.json.id]);
    expect(await found('automation')).toEqual([byAutomation.json.id]);
    expect(await found(`automation:${automation.json.id}`)).toEqual([byAutomation.json.id]);
    expect(await found(`person:${ann.id}`)).toEqual([byPerson.json.id]);
    expect(await found('person:nobody')).toEqual([]);
    for (const odd of ['key', 'somebody', 'key:', `key:${'x'.repeat(65)}`, "operator'"]) {
      expect((await api.call(`/v2/agent/${place}/jobs?createdBy=${encodeURIComponent(odd)}`)).status).toBe(400);
    }
  });
});
