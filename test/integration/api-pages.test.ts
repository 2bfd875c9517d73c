import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eq } from 'drizzle-orm';
import { jobs, pullRequests } from '../../src/store/schema.ts';
import { addPullRequest, createJob } from '../support/api-jobs.ts';
import { startTestApi, type TestApi } from '../support/api-server.ts';
import { addPerson, type Browser, browserOf, cookieOf, SAME_ORIGIN, signInWithLink } from '../support/browsers.ts';

let api: TestApi;
let project: string;
let id: string;

beforeAll(async () => {
  api = await startTestApi({ config: { jobsPerHour: 1_000 } });
  project = await api.addProject();
  signedIn = browserOf(api, await signInWithLink(api));
});
afterAll(() => api.close());

beforeEach(async () => {
  const jobId = await createJob(api, project);
  id = `pr-${jobId}`;
  await addPullRequest(api, {
    id,
    projectId: project,
    jobId,
    diff: DIFF,
    body: '## What\n\n- mends `links`',
    commits: COMMITS,
  });
  api.workflows.changeAnswer = async ({ pullRequestId, action }) => {
    const state = action === 'merge' ? ('merged' as const) : ('closed' as const);
    await api.database.db.update(pullRequests).set({ state }).where(eq(pullRequests.id, pullRequestId));
    return { ok: true, state };
  };
});

const COMMITS = [
  { id: 'abcdef0123456789', message: 'Mend links\n\nmore', authorName: 'Docent', time: '2025-03-01T10:00:00Z' },
];
const DIFF = `diff --git a/docs/a.mdx b/docs/a.mdx
index 1..2 100644
--- a/docs/a.mdx
+++ b/docs/a.mdx
@@ -1,2 +1,2 @@
 # Title
-[old](/nowhere)
+[new](/somewhere)
`;
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const show = () => api.call(`/pull-requests/${id}`, { token: null, headers: BROWSER });
let signedIn: Browser;
const submit = (action: string, headers: Record<string, string> = {}, by: Browser = signedIn) =>
  by(`/pull-requests/${id}/${action}`, { method: 'POST', headers: { ...BROWSER, ...SAME_ORIGIN, ...headers } });
const JSON_PLEASE = { accept: 'application/json' };

describe('the page', () => {
  test('shows title, state, description, commits and diff to anyone with the link', async () => {
    const { status, text, headers } = await show();
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    for (const part of [
      '<h1>Fix broken links</h1>',
      '<span class="badge open">Open</span>',
      `docent/${id.slice(3)}`,
      '<h3>What</h3>',
      '<code>links</code>',
      'Mend links',
      '2025-03-01 10:00 UTC',
      '1 changed file',
      '<td class="no">2</td><td class="no"></td><td>- [old](/nowhere)</td>',
      '<td class="no"></td><td class="no">2</td><td>+ [new](/somewhere)</td>',
      `href="/sign-in?next=${encodeURIComponent(`/projects/${project}/jobs/`)}`,
    ]) {
      expect(text).toContain(part);
    }
  });

  test('runs nothing, loads nothing, and does not leak its address', async () => {
    const { headers, text } = await show();
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self'");
    expect(policy).not.toContain('unsafe');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).not.toMatch(/<script|<img|<link|javascript:/i);
    // Nor does the log have it.
    expect(api.logged()).not.toContain(id);
  });

  test('shows hostile text as text', async () => {
    const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
    await api.database.db
      .update(pullRequests)
      .set({
        title: attack,
        body: `${attack}\n\n[x](javascript:alert(1)) <b>b</b> [y](https://e.example/"onclick="x)\n\n\`\`\`\n${attack}\n\`\`\``,
        headBranch: attack,
        commits: [{ id: attack, message: attack, authorName: attack, time: attack }],
        diff: `diff --git a/${attack} b/${attack}\n--- a/${attack}\n+++ b/${attack}\n@@ -1 +1 @@${attack}\n-${attack}\n+a\u202eb\u200b\n${attack}\n`,
      })
      .where(eq(pullRequests.id, id));
    const { status, text } = await show();
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>|href="javascript|<b>|"onclick/);
    expect(text).toContain('&lt;script&gt;');
    expect(text).toContain('<span class="hidden">U+202E</span>');
    expect(text).not.toContain('\u202e');
  });

  test('an unknown or malformed id is a 404 page, for programs the envelope', async () => {
    for (const unknown of ['nosuch', 'a'.repeat(1_001), '..%2Fx', '%00']) {
      const page = await api.call(`/pull-requests/${unknown}`, { token: null, headers: BROWSER });
      expect(page.status).toBe(404);
      expect(page.text).toContain('<h1>Not found</h1>');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      const json = await api.call(`/pull-requests/${unknown}`, {
        token: null,
        headers: { accept: 'application/json' },
      });
      expect([json.status, json.json.code]).toEqual([404, 'pull_request_not_found']);
    }
  });
});

