import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { PullRequest, Repository } from 'gitea-js';
import { ApiDescription, type Json } from './api-description.ts';
import type { FakeAnswer, FakeHost, FakeKind, FakeRequest } from './fake-host.ts';
import type { FakePull, FakeRepository } from './fake-repository.ts';

/** The Go module whose templates hold the description. */
const MODULE = 'code.gitea.io/gitea@v1.27.3';

let described: ApiDescription | null | undefined;

/**
 * Gitea's REST API. Its description comes with its Go module, where Go is there to fetch it; else the
 * client's types must do.
 */
export class FakeGitea implements FakeKind {
  readonly name = 'gitea';
  readonly apiBase = '/api/v1';
  readonly tagsAnswers = false;
  readonly redirectsGit = true;

  description(): ApiDescription | null {
    if (described === undefined) described = fetchDescription();
    return described;
  }

  /** The head branch is the rest of the path, slashes and all. */
  describedPath(asked: string): string {
    const [, start, base, head] = /^(\/repos\/[^/]+\/[^/]+\/pulls\/)((?!\d+\/)[^/]+)\/(.+)$/.exec(asked) ?? [];
    return start === undefined ? asked : `${start}${base}/${encodeURIComponent(head ?? '')}`;
  }

  gitCredential(_user: string, password: string): string | null {
    return password;
  }

  answer(request: FakeRequest, host: FakeHost): FakeAnswer {
    const { token, method, path: asked, operation } = request;
    if (!token) return { status: 401, body: said('user does not exist [uid: 0, name: ]', host) };
    if (asked === '/user') return { status: 200, body: { ...operation?.sampleAnswer(200), login: token.account } };
    const byId = /^\/repositories\/(\d+)$/.exec(asked)?.[1];
    const [, given = '', rest = ''] = /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(asked) ?? [];
    const target = host.moved.get(given);
    if (target) {
      // The same for every method: who repeats a POST as the GET that a 301 asks for gets something else.
      const query = request.query.size > 0 ? `?${request.query}` : '';
      const location = `${this.apiBase}/repos/${target.path}${rest}${query}`;
      return { status: 301, headers: { location } };
    }
    const repository = byId ? host.repositories.find(({ id }) => String(id) === byId) : host.find(given);
    if (!repository || token.contents === 'none') return { status: 404, body: said('not found', host) };
    if (method !== 'GET' && token.pulls !== 'write') {
      const message = 'token does not have at least one of required scope(s): [write:repository]';
      return { status: 403, body: said(message, host) };
    }
    return answerRepository(request, host, repository, rest);
  }
}

function answerRepository(
  { method, body, query, token }: FakeRequest,
  host: FakeHost,
  repository: FakeRepository,
  rest: string,
): FakeAnswer {
  if (rest === '') return { status: 200, body: presentRepository(repository, host, token?.contents === 'write') };
  const show = (pull: FakePull | undefined, status = 200): FakeAnswer =>
    pull ? { status, body: presentPull(pull, repository, host) } : { status: 404, body: said('not found', host) };
  if (rest === '/labels') {
    return { status: 200, body: [...repository.labels].map((name, at) => ({ id: at + 1, name })) };
  }
  if (rest === '/pulls' && method === 'GET') {
    const found = repository.list(({ state }) => query.get('state') === 'all' || state === 'open');
    return { status: 200, body: found.map((pull) => presentPull(pull, repository, host)) };
  }
  if (rest === '/pulls') {
    if (repository.openPullOf(body.head)) {
      return { status: 409, body: said('pull request already exists for these targets', host) };
    }
    if (repository.sees(body.head) !== 'branch' || repository.tip(body.base) === null) return show(undefined);
    return show(repository.open({ ...body, draft: body.title.startsWith('WIP:') }), 201);
  }
  if (/^\/commits\/[0-9a-f]{40}\/status$/.test(rest)) {
    const statuses = repository.checks.map(({ name, passed }) => ({
      context: name,
      status: passed ? 'success' : 'failure',
      target_url: `${host.url}/checks/${name}`,
    }));
    return { status: 200, body: { state: 'pending', statuses } };
  }
  if (/^\/pulls\/\d+\/reviews$/.test(rest) && method === 'GET') return { status: 200, body: [] };
  const [, kind = '', number = '', action = ''] = /^\/(pulls|issues)\/(\d+)(\/\w+)?$/.exec(rest) ?? [];
  if (kind === '') {
    const [, base, head = ''] = /^\/pulls\/([^/]+)\/(.+)$/.exec(rest) ?? [];
    return show(repository.list((pull) => pull.base === base && pull.head === decodeURIComponent(head))[0]);
  }
  const pull = repository.pulls.find((other) => String(other.number) === number);
  if (!pull || method === 'GET') return show(pull);
  if (action === '/labels') {
    const names = [...repository.labels];
    pull.labels.push(...body.labels.map((id: number) => names[id - 1]));
    return { status: 200, body: [] };
  }
  if (action === '/requested_reviewers') {
    const stranger = body.reviewers.find((name: string) => !repository.people.has(name));
    if (stranger) return { status: 404, body: said(`user does not exist [name: ${stranger}]`, host) };
    pull.reviewers.push(...body.reviewers);
    return { status: 201, body: [] };
  }
  if (action === '/merge') {
    if (pull.state !== 'open') return { status: 405, body: said('Pull request is closed', host) };
    if (body.head_commit_id !== repository.headCommit(pull))
      return { status: 409, body: said('head out of date', host) };
    repository.merge(pull);
    return { status: 200 };
  }
  if (typeof body.body === 'string') pull.body = body.body;
  if (body.state === 'closed') repository.close(pull);
  return show(pull, 201);
}

function said(message: string, host: FakeHost): Json {
  return { message, url: `${host.url}/api/swagger` };
}

function presentRepository(repository: FakeRepository, host: FakeHost, push: boolean): Repository {
  return {
    id: repository.id,
    full_name: repository.path,
    html_url: `${host.url}/${repository.path}`,
    default_branch: 'main',
    allow_merge_commits: true,
    archived: repository.archived,
    has_pull_requests: repository.takesPulls,
    permissions: { admin: false, push, pull: true },
  };
}

function presentPull(pull: FakePull, repository: FakeRepository, host: FakeHost): PullRequest {
  const branch = (label: string, sha: string) => ({ label, ref: label, sha, repo_id: repository.id });
  return {
    number: pull.number,
    html_url: `${host.url}/${repository.path}/pulls/${pull.number}`,
    state: pull.state === 'open' ? 'open' : 'closed',
    merged: pull.state === 'merged',
    ...(pull.mergeCommit === null ? {} : { merge_commit_sha: pull.mergeCommit }),
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    head: branch(pull.head, repository.headCommit(pull)),
    base: branch(pull.base, repository.tip(pull.base) ?? ''),
  };
}

function fetchDescription(): ApiDescription | null {
  let folder: string;
  try {
    const found = execFileSync('go', ['mod', 'download', '-json', MODULE], { encoding: 'utf8', timeout: 120_000 });
    folder = (JSON.parse(found) as { Dir: string }).Dir;
  } catch {
    // Without Go, or without a network: what is missing is said, and the rest is tested.
    process.stderr.write(`Gitea's description (${MODULE}) could not be got: its fake is not held against it.\n`);
    return null;
  }
  const template = readFileSync(path.join(folder, 'templates', 'swagger', 'v1_json.tmpl'), 'utf8');
  return new ApiDescription(JSON.parse(template.replace(/\{\{[^}]*\}\}/g, '')));
}
