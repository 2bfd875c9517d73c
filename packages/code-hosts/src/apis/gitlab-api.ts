import { createRequesterFn } from '@gitbeaker/requester-utils';
import {
  Commits,
  MergeRequests,
  PersonalAccessTokens,
  ProjectHooks,
  ProjectLabels,
  Projects,
  Users,
} from '@gitbeaker/rest';
import { z } from 'zod';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { GITLAB_HOOK_EVENTS } from '../events/hook-events.ts';
import { number, pageUrl, repositoryPath } from './answer-fields.ts';
import { askHost, FailedCall, laggingProblem, mergeRefusal, orMissing } from './answer-problem.ts';
import { checkOf, mergeableOf, reviewOf, PullRequestFields, Statuses } from './gitlab-status.ts';
import { gitlabTalk } from './gitlab-talk.ts';
import type { ReadText } from '../host-fetch.ts';
import type { RemoteApi, RemotePullRequest, RemoteRepository } from '../remote-api.ts';

export interface GitLabApiOptions {
  /** Ends with `/api/v4`. */
  apiUrl: string;
  fetch: GuardedFetch;
  readText: ReadText;
  /** Of a person, a project or a group. */
  token: string;
}

const CurrentUser = z.object({ username: z.string() });
const FoundUsers = z.array(z.object({ id: number }));
const Token = z.object({ scopes: z.array(z.string()) });

const Access = z.object({ access_level: z.number().nullish() }).nullish();

/** The used fields of a project. People with few permissions see fewer. */
const Project = z.object({
  id: number,
  web_url: z.string(),
  path_with_namespace: repositoryPath,
  visibility: z.string().nullish(),
  archived: z.boolean().nullish(),
  default_branch: z.string().nullish(),
  merge_requests_access_level: z.string().nullish(),
  permissions: z.object({ project_access: Access, group_access: Access }).nullish(),
});

/**
 * The used fields of a merge request. `sha` is null while GitLab creates it
 * (https://gitlab.com/gitlab-org/gitlab/-/issues/366543) and without its branch, `source_project_id` if that
 * project is gone. Before 13.8 there are no reviewers, before 14.0 no drafts.
 */
const MergeRequest = z.object({
  iid: number,
  web_url: pageUrl,
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  title: z.string(),
  description: z.string().nullish(),
  draft: z.boolean().nullish(),
  sha: z.string().nullish(),
  source_branch: z.string(),
  source_project_id: z.int().nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  reviewers: z.array(z.object({ username: z.string() })).nullish(),
});

const Hooks = z.array(z.object({ id: number, url: z.string() }));
const Label = z.object({ name: z.string() });

/** GitLab sends `message` or `error`, as text, a list, or texts by field. */
const ErrorBody = z.object({ message: z.json().optional(), error: z.json().optional() }).catch({});

/** The role that may push branches and open merge requests (https://docs.gitlab.com/user/permissions/). */
const DEVELOPER = 30;

