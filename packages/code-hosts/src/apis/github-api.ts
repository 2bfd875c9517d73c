import { RequestError } from '@octokit/request-error';
import { z } from 'zod';
import type { GuardedFetch } from '@docent/base/net/guarded-fetch';
import { appKeyPem, appKeyProblem } from './app-key.ts';
import { GITHUB_HOOK_EVENTS } from '../events/hook-events.ts';
import { HostProblem } from '../host-problem.ts';
import { number, pageUrl, repositoryPath } from './answer-fields.ts';
import { askHost, FailedCall, laggingProblem, mergeRefusal } from './answer-problem.ts';
import {
  appCredentials,
  partsOf,
  tokenCredentials,
  type GitHubCredentials,
  type RepositoryAccess,
} from './github-credentials.ts';
import { Octokit, orMissing, type GitHubClient } from './github-client.ts';
import { commitOnGitHub } from './github-commit.ts';
import { githubStatus } from './github-status.ts';
import { githubTalk } from './github-talk.ts';
import type { ReadText } from '../host-fetch.ts';
import type { RemoteApi, RemotePullRequest, RemoteRepository, RepositoryKey } from '../remote-api.ts';

/** The used fields of a repository. Older versions of Enterprise omit some. */
const Repository = z.object({
  id: number,
  name: z.string(),
  full_name: repositoryPath,
  owner: z.object({ login: z.string() }),
  html_url: z.string(),
  default_branch: z.string(),
  private: z.boolean().nullish(),
  archived: z.boolean().nullish(),
  disabled: z.boolean().nullish(),
  permissions: z.object({ push: z.boolean() }).nullish(),
  allow_merge_commit: z.boolean().nullish(),
  allow_squash_merge: z.boolean().nullish(),
});

/** The used fields of a pull request. Its head has no repository if that is gone. */
const Pull = z.object({
  number,
  html_url: pageUrl,
  state: z.enum(['open', 'closed']),
  title: z.string(),
  body: z.string().nullish(),
  draft: z.boolean().nullish(),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  head: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ id: number }).nullish() }),
  base: z.object({ repo: z.object({ id: number }) }),
});

const Hooks = z.array(z.object({ id: number, config: z.object({ url: z.string().nullish() }) }));
const Label = z.object({ name: z.string() });
const Merged = z.object({ sha: z.string() });

export interface GitHubApiOptions {
  apiUrl: string;
  fetch: GuardedFetch;
  readText: ReadText;
  /** A token, or an App's private key. */
  credential: string;
  /** Null for a token. */
  appId: string | null;
}

/** A branch that does not exist. Trying it shows whether the credential can open pull requests. */
const NO_BRANCH = 'docent-permission-check/no-such-branch';

/** GitHub's REST API, of github.com and of Enterprise (https://docs.github.com/en/rest). */
export function createGitHubApi({ apiUrl, fetch, readText, credential, appId }: GitHubApiOptions): RemoteApi {
  const { host } = new URL(apiUrl);
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const common = { baseUrl: apiUrl, request: { fetch }, log: silent, userAgent: 'docent' };
  const connect = (options: object) => new Octokit({ ...common, ...options });
  const credentials: GitHubCredentials =
    appId === null ? tokenCredentials(credential, connect) : credentialsOfApp(appId, credential, connect, host);

  /** Runs calls to the API and turns errors into our own messages. */
  const ask = <T>(doing: string, call: () => Promise<T>) =>
    askHost({ doing, host }, async () => {
      try {
        return await call();
      } catch (err) {
        throw err instanceof RequestError ? causeOf(err) : err;
      }
    });

  return {
    account: () => ask('ask who it belongs to', () => credentials.account()),

    open: (key) =>
      ask('look at the repository', async () => {
        const access = await credentials.forRepository(key);
        const { data: shown, headers } = await repositoryBy(access.client, key);
        const data = Repository.parse(shown);
        const problems = problemsOf(data, appId === null);
        return repositoryOf({ host, ask, access, data, problems, headers, readText });
      }),
  };
}

