import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordChangedPages, type ChangedPage } from '../../src/store/jobs/changed-pages.ts';
import { changedPages, pendingDiffs } from '../../src/store/jobs/changes-schema.ts';
import { jobs } from '../../src/store/schema.ts';
import { clearOverlay } from '../../src/store/jobs/overlay.ts';
import { createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { addPerson, SAME_ORIGIN } from '../support/browsers.ts';
import { plainRequest } from '../support/plain-request.ts';

let api: TestApi;
let project: string;
let jobId: string;

beforeAll(async () => {
  api = await startTestApi();
  project = await api.addProject();
  jobId = await createJob(api, project);
  await record('pull_request', [
    { path: 'docs/start.mdx', before: '# Old\n', after: '# New\n' },
    { path: 'docs/gone.md', before: 'Gone', after: null },
    { path: 'docs/new.md', before: null, after: 'New' },
    { path: '../outside.md', before: null, after: 'Its name is a name, and no place' },
    { path: 'docs/a b+c%2F&é\u2028.md', before: null, after: 'Odd name' },
  ]);
});
afterAll(() => api?.close());

const record = (of: 'pending' | 'pull_request', pages: readonly ChangedPage[], id = jobId) =>
  api.database.db.transaction((tx) => recordChangedPages(tx, { jobId: id, of }, pages));

const address = (path: string, { of, id = jobId, at = project }: { of?: string; id?: string; at?: string } = {}) =>
  `/v2/agent/${at}/job/${id}/diff/page?${new URLSearchParams({ path, ...(of === undefined ? {} : { of }) })}`;
const read = async (...args: Parameters<typeof address>) => (await api.call(address(...args))).json;
const NOT_KEPT = { kept: false, before: null, after: null };

describe('a changed page', () => {
  test('is as it was and as it is, new, gone or moved', async () => {
    expect(await read('docs/start.mdx')).toEqual({
      path: 'docs/start.mdx',
      kept: true,
      before: '# Old\n',
      after: '# New\n',
    });
    expect(await read('docs/gone.md')).toMatchObject({ kept: true, before: 'Gone', after: null });
    expect(await read('docs/new.md')).toMatchObject({ kept: true, before: null, after: 'New' });
    expect(await read('docs/a b+c%2F&é\u2028.md')).toMatchObject({ kept: true, after: 'Odd name' });
  });

  test("of the pending change differs from the pull request's, and is deleted with it", async () => {
    expect(await read('docs/start.mdx', { of: 'pending' })).toEqual({ path: 'docs/start.mdx', ...NOT_KEPT });
    await record('pending', [{ path: 'docs/start.mdx', before: '# New\n', after: '# Newer\n' }]);
    expect(await read('docs/start.mdx', { of: 'pending' })).toMatchObject({ before: '# New\n', after: '# Newer\n' });
    expect(await read('docs/start.mdx', { of: 'pull_request' })).toMatchObject({ after: '# New\n' });
    const { db } = api.database;
    const size = { files: 1, additions: 1, deletions: 1 };
    await db
      .insert(pendingDiffs)
      .values({ jobId, turnNo: 1, stepNo: 1, baseCommit: 'c'.repeat(40), diff: '', isCut: true, ...size });
    await db.transaction((tx) => clearOverlay(tx, jobId));
    expect(await read('docs/start.mdx', { of: 'pending' })).toMatchObject(NOT_KEPT);
    expect(await read('docs/start.mdx')).toMatchObject({ after: '# New\n' });
  });

  test('that the newest change no longer has is deleted, and those of other jobs stay', async () => {
    const other = await createJob(api, project);
    const page = { before: null, after: 'x' };
    await record('pull_request', [{ path: 'a.md', ...page }], other);
    await record('pull_request', [{ path: 'b.md', ...page }], other);
    expect(await read('a.md', { id: other })).toMatchObject(NOT_KEPT);
    expect(await read('b.md', { id: other })).toMatchObject({ kept: true, after: 'x' });
    await record('pull_request', [{ path: 'b.md', ...page }], other);
    await record('pull_request', [], other);
    expect(await read('b.md', { id: other })).toMatchObject(NOT_KEPT);
    expect(await read('docs/new.md')).toMatchObject({ kept: true });
  });

  test('is kept once when two record it at the same moment', async () => {
    const id = await createJob(api, project);
    for (let round = 0; round < 5; round += 1) {
      const pages = Array.from({ length: 30 }, (_, i) => ({ path: `${i}.md`, before: null, after: String(round) }));
      await Promise.all([record('pull_request', pages, id), record('pull_request', pages.toReversed(), id)]);
      expect(await read('7.md', { id })).toMatchObject({ after: String(round) });
    }
    const rows = api.database.db.select().from(changedPages);
    expect(await rows.where(and(eq(changedPages.jobId, id), eq(changedPages.of, 'pull_request')))).toHaveLength(30);
  });

  test('may have any text: characters that the database refuses are replaced, and browsers get JSON', async () => {
    const id = await createJob(api, project);
    const text = '<script>alert(1)</script>\0\ud800\u2028\u202e\r\n';
    await record('pull_request', [{ path: 'x\ud800.md', before: text, after: text.repeat(1_000) }], id);
    const answer = await api.call(address('x\ufffd.md', { id }));
    expect(answer.json.before).toBe('<script>alert(1)</script>\ufffd\ufffd\u2028\u202e\r\n');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a path', () => {
  test.each([
    'docs/../docs/start.mdx',
    './docs/start.mdx',
    '/docs/start.mdx',
    'docs//start.mdx',
    'docs\\start.mdx',
    'docs/start.mdx/',
    'DOCS/START.MDX',
    'docs%2Fstart.mdx',
    '../../../../etc/passwd',
    'file:///etc/passwd',
    '%',
    "' OR 1=1 --",
    'x'.repeat(4_096),
  ])('is that of a page to the letter: %j is none', async (path) => {
    const { status, json } = await api.call(address(path));
    expect([status, json]).toEqual([200, { path, ...NOT_KEPT }]);
  });

  test('is treated as a name, even if it looks like another path', async () => {
    expect(await read('../outside.md')).toMatchObject({ kept: true, after: expect.stringContaining('no place') });
  });

  test.each([
    ['none', ''],
    ['an empty one', 'path='],
    ['one that is too long', `path=${'x'.repeat(4_097)}`],
    ['two', 'path=docs/start.mdx&path=docs/new.md'],
    ['one of something else', 'path=docs/start.mdx&of=base'],
    ['one of both', 'path=docs/start.mdx&of=pending&of=pull_request'],
    ['one with NUL', 'path=docs/start.mdx%00'],
  ])('has to be one: %s is refused', async (_what, query) => {
    const { status, json } = await api.call(`/v2/agent/${project}/job/${jobId}/diff/page?${query}`);
    expect([status, json.code]).toEqual([400, 'bad_request']);
  });
});

describe('others cannot read it', () => {
  test('through a job of another project, a missing one, or a deleted project', async () => {
    const elsewhere = await api.addProject();
    const theirs = await createJob(api, elsewhere);
    await record('pull_request', [{ path: 'docs/start.mdx', before: null, after: 'Theirs' }], theirs);
    expect((await read('docs/start.mdx', { id: theirs })).code).toBe('job_not_found');
    expect((await read('docs/start.mdx', { at: elsewhere })).code).toBe('job_not_found');
    expect((await read('docs/start.mdx', { id: 'nosuch' })).code).toBe('job_not_found');
    expect((await read('docs/start.mdx', { at: 'nosuch' })).code).toBe('project_not_found');
    expect(await read('docs/start.mdx', { id: theirs, at: elsewhere })).toMatchObject({ after: 'Theirs' });

    await api.database.db.update(jobs).set({ status: 'archived' }).where(eq(jobs.id, theirs));
    expect((await api.call(`/v1/projects/${elsewhere}`, { method: 'DELETE' })).status).toBeLessThan(300);
    expect((await read('docs/start.mdx', { id: theirs, at: elsewhere })).code).toBe('project_not_found');
    // Another project of that name has nothing of it.
    await api.addProject(elsewhere);
    expect((await read('docs/start.mdx', { id: theirs, at: elsewhere })).code).toBe('job_not_found');
    const rows = api.database.db.select().from(changedPages);
    expect(await rows.where(eq(changedPages.jobId, theirs))).toEqual([]);
  });

  test('with access to another project only, or without access to jobs', async () => {
    const elsewhere = await api.addProject();
    const at = address('docs/start.mdx');
    const viewer = await (await addPerson(api, { role: 'viewer', projectIds: [elsewhere] })).signIn();
    expect((await viewer(at)).json.code).toBe('project_not_found');
    // Nor by the name of the project that is theirs.
    expect((await viewer(address('docs/start.mdx', { at: elsewhere }))).json.code).toBe('job_not_found');
    const own = await (await addPerson(api, { role: 'viewer', projectIds: [project] })).signIn();
    expect((await own(at)).json.after).toBe('# New\n');
    expect((await own(at, { headers: { ...SAME_ORIGIN, 'sec-fetch-site': 'cross-site' } })).status).toBe(200);
    const keyOf = (scopes: ('read' | 'analytics')[], projectIds: string[]) => api.addKey({ scopes, projectIds });
    expect((await api.call(at, { token: await keyOf(['read'], [elsewhere]) })).json.code).toBe('project_not_found');
    expect((await api.call(at, { token: await keyOf(['analytics'], [project]) })).json.code).toBe('forbidden_scope');
    expect((await api.call(at, { token: await keyOf(['read'], [project]) })).json.after).toBe('# New\n');
    expect((await api.call(at, { token: null })).status).toBe(401);
  });
});

test('it is sent again only after a change, and never without access', async () => {
  const id = await createJob(api, project);
  await record('pull_request', [{ path: 'a.md', before: null, after: 'One' }], id);
  const url = api.url + address('a.md', { id });
  const headers = { authorization: `Bearer ${api.operatorToken}` };
  const first = await plainRequest(url, { headers });
  expect(first.headers['cache-control']).toBe('private, no-cache');
  expect(first.headers.vary).toContain('Cookie');
  const held = { 'if-none-match': first.headers.etag ?? '' };
  expect(await plainRequest(url, { headers: { ...headers, ...held } })).toMatchObject({ status: 304 });
  expect(await plainRequest(url, { headers: held })).toMatchObject({ status: 401 });
  const viewer = await (await addPerson(api, { role: 'viewer', projectIds: [await api.addProject()] })).signIn();
  expect((await viewer(address('a.md', { id }), { headers: held })).status).toBe(404);
  const head = await plainRequest(url, { method: 'HEAD', headers });
  expect([head.status, head.headers.etag, head.bytes.length]).toEqual([200, first.headers.etag, 0]);

  await record('pull_request', [{ path: 'a.md', before: null, after: 'Two' }], id);
  const second = await plainRequest(url, { headers: { ...headers, ...held } });
  expect([second.status, JSON.parse(second.bytes.toString()).after]).toEqual([200, 'Two']);
  await record('pull_request', [], id);
  const gone = await plainRequest(url, { headers: { ...headers, 'if-none-match': second.headers.etag ?? '' } });
  expect([gone.status, JSON.parse(gone.bytes.toString()).kept]).toEqual([200, false]);
});
