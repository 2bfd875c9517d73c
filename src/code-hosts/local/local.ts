import { pathToFileURL } from 'node:url';
import type { Db } from '../../store/database.ts';
import {
  findPullRequestByHead,
  savePullRequest,
  setPullRequestState,
  type PullRequestRow,
} from '../../store/pull-requests/pull-requests.ts';
import { checksOf } from '@docent/code-hosts/checks';
import { findChainBase } from '../../store/jobs/turns.ts';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type { CodeHost, OpenRepository, PullRequest, PullRequestTarget } from '../host.ts';
import { commitOf, mergeBranch, mergedBy } from './local-merge.ts';
import { headBranch, inspectReadable, inspectRepository } from './local-repository.ts';
import { branchInFiles } from './branch-file.ts';
import { AppError } from '../../platform/errors.ts';

export interface LocalHostOptions {
  db: Db;
  /** The address of the API, which serves the pages of pull requests. */
  publicUrl: () => string;
  /** Author of merge commits. */
  identity?: { name: string; email: string };
}

type PullRequests = Pick<OpenRepository, 'findPullRequest' | 'pollPullRequest' | 'savePullRequest' | 'merge' | 'close'>;

const IDENTITY = { name: 'Docent', email: 'docent@localhost' };

/** Git repositories on this machine. Their pull requests are rows of our database, with a page each. */
export function createLocalHost({ db, publicUrl, identity = IDENTITY }: LocalHostOptions): CodeHost {
  const present = (row: PullRequestRow): PullRequest => ({
    link: `${publicUrl().replace(/\/+$/, '')}/pull-requests/${row.id}`,
    state: row.state,
    headBranch: row.headBranch,
  });

  return {
    kind: 'local',

    async check({ repository }, ref, branchPrefix) {
      const { path, ref: branch, commit } = await inspectRepository(repository, ref, branchPrefix);
      return { repository: path, repositoryId: null, url: pathToFileURL(path).href, ref: branch, commit };
    },

    async checkReadable({ repository }, ref) {
      const { path, ref: branch, commit } = await inspectReadable(repository, ref);
      return { repository: path, repositoryId: null, url: pathToFileURL(path).href, ref: branch, commit };
    },

    checkAccount: async () => ({ name: null, problems: [] }),

    poll: async () => ({ events: [], cursor: {} }),

    saveHook: async () => {
      throw new HostProblem('host_refused', 'Repositories on the server’s machine have no webhooks.');
    },

    // A person who can put another repository there could also change the first one, so the path is enough.
    open: async ({ repository }) => ({
      repository,
      repositoryId: null,
      endpoint: { kind: 'local', path: repository },
      talk: null,
      commit: null,
      defaultBranch: () => headBranch(repository),
      ...pullRequestsOf(repository),
    }),
  };

  function pullRequestsOf(repository: string): PullRequests {
    return {
      async findPullRequest({ projectId, headBranch }) {
        const row = await findPullRequestByHead(db, projectId, headBranch);
        return row && present(await withMergeByHand(db, row));
      },

      async pollPullRequest({ projectId, headBranch }) {
        const row = await findPullRequestByHead(db, projectId, headBranch);
        if (!row) return null;
        const { state } = await withMergeByHand(db, row);
        const tip =
          (await branchInFiles(row.repository, headBranch)) ??
          (await commitOf(row.repository, `refs/heads/${headBranch}`));
        const none = { checks: checksOf([]), commitChecks: null, mergeable: null, review: null };
        return { state, headCommit: tip ?? row.headCommit, ...none };
      },

      async savePullRequest({ draft: _draft, labels: _labels, reviewers: _reviewers, ...input }) {
        return { ...present(await savePullRequest(db, { ...input, repository })), notes: [] };
      },

      async merge(target) {
        const row = await findOrRefuse(db, target);
        if (row.state === 'closed') throw notOpen('The pull request is closed.');
        if (row.state === 'merged') return { state: 'merged', mergeCommit: row.mergeCommit ?? row.headCommit };
        const { mergeCommit } = await mergeBranch({ ...row, identity });
        const merged = await recordMerge(db, row, mergeCommit);
        return { state: 'merged', mergeCommit: merged.mergeCommit ?? mergeCommit };
      },

      async close(target) {
        const row = await withMergeByHand(db, await findOrRefuse(db, target));
        if (row.state === 'merged') throw notOpen('The pull request is already merged.');
        if (row.state === 'open' && !(await setPullRequestState(db, row.id, { from: 'open', to: 'closed' }))) {
          const now = await findOrRefuse(db, row);
          if (now.state === 'merged') throw notOpen('The pull request is already merged.');
        }
        return { state: 'closed' };
      },
    };
  }
}

/** After a merge with plain git, the base branch has the commit, and this updates the row. */
async function withMergeByHand(db: Db, row: PullRequestRow): Promise<PullRequestRow> {
  if (row.state !== 'open' || (await isBaseUnchanged(db, row))) return row;
  const mergeCommit = await mergedBy(row.repository, row.headCommit, row.baseBranch);
  return mergeCommit === null ? row : recordMerge(db, row, mergeCommit);
}

/** Whether the base branch has not moved: then the work is unmerged, without asking git. */
async function isBaseUnchanged(
  db: Db,
  { jobId, headCommit, repository, baseBranch }: PullRequestRow,
): Promise<boolean> {
  const tip = await branchInFiles(repository, baseBranch);
  return tip !== null && tip === (await findChainBase(db, jobId, headCommit));
}

/** A merge is a fact of the repository: one that was closed at the same moment is merged anyway. */
async function recordMerge(db: Db, row: PullRequestRow, mergeCommit: string): Promise<PullRequestRow> {
  const change = { to: 'merged' as const, mergeCommit };
  const recorded =
    (await setPullRequestState(db, row.id, { from: 'open', ...change })) ??
    (await setPullRequestState(db, row.id, { from: 'closed', ...change }));
  return recorded ?? findOrRefuse(db, row);
}

async function findOrRefuse(
  db: Db,
  { projectId, headBranch }: Pick<PullRequestTarget, 'projectId' | 'headBranch'>,
): Promise<PullRequestRow> {
  const row = await findPullRequestByHead(db, projectId, headBranch);
  if (!row) throw notOpen('The pull request does not exist.');
  return row;
}

function notOpen(why: string): AppError {
  return new AppError('pull_request_not_open', `${why} Only an open pull request can be merged or closed.`);
}
