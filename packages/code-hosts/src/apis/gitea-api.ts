import { giteaApi } from 'gitea-js';
import { z } from 'zod';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { GITEA_HOOK_EVENTS } from '../events/hook-events.ts';
import { number, pageUrl, repositoryPath } from './answer-fields.ts';
import { askHost, FailedCall, laggingProblem, mergeRefusal, orMissing } from './answer-problem.ts';
import { checksIn, CombinedStatus, reviewOf, Reviews, PullRequestFields } from './gitea-status.ts';
import { giteaTalk } from './gitea-talk.ts';
import type { RemoteApi, RemotePullRequest, RemoteRepository } from '../remote-api.ts';

export interface GiteaApiOptions {
  /** Ends with `/api/v1`. */
  apiUrl: string;
  fetch: GuardedFetch;
  token: string;
}

/* The used fields. Null if Gitea's services/convert allows it, or absent in older versions. */
const User = z.object({ login: z.string() });

const Repository = z.object({
  id: number,
  full_name: repositoryPath,
  html_url: z.string(),
  default_branch: z.string().nullish(),
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  has_pull_requests: z.boolean().nullish(),
  allow_merge_commits: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
  allow_rebase_explicit: z.boolean().nullish(),
  allow_rebase: z.boolean().nullish(),
  allow_fast_forward_only_merge: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean() }).nullish(),
});

/** If the repository of a head branch is gone, `repo_id` is -1. */
const PullRequest = z.object({
  number,
  html_url: pageUrl,
  state: z.enum(['open', 'closed']),
  merged: z.boolean(),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  merge_commit_sha: z.string().nullish(),
  head: z.object({ label: z.string(), sha: z.string(), repo_id: z.int() }),
  base: z.object({ repo_id: z.int() }),
});

/** Null if the server could not convert it. */
const PullRequests = z.array(PullRequest.nullable());

const Labels = z.array(z.object({ id: number, name: z.string() }));
const Hooks = z.array(z.object({ id: number, config: z.object({ url: z.string().nullish() }) }));
const Nothing = z.unknown();
const ErrorBody = z.object({ message: z.string() }).catch({ message: '' });

const PAGE = 50;
const MAX_PAGES = 10;

