import { concealInLogs } from '../../../log.ts';
import type { Db } from '../../../store/database.ts';
import {
  findPullRequestByHead,
  mirrorPullRequest,
  savePullRequest as savePullRequestRow,
} from '../../../store/pull-requests.ts';
import { mustBeBranchName } from '../../branch-name.ts';
import type { Endpoint } from '../../contract.ts';
import { listBranches } from '../../protocol/list-refs.ts';
import { receiveAdvertisement } from '../../protocol/send-pack.ts';
import { DEFAULT_TRANSFER_LIMITS } from '../../transport/transport.ts';
import { HostProblem } from '../host-problem.ts';
import {
  HostRefusal,
  RepositoryProblem,
  type CheckedRepository,
  type CodeHost,
  type PullRequest,
  type PullRequestInput,
  type PullRequestPlace,
  type SavedPullRequest,
} from '../host.ts';
import { asBlock, withBlock } from './body-block.ts';
import type { RemoteApi, RemotePullRequest } from './remote-api.ts';
import { gitUrl, repositoryPath } from './repository-url.ts';

export interface RemoteHostOptions {
  db: Db;
  kind: string;
  /** What the URLs of repositories begin with. */
  webUrl: string;
  api: RemoteApi;
  /** DOCENT_PRIVATE_HOSTS. */
  privateHosts: readonly string[];
}

const CHECK_LIMITS = { ...DEFAULT_TRANSFER_LIMITS, idleMs: 15_000, totalMs: 25_000 };

