import type { Endpoint } from '../contract.ts';

export interface PullRequest {
  id: string;
  /** URL of its page. */
  link: string;
  state: 'open' | 'merged' | 'closed';
  headBranch: string;
  headCommit: string;
}

export interface PullRequestInput {
  projectId: string;
  jobId: string;
  chainNo: number;
  repository: string;
  headBranch: string;
  baseBranch: string;
  title: string;
  /** Markdown. */
  body: string;
  headCommit: string;
  diff: string;
  commits: { id: string; message: string; authorName: string; time: string }[];
}

export interface CheckedRepository {
  /** What is stored and given back to the other calls: an absolute path or a URL, canonical, without user info. */
  repository: string;
  /** What the API shows: always a URL without user info. */
  url: string;
  /** The base branch: the one asked for, or the repository's own default. */
  ref: string;
  commit: string;
}

/** A place where repositories and pull requests live. One implementation per kind. */
export interface CodeHost {
  readonly kind: string;
  /** Says at once what is wrong with a repository. Throws {@link RepositoryProblem}. */
  check(repository: string, ref: string | null): Promise<CheckedRepository>;
  endpoint(repository: string): Endpoint;
  url(repository: string): string;
  /** By head branch, in all states; a merge made by hand counts as merged. */
  findPullRequest(projectId: string, repository: string, headBranch: string): Promise<PullRequest | null>;
  /** Opens it, or brings the one that this head branch has up to date (title, body, diff, commits). Safe to repeat. */
  savePullRequest(input: PullRequestInput): Promise<PullRequest>;
  /** Merges the branch into its base; `close` ends the pull request without. Both safe to repeat. Throw {@link HostRefusal}. */
  merge(pullRequestId: string): Promise<{ state: 'merged'; mergeCommit: string }>;
  close(pullRequestId: string): Promise<{ state: 'closed' }>;
}

export type RepositoryProblemCode =
  | 'repository_missing'
  | 'repository_unreadable'
  | 'repository_empty'
  | 'repository_unsupported'
  | 'branch_missing'
  | 'branch_invalid'
  | 'address_refused'
  | 'unreachable';

/** What is wrong with a repository, in a sentence for the person who can mend it. `unreachable` may pass by itself; the rest is final. */
export class RepositoryProblem extends Error {
  readonly code: RepositoryProblemCode;

  constructor(code: RepositoryProblemCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'RepositoryProblem';
    this.code = code;
  }
}

export type HostRefusalCode = 'pull_request_not_open' | 'merge_conflict' | 'branch_checked_out' | 'refused';

/** Why a pull request cannot be merged or closed as it is, in a sentence for the person who asked for it. Final until something changes. */
export class HostRefusal extends Error {
  readonly code: HostRefusalCode;

  constructor(code: HostRefusalCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.name = 'HostRefusal';
    this.code = code;
  }
}
