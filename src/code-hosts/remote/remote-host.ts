import { concealInLogs } from '../../platform/log.ts';
import type { Db } from '../../store/database.ts';
import type { CodeHostKind } from '@docent/code-hosts/remote-api';
import { findNewestAt } from '../../store/pull-requests/pull-requests.ts';
import { assertBranchName, mustHaveRoomFor } from '@docent/git/branch-name';
import type { Endpoint } from '@docent/git/contract';
import { listBranches } from '@docent/git/protocol/list-refs';
import { receiveAdvertisement } from '@docent/git/protocol/send-pack';
import { DEFAULT_TRANSFER_LIMITS } from '@docent/git/transport/transport';
import { askHost } from '@docent/code-hosts/apis/answer-problem';
import { pollRepository } from '@docent/code-hosts/events/poll-repository';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type { CheckedRepository, CodeHost, RepositoryIdentity } from '../host.ts';
import { RepositoryProblem } from '@docent/git/repository-problem';
import type { RemoteApi, RemoteRepository } from '@docent/code-hosts/remote-api';
import { pullRequestsOf } from './remote-pull-requests.ts';
import { gitUrl, repositoryPath } from '@docent/code-hosts/repository-url';

export interface RemoteHostOptions {
  db: Db;
  kind: CodeHostKind;
  /** The beginning of repositories' URLs. */
  webUrl: string;
  api: RemoteApi;
  /** DOCENT_PRIVATE_HOSTS. */
  privateHosts: readonly string[];
}

const CHECK_LIMITS = { ...DEFAULT_TRANSFER_LIMITS, idleMs: 15_000, totalMs: 25_000 };

