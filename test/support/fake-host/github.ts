import { createVerify } from 'node:crypto';
import { ApiDescription, GITHUB_DESCRIPTION, type Json } from './api-description.ts';
import type { FakeAnswer, FakeHost, FakeKind, FakeRequest } from './fake-host.ts';
import type { FakePull, FakeRepository } from './fake-repository.ts';
import { answerGit } from './github-git.ts';

/** An App of the fake GitHub. */
export interface FakeApp {
  id: string;
  publicKey: string;
  permissions: Record<string, string>;
  /** How long its tokens live. */
  tokenMs: number;
  minted: string[];
}

let described: ApiDescription | null = null;

/** GitHub's REST API as an Enterprise server has it, below `/api/v3`. */
export class FakeGitHub implements FakeKind {
  readonly name = 'github';
  readonly apiBase = '/api/v3';
  readonly tagsAnswers = true;
  readonly redirectsGit = true;
  app: FakeApp | null = null;

  description(): ApiDescription {
    described ??= ApiDescription.fromFile(GITHUB_DESCRIPTION);
    return described;
  }

  gitCredential(user: string, password: string): string | null {
    return user === 'x-access-token' ? password : null;
  }

  answer(request: FakeRequest, host: FakeHost): FakeAnswer {
    if (request.path === '/app' || request.path.endsWith('/installation') || request.path.startsWith('/app/')) {
      return this.#answerApp(request, host);
    }
    const { token, method, path: asked } = request;
    if (!token) return { status: 401, body: said('Bad credentials') };
    const scopes: Record<string, string> = token.scopes ? { 'x-oauth-scopes': token.scopes.join(', ') } : {};
    const ok = (status: number, body: Json): FakeAnswer => ({ status, body, headers: scopes });
    if (asked === '/user') return ok(200, { ...request.operation?.sampleAnswer(200), login: token.account });

    const byId = /^\/repositories\/(\d+)(.*)$/.exec(asked);
    const [, given = '', rest = ''] = byId ?? /^\/repos\/([^/]+\/[^/]+)(.*)$/.exec(asked) ?? [];
    const target = host.moved.get(given);
    if (target) {
      const query = request.query.size > 0 ? `?${request.query}` : '';
      const location = `${host.url}${this.apiBase}/repositories/${target.id}${rest}${query}`;
      return { status: method === 'GET' ? 301 : 307, headers: { location }, body: said('Moved Permanently') };
    }
    const repository = byId ? host.repositories.find(({ id }) => String(id) === given) : host.find(given);
    if (!repository || token.contents === 'none') return { status: 404, body: said('Not Found') };
    return this.#answerRepository(request, host, repository, rest, ok);
  }