/** GitLab's REST API, version 4 (https://docs.gitlab.com/api/rest/). */
export function createGitLabApi({ apiUrl, fetch, readText, token }: GitLabApiOptions): RemoteApi {
  const { host } = new URL(apiUrl);
  const options = { host: apiUrl.replace(/\/api\/v4$/, ''), token, requesterFn: requesterOver(fetch) };
  const mergeRequests = new MergeRequests(options);
  const projects = new Projects(options);

  const send = async (method: 'GET' | 'POST' | 'PUT', path: string, input: Readonly<Record<string, unknown>> = {}) => {
    const url = new URL(`${apiUrl}/${path}`);
    if (method === 'GET') for (const [name, value] of Object.entries(input)) url.searchParams.set(name, String(value));
    const headers = { 'private-token': token, ...(method === 'GET' ? {} : { 'content-type': 'application/json' }) };
    const answer = await fetch(url, { method, headers, ...(method === 'GET' ? {} : { body: JSON.stringify(input) }) });
    if (!answer.ok) throw new FailedCall(answer.status, answer.headers, await messageIn(answer));
    const said = await answer.text();
    return said === '' ? null : (JSON.parse(said) as unknown);
  };

  const readTextAt = (path: string) => readText(`${apiUrl}/${path}`, { 'private-token': token });

  const ask = <T>(doing: string, call: () => Promise<T>) => askHost({ doing, host }, call);

  return {
    account: () =>
      ask('ask who it belongs to', async () => {
        const [user, own] = await Promise.all([
          new Users(options).showCurrentUser(),
          new PersonalAccessTokens(options).show(),
        ]);
        const { username } = CurrentUser.parse(user);
        const { scopes } = Token.parse(own);
        const problems = scopes.includes('api')
          ? []
          : [`The token lacks the scope "api" (it has: ${scopes.join(', ') || 'none'}). Create one with this scope.`];
        return { name: username, problems };
      }),

    open: (key) =>
      ask('look at the project', async () => {
        const found = await projects.show('id' in key ? Number(key.id) : key.path);
        return repositoryOf(Project.parse(found));
      }),
  };

  /** By its id, even for writing: with the path of a renamed project, GitLab only allows reading. */
  function repositoryOf(project: z.output<typeof Project>): RemoteRepository {
    const projectId = project.id;

    return {
      id: String(projectId),
      path: project.path_with_namespace,
      defaultBranch: project.default_branch ?? null,
      problems: problemsOf(project),
      talk: gitlabTalk({ projectId, isPrivate: project.visibility === 'private', ask, send, readText: readTextAt }),
      commit: null,
      gitLogin: async () => ({ username: 'oauth2', password: token }),
      // The scope and the role already show everything.
      pullRequestProblems: async () => [],

      findByHead: ({ head }) =>
        ask('look for the merge request', async () => {
          const found = await mergeRequests.all({ projectId, sourceBranch: head, perPage: 100, page: 1 });
          return z
            .array(MergeRequest)
            .parse(found)
            .filter((one) => one.source_branch === head && one.source_project_id === projectId)
            .map((one) => present(one));
        }),

      status: (number, headCommit) =>
        ask('look at the merge request', async () => {
          const shown = PullRequestFields.parse(await mergeRequests.show(projectId, number));
          // The client's types lack the paging of this list.
          const firstPage: object = { perPage: 100, page: 1 };
          const statuses = await orHidden(new Commits(options).allStatuses(projectId, headCommit, firstPage));
          return {
            checks: statuses === null ? null : Statuses.parse(statuses).map(checkOf),
            mergeable: mergeableOf(shown),
            review: reviewOf(shown),
          };
        }),

      create: ({ head, base, title, body, draft }) =>
        ask('open the merge request', async () => {
          try {
            const shown = draft ? `Draft: ${title}` : title;
            const made = await mergeRequests.create(projectId, head, base, shown, { description: body });
            return present(MergeRequest.parse(made));
          } catch (err) {
            if (!(err instanceof FailedCall)) throw err;
            if (/open merge request already exists/i.test(err.answer.message)) return null;
            if (isLagging(err.answer.message)) throw laggingProblem({ ...err.answer, host }, head);
            throw err;
          }
        }),

      updateBody: (number, body) =>
        ask('update the merge request', async () =>
          present(MergeRequest.parse(await mergeRequests.edit(projectId, number, { description: body }))),
        ),

      addLabels: (number, labels) =>
        ask('label the merge request', async () => {
          const known = new ProjectLabels(options);
          const missing: string[] = [];
          for (const label of labels) {
            // Setting a label that does not exist would create it.
            const found = await orMissing(known.show(projectId, label).then((shown) => Label.parse(shown)));
            if (found === null) missing.push(label);
          }
          const there = labels.filter((label) => !missing.includes(label));
          if (there.length > 0) await mergeRequests.edit(projectId, number, { addLabels: there.join(',') });
          return missing;
        }),

      addReviewers: (number, reviewers) =>
        ask('ask for reviews', async () => {
          const users = new Users(options);
          const found = await Promise.all(reviewers.map((username) => users.all({ username, page: 1 })));
          const reviewerIds = found.flatMap((some) => FoundUsers.parse(some).map(({ id }) => id));
          if (reviewerIds.length === 0) return [...reviewers];
          const edited = MergeRequest.parse(await mergeRequests.edit(projectId, number, { reviewerIds }));
          // Plans without several reviewers take the first.
          const asked = new Set(edited.reviewers?.map(({ username }) => username));
          return reviewers.filter((name) => !asked.has(name));
        }),

      merge: (number, { headCommit, method }) =>
        ask('merge the merge request', async () => {
          try {
            // Between merge commits and rebasing, the project's own settings decide.
            const squash = method === undefined ? {} : { squash: method === 'squash' };
            const merged = await mergeRequests.merge(projectId, number, { sha: headCommit, ...squash });
            return { commit: present(MergeRequest.parse(merged)).mergeCommit ?? headCommit };
          } catch (err) {
            if (!(err instanceof FailedCall) || ![401, 405, 406, 409, 422].includes(err.answer.status)) throw err;
            return mergeRefusal(host, err.answer.message, err.answer.status === 406);
          }
        }),

      close: (number) =>
        ask('close the merge request', async () => {
          await mergeRequests.edit(projectId, number, { stateEvent: 'close' });
        }),

      get: (path, query = {}) =>
        ask('poll the project', async () => {
          const url = new URL(`${apiUrl}/projects/${projectId}${path}`);
          for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
          const answer = await fetch(url, { headers: { 'private-token': token } });
          if (!answer.ok) throw new FailedCall(answer.status, answer.headers, await messageIn(answer));
          return answer.json() as Promise<unknown>;
        }),

      saveHook: ({ url, secret }) =>
        ask('create the webhook', async () => {
          const hooks = new ProjectHooks(options);
          const found = Hooks.parse(await hooks.all(projectId, { perPage: 100, page: 1 }));
          const known = found.find((hook) => hook.url === url);
          const wanted = { token: secret, ...GITLAB_HOOK_EVENTS };
          if (known) await hooks.edit(projectId, known.id, url, wanted);
          else await hooks.add(projectId, url, wanted);
          return known ? 'updated' : 'created';
        }),
    };
  }
}