const open = (path: string, headers = BROWSER) => api.call(path, { token: null, headers });

describe('a browser that comes to an address of programs', () => {
  test.each([
    ['/nowhere', 404, 'Not found'],
    ['/favicon.ico', 404, 'Not found'],
    ['/v1/projects', 401, 'Not allowed'],
    ['/v2/agent/demo/job/x', 401, 'Not allowed'],
    ['/v1/keys/x/rotate', 405, 'Not found'],
  ])('shows a page for %s', async (path, status, title) => {
    const page = await open(path);
    expect([page.status, page.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(page.text).toContain(`<h1>${title}</h1>`);
    expect(page.text).toContain('<a href="/">');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html;q=0.5']) {
      const { json } = await open(path, { accept });
      expect(json.code, accept).toEqual(expect.any(String));
    }
    const withKey = await api.call(path, { headers: BROWSER });
    expect(withKey.headers.get('content-type')).toContain('json');
  });
});

describe('merge and close', () => {
  test.each([
    ['merge', 'merged'],
    ['close', 'closed'],
  ])('%s by a form that is sent, signed in', async (action, state) => {
    // The page itself leads to the place with the checks above the buttons.
    const page = (await signedIn(`/pull-requests/${id}`, { headers: BROWSER })).text;
    expect([page.includes('<form'), /href="\/projects\/[^"]+\/changes"/.test(page)]).toEqual([false, true]);
    const { status, text } = await submit(action);
    expect(status).toBe(200);
    expect(text).toContain(`The pull request is ${state}.`);
    expect(text).toContain(`<span class="badge ${state}">`);
    expect(text).not.toContain('<form');
    expect(api.workflows.changed.at(-1)).toEqual({ pullRequestId: id, action });
    // Again changes nothing.
    const again = await submit(action);
    expect(again.status).toBe(200);
    expect(again.text).toContain(`The pull request is ${state}.`);
  });

  test("the result of an action can be reloaded, from the page and from the form's address", async () => {
    const cookie = cookieOf(await signInWithLink(api));
    const sent = await fetch(`${api.url}/pull-requests/${id}/merge`, {
      method: 'POST',
      redirect: 'manual',
      headers: { ...BROWSER, ...SAME_ORIGIN, cookie },
    });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `/pull-requests/${id}?done=merged`]);
    for (const action of ['merge', 'close']) {
      const again = await api.call(`/pull-requests/${id}/${action}`, { token: null, headers: BROWSER });
      expect([again.status, again.text.includes('<span class="badge merged">')]).toEqual([200, true]);
    }
    // The address may claim anything; the page shows the facts.
    const told = await api.call(`/pull-requests/${id}?done=closed`, { token: null, headers: BROWSER });
    expect(told.text).not.toContain('is closed');
    expect((await api.call('/pull-requests/none/merge', { token: null, headers: BROWSER })).status).toBe(404);
    expect((await api.call(`/pull-requests/${id}?done=x`, { token: null, headers: BROWSER })).text).toContain('<h1>');
  });

  test('merge with the operator token as a header, without a body', async () => {
    const answer = await api.call(`/pull-requests/${id}/merge`, { method: 'POST' });
    expect(answer.status).toBe(200);
    expect(api.workflows.changed.at(-1)).toEqual({ pullRequestId: id, action: 'merge' });
  });

  test('others are refused', async () => {
    const before = api.workflows.changed.length;
    const key = await api.addKey({ scopes: ['write'] });
    const stranger = await (await addPerson(api, { role: 'admin', projectIds: ['another'] })).signIn();
    const viewer = await (await addPerson(api, { role: 'viewer' })).signIn();
    for (const by of [stranger, viewer]) {
      const answer = await submit('merge', {}, by);
      expect([answer.status, answer.text.includes('<form')]).toEqual([403, false]);
      expect((await submit('merge', JSON_PLEASE, by)).json.code).toBe('forbidden_scope');
      expect((await by(`/pull-requests/${id}`)).text).not.toContain('<form');
    }
    const unknown = await submit('merge', {}, (path, call) => api.call(path, { ...call, token: null }));
    expect([unknown.status, unknown.text.includes('/sign-in?next=')]).toEqual([401, true]);
    // Another site's page submits the form.
    expect((await submit('merge', { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await api.call(`/pull-requests/${id}/close`, { method: 'POST', token: key })).status).toBe(401);
    expect((await api.call(`/pull-requests/${id}/close`, { method: 'POST', token: null })).status).toBe(401);
    // A cookie does not make up for a wrong header.
    const mixed = await submit('merge', { authorization: 'Bearer wrong' });
    expect(mixed.status).toBe(401);
    expect(api.workflows.changed).toHaveLength(before);
  });

  test('the form works behind a proxy that has its own password', async () => {
    const answer = await submit('merge', { authorization: 'Basic bWU6cGFzc3dvcmQ=' });
    expect(answer.status).toBe(200);
  });

  test('a refusal gives the reason and the command to run instead', async () => {
    await api.database.db.update(pullRequests).set({ headBranch: `docent/$(rm)'x` }).where(eq(pullRequests.id, id));
    api.workflows.changeAnswer = async () => ({
      ok: false,
      code: 'branch_checked_out',
      message: 'main is checked out at /home/me/docs.',
    });
    const { status, text } = await submit('merge');
    expect(status).toBe(409);
    expect(text).toContain('main is checked out at /home/me/docs.');
    expect(text).toContain(`git merge &#39;docent/$(rm)&#39;\\&#39;&#39;x&#39;`);
    const json = await submit('merge', JSON_PLEASE);
    expect([json.status, json.json.code]).toEqual([409, 'branch_checked_out']);
  });

  test('a command in a refusal has its own line for copying', async () => {
    api.workflows.changeAnswer = async () => ({
      ok: false,
      code: 'branch_checked_out',
      message: '"main" is checked out in /a. Merge it there with: git -C /a merge docent/x',
    });
    const { text } = await submit('merge');
    expect(text).toContain('Merge it there with:<pre><code>git -C /a merge docent/x</code></pre>');
    expect(text.match(/git /g)).toHaveLength(1);
  });

  test.each([
    ['merge_conflict', 'merge_conflict', 'git switch main'],
    ['pull_request_not_open', 'pull_request_not_open', 'Reason.'],
    ['merge_refused', 'merge_refused', 'Reason.'],
  ] as const)('a refusal %s is 409 %s', async (given, code, words) => {
    api.workflows.changeAnswer = async () => ({ ok: false, code: given, message: 'Reason.' });
    const page = await submit('merge');
    expect(page.status).toBe(409);
    expect(page.text).toContain(words);
    const json = await submit('merge', JSON_PLEASE);
    expect([json.status, json.json.code]).toEqual([409, code]);
  });

  test('without a pull request nothing can be merged', async () => {
    const answer = await api.call('/pull-requests/nosuch/merge', { method: 'POST' });
    expect(answer.status).toBe(404);
  });
});

test('a public URL with a path shows in the links', async () => {
  const behind = await startTestApi({ deps: { publicUrl: () => 'https://docs.example.com/docent' } });
  try {
    const other = await behind.addProject();
    const jobId = await createJob(behind, other);
    await addPullRequest(behind, { id: 'abc', projectId: other, jobId });
    const { text } = await behind.call('/pull-requests/abc', { token: null });
    expect(text).toContain(
      `href="/docent/sign-in?next=${encodeURIComponent(`/projects/${other}/jobs/${jobId}/changes`)}"`,
    );
    expect(await behind.database.db.$count(jobs)).toBe(1);
  } finally {
    await behind.close();
  }
});