/** @throws HostProblem `host_unauthorized` if nothing can be signed with the key */
function credentialsOfApp(
  appId: string,
  credential: string,
  connect: (options: object) => GitHubClient,
  host: string,
): GitHubCredentials {
  const problem = appKeyProblem(credential);
  if (problem === null) return appCredentials({ appId, privateKey: appKeyPem(credential) }, connect);
  throw new HostProblem(
    'host_unauthorized',
    `The credential of ${host} is not the key of a GitHub App: ${problem} Update it with \`docent host update\`.`,
  );
}

/**
 * By id, it uses the address to which GitHub redirects requests for a renamed one
 * (https://docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects).
 */
async function repositoryBy(
  { rest, request }: GitHubClient,
  key: RepositoryKey,
): Promise<{ data: unknown; headers: Record<string, unknown> }> {
  if ('path' in key) return rest.repos.get(partsOf(key.path));
  return request('GET /repositories/{id}', { id: key.id });
}

function problemsOf(found: z.output<typeof Repository>, isToken: boolean): string[] {
  const url = found.html_url;
  const problems: string[] = [];
  if (found.archived) problems.push(`${url} is archived and read-only. Unarchive it first.`);
  if (found.disabled) problems.push(`${url} is disabled by GitHub.`);
  if (found.permissions?.push === false && isToken) {
    problems.push(`The owner of the token cannot push to ${url}. Give that account the role "write".`);
  }
  return problems;
}

function repositoryOf(opened: {
  host: string;
  ask: <T>(doing: string, call: () => Promise<T>) => Promise<T>;
  access: RepositoryAccess;
  data: z.output<typeof Repository>;
  problems: string[];
  headers: Record<string, unknown>;
  readText: ReadText;
}): RemoteRepository {
  const { host, ask, access, data: found, problems, headers } = opened;
  const { rest } = access.client;
  const at = { owner: found.owner.login, repo: found.name };

  async function createPull(input: Parameters<RemoteRepository['create']>[0]): Promise<RemotePullRequest | null> {
    try {
      return present(Pull.parse((await rest.pulls.create({ ...at, ...input })).data));
    } catch (err) {
      if (!(err instanceof RequestError) || err.status !== 422) throw err;
      if (/pull request already exists/i.test(err.message)) return null;
      if (isLagging(err.message)) throw laggingProblem({ ...answerOf(err), host }, input.head);
      // Private repositories of some plans have no drafts.
      if (input.draft && /draft/i.test(err.message)) return createPull({ ...input, draft: false });
      throw err;
    }
  }

  return {
    id: String(found.id),
    path: found.full_name,
    defaultBranch: found.default_branch,
    problems,
    talk: githubTalk({
      client: access.client,
      at,
      isPrivate: found.private === true,
      ask,
      ownAccount: access.accountId,
      readText: opened.readText,
    }),

    commit: access.app === null ? null : (input) => ask('commit', () => commitOnGitHub(access.client.rest, at, input)),

    gitLogin: () =>
      ask('get a token for git', async () => ({ username: 'x-access-token', password: await access.gitToken() })),

    async pullRequestProblems(base) {
      const known = access.problems({ isPrivate: found.private === true, headers });
      if (known) return known;
      try {
        await ask('open pull requests', () =>
          rest.pulls.create({ ...at, head: NO_BRANCH, base, title: 'Permission check' }),
        );
      } catch (err) {
        if (!(err instanceof HostProblem)) throw err;
        if (err.code === 'host_forbidden' || err.code === 'repository_missing') {
          return ['The token cannot open pull requests. Grant it the permission "Pull requests: Read and write".'];
        }
        if (err.code !== 'host_refused') throw err;
      }
      return [];
    },

    findByHead: ({ head }) =>
      ask('look for the pull request', async () => {
        const { data } = await rest.pulls.list({
          ...at,
          head: `${at.owner}:${head}`,
          state: 'all',
          sort: 'created',
          direction: 'desc',
          per_page: 100,
        });
        return z
          .array(Pull)
          .parse(data)
          .filter((pull) => pull.head.ref === head && pull.head.repo?.id === pull.base.repo.id)
          .map(present);
      }),

    status: (number, headCommit) =>
      ask('look at the pull request', async () => githubStatus(rest, at, number, headCommit)),

    create: (input) => ask('open the pull request', () => createPull(input)),

    updateBody: (number, body) =>
      ask('update the pull request', async () =>
        present(Pull.parse((await rest.pulls.update({ ...at, pull_number: number, body })).data)),
      ),

    addLabels: (number, labels) =>
      ask('label the pull request', async () => {
        const missing: string[] = [];
        for (const name of labels) {
          // Setting a label that does not exist would create it.
          const label = await orAbsent(rest.issues.getLabel({ ...at, name }).then(({ data }) => Label.parse(data)));
          if (label === null) missing.push(name);
        }
        const there = labels.filter((label) => !missing.includes(label));
        if (there.length > 0) await rest.issues.addLabels({ ...at, issue_number: number, labels: there });
        return missing;
      }),

    addReviewers: (number, reviewers) =>
      ask('ask for reviews', async () => {
        const refused: string[] = [];
        // One by one: GitHub rejects the whole list for a single invalid name.
        for (const name of reviewers) {
          const asked = rest.pulls.requestReviewers({ ...at, pull_number: number, reviewers: [name] });
          if ((await orAbsent(asked)) === null) refused.push(name);
        }
        return refused;
      }),

    merge: (number, { headCommit, method }) =>
      ask('merge the pull request', async () => {
        const squash = found.allow_squash_merge ? 'squash' : 'rebase';
        const allowed = found.allow_merge_commit === false ? squash : 'merge';
        try {
          const input = { ...at, pull_number: number, sha: headCommit, merge_method: method ?? allowed } as const;
          return { commit: Merged.parse((await rest.pulls.merge(input)).data).sha };
        } catch (err) {
          if (!(err instanceof RequestError) || ![405, 409, 422].includes(err.status)) throw err;
          return mergeRefusal(host, err.message, /conflict|not mergeable/i.test(err.message));
        }
      }),

    close: (number) =>
      ask('close the pull request', async () => {
        await rest.pulls.update({ ...at, pull_number: number, state: 'closed' });
      }),

    get: (path, query) =>
      ask('poll the repository', async () => {
        const { owner, repo } = at;
        return (await access.client.request(`GET /repos/{owner}/{repo}${path}`, { owner, repo, ...query })).data;
      }),

    saveHook: ({ url, secret }) =>
      ask('create the webhook', async () => {
        const config = { url, secret, content_type: 'json', insecure_ssl: '0' } as const;
        if (access.app) {
          await access.app.rest.apps.updateWebhookConfigForApp(config);
          return 'updated';
        }
        const hooks = Hooks.parse((await rest.repos.listWebhooks({ ...at, per_page: 100 })).data);
        const known = hooks.find((hook) => hook.config.url === url);
        const wanted = { ...at, config, events: [...GITHUB_HOOK_EVENTS], active: true };
        if (known) await rest.repos.updateWebhook({ ...wanted, hook_id: known.id });
        else await rest.repos.createWebhook(wanted);
        return known ? 'updated' : 'created';
      }),
  };
}

