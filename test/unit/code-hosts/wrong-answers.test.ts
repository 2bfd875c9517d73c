import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HostProblem } from '@docent/code-hosts/host-problem';
import { createGiteaApi } from '@docent/code-hosts/apis/gitea-api';
import { createGitHubApi } from '@docent/code-hosts/apis/github-api';
import { createGitLabApi } from '@docent/code-hosts/apis/gitlab-api';
import { createHostFetch } from '@docent/code-hosts/host-fetch';
import type { RemoteApi, RemoteRepository } from '@docent/code-hosts/remote-api';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { giteaAnswers, gitHubAnswers, gitLabAnswers, type Answers } from '../../support/host-answers.ts';

const readText = async () => null;

const HOST = 'code.example.org';
const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
});

interface Kind {
  answers: () => Answers;
  base: string;
  create: (apiUrl: string, fetch: GuardedFetch) => RemoteApi;
  path: string;
  head: string;
  number: number;
}

const KINDS = {
  GitHub: {
    answers: gitHubAnswers,
    base: '/api/v3',
    create: (apiUrl, fetch) => createGitHubApi({ apiUrl, fetch, readText, credential: 'secret', appId: null }),
    path: 'octocat/Hello-World',
    head: 'new-topic',
    number: 1347,
  },
  'a GitHub App': {
    answers: gitHubAnswers,
    base: '/api/v3',
    create: (apiUrl, fetch) => createGitHubApi({ apiUrl, fetch, readText, credential: privateKey, appId: '1' }),
    path: 'octocat/Hello-World',
    head: 'new-topic',
    number: 1347,
  },
  GitLab: {
    answers: gitLabAnswers,
    base: '/api/v4',
    create: (apiUrl, fetch) => createGitLabApi({ apiUrl, fetch, readText, token: 'secret' }),
    path: 'my-group/my-project',
    head: 'test1',
    number: 1,
  },
  Gitea: {
    answers: giteaAnswers,
    base: '/api/v1',
    create: (apiUrl, fetch) => createGiteaApi({ apiUrl, fetch, token: 'secret' }),
    path: 'acme/docs',
    head: 'docent/a',
    number: 12,
  },
} satisfies Record<string, Kind>;

type Work = (api: RemoteApi, kind: Kind) => Promise<unknown>;
const withRepository =
  (work: (there: RemoteRepository, kind: Kind) => Promise<unknown>): Work =>
  async (api, kind) =>
    work(await api.open({ path: kind.path }), kind);

const ask = {
  account: (api) => api.account(),
  open: (api, { path }) => api.open({ path }),
  login: withRepository((there) => there.gitLogin()),
  find: withRepository((there, { head }) => there.findByHead({ head, base: 'main', known: null })),
  create: withRepository((there, { head }) =>
    there.create({ head, base: 'main', title: 'T', body: 'B', draft: false }),
  ),
  update: withRepository((there, { number }) => there.updateBody(number, 'B')),
  label: withRepository((there, { number }) => there.addLabels(number, ['bug'])),
  review: withRepository((there, { number }) => there.addReviewers(number, ['kenyatta'])),
  merge: withRepository((there, { number }) => there.merge(number, { headCommit: 'c'.repeat(40) })),
} satisfies Record<string, Work>;

/**
 * `Gitea account: GET /user: login`: what is done, the answer that it takes, and the fields of it that it
 * cannot do without.
 */
