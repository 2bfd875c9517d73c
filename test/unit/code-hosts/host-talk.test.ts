import { describe, expect, test } from 'vitest';
import { createConditionalFetch } from '@docent/code-hosts/conditional-fetch';
import { createGiteaApi } from '@docent/code-hosts/apis/gitea-api';
import { createGitHubApi } from '@docent/code-hosts/apis/github-api';
import { createGitLabApi } from '@docent/code-hosts/apis/gitlab-api';
import { createHostFetch } from '@docent/code-hosts/host-fetch';
import type { CommentPlace } from '@docent/code-hosts/talk';

const readText = async (url: string) => (url === 'https://logs.example/9' ? 'the log' : null);

type Answers = Readonly<Record<string, unknown>>;

/**
 * A repository of each kind of host whose answers are given by method and path; others are 404. What was sent
 * is kept.
 */
async function talkOf(kind: 'github' | 'gitlab' | 'gitea', given: Answers) {
  const repository = {
    id: 1,
    full_name: 'acme/docs',
    html_url: 'https://git.example/acme/docs',
    default_branch: 'main',
  };
  const answers: Answers = {
    'GET /repos/acme/docs': { ...repository, name: 'docs', owner: { login: 'acme' } },
    'GET /projects/acme%2Fdocs': { id: 1, web_url: repository.html_url, path_with_namespace: 'acme/docs' },
    ...given,
  };
  const sent: string[] = [];
  const answerTo = async (input: string | URL | Request, init?: RequestInit) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input);
    const asked = `${init?.method ?? 'GET'} ${pathname.replace(/^\/api\/v[134]/, '')}`;
    sent.push(typeof init?.body === 'string' ? `${asked} ${init.body}` : asked);
    const answer = Number(searchParams.get('page') ?? 1) > 1 ? [] : answers[asked];
    if (answer instanceof Response) return answer;
    return Response.json(answer ?? { message: 'not found' }, { status: answer === undefined ? 404 : 200 });
  };
  // As in production: it refuses what no host sends.
  const fetch = createConditionalFetch(createHostFetch('https://git.example', answerTo));
  const api =
    kind === 'github'
      ? createGitHubApi({ apiUrl: 'https://git.example/api/v3', fetch, readText, credential: 't', appId: null })
      : kind === 'gitlab'
        ? createGitLabApi({ apiUrl: 'https://git.example/api/v4', fetch, readText, token: 't' })
        : createGiteaApi({ apiUrl: 'https://git.example/api/v1', fetch, token: 't' });
  const { talk } = await api.open({ path: 'acme/docs' });
  sent.length = 0;
  return { talk, sent };
}

const ADA = { id: '7', login: 'ada' };
const on = { type: 'pull_request', number: 5 } as const;
const THREAD: CommentPlace = { on, kind: 'review_comment', id: '31', threadId: '30' };
const TALK: CommentPlace = { on, kind: 'comment', id: '20', threadId: null };

describe('whether an account may write', () => {
  const asked = '/repos/acme/docs/collaborators/ada/permission';
  test.for([
    ['github', { [`GET ${asked}`]: { permission: 'write', user: { id: 7 } } }, true],
    ['github', { [`GET ${asked}`]: { permission: 'read', user: { id: 7 } } }, false],
    ['github', { [`GET ${asked}`]: { permission: 'admin', user: { id: 8 } } }, false],
    ['github', {}, false],
    ['gitea', { [`GET ${asked}`]: { permission: 'owner', user: { id: 7 } } }, true],
    ['gitea', { [`GET ${asked}`]: { permission: 'read', user: { id: 7 } } }, false],
    ['gitea', { [`GET ${asked}`]: { permission: 'write', user: { id: 8 } } }, false],
    ['gitea', {}, false],
    ['gitlab', { 'GET /projects/1/members/all/7': { id: 7, access_level: 30, state: 'active' } }, true],
    ['gitlab', { 'GET /projects/1/members/all/7': { id: 7, access_level: 20, state: 'active' } }, false],
    ['gitlab', { 'GET /projects/1/members/all/7': { id: 7, access_level: 50, state: 'blocked' } }, false],
    ['gitlab', {}, false],
  ] as const)('is what %s says of this account now: %j', async ([kind, answers, may]) => {
    const { talk } = await talkOf(kind, answers);
    expect(await talk.mayWrite(ADA)).toBe(may);
  });
});