/** A code host on the network. The common part is here; the differences are in `api`. */
export function createRemoteHost({ db, kind, webUrl, api, privateHosts }: RemoteHostOptions): CodeHost {
  /** The host's current path, on the server and below the path that the operator gave: never elsewhere. */
  const urlOf = (there: RemoteRepository) => `${webUrl}/${repositoryPath(webUrl, `${webUrl}/${there.path}`)}`;

  async function endpointOf(there: RemoteRepository): Promise<Endpoint> {
    const { username, password } = await there.gitLogin();
    const login = Buffer.from(`${username}:${password}`).toString('base64');
    // Servers are untrusted: if one repeats the request, its secrets must not get into an error.
    concealInLogs(password);
    concealInLogs(login);
    return {
      kind: 'http',
      url: gitUrl(urlOf(there)),
      headers: { authorization: `Basic ${login}` },
      privateHosts,
      identity: `${webUrl}#${there.id}`,
    };
  }

  async function findRepository(which: RepositoryIdentity): Promise<RemoteRepository> {
    const path = repositoryPath(webUrl, which.repository);
    return which.repositoryId === null ? api.open({ path }) : byIdentity(path, which.repositoryId);
  }

  /** The name is requested first: it is usually right, and every host documents this. The id decides. */
  async function byIdentity(path: string, id: string): Promise<RemoteRepository> {
    const named = await orFinal(api.open({ path }));
    if (!(named instanceof HostProblem) && named.id === id) return named;
    const known = await orFinal(api.open({ id }));
    if (!(known instanceof HostProblem)) {
      if (known.id === id) return known;
      throw new HostProblem('host_unavailable', `${webUrl} returned another repository than the requested one.`);
    }
    if (named instanceof HostProblem) throw named;
    throw new RepositoryProblem(
      'repository_replaced',
      `${webUrl}/${path} is now another repository (id ${named.id} at the host, not ${id}). The ` +
        `project's own was deleted, or the credential cannot see it. To use the new one, run: docent ` +
        `project update <project> --repository ${webUrl}/${path}`,
    );
  }

  /** Without an id, a URL is trusted unless an earlier pull request of the project is missing there. */
  async function mustHaveEarlierPullRequest(there: RemoteRepository, repository: string, projectId: string) {
    const row = await findNewestAt(db, projectId, repository);
    if (row === null || row.number === null) return;
    const { headBranch: head, baseBranch: base, number } = row;
    const isIt =
      row.repositoryId === null
        ? (await there.findByHead({ head, base, known: number })).some((pull) => pull.number === number)
        : row.repositoryId === there.id;
    if (isIt) return;
    throw new RepositoryProblem(
      'repository_replaced',
      `${repository} does not have the project's pull request ${row.link ?? number}, so it seems to be ` +
        'another repository with the same name. To use it, run: docent project update <project> ' +
        `--repository ${repository}`,
    );
  }

  /** Its branches, and the requested one. */
  async function inspect(there: RemoteRepository, ref: string | null) {
    const at = await endpointOf(there);
    const branches = await listBranches(at, { limits: CHECK_LIMITS });
    const url = urlOf(there);
    if (branches.size === 0) {
      throw new RepositoryProblem('repository_empty', `${url} has no commits yet. Create one, then try again.`);
    }
    const branch = ref ?? there.defaultBranch ?? 'main';
    const commit = branches.get(branch);
    if (commit === undefined) {
      const some = [...branches.keys()].slice(0, 8).join(', ');
      throw new RepositoryProblem('branch_missing', `${url} has no branch "${branch}". It has: ${some}.`);
    }
    const checked = { repository: url, repositoryId: there.id, url, ref: branch, commit };
    return { at, branches, checked };
  }

  return {
    kind,
    checkAccount: () => api.account(),

    async check(which, ref, branchPrefix): Promise<CheckedRepository> {
      if (ref !== null) assertBranchName(ref);
      const there = await findRepository(which);
      if (there.problems.length > 0) throw new RepositoryProblem('repository_unsupported', there.problems.join(' '));
      const { checked, at, branches } = await inspect(there, ref);
      if (branchPrefix !== undefined) mustHaveRoomFor(branchPrefix, branches);
      await assertPushAllowed(at, checked.url);
      const lacking = await there.pullRequestProblems(checked.ref);
      if (lacking.length > 0) throw new RepositoryProblem('repository_unsupported', lacking.join(' '));
      return checked;
    },

    async checkReadable(which, ref): Promise<CheckedRepository> {
      if (ref !== null) assertBranchName(ref);
      return (await inspect(await findRepository(which), ref)).checked;
    },

    async poll(which, input) {
      const { id, path, get } = await findRepository(which);
      return askHost({ doing: 'poll the repository', host: new URL(webUrl).host }, () =>
        pollRepository({ ...input, kind, repository: { id, path }, get, now: new Date() }),
      );
    },

    async saveHook(which, hook) {
      return (await findRepository(which)).saveHook(hook);
    },

    async open({ projectId, ...which }) {
      const there = await findRepository(which);
      if (which.repositoryId === null && projectId !== null)
        await mustHaveEarlierPullRequest(there, which.repository, projectId);
      const repository = urlOf(there);
      return {
        repository,
        repositoryId: there.id,
        endpoint: await endpointOf(there),
        talk: there.talk,
        commit: there.commit,
        defaultBranch: async () => there.defaultBranch,
        ...pullRequestsOf(db, there, repository),
      };
    },
  };
}

/** A host's final refusal as a value, so that another request can be tried. */
async function orFinal<T>(asked: Promise<T>): Promise<T | HostProblem> {
  try {
    return await asked;
  } catch (err) {
    if (err instanceof HostProblem && (err.code === 'repository_missing' || err.code === 'host_forbidden')) return err;
    throw err;
  }
}

/** A server shows whether a push is allowed before anything is pushed. */
async function assertPushAllowed(at: Endpoint, url: string): Promise<void> {
  try {
    await receiveAdvertisement(at, { limits: CHECK_LIMITS });
  } catch (err) {
    if (!(err instanceof RepositoryProblem) || err.code === 'unreachable') throw err;
    throw new RepositoryProblem(
      'repository_unreadable',
      `The credential can read ${url}, but cannot push to it. It needs write access to the repository's contents.`,
    );
  }
}