const TABLE = `
  GitHub account: GET /user: login
  GitHub open: GET /repos/octocat/Hello-World: id full_name name owner owner.login html_url default_branch
  GitHub find: GET /repos/octocat/Hello-World/pulls: 0.number 0.html_url 0.state 0.title 0.head 0.head.sha 0.head.ref 0.base.repo.id
  GitHub create: POST /repos/octocat/Hello-World/pulls: number html_url state title head.sha
  GitHub update: PATCH /repos/octocat/Hello-World/pulls/1347: number html_url state title head.sha
  GitHub label: GET /repos/octocat/Hello-World/labels/bug: name
  GitHub merge: PUT /repos/octocat/Hello-World/pulls/1347/merge: sha
  a GitHub App account: GET /app: permissions
  a GitHub App open: GET /repos/octocat/Hello-World/installation: id permissions
  a GitHub App login: POST /app/installations/1/access_tokens: token expires_at
  GitLab account: GET /user: username
  GitLab account: GET /personal_access_tokens/self: scopes
  GitLab open: GET /projects/my-group%2Fmy-project: id path_with_namespace web_url
  GitLab find: GET /projects/3/merge_requests: 0.iid 0.web_url 0.state 0.title 0.source_branch
  GitLab create: POST /projects/3/merge_requests: iid web_url state title
  GitLab update: PUT /projects/3/merge_requests/1: iid web_url state title
  GitLab label: GET /projects/3/labels/bug: name
  GitLab review: GET /users: 0.id
  GitLab review: PUT /projects/3/merge_requests/1: iid
  GitLab merge: PUT /projects/3/merge_requests/1/merge: iid state
  Gitea account: GET /user: login
  Gitea open: GET /repos/acme/docs: id full_name html_url
  Gitea find: GET /repos/acme/docs/pulls/main/docent/a: number html_url state merged title head head.label head.sha head.repo_id base.repo_id
  Gitea create: POST /repos/acme/docs/pulls: number html_url state merged title head.sha
  Gitea update: PATCH /repos/acme/docs/pulls/12: number html_url state merged title head.sha
  Gitea label: GET /repos/acme/docs/labels: 0.id 0.name
  Gitea merge: GET /repos/acme/docs/pulls/12: merged
`;
const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [, name = '', doing = '', request = '', fields = ''] = /^\s*(.+) (\w+): (\w+ \S+): (.+)$/.exec(line) ?? [];
    return { name, doing: doing as keyof typeof ask, request, fields: fields.split(' ') };
  });

function apiWith(kind: Kind, answers: Answers, onSent?: (request: string, body: string) => void): RemoteApi {
  const apiUrl = `https://${HOST}${kind.base}`;
  const answered: GuardedFetch = async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const request = `${init?.method ?? 'GET'} ${pathname.slice(kind.base.length)}`;
    const answer = answers[request];
    onSent?.(request, String(init?.body));
    if (answer === undefined) return Response.json({ message: `Not Found` }, { status: 404 });
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    const type = text.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8';
    const shown = new Response(text, { headers: { 'content-type': type } });
    return Object.defineProperty(shown, 'url', { value: String(input) });
  };
  return kind.create(apiUrl, createHostFetch(apiUrl, answered));
}

/** A copy of an answer in which one field is something else; undefined takes it away. */
function withField(answer: unknown, field: string, value: unknown): unknown {
  const copy = structuredClone(answer);
  const parts = field.split('.');
  const last = parts.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const part of parts) at = at[part] as Record<string, unknown>;
  at[last] = value;
  return copy;
}

async function problemOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    (value) => `no problem: ${JSON.stringify(value)}`,
    (err: unknown) => err,
  );
}

function expectProblem(problem: unknown, field?: string): void {
  expect(problem).toBeInstanceOf(HostProblem);
  const { message, code, mayPass } = problem as HostProblem;
  expect({ code, mayPass }).toEqual({ code: 'host_unavailable', mayPass: true });
  expect(message).toContain(HOST);
  if (field !== undefined) expect(message).toContain(`"${field}"`);
  expect(message).not.toMatch(/marked-body|secret/);
}