/** The REST API of Gitea and Forgejo, version 1 (https://docs.gitea.com/development/api-usage). */
export function createGiteaApi({ apiUrl, fetch, token }: GiteaApiOptions): RemoteApi {
  const { host } = new URL(apiUrl);
  const api = giteaApi(apiUrl.replace(/\/api\/v1$/, ''), { token, customFetch: sendingJson(fetch) });

  const ask = <T>(doing: string, call: () => Promise<T>) => askHost({ doing, host }, call);

  /** Closed and reopened pull requests of this branch, which the host does not return by branches. */
  async function others(at: readonly [string, string], head: string): Promise<z.output<typeof PullRequest>[]> {
    const found: z.output<typeof PullRequests> = [];
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const some = await read(
        PullRequests,
        api.repos.repoListPullRequests(...at, { state: 'open', page, limit: PAGE }),
      );
      // A server may return fewer per page than requested.
      const fresh = some.filter((pull) => pull !== null && !found.some((one) => one?.number === pull.number));
      found.push(...fresh);
      if (fresh.length === 0) break;
    }
    return found.filter((pull) => pull !== null).filter((pull) => pull.head.label === head);
  }

  return {
    account: () =>
      ask('ask who it belongs to', async () => {
        const { login } = await read(User, api.user.userGetCurrent());
        return { name: login, problems: [] };
      }),

    open: (key) =>
      ask('look at the repository', async () => {
        const asked =
          'id' in key ? api.repositories.repoGetById(Number(key.id)) : api.repos.repoGet(...partsOf(key.path));
        return repositoryOf(await read(Repository, asked));
      }),
  };

  function repositoryOf(found: z.output<typeof Repository>): RemoteRepository {
    const at = partsOf(found.full_name);

    return {
      id: String(found.id),
      path: found.full_name,
      defaultBranch: found.default_branch ?? null,
      problems: problemsOf(found),
      talk: giteaTalk({ api, at, isPrivate: found.private === true, ask, read }),
      commit: null,
      gitLogin: async () => ({ username: 'oauth2', password: token }),
      // A token that can push has `write:repository`, which pull requests need, too.
      pullRequestProblems: async () => [],

      findByHead: ({ head, base, known }) =>
        ask('look for the pull request', async () => {
          const [byBranches, byNumber] = await Promise.all([
            orAbsent(
              read(PullRequest, api.repos.repoGetPullRequestByBaseHead(...at, encodeURIComponent(base), pathOf(head))),
            ),
            known === null ? null : orAbsent(read(PullRequest, api.repos.repoGetPullRequest(...at, known))),
          ]);
          const first = [byBranches, byNumber].filter((pull) => pull !== null);
          const more = first.some(({ state }) => state === 'open') ? [] : await others(at, head);
          const all = new Map([...first, ...more].map((pull) => [pull.number, pull]));
          return [...all.values()]
            .filter(({ head: one, base: other }) => one.label === head && one.repo_id === other.repo_id)
            .map(present);
        }),

      status: (number, headCommit) =>
        ask('look at the pull request', async () => {
          const [shown, status, reviews] = await Promise.all([
            read(PullRequestFields, api.repos.repoGetPullRequest(...at, number)),
            read(CombinedStatus, api.repos.repoGetCombinedStatusByRef(...at, headCommit, { limit: PAGE })),
            read(Reviews, api.repos.repoListPullReviews(...at, number, { limit: PAGE })),
          ]);
          return { checks: checksIn(status), mergeable: shown.mergeable ?? null, review: reviewOf(reviews) };
        }),

      create: ({ draft, title, ...input }) =>
        ask('open the pull request', async () => {
          try {
            const body = { ...input, title: draft ? `WIP: ${title}` : title };
            return present(await read(PullRequest, api.repos.repoCreatePullRequest(...at, body)));
          } catch (err) {
            if (!(err instanceof FailedCall)) throw err;
            if (err.answer.status === 409) return null;
            // The repository existed a moment ago, so one of the branches is missing.
            if (err.answer.status === 404) throw laggingProblem({ ...err.answer, host }, input.head);
            throw err;
          }
        }),

      updateBody: (number, body) =>
        ask('update the pull request', async () =>
          present(await read(PullRequest, api.repos.repoEditPullRequest(...at, number, { body }))),
        ),

      addLabels: (number, labels) =>
        ask('label the pull request', async () => {
          const known = new Map<string, number>();
          const list = async (ofPage: (query: { page: number; limit: number }) => Promise<{ data: unknown }>) => {
            // A server may return fewer per page than requested: only a page without new items is the last.
            for (let page = 1; page <= MAX_PAGES && !labels.every((label) => known.has(label)); page += 1) {
              const some = await read(Labels, ofPage({ page, limit: PAGE }));
              const fresh = some.filter(({ name }) => !known.has(name));
              for (const { name, id } of fresh) known.set(name, id);
              if (fresh.length === 0) break;
            }
          };
          await list((query) => api.repos.issueListLabels(...at, query));
          // Labels of the organization; a person has none.
          await orAbsent(list((query) => api.orgs.orgListLabels(at[0], query)));
          const ids = labels.flatMap((label) => known.get(label) ?? []);
          if (ids.length > 0) await read(Nothing, api.repos.issueAddLabel(...at, number, { labels: ids }));
          return labels.filter((label) => !known.has(label));
        }),

      addReviewers: (number, reviewers) =>
        ask('ask for reviews', async () => {
          const refused: string[] = [];
          for (const name of reviewers) {
            const asked = read(Nothing, api.repos.repoCreatePullReviewRequests(...at, number, { reviewers: [name] }));
            if ((await orAbsent(asked.then(() => true))) === null) refused.push(name);
          }
          return refused;
        }),

      merge: (number, { headCommit, method }) =>
        ask('merge the pull request', async () => {
          try {
            // The client's own call spells it `Do`, as old descriptions did. Servers take both.
            const body = { do: method ?? mergeStyleOf(found), head_commit_id: headCommit };
            const path = `/repos/${at.join('/')}/pulls/${number}/merge`;
            const sent = { path, method: 'POST', body, secure: true };
            await read(Nothing, api.request(sent));
          } catch (err) {
            if (!(err instanceof FailedCall) || ![405, 409].includes(err.answer.status)) throw err;
            return mergeRefusal(host, err.answer.message, /conflict/i.test(err.answer.message));
          }
          const merged = await read(PullRequest, api.repos.repoGetPullRequest(...at, number));
          return { commit: merged.merge_commit_sha ?? headCommit };
        }),

      close: (number) =>
        ask('close the pull request', async () => {
          await read(Nothing, api.repos.repoEditPullRequest(...at, number, { state: 'closed' }));
        }),

      get: (path, query) =>
        ask('poll the repository', () =>
          read(Nothing, api.request({ path: `/repos/${at.join('/')}${path}`, method: 'GET', query, secure: true })),
        ),

      saveHook: ({ url, secret }) =>
        ask('create the webhook', async () => {
          const hooks = await read(Hooks, api.repos.repoListHooks(...at, { limit: PAGE }));
          const known = hooks.filter((hook) => hook.config.url === url);
          const config = { url, secret, content_type: 'json' };
          // Older servers do not change the secret of an existing webhook.
          const made = {
            type: 'gitea' as const,
            active: true,
            branch_filter: '*',
            config,
            events: [...GITEA_HOOK_EVENTS],
          };
          await read(Nothing, api.repos.repoCreateHook(...at, made));
          for (const { id } of known) await read(Nothing, api.repos.repoDeleteHook(...at, id));
          return known.length > 0 ? 'updated' : 'created';
        }),
    };
  }
}