/** A code host on the network. How a pull request lives is the same on all of them, and stands here; what differs, in `api`. */
export function createRemoteHost({ db, kind, webUrl, api, privateHosts }: RemoteHostOptions): CodeHost {
  const pathOf = (repository: string) => repositoryPath(webUrl, repository);

  async function endpoint(repository: string): Promise<Endpoint> {
    const repo = pathOf(repository);
    const { username, password } = await api.gitLogin(repo);
    const login = Buffer.from(`${username}:${password}`).toString('base64');
    // Servers are strangers: one that repeats what it was sent must not get it into an error.
    concealInLogs(password);
    concealInLogs(login);
    return { kind: 'http', url: gitUrl(webUrl, repo), headers: { authorization: `Basic ${login}` }, privateHosts };
  }

  /** The one that counts: open before merged before closed, the newest of each. */
  async function find(place: PullRequestPlace): Promise<RemotePullRequest | null> {
    const row = await findPullRequestByHead(db, place.projectId, place.headBranch);
    const found = await api.findByHead(pathOf(place.repository), {
      head: place.headBranch,
      base: place.baseBranch,
      known: row?.number ?? null,
    });
    const order = { open: 0, merged: 1, closed: 2 };
    found.forEach(mustBePullRequest);
    const [first = null] = found.toSorted((a, b) => order[a.state] - order[b.state] || b.number - a.number);
    if (first) await mirrorPullRequest(db, place, first);
    return first;
  }

  async function findOrRefuse(place: PullRequestPlace): Promise<RemotePullRequest> {
    const found = await find(place);
    if (!found) throw new HostRefusal('pull_request_not_open', 'There is no such pull request any more.');
    return found;
  }

  async function open(input: PullRequestInput): Promise<RemotePullRequest> {
    const created = await api.create(pathOf(input.repository), {
      head: input.headBranch,
      base: input.baseBranch,
      title: input.title,
      body: asBlock(input.body),
      draft: input.draft,
    });
    if (created) mustBePullRequest(created);
    if (created) return created;
    // Somebody was quicker, or an earlier attempt's answer was lost.
    const there = await find(input);
    if (there) return there;
    throw new HostProblem(
      'host_refused',
      `The host says that ${input.headBranch} has a pull request already, and shows none. Look at it there.`,
    );
  }

  /** What people wrote stays: the title, and everything around our block. */
  async function refresh(input: PullRequestInput, there: RemotePullRequest): Promise<RemotePullRequest> {
    const body = withBlock(there.body, input.body);
    if (body === there.body.replaceAll('\r\n', '\n')) return there;
    return api.updateBody(pathOf(input.repository), there.number, body);
  }

  /** Once, when the pull request is new to us: whoever takes them away meant it. */
  async function decorate(input: PullRequestInput, number: number): Promise<string[]> {
    const repo = pathOf(input.repository);
    const { labels, reviewers } = input;
    const notes: string[] = [];
    try {
      const missing = labels.length > 0 ? await api.addLabels(repo, number, labels) : [];
      notes.push(...missing.map((label) => `The label "${label}" could not be set: the repository does not have it.`));
      const refused = reviewers.length > 0 ? await api.addReviewers(repo, number, reviewers) : [];
      notes.push(...refused.map((name) => `${name} could not be asked for a review.`));
    } catch (err) {
      // The pull request is there: what the credential may not add to it is no reason to fail.
      if (!(err instanceof HostProblem) || err.code === 'host_rate_limited' || err.code === 'host_unavailable')
        throw err;
      notes.push(err.message);
    }
    return notes;
  }

  return {
    kind,
    endpoint,
    checkAccount: () => api.account(),

    async check(repository, ref): Promise<CheckedRepository> {
      if (ref !== null) mustBeBranchName(ref);
      const repo = pathOf(repository);
      const facts = await api.repository(repo);
      if (facts.problems.length > 0) throw new RepositoryProblem('repository_unsupported', facts.problems.join(' '));
      const at = await endpoint(repository);
      const branches = await listBranches(at, { limits: CHECK_LIMITS });
      const url = `${webUrl}/${repo}`;
      if (branches.size === 0) {
        throw new RepositoryProblem('repository_empty', `${url} has no commit yet. Make a first one, then try again.`);
      }
      const branch = ref ?? facts.defaultBranch ?? 'main';
      const commit = branches.get(branch);
      if (commit === undefined) {
        const some = [...branches.keys()].slice(0, 8).join(', ');
        throw new RepositoryProblem('branch_missing', `${url} has no branch "${branch}". It has: ${some}.`);
      }
      await mustBePushable(at, url);
      const lacking = await api.pullRequestProblems(repo, branch);
      if (lacking.length > 0) throw new RepositoryProblem('repository_unsupported', lacking.join(' '));
      return { repository: url, url, ref: branch, commit };
    },

    async findPullRequest(place): Promise<PullRequest | null> {
      const found = await find(place);
      return found && present(found, place.headBranch);
    },

    async savePullRequest(input): Promise<SavedPullRequest> {
      const row = await findPullRequestByHead(db, input.projectId, input.headBranch);
      const there = (await find(input)) ?? (await open(input));
      const current = there.state === 'open' ? await refresh(input, there) : there;
      const isNew = row === null && current.state === 'open';
      const notes = isNew ? await decorate(input, current.number) : [];
      if (isNew && input.draft && !current.isDraft) notes.push('It is no draft: the repository has none.');
      const { draft: _draft, labels: _labels, reviewers: _reviewers, ...rest } = input;
      await savePullRequestRow(db, { ...rest, title: current.title, number: current.number, link: current.link });
      await mirrorPullRequest(db, input, current);
      return { ...present(current, input.headBranch), notes };
    },

    async merge(place) {
      const found = await findOrRefuse(place);
      if (found.state === 'closed') throw notOpen('It was closed.');
      if (found.state === 'merged') return { state: 'merged', mergeCommit: found.mergeCommit ?? found.headCommit };
      const { headCommit, title } = found;
      const mergeCommit = await api.merge(pathOf(place.repository), found.number, { headCommit, title });
      await mirrorPullRequest(db, place, { ...found, state: 'merged', mergeCommit });
      return { state: 'merged', mergeCommit };
    },

    async close(place) {
      const found = await findOrRefuse(place);
      if (found.state === 'merged') throw notOpen('It was merged.');
      if (found.state === 'open') await api.close(pathOf(place.repository), found.number);
      await mirrorPullRequest(db, place, { ...found, state: 'closed' });
      return { state: 'closed' };
    },
  };
}

/** A server says who may push before anything is pushed. */
async function mustBePushable(at: Endpoint, url: string): Promise<void> {
  try {
    await receiveAdvertisement(at, { limits: CHECK_LIMITS });
  } catch (err) {
    if (!(err instanceof RepositoryProblem) || err.code === 'unreachable') throw err;
    throw new RepositoryProblem(
      'repository_unreadable',
      `The credential can read ${url}, but may not push to it. It needs write access to the repository's contents.`,
    );
  }
}

/** What a proxy or a misconfigured address answers may look like success. */
function mustBePullRequest({ number, link }: RemotePullRequest): void {
  const isOne = Number.isInteger(number) && number > 0 && /^https?:\/\//.test(link);
  if (isOne) return;
  throw new HostProblem(
    'host_unavailable',
    "The code host's API answered with something that is no pull request. Check the address of its API.",
  );
}

function present(found: RemotePullRequest, headBranch: string): PullRequest {
  return { link: found.link, state: found.state, headBranch, headCommit: found.headCommit };
}

function notOpen(why: string): HostRefusal {
  return new HostRefusal('pull_request_not_open', `${why} Only an open pull request can be merged or closed.`);
}
