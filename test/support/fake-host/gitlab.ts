import { readFileSync } from 'node:fs';
import type { ExpandedMergeRequestSchema, PersonalAccessTokenSchema, ProjectSchema } from '@gitbeaker/rest';
import { parse } from 'yaml';
import { ApiDescription, type Json } from './api-description.ts';
import type { FakeAnswer, FakeHost, FakeKind, FakeRequest, FakeToken } from './fake-host.ts';
import type { FakePull, FakeRepository } from './fake-repository.ts';

let described: ApiDescription | null | undefined;

/**
 * GitLab's REST API. No package carries GitLab's description: where DOCENT_TEST_GITLAB_OPENAPI names a copy
 * of its doc/api/openapi/openapi_v3.yaml, requests and answers are compared with it; else against the
 * client's types alone.
 */
export class FakeGitLab implements FakeKind {
  readonly name = 'gitlab';
  readonly apiBase = '/api/v4';
  readonly tagsAnswers = true;
  /** It reports the new name to clients that push under an old one, and accepts the push. */
  readonly redirectsGit = false;

  description(): ApiDescription | null {
    const file = process.env.DOCENT_TEST_GITLAB_OPENAPI;
    described ??= file ? new ApiDescription(parse(readFileSync(file, 'utf8'))) : null;
    return described;
  }

  describedPath(path: string): string {
    return `${this.apiBase}${path}`;
  }

  gitCredential(user: string, password: string): string | null {
    return user === 'oauth2' ? password : null;
  }

  answer(request: FakeRequest, host: FakeHost): FakeAnswer {
    const { token, method, path, query, operation } = request;
    if (!token) return { status: 401, body: { message: '401 Unauthorized' } };
    const sample = operation?.sampleAnswer(200) ?? {};
    if (path === '/user') return { status: 200, body: { ...sample, id: 1, username: token.account } };
    if (path === '/personal_access_tokens/self') {
      const own: Partial<PersonalAccessTokenSchema> = { scopes: token.scopes ?? [], active: true, revoked: false };
      return { status: 200, body: { ...sample, ...own } };
    }
    const canWrite = token.scopes?.includes('api') && token.pulls === 'write';
    if (method !== 'GET' && !canWrite) return { status: 403, body: { error: 'insufficient_scope' } };
    if (path === '/users') {
      const known = [...new Set(host.repositories.flatMap(({ people }) => [...people]))];
      const found = known.filter((name) => name === query.get('username'));
      return { status: 200, body: found.map((username) => ({ id: known.indexOf(username) + 10, username })) };
    }
    const [, given = '', rest = ''] = /^\/projects\/([^/]+)(.*)$/.exec(path) ?? [];
    const target = host.moved.get(decodeURIComponent(given));
    if (target) {
      if (method !== 'GET')
        return { status: 405, body: { message: 'Non GET methods are not allowed for moved projects' } };
      const location = `${host.url}${this.apiBase}/projects/${target.id}${rest}`;
      return { status: 301, headers: { location }, body: { message: 'moved' } };
    }
    const repository = host.repositories.find(
      ({ id, path: at }) => String(id) === given || at === decodeURIComponent(given),
    );
    if (!repository || token.contents === 'none') return { status: 404, body: { message: '404 Project Not Found' } };
    return answerProject(request, host, repository, rest);
  }
}