/** Refusals that only mean that the API has not seen the push yet. An invalid base is not one of them. */
function isLagging(message: string): boolean {
  return /"field":"head","code":"invalid"|"code":"invalid","field":"head"|No commits between|Head sha can't be blank/i.test(
    message,
  );
}

function present(pull: z.output<typeof Pull>): RemotePullRequest {
  const isMerged = (pull.merged_at ?? null) !== null;
  return {
    number: pull.number,
    link: pull.html_url,
    state: isMerged ? 'merged' : pull.state,
    title: pull.title,
    body: pull.body ?? '',
    isDraft: pull.draft ?? false,
    headCommit: pull.head.sha,
    mergeCommit: isMerged ? (pull.merge_commit_sha ?? null) : null,
  };
}

/** Null if the resource or person does not exist, or cannot be requested. */
function orAbsent<T>(asked: Promise<T>): Promise<T | null> {
  return orMissing(asked, [404, 422]);
}

/** The connection's problem, or the answer. */
function causeOf(err: RequestError): HostProblem | FailedCall {
  if (err.cause instanceof HostProblem) return err.cause;
  const { status, headers, message } = answerOf(err);
  return new FailedCall(status, headers, message);
}

function answerOf({ status, message, response }: RequestError) {
  const headers = Object.entries(response?.headers ?? {});
  return { status, message, headers: new Headers(headers.map(([name, value]) => [name, String(value)])) };
}