  #answerRepository(
    { method, body, query, token, operation, accept }: FakeRequest,
    host: FakeHost,
    repository: FakeRepository,
    rest: string,
    ok: (status: number, body: Json) => FakeAnswer,
  ): FakeAnswer {
    const sample = (status: number) => operation?.sampleAnswer(status) ?? {};
    if (rest === '') {
      const owner = { ...sample(200).owner, login: ownerOf(repository) };
      return ok(200, { ...sample(200), ...presentRepository(repository, host), owner });
    }
    const [, ofCommit] = /^\/commits\/[0-9a-f]{40}\/(check-runs|status)$/.exec(rest) ?? [];
    if (ofCommit === 'status') return ok(200, { ...sample(200), state: 'pending', statuses: [] });
    if (ofCommit) {
      const check_runs = repository.checks.map(({ name, passed }) => ({
        ...operation?.itemOfAnswer(200, 'check_runs'),
        name,
        status: 'completed',
        conclusion: passed ? 'success' : 'failure',
        html_url: `${host.url}/checks/${name}`,
      }));
      return ok(200, { total_count: check_runs.length, check_runs });
    }
    const [, person = ''] = /^\/collaborators\/([^/]+)\/permission$/.exec(rest) ?? [];
    if (person !== '') {
      const known = WRITERS.find(({ login }) => login === person);
      return ok(200, { permission: known ? 'write' : 'read', user: known ?? { id: 99, login: person } });
    }
    if (rest === '/hooks') return { status: 404, body: said('Not Found') };
    if (method !== 'GET' && token?.pulls !== 'write') {
      return { status: 403, body: said('Resource not accessible by personal access token') };
    }
    const show = (pull: FakePull, status = 200) =>
      ok(status, { ...sample(status), ...presentPull(pull, repository, host, sample(status)) });
    if (rest === '/pulls' && method === 'GET') {
      const [, head] = (query.get('head') ?? '').split(`${ownerOf(repository)}:`);
      const found = repository.list((pull) => pull.head === head).toReversed();
      const item = host.kind.description()?.find('POST', `/repos/${repository.path}/pulls`)?.sampleAnswer(201) ?? {};
      return ok(
        200,
        found.map((pull) => ({ ...item, ...presentPull(pull, repository, host, item) })),
      );
    }
    if (rest === '/pulls') {
      const refused = refusalOf(body, repository);
      return refused
        ? { status: 422, body: refused }
        : show(repository.open({ ...body, draft: body.draft ?? false }), 201);
    }
    const [, kind = '', number = '', action = ''] = /^\/(pulls|issues)\/(\d+)(\/\w+)?$/.exec(rest) ?? [];
    const pull = repository.pulls.find((other) => String(other.number) === number);
    const label = /^\/labels\/(.+)$/.exec(rest)?.[1];
    if (label !== undefined) {
      const name = decodeURIComponent(label);
      return repository.labels.has(name) ? ok(200, { ...sample(200), name }) : { status: 404, body: said('Not Found') };
    }
    const made = answerGit({ method, body, operation }, rest, repository);
    if (made) return made;
    const talk = answerTalk({ method, rest, body }, repository, { id: 1, login: token?.account ?? '' });
    if (talk) return talk;
    if (!pull) return { status: 404, body: said('Not Found') };
    if (action === '' && /\bdiff\b/.test(accept)) {
      const headers = { 'content-type': 'application/vnd.github.diff; charset=utf-8' };
      return { status: 200, headers, body: repository.diff(pull) };
    }
    if (kind === 'pulls' && action === '/comments') {
      const item = operation?.itemOfAnswer(200) ?? {};
      const user = { ...item.user, id: 1, login: token?.account ?? '' };
      return ok(
        200,
        pull.lineComments.map((one, index) => ({ ...item, ...one, user, id: index + 1 })),
      );
    }
    if (action === '/reviews' && method === 'POST') {
      pull.lineComments.push(...body.comments);
      return ok(200, sample(200));
    }
    if (action === '/reviews' && method === 'GET') return ok(200, []);
    if (kind === 'issues' && action === '/labels') {
      pull.labels.push(...body.labels);
      return ok(200, []);
    }
    if (action === '/requested_reviewers') {
      const stranger = body.reviewers.find((name: string) => !repository.people.has(name));
      if (stranger) return { status: 422, body: invalid('Reviews may only be requested from collaborators.') };
      pull.reviewers.push(...body.reviewers);
      const simple =
        host.kind.description()?.find('PATCH', `/repos/${repository.path}/pulls/1`)?.sampleAnswer(200) ?? {};
      return ok(201, { ...sample(201), ...presentPull(pull, repository, host, simple) });
    }
    if (action === '/merge') {
      if (pull.state !== 'open') return { status: 405, body: said('Pull Request is not mergeable') };
      if (body.sha !== repository.headCommit(pull)) return { status: 409, body: said('Head branch was modified.') };
      return ok(200, { sha: repository.merge(pull), merged: true, message: 'Pull Request successfully merged' });
    }
    if (typeof body?.body === 'string') pull.body = body.body;
    if (body?.state === 'closed') repository.close(pull);
    return show(pull);
  }

  #answerApp({ path: asked, credential, operation }: FakeRequest, host: FakeHost): FakeAnswer {
    if (!this.app || !isSignedBy(credential, this.app)) {
      return { status: 401, body: said('A JSON web token could not be decoded') };
    }
    const { permissions, tokenMs, minted } = this.app;
    const sample = (status: number) => operation?.sampleAnswer(status) ?? {};
    if (asked === '/app') return { status: 200, body: { ...sample(200), slug: 'docent-app', permissions } };
    if (asked.endsWith('/installation')) {
      const [, name, id] = /^\/(?:repos\/([^/]+\/[^/]+)|repositories\/(\d+))\//.exec(asked) ?? [];
      const target = host.moved.get(name ?? '');
      if (target) {
        const location = `${host.url}${this.apiBase}/repositories/${target.id}/installation`;
        return { status: 301, headers: { location }, body: said('Moved Permanently') };
      }
      const there = host.repositories.some((one) => one.path === name || String(one.id) === id);
      if (!there) return { status: 404, body: said('Not Found') };
      return { status: 200, body: { ...sample(200), id: 77, permissions } };
    }
    const token = `ghs_${String(minted.length + 1).padStart(36, 'x')}`;
    minted.push(token);
    host.tokens.set(token, {
      account: 'docent-app[bot]',
      contents: (permissions.contents ?? 'none') as 'write',
      pulls: (permissions.pull_requests ?? 'none') as 'write',
    });
    const expires_at = new Date(Date.now() + tokenMs).toISOString();
    return { status: 201, body: { ...sample(201), token, expires_at, permissions } };
  }
}

/** Accounts with write access. */
const WRITERS = [{ id: 7, login: 'ada' }];

