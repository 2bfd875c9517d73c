import { Octokit as Core } from '@octokit/core';
import { restEndpointMethods } from '@octokit/plugin-rest-endpoint-methods';
import { RequestError } from '@octokit/request-error';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import { HostProblem } from '../host-problem.ts';
import { HostRefusal } from '../host.ts';
import { answerProblem } from './answer-problem.ts';
import { appCredentials, tokenCredentials, type GitHubCredentials } from './github-credentials.ts';
import { Remembered } from './remembered.ts';
import type { RemoteApi, RemotePullRequest } from './remote-api.ts';

const Octokit = Core.plugin(restEndpointMethods);
export type GitHubClient = InstanceType<typeof Octokit>;
type Repository = Awaited<ReturnType<GitHubClient['rest']['repos']['get']>>['data'];

export interface GitHubApiOptions {
  apiUrl: string;
  fetch: GuardedFetch;
  /** A token, or an App's private key. */
  credential: string;
  /** Null for a token. */
  appId: string | null;
}

const KEEP_MS = 600_000;
/** A branch that nobody has: what a trial says about it tells whether the credential may open pull requests. */
const NO_BRANCH = 'docent-permission-check/no-such-branch';

/** GitHub's REST API, of github.com and of Enterprise (https://docs.github.com/en/rest). */
export function createGitHubApi({ apiUrl, fetch, credential, appId }: GitHubApiOptions): RemoteApi {
  const { host } = new URL(apiUrl);
  const silent = { debug() {}, info() {}, warn() {}, error() {} };
  const common = { baseUrl: apiUrl, request: { fetch }, log: silent, userAgent: 'docent' };
  const connect = (options: object) => new Octokit({ ...common, ...options });
  const repositories = new Remembered<Repository>(KEEP_MS);
  const credentials: GitHubCredentials =
    appId === null ? tokenCredentials(credential, connect) : appCredentials({ appId, privateKey: credential }, connect);

  /** Runs calls to the API and says in our words what went wrong. */
  async function ask<T>(doing: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (err) {
      throw problemOf(err, doing, host);
    }
  }

  async function on<T>(
    repo: string,
    doing: string,
    call: (rest: GitHubClient['rest'], at: { owner: string; repo: string }) => Promise<T>,
  ): Promise<T> {
    return ask(doing, async () => {
      const { owner, name } = await current(repo);
      const { rest } = await credentials.client(repo);
      return call(rest, { owner: owner.login, repo: name });
    });
  }

  /** The repository under its present name: a head branch is only found under that. */
  function current(repo: string): Promise<Repository> {
    return repositories.get(repo, async () => {
      const { rest } = await credentials.client(repo);
      return (await rest.repos.get(partsOf(repo))).data;
    });
  }

  return {
    gitLogin: (repo) =>
      ask('get a token for git', async () => ({
        username: 'x-access-token',
        password: await credentials.gitToken(repo),
      })),

    account: () => ask('ask who it belongs to', () => credentials.account()),

    async repository(repo) {
      repositories.forget(repo);
      const found = await ask('look at the repository', () => current(repo));
      const url = found.html_url;
      const problems: string[] = [];
      if (found.archived) problems.push(`${url} is archived: nothing can be pushed to it. Unarchive it first.`);
      if (found.disabled) problems.push(`${url} is disabled by GitHub.`);
      if (found.permissions?.push === false && appId === null) {
        problems.push(`The token's owner may not push to ${url}. Give that account the role "write" there.`);
      }
      return { url, defaultBranch: found.default_branch, problems };
    },

    async pullRequestProblems(repo, base) {
      const known = await ask('look at the permissions', () => credentials.repositoryProblems(repo));
      if (known) return known;
      try {
        await on(repo, 'open pull requests', (rest, at) =>
          rest.pulls.create({ ...at, head: NO_BRANCH, base, title: 'Permission check' }),
        );
      } catch (err) {
        if (!(err instanceof HostProblem)) throw err;
        if (err.code === 'host_forbidden' || err.code === 'repository_missing') {
          return ['The token may not open pull requests. Give it the permission "Pull requests: Read and write".'];
        }
        if (err.code !== 'host_refused') throw err;
      }
      return [];
    },

    findByHead: (repo, { head }) =>
      on(repo, 'look for the pull request', async (rest, at) => {
        const { data } = await rest.pulls.list({
          ...at,
          head: `${at.owner}:${head}`,
          state: 'all',
          sort: 'created',
          direction: 'desc',
          per_page: 100,
        });
        return data.filter((pull) => pull.head.ref === head && pull.head.repo?.id === pull.base.repo.id).map(present);
      }),

    async create(repo, { draft, ...input }) {
      try {
        return await on(repo, 'open the pull request', async (rest, at) =>
          present((await rest.pulls.create({ ...at, ...input, draft })).data),
        );
      } catch (err) {
        if (!(err instanceof HostProblem) || err.code !== 'host_refused') throw err;
        if (/pull request already exists/i.test(err.message)) {
          // Should it not be found, the repository has another name by now.
          repositories.forget(repo);
          return null;
        }
        // Private repositories of some plans have no drafts.
        if (draft && /draft/i.test(err.message)) return this.create(repo, { ...input, draft: false });
        throw err;
      }
    },

    updateBody: (repo, number, body) =>
      on(repo, 'update the pull request', async (rest, at) =>
        present((await rest.pulls.update({ ...at, pull_number: number, body })).data),
      ),

    addLabels: (repo, number, labels) =>
      on(repo, 'label the pull request', async (rest, at) => {
        const missing: string[] = [];
        for (const name of labels) {
          // Setting a label that does not exist would make it.
          const found = await orMissing(rest.issues.getLabel({ ...at, name }));
          if (found === null) missing.push(name);
        }
        const there = labels.filter((label) => !missing.includes(label));
        if (there.length > 0) await rest.issues.addLabels({ ...at, issue_number: number, labels: there });
        return missing;
      }),

    addReviewers: (repo, number, reviewers) =>
      on(repo, 'ask for reviews', async (rest, at) => {
        const refused: string[] = [];
        // One by one: a single name that cannot be asked would have all of them refused.
        for (const name of reviewers) {
          const asked = rest.pulls.requestReviewers({ ...at, pull_number: number, reviewers: [name] });
          if ((await orMissing(asked)) === null) refused.push(name);
        }
        return refused;
      }),

    async merge(repo, number, { headCommit }) {
      const facts = await ask('look at the repository', () => current(repo));
      const method = facts.allow_merge_commit === false ? (facts.allow_squash_merge ? 'squash' : 'rebase') : 'merge';
      return on(repo, 'merge the pull request', async (rest, at) => {
        try {
          const merged = await rest.pulls.merge({
            ...at,
            pull_number: number,
            sha: headCommit,
            merge_method: method,
          });
          return merged.data.sha;
        } catch (err) {
          if (!(err instanceof RequestError) || ![405, 409, 422].includes(err.status)) throw err;
          const code = /conflict|not mergeable/i.test(err.message) ? 'merge_conflict' : 'refused';
          throw new HostRefusal(code, `${host} does not merge it: ${err.message.slice(0, 300)}`);
        }
      });
    },

    close: (repo, number) =>
      on(repo, 'close the pull request', async (rest, at) => {
        await rest.pulls.update({ ...at, pull_number: number, state: 'closed' });
      }),
  };
}