function problemsOf(project: z.output<typeof Project>): string[] {
  const { project_access: own, group_access: group } = project.permissions ?? {};
  const level = Math.max(own?.access_level ?? 0, group?.access_level ?? 0);
  const url = project.web_url;
  const problems: string[] = [];
  if (project.archived) problems.push(`${url} is archived and read-only. Unarchive it first.`);
  if (project.merge_requests_access_level === 'disabled')
    problems.push(`${url} has merge requests disabled. Enable them in its settings.`);
  if (project.permissions && level < DEVELOPER)
    problems.push(`The token's role in ${url} is too low. Give it the role "Developer".`);
  return problems;
}

/** GitLab shows a branch only after it has processed the push in the background. */
function isLagging(message: string): boolean {
  return /source.?branch.*does not exist/i.test(message);
}

function present(found: z.output<typeof MergeRequest>): RemotePullRequest {
  const isMerged = found.state === 'merged';
  return {
    number: found.iid,
    link: found.web_url,
    state: isMerged ? 'merged' : found.state === 'opened' || found.state === 'locked' ? 'open' : 'closed',
    title: found.title,
    body: found.description ?? '',
    isDraft: found.draft ?? false,
    headCommit: found.sha ?? null,
    mergeCommit: isMerged ? (found.merge_commit_sha ?? found.squash_commit_sha ?? found.sha ?? null) : null,
  };
}

/** Null if the credential may not see it. */
async function orHidden<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof FailedCall && (err.answer.status === 403 || err.answer.status === 404)) return null;
    throw err;
  }
}

/** The client's own transport retries failed requests: here, only the activity does that. */
function requesterOver(fetch: GuardedFetch) {
  return createRequesterFn(
    async (_resource, request) => request,
    async (endpoint, given) => {
      const { prefixUrl, searchParams, method, headers, body, signal } = (given ?? {}) as {
        prefixUrl?: string;
        searchParams?: string;
        method?: string;
        headers?: Record<string, string>;
        body?: string;
        signal?: AbortSignal;
      };
      const url = new URL(`${prefixUrl?.replace(/\/+$/, '')}/${endpoint}`);
      url.search = searchParams ?? '';
      const answer = await fetch(url, {
        ...(method === undefined ? {} : { method }),
        ...(headers === undefined ? {} : { headers }),
        ...(body === undefined ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
      if (!answer.ok) throw new FailedCall(answer.status, answer.headers, await messageIn(answer));
      const text = await answer.text();
      const content = text === '' ? null : JSON.parse(text);
      return { body: content, headers: Object.fromEntries(answer.headers), status: answer.status };
    },
  );
}

async function messageIn(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    const { message, error } = ErrorBody.parse(JSON.parse(text));
    const said = message ?? error ?? '';
    return typeof said === 'string' ? said : JSON.stringify(said);
  } catch {
    return text;
  }
}