function presentComment({ id, ...one }: FakePull['comments'][number]): Json {
  const at = '2026-01-01T00:00:00Z';
  return { id, ...one, html_url: `https://github.com/c/${id}`, created_at: at, updated_at: at };
}

/** Comments in the conversation of pull requests, and reactions to them. */
function answerTalk(
  { method, rest, body }: Pick<FakeRequest, 'method' | 'body'> & { rest: string },
  repository: FakeRepository,
  user: { id: number; login: string },
): FakeAnswer | null {
  const [, number] = /^\/issues\/(\d+)\/comments$/.exec(rest) ?? [];
  const pull = repository.pulls.find((other) => String(other.number) === number);
  if (pull && method === 'GET') return { status: 200, body: pull.comments.map(presentComment) };
  if (pull) {
    const comment = { id: 1_000 + pull.comments.length, user, body: String(body.body) };
    pull.comments.push(comment);
    return { status: 201, body: presentComment(comment) };
  }
  const [, id, isReaction] = /^\/issues\/comments\/(\d+)(\/reactions)?$/.exec(rest) ?? [];
  if (id === undefined) return null;
  if (isReaction) {
    repository.pulls.at(-1)?.reactions.push(String(body.content));
    return { status: 201, body: { id: 1, content: body.content } };
  }
  const comment = repository.pulls.flatMap(({ comments }) => comments).find((one) => String(one.id) === id);
  if (!comment) return { status: 404, body: said('Not Found') };
  comment.body = String(body.body);
  return { status: 200, body: presentComment(comment) };
}

/** GitHub's answer to clients that create too fast; in seconds, if it says how long to wait. */
export function secondaryRateLimit(seconds?: number): FakeAnswer {
  return {
    status: 403,
    ...(seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } }),
    body: said('You have exceeded a secondary rate limit. Please wait a few minutes before you try again.'),
  };
}

/** GitHub's errors say where they are explained. */
function said(message: string): Json {
  return { message, documentation_url: 'https://docs.github.com/rest', status: '0' };
}

function invalid(message: string): Json {
  return { ...said('Validation Failed'), errors: [{ resource: 'PullRequest', code: 'custom', message }] };
}

const isInvalid = (field: string) => ({
  ...said('Validation Failed'),
  errors: [{ resource: 'PullRequest', field, code: 'invalid' }],
});

function refusalOf(body: Json, repository: FakeRepository): Json {
  if (repository.openPullOf(body.head)) return invalid(`A pull request already exists for acme:${body.head}.`);
  const seen = repository.sees(body.head);
  if (seen === 'nothing') return isInvalid('head');
  if (repository.tip(body.base) === null) return isInvalid('base');
  const isSame = seen === 'base' || repository.tip(body.head) === repository.tip(body.base);
  return isSame ? invalid(`No commits between ${body.base} and ${body.head}`) : null;
}

function ownerOf({ path: full }: FakeRepository): string {
  return full.split('/')[0] ?? '';
}

function presentRepository(repository: FakeRepository, host: FakeHost): Json {
  return {
    id: repository.id,
    name: repository.path.split('/')[1],
    full_name: repository.path,
    html_url: `${host.url}/${repository.path}`,
    default_branch: 'main',
    archived: repository.archived,
    permissions: { admin: false, push: true, pull: true },
    allow_merge_commit: true,
  };
}

function presentPull(pull: FakePull, repository: FakeRepository, host: FakeHost, sample: Json): Json {
  const branch = (part: Json, ref: string, sha: string) => ({
    ...part,
    ref,
    sha,
    label: `${ownerOf(repository)}:${ref}`,
    repo: { ...part?.repo, ...presentRepository(repository, host) },
  });
  const { base: sampleBase } = sample;
  return {
    number: pull.number,
    html_url: `${host.url}/${repository.path}/pull/${pull.number}`,
    state: pull.state === 'open' ? 'open' : 'closed',
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    merged_at: pull.state === 'merged' ? '2026-01-01T00:00:00Z' : null,
    merge_commit_sha: pull.mergeCommit,
    head: branch(sampleBase, pull.head, repository.headCommit(pull)),
    base: branch(sampleBase, pull.base, repository.tip(pull.base) ?? ''),
  };
}

/** RS256, the App as issuer, not expired (RFC 7519). */
function isSignedBy(jwt: string, { id, publicKey }: FakeApp): boolean {
  const [head = '', claims = '', signature = ''] = jwt.split('.');
  const isSigned = createVerify('RSA-SHA256')
    .update(`${head}.${claims}`)
    .verify(publicKey, Buffer.from(signature, 'base64url'));
  if (!isSigned) return false;
  const { iss, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iss: string; exp: number };
  return iss === id && exp * 1_000 > Date.now();
}