test('GitHub: reactions, replies in threads and in the conversation, and edits', async () => {
  const { talk, sent } = await talkOf('github', {
    'POST /repos/acme/docs/pulls/5/comments/30/replies': { id: 40 },
    'POST /repos/acme/docs/issues/5/comments': { id: 41 },
    'PATCH /repos/acme/docs/issues/comments/41': { id: 41 },
    'POST /repos/acme/docs/issues/comments/20/reactions': { id: 1 },
  });
  await talk.react(TALK);
  expect(await talk.reply(THREAD, 'In the thread')).toBe('40');
  expect(await talk.reply(TALK, 'Here')).toBe('41');
  expect([await talk.edit(TALK, '41', 'New'), await talk.edit(TALK, '99', 'New')]).toEqual([true, false]);
  expect(sent).toHaveLength(5);
});

test('GitHub: a thread is resolved by its first comment', async () => {
  const nodes = [{ id: 'T1', isResolved: false, comments: { nodes: [{ databaseId: 30 }] } }];
  const { talk, sent } = await talkOf('github', {
    'POST /api/graphql': { data: { repository: { pullRequest: { reviewThreads: { nodes } } } } },
  });
  expect(await talk.resolve(THREAD)).toBe(true);
  expect(sent[1]).toContain('"id":"T1"');
});

test('GitLab: a reaction that is there, replies in the discussion, and resolution', async () => {
  const discussion = '/projects/1/merge_requests/5/discussions/30';
  const { talk, sent } = await talkOf('gitlab', {
    [`POST ${discussion}/notes`]: { id: 40 },
    [`PUT ${discussion}`]: { id: '30' },
    [`GET ${discussion}`]: { notes: [{ id: 31, body: 'a', author: { id: 7, username: 'ada' } }] },
  });
  await talk.react(TALK);
  expect(await talk.reply(THREAD, 'There')).toBe('40');
  expect(await talk.resolve(THREAD)).toBe(true);
  expect(await talk.comments(THREAD)).toEqual([{ id: '31', author: ADA, body: 'a' }]);
  expect(sent[0]).toBe('POST /projects/1/merge_requests/5/notes/20/award_emoji {"name":"eyes"}');
});

test('Gitea: the comments of a review, and answers in the conversation', async () => {
  const { talk } = await talkOf('gitea', {
    'GET /repos/acme/docs/pulls/5/reviews/9': { state: 'REQUEST_CHANGES' },
    'GET /repos/acme/docs/pulls/5/reviews/9/comments': [{ id: 31, body: 'a', user: { id: 7, login: 'ada' }, path: 'a.md', position: 3, diff_hunk: '@@' }],
    'POST /repos/acme/docs/issues/5/comments': { id: 41 },
    'POST /repos/acme/docs/pulls/comments/31/resolve': {},
  }); // oxfmt-ignore
  const review = await talk.review(5, '9');
  // Servers before 1.26 resolve nothing.
  const resolved = ['31', '99'].map((threadId) => talk.resolve({ ...THREAD, threadId }));
  expect(await Promise.all(resolved)).toEqual([true, false]);
  expect(review).toEqual({
    isChangeRequest: true,
    lines: [{ id: '31', author: ADA, body: 'a', path: 'a.md', line: 3, diffHunk: '@@', threadId: null }],
  });
  expect([await talk.reply(THREAD, 'Here'), await talk.review(5, '10')]).toEqual(['41', null]);
});

const request = (from: number) => ({
  title: 'T',
  description: null,
  author: { id: 7, username: 'ada' },
  web_url: 'https://git.example/5',
  state: 'opened',
  source_branch: 'x',
  source_project_id: from,
  sha: 'c0ffee',
});