function answerProject(
  { method, body, query, token, operation }: FakeRequest,
  host: FakeHost,
  repository: FakeRepository,
  rest: string,
): FakeAnswer {
  const sample = operation?.sampleAnswer(200) ?? {};
  if (rest === '') return { status: 200, body: { ...sample, ...presentProject(repository, host, token) } };
  const show = (pull: FakePull, status = 200): FakeAnswer => {
    return { status, body: { ...operation?.sampleAnswer(status), ...presentPull(pull, repository, host) } };
  };
  if (rest === '/merge_requests' && method === 'GET') {
    const found = repository.list((pull) => pull.head === query.get('source_branch')).toReversed();
    return { status: 200, body: found.map((pull) => presentPull(pull, repository, host)) };
  }
  if (rest === '/merge_requests') {
    const { source_branch: head, target_branch: base, title, description } = body;
    const there = repository.openPullOf(head);
    if (there) {
      const message = [`Another open merge request already exists for this source branch: !${there.number}`];
      return { status: 409, body: { message } };
    }
    if (repository.sees(head) !== 'branch')
      return { status: 400, body: { message: { source_branch: ['does not exist'] } } };
    return show(repository.open({ head, base, title, body: description, draft: title.startsWith('Draft: ') }), 201);
  }
  if (/^\/repository\/commits\/[0-9a-f]{40}\/statuses$/.test(rest)) {
    const item = { ...(Array.isArray(sample) ? {} : sample), allow_failure: false };
    const found = repository.checks.map(({ name, passed }) => ({
      ...item,
      name,
      status: passed ? 'success' : 'failed',
      target_url: `${host.url}/checks/${name}`,
    }));
    return { status: 200, body: found };
  }
  const label = /^\/labels\/(.+)$/.exec(rest)?.[1];
  if (label !== undefined) {
    const name = decodeURIComponent(label);
    if (!repository.labels.has(name)) return { status: 404, body: { message: '404 Label Not Found' } };
    return { status: 200, body: { ...sample, id: 1, name } };
  }
  const [, number = '', action = ''] = /^\/merge_requests\/(\d+)(\/\w+)?$/.exec(rest) ?? [];
  const pull = repository.pulls.find((other) => String(other.number) === number);
  if (!pull) return { status: 404, body: { message: '404 Not found' } };
  if (method === 'GET') return show(pull);
  if (action === '/merge') {
    if (pull.state !== 'open') return { status: 405, body: { message: '405 Method Not Allowed' } };
    if (body.sha !== repository.headCommit(pull))
      return { status: 409, body: { message: 'SHA does not match HEAD of source branch' } };
    repository.merge(pull);
    return show(pull);
  }
  if (typeof body.description === 'string') pull.body = body.description;
  if (body.add_labels) pull.labels.push(...body.add_labels.split(','));
  // GitLab without a license takes one reviewer.
  if (body.reviewer_ids)
    pull.reviewers = [...repository.people].filter((_name, at) => body.reviewer_ids.includes(at + 10));
  if (body.state_event === 'close') repository.close(pull);
  return show(pull);
}

function presentProject(repository: FakeRepository, host: FakeHost, token: FakeToken | null): Partial<ProjectSchema> {
  return {
    id: repository.id,
    path_with_namespace: repository.path,
    web_url: `${host.url}/${repository.path}`,
    default_branch: 'main',
    archived: repository.archived,
    merge_requests_access_level: repository.takesPulls ? 'enabled' : 'disabled',
    permissions: {
      project_access: { access_level: token?.contents === 'write' ? 30 : 20, notification_level: 3 },
      group_access: null,
    } as unknown as ProjectSchema['permissions'],
  };
}

function presentPull(pull: FakePull, repository: FakeRepository, host: FakeHost): Json {
  const shown: Partial<ExpandedMergeRequestSchema> = {
    id: pull.number + 1_000,
    iid: pull.number,
    project_id: repository.id,
    web_url: `${host.url}/${repository.path}/-/merge_requests/${pull.number}`,
    state: pull.state === 'open' ? 'opened' : pull.state,
    title: pull.title,
    description: pull.body,
    draft: pull.draft,
    sha: repository.headCommit(pull),
    source_branch: pull.head,
    target_branch: pull.base,
    source_project_id: repository.id,
    target_project_id: repository.id,
    merge_commit_sha: pull.mergeCommit,
    squash_commit_sha: null,
    labels: pull.labels,
    reviewers: pull.reviewers.map((username, at) => ({
      id: at + 10,
      name: username,
      username,
      state: 'active',
      avatar_url: '',
      web_url: `${host.url}/${username}`,
    })),
  };
  return shown;
}