describe.each(Object.entries<Kind>(KINDS))('%s', (name, kind) => {
  test('is understood as its documentation has it', async () => {
    const api = apiWith(kind, kind.answers());
    expect((await api.account()).name).toMatch(/^(octocat|octoapp|john_smith|bot)$/);
    const there = await api.open({ path: kind.path });
    expect(there).toMatchObject({ path: kind.path, defaultBranch: expect.stringMatching(/^(main|master)$/) });
    const found = await there.findByHead({ head: kind.head, base: 'main', known: null });
    expect(found).toMatchObject([{ number: kind.number, link: expect.stringMatching(/^https?:/) }]);
    expect(await there.create({ head: kind.head, base: 'main', title: 'T', body: 'B', draft: false })).toMatchObject({
      number: kind.number,
    });
    expect(await there.updateBody(kind.number, 'B')).toMatchObject({ number: kind.number });
    expect(await there.addLabels(kind.number, ['bug', 'rare'])).toEqual(['rare']);
    expect(await there.merge(kind.number, { headCommit: 'c'.repeat(40) })).toEqual({
      commit: expect.stringMatching(/^\w{40}$/),
    });
  });

  test.each(['merge', 'squash', 'rebase'] as const)('merges by the method that is asked for: %s', async (method) => {
    const sent: string[] = [];
    const keep = (request: string, body: string) => request.endsWith('/merge') && sent.push(body);
    const there = await apiWith(kind, kind.answers(), keep).open({ path: kind.path });
    await there.merge(kind.number, { headCommit: 'c'.repeat(40), method });
    const fields = JSON.parse(sent[0] ?? '') as Record<string, unknown>;
    const asked = fields['merge_method'] ?? fields['do'] ?? (fields['squash'] ? 'squash' : 'merge');
    // GitLab decides by its own settings between a merge commit and a rebase.
    expect(asked).toBe(name === 'GitLab' && method === 'rebase' ? 'merge' : method);
  });

  describe.each(ROWS.filter((row) => row.name === name))('$doing: $request', ({ doing, request, fields }) => {
    const broken: [string, unknown][] = [
      ['a page of a sign-in', `<html>marked-body${' '.repeat(1_000_000)}</html>`],
      ['a page', '<!doctype html><title>marked-body</title>'],
      ['nothing', ''],
      ['null', 'null'],
      ['a word', '"marked-body"'],
      ['a number', '7'],
      ['the wrong kind of thing', Array.isArray(kind.answers()[request]) ? {} : []],
      ['something cut short', '{"marked-body": '],
    ];
    test.each(broken)('%s counts as no answer', async (_what, answer) => {
      const api = apiWith(kind, { ...kind.answers(), [request]: answer });
      expectProblem(await problemOf(ask[doing](api, kind)));
    });

    test.each(fields)(
      'an answer without "%s", or with something else there, is reported by its name',
      async (field) => {
        for (const value of [undefined, { marked: { by: 'marked-body' } }]) {
          const answer = withField(kind.answers()[request], field, value);
          const problem = await problemOf(ask[doing](apiWith(kind, { ...kind.answers(), [request]: answer }), kind));
          // What it holds of an object is missed first.
          if (value === undefined) expectProblem(problem, field);
          else expectProblem(problem);
        }
      },
    );
  });
});

/** What is found if one pull request of a list has some other fields. */
async function found(name: keyof typeof KINDS, request: string, change: object): Promise<unknown> {
  const kind = KINDS[name];
  const answers = kind.answers();
  const [one] = answers[request] as object[];
  const api = apiWith(kind, { ...answers, [request]: [{ ...one, ...change }] });
  return (await api.open({ path: kind.path })).findByHead({ head: kind.head, base: 'main', known: null });
}

/** What is null or missing in answers that are right. */
describe('is understood', () => {
  const gitlab = 'GET /projects/3/merge_requests';
  const github = 'GET /repos/octocat/Hello-World/pulls';

  test('a merge request that GitLab is still making, or whose branch or project is gone', async () => {
    expect(await found('GitLab', gitlab, { sha: null, description: null })).toMatchObject([
      { headCommit: null, body: '', state: 'open' },
    ]);
    expect(await found('GitLab', gitlab, { source_project_id: null })).toEqual([]);
  });

  test('a merge request of a GitLab that is older than drafts and reviewers', async () => {
    expect(await found('GitLab', gitlab, { draft: undefined, reviewers: undefined })).toMatchObject([
      { isDraft: false },
    ]);
  });

  test('a pull request without words, and one whose fork is gone', async () => {
    expect(await found('GitHub', github, { body: null, merged_at: null, merge_commit_sha: null })).toMatchObject([
      { body: '', state: 'open', mergeCommit: null },
    ]);
    const head = { label: 'o:new-topic', ref: 'new-topic', sha: 'c'.repeat(40), repo: null };
    expect(await found('GitHub', github, { head })).toEqual([]);
  });

  test('a list of Gitea in which one could not be converted', async () => {
    const kind = KINDS.Gitea;
    const { 'GET /repos/acme/docs/pulls/main/docent/a': _byBranches, ...answers } = giteaAnswers();
    const [pull] = answers['GET /repos/acme/docs/pulls'] as object[];
    const api = apiWith(kind, { ...answers, 'GET /repos/acme/docs/pulls': [null, pull] });
    const there = await api.open({ path: kind.path });
    expect(await there.findByHead({ head: kind.head, base: 'main', known: null })).toMatchObject([{ number: 12 }]);
  });
});