describe('what a comment is about', () => {
  const shown = { title: 'T', html_url: 'https://git.example/5', state: 'open' };
  const described = { ...shown, body: null, user: { id: 7, login: 'ada' } };
  const pull = (from: number | null) => ({
    ...described,
    head: { ref: 'x', sha: 'c0ffee', repo: from === null ? null : { id: from } },
    base: { repo: { id: 1 } },
  });
  test.for([
    ['github', 'pull_request', { 'GET /repos/acme/docs/pulls/5': pull(1) }, 'x'],
    ['github', 'pull_request', { 'GET /repos/acme/docs/pulls/5': pull(2) }, null],
    ['github', 'pull_request', { 'GET /repos/acme/docs/pulls/5': pull(null) }, null],
    ['github', 'issue', { 'GET /repos/acme/docs/issues/5': described }, null],
    ['gitea', 'pull_request', { 'GET /repos/acme/docs/pulls/5': pull(1) }, 'x'],
    ['gitea', 'pull_request', { 'GET /repos/acme/docs/pulls/5': pull(2) }, null],
    ['gitea', 'issue', { 'GET /repos/acme/docs/issues/5': described }, null],
    ['gitlab', 'pull_request', { 'GET /projects/1/merge_requests/5': request(1) }, 'x'],
    ['gitlab', 'pull_request', { 'GET /projects/1/merge_requests/5': request(2) }, null],
    [
      'gitlab',
      'issue',
      { 'GET /projects/1/issues/5': { ...request(1), source_branch: null, source_project_id: null, sha: null } },
      null,
    ],
  ] as const)(
    '%s: the branch of a %s is known where it is of this repository',
    async ([kind, type, answers, ownBranch]) => {
      const { talk } = await talkOf(kind, answers);
      const headCommit = type === 'issue' ? null : 'c0ffee';
      const described = { title: 'T', body: '', author: ADA, url: 'https://git.example/5', isOpen: true };
      const subject = { ...described, ownBranch, headCommit };
      expect(await talk.subject({ type, number: 5 })).toEqual(subject);
      expect(await talk.subject({ type, number: 6 })).toBeNull();
    },
  );
});

test.for([
  ['github', { 'GET /repos/acme/docs/pulls/5': { node_id: 'P', draft: true }, 'POST /api/graphql': { data: {} } }, 1],
  ['github', { 'GET /repos/acme/docs/pulls/5': { node_id: 'P', draft: false } }, 0],
  ['gitea', { 'GET /repos/acme/docs/pulls/5': { title: 'WIP: T' }, 'PATCH /repos/acme/docs/pulls/5': {} }, 1],
  ['gitea', { 'GET /repos/acme/docs/pulls/5': { title: 'T' } }, 0],
  ['gitlab', { 'GET /projects/1/merge_requests/5': { title: 'Draft: T' }, 'PUT /projects/1/merge_requests/5': {} }, 1],
  ['gitlab', { 'GET /projects/1/merge_requests/5': { title: 'T' } }, 0],
] as const)('%s: a draft is made ready, and nothing else: %j', async ([kind, answers, writes]) => {
  const { talk, sent } = await talkOf(kind, answers);
  await talk.markReady(5);
  expect(sent.slice(1)).toHaveLength(writes);
  expect(sent.slice(1).every((one) => /"title":"T"|"id":"P"/.test(one))).toBe(true);
});

test.for([
  ['github', { 'GET /repos/acme/docs/pulls/5': new Response('--- a\n+++ b\n') }, '--- a\n+++ b\n'],
  ['gitea', { 'GET /repos/acme/docs/pulls/5.diff': new Response('--- a\n+++ b\n') }, '--- a\n+++ b\n'],
  [
    'gitlab',
    { 'GET /projects/1/merge_requests/5/diffs': [{ old_path: 'x', new_path: 'y', diff: '@@\n' }] },
    'diff --git a/x b/y\n--- a/x\n+++ b/y\n@@\n',
  ],
] as const)('%s: the diff of a pull request', async ([kind, answers, diff]) => {
  const { talk } = await talkOf(kind, answers);
  expect([await talk.diff(5), await talk.diff(6)]).toEqual([diff, null]);
});

test.for([
  ['github', 'GET /repos/acme/docs/pulls/5'],
  ['gitea', 'GET /repos/acme/docs/pulls/5.diff'],
] as const)('%s: a page of a proxy is no diff', async ([kind, asked]) => {
  const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  Object.defineProperty(page, 'url', { value: 'https://git.example/sign-in' });
  const { talk } = await talkOf(kind, { [asked]: page });
  await expect(talk.diff(5)).rejects.toThrow(/other than a diff/);
});