function partsOf(path: string): { owner: string; repo: string } {
  const [owner = '', ...rest] = path.split('/');
  return { owner, repo: rest.join('/') };
}

interface Pull {
  number: number;
  html_url: string;
  state: string;
  title: string;
  body: string | null;
  draft?: boolean;
  merged_at: string | null;
  merge_commit_sha: string | null;
  head: { sha: string };
}

function present(pull: Pull): RemotePullRequest {
  const isMerged = pull.merged_at !== null;
  return {
    number: pull.number,
    link: pull.html_url,
    state: isMerged ? 'merged' : pull.state === 'open' ? 'open' : 'closed',
    title: pull.title,
    body: pull.body ?? '',
    isDraft: pull.draft ?? false,
    headCommit: pull.head.sha,
    mergeCommit: isMerged ? pull.merge_commit_sha : null,
  };
}

/** Null where the thing or person is not there, or cannot be asked. */
async function orMissing<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof RequestError && (err.status === 404 || err.status === 422)) return null;
    throw err;
  }
}

function problemOf(err: unknown, doing: string, host: string): unknown {
  if (!(err instanceof RequestError)) return err;
  if (err.cause instanceof HostProblem) return err.cause;
  const { status, message, response } = err;
  const headers = new Headers(
    Object.entries(response?.headers ?? {}).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return answerProblem({ doing, host, status, headers, message });
}