/** The client omits the type of some bodies, and Gitea reads none without (422, "Empty Content-Type"). */
function sendingJson(fetch: GuardedFetch): GuardedFetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    if (typeof init?.body === 'string') headers.set('content-type', 'application/json');
    return fetch(input, { ...init, headers });
  };
}

/** A merge commit, or the repository's allowed alternative. */
function mergeStyleOf(found: z.output<typeof Repository>): string {
  if (found.allow_merge_commits !== false) return 'merge';
  if (found.allow_squash_merge) return 'squash';
  if (found.allow_rebase_explicit) return 'rebase-merge';
  if (found.allow_rebase) return 'rebase';
  return found.allow_fast_forward_only_merge ? 'fast-forward-only' : 'merge';
}

function problemsOf(found: z.output<typeof Repository>): string[] {
  const url = found.html_url;
  const problems: string[] = [];
  if (found.archived) problems.push(`${url} is archived and read-only. Unarchive it first.`);
  if (found.has_pull_requests === false)
    problems.push(`${url} has pull requests disabled. Enable them in its settings.`);
  if (found.permissions?.push === false)
    problems.push(
      `The owner of the token cannot push to ${url}. Add that account as a collaborator with write access.`,
    );
  return problems;
}

/** The answer's body. @throws FailedCall, ZodError */
async function read<T>(schema: z.ZodType<T>, call: Promise<{ data: unknown }>): Promise<T> {
  try {
    return schema.parse((await call).data);
  } catch (err) {
    if (!(err instanceof Response)) throw err;
    const error = 'error' in err && !(err.error instanceof Error) ? err.error : null;
    throw new FailedCall(err.status, err.headers, ErrorBody.parse(error).message);
  }
}

function partsOf(repo: string): readonly [string, string] {
  const [owner = '', ...rest] = repo.split('/');
  return [owner, rest.join('/')];
}

/** A branch name as the last part of a path, slashes and all. */
function pathOf(branch: string): string {
  return branch.split('/').map(encodeURIComponent).join('/');
}

function present(pull: z.output<typeof PullRequest>): RemotePullRequest {
  return {
    number: pull.number,
    link: pull.html_url,
    state: pull.merged ? 'merged' : pull.state,
    title: pull.title,
    body: pull.body ?? '',
    isDraft: pull.draft ?? false,
    // Empty if the server cannot resolve the branch.
    headCommit: pull.head.sha === '' ? null : pull.head.sha,
    mergeCommit: pull.merged ? (pull.merge_commit_sha ?? null) : null,
  };
}

/** Null if the resource or person does not exist, or cannot be requested. */
function orAbsent<T>(asked: Promise<T>): Promise<T | null> {
  return orMissing(asked, [404, 422]);
}