const SHOWN = [
  { id: 'a1', message: 'First', authorName: 'Ann' },
  { id: 'b2', message: 'Second', authorName: '' },
];
const LISTED = [
  { sha: 'a1', commit: { message: 'First', author: { name: 'Ann' } } },
  { sha: 'b2', commit: { message: 'Second', author: null } },
];
const MERGED = [
  { id: 'b2', message: 'Second', author_name: null },
  { id: 'a1', message: 'First', author_name: 'Ann' },
];
test.for([
  ['github', { 'GET /repos/acme/docs/pulls/5/commits': LISTED }],
  ['gitea', { 'GET /repos/acme/docs/pulls/5/commits': LISTED.toReversed() }],
  ['gitlab', { 'GET /projects/1/merge_requests/5/commits': MERGED }],
] as const)('%s: the commits of a pull request, oldest first', async ([kind, answers]) => {
  const { talk } = await talkOf(kind, answers);
  expect([await talk.commits(5), await talk.commits(6)]).toEqual([SHOWN, null]);
});

const labels = (add: unknown, remove: unknown) => [[add], [add, remove], []] as const;
const event = (id: number, event: string) => ({
  id,
  event,
  actor: { id: 7, login: 'ada' },
  label: { name: 'docent review' },
});
const change = (id: number, action: string) => ({
  id,
  action,
  user: { id: 7, username: 'ada' },
  label: { name: 'docent review' },
});
const said = (id: number, body: string) => ({
  id,
  type: 'label',
  body,
  user: { id: 7, login: 'ada' },
  label: { name: 'docent review' },
});

describe('a review', () => {
  test.for([
    ['github', '/repos/acme/docs/issues/5/events', labels(event(9, 'labeled'), event(10, 'unlabeled'))],
    ['gitlab', '/projects/1/merge_requests/5/resource_label_events', labels(change(9, 'add'), change(10, 'remove'))],
    ['gitea', '/repos/acme/docs/issues/5/timeline', labels(said(9, '1'), said(10, ''))],
  ] as const)(
    '%s: is requested by whoever added the label last, while it is there',
    async ([kind, path, histories]) => {
      const found = [];
      for (const history of histories) {
        const { talk } = await talkOf(kind, { [`GET ${path}`]: history });
        found.push(await talk.labeled(5, 'docent review'), await talk.labeled(5, 'other'));
      }
      expect(found).toEqual([{ id: '9', by: ADA }, null, null, null, null, null]);
    },
  );

  const comment = { id: 31, body: 'a', user: { id: 7, login: 'ada' }, path: 'a.md' };
  const refs = { base_sha: 'b', start_sha: 's', head_sha: 'h' };
  const position = { position_type: 'text', ...refs, new_path: 'a.md', old_path: 'z.md' };
  test.for([
    [
      'github',
      {
        'POST /repos/acme/docs/pulls/5/reviews': {},
        'GET /repos/acme/docs/pulls/5/comments': [{ ...comment, html_url: '', line: 3 }],
      },
      [
        {
          event: 'COMMENT',
          commit_id: 'h',
          comments: [
            { path: 'a.md', line: 3, body: 'New', side: 'RIGHT' },
            { path: 'a.md', line: 4, body: 'Same', side: 'RIGHT' },
          ],
        },
      ],
    ],
    [
      'gitea',
      {
        'POST /repos/acme/docs/pulls/5/reviews': {},
        'GET /user': { id: 7 },
        'GET /repos/acme/docs/pulls/5/reviews': [
          { id: 8, user: { id: 7 } },
          { id: 9, user: { id: 6 } },
        ],
        'GET /repos/acme/docs/pulls/5/reviews/8/comments': [{ ...comment, position: 3 }],
      },
      [
        {
          event: 'COMMENT',
          commit_id: 'h',
          comments: [
            { path: 'a.md', new_position: 3, body: 'New' },
            { path: 'a.md', new_position: 4, body: 'Same' },
          ],
        },
      ],
    ],
    [
      'gitlab',
      {
        'GET /projects/1/merge_requests/5': { diff_refs: refs },
        'POST /projects/1/merge_requests/5/discussions': {},
        'GET /projects/1/merge_requests/5/discussions': [
          {
            notes: [
              { id: 31, body: 'a', author: { id: 7, username: 'ada' }, position: { new_path: 'a.md', new_line: 3 } },
            ],
          },
          { notes: [{ id: 32, body: 'in the conversation', author: { id: 7, username: 'ada' } }] },
        ],
      },
      [
        { body: 'New', position: { ...position, new_line: 3 } },
        { body: 'Same', position: { ...position, new_line: 4, old_line: 2 } },
      ],
    ],
  ] as const)('%s: comments on lines, and finds those that are there', async ([kind, answers, bodies]) => {
    const { talk, sent } = await talkOf(kind, answers);
    const at = { path: 'a.md', oldPath: 'z.md' };
    await talk.commentOnLines(5, 'h', [
      { ...at, line: 3, oldLine: null, body: 'New' },
      { ...at, line: 4, oldLine: 2, body: 'Same' },
    ]);
    const posted = sent.filter((one) => one.startsWith('POST')).map((one) => JSON.parse(one.slice(one.indexOf('{'))));
    expect(posted).toEqual(bodies);
    expect(await talk.lineComments(5)).toEqual([{ id: '31', author: ADA, body: 'a', path: 'a.md', line: 3 }]);
  });
});

test('Gitea: a reply in a thread has the lines of its review, and other comments have none', async () => {
  const line = { id: 31, body: 'a', user: { id: 7, login: 'ada' }, path: 'a.md', position: 3, diff_hunk: '@@' };
  const { talk, sent } = await talkOf('gitea', {
    'GET /repos/acme/docs/pulls/5/reviews': [
      { id: 8, user: { id: 6 }, comments_count: 2 },
      { id: 9, user: { id: 6 }, comments_count: 0 },
    ],
    'GET /repos/acme/docs/pulls/5/reviews/8/comments': [line, { ...line, id: 32, body: 'b' }],
  });
  const found = { id: '32', author: ADA, body: 'b', path: 'a.md', line: 3, diffHunk: '@@', threadId: '31' };
  expect(await talk.lineOf(5, '32')).toEqual(found);
  expect(await talk.lineOf(5, '99')).toBeNull();
  expect(sent.some((one) => one.includes('/reviews/9/'))).toBe(false);
});

describe('the checks of a commit', () => {
  const failed = { state: 'failed', url: null };

  test('GitHub: runs and statuses, and the log of a job of GitHub Actions from where the API sends us', async () => {
    const { talk } = await talkOf('github', {
      'GET /repos/acme/docs/commits/main/check-runs': {
        check_runs: [
          { id: 9, name: 'lint', status: 'completed', conclusion: 'failure', output: { title: 'Bad', summary: 'A link' }, app: { slug: 'github-actions' } },
          { id: 10, name: 'other', status: 'completed', conclusion: 'failure', app: { slug: 'somebody' } },
        ],
      },
      'GET /repos/acme/docs/commits/main/status': { statuses: [{ context: 'cla', state: 'pending', description: 'Sign' }] },
      'GET /repos/acme/docs/actions/jobs/9/logs': new Response(null, { status: 302, headers: { location: 'https://logs.example/9' } }),
    }); // oxfmt-ignore
    expect(await talk.checks('main')).toEqual([
      { ...failed, name: 'lint', summary: 'Bad\n\nA link', logId: '9' },
      { ...failed, name: 'other', summary: '', logId: null },
      { name: 'cla', state: 'pending', url: null, summary: 'Sign', logId: null },
    ]);
    expect([await talk.checkLog('9'), await talk.checkLog('10')]).toEqual(['the log', null]);
  });

  test('GitLab: statuses of the commit that a branch has', async () => {
    const { talk } = await talkOf('gitlab', {
      'GET /projects/1/repository/commits/main': { id: 'c0ffee' },
      'GET /projects/1/repository/commits/c0ffee/statuses': [{ id: 9, name: 'lint', status: 'failed', allow_failure: false }],
    }); // oxfmt-ignore
    expect(await talk.checks('main')).toEqual([{ ...failed, name: 'lint', summary: '', logId: '9' }]);
    expect(await talk.checks('gone'), 'what is not there').toBeNull();
  });

  test('Gitea: statuses, which have no logs', async () => {
    const { talk } = await talkOf('gitea', {
      'GET /repos/acme/docs/commits/main/status': { statuses: [{ context: 'lint', status: 'failure', description: 'Failing' }] },
    }); // oxfmt-ignore
    expect(await talk.checks('main')).toEqual([{ ...failed, name: 'lint', summary: 'Failing', logId: null }]);
    expect(await talk.checkLog('9')).toBeNull();
  });
});
