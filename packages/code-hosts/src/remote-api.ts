import type { Get } from './events/poll-source.ts';
import type { CommitPlan } from '@docent/git/contract';
import type { CommitCheck, HostTalk } from './talk.ts';
import type { PullRequestReview } from './checks.ts';

export type CodeHostKind = 'github' | 'gitlab' | 'gitea';

export type MergeMethod = 'merge' | 'squash' | 'rebase';

export interface HostCommitInput {
  plan: CommitPlan;
  branch: string;
  /** The current commit of the branch; null: it must not exist. */
  expectedTip: string | null;
}

/** What became of a commit that the host was asked to make. */
export type HostCommit =
  | { status: 'committed'; commit: string }
  /** The branch is elsewhere. Nothing was changed. */
  | { status: 'stale' }
  | { status: 'refused'; reason: string };

/** What became of a merge: the merge commit, or why the host did not do it, in a sentence. */
export type HostMerge = { commit: string } | { refused: 'merge_conflict' | 'merge_refused'; reason: string };

/** A pull or merge request as its host shows it. */
export interface RemotePullRequest {
  /** The number at the end of its URL: `number`, or GitLab's `iid`. */
  number: number;
  link: string;
  state: 'open' | 'merged' | 'closed';
  title: string;
  body: string;
  isDraft: boolean;
  /** Null if the host does not report it: GitLab, while creating a merge request, or without its branch. */
  headCommit: string | null;
  mergeCommit: string | null;
}

/** An open pull request's state. Null for what the host or the credential does not show. */
export interface RemoteStatus {
  checks: CommitCheck[] | null;
  mergeable: boolean | null;
  review: PullRequestReview | null;
}

/** The path below the host's URL (`org/repo`, `group/sub/repo`), or the host's own id. */
export type RepositoryKey = { path: string } | { id: string };

/** A code host's API. Implementations only convert answers to these types and errors to HostProblem. */
export interface RemoteApi {
  /** The credential's account, and what it lacks for any repository. */
  account(): Promise<{ name: string; problems: string[] }>;
  /** Asks the host each time. Throws HostProblem `repository_missing` if it is missing or invisible. */
  open(key: RepositoryKey): Promise<RemoteRepository>;
}

/** A repository as its host showed it just now. */
export interface RemoteRepository {
  /** The host's own id, which never changes and is never reused. */
  readonly id: string;
  /** Its current path below the host's URL. */
  readonly path: string;
  readonly defaultBranch: string | null;
  /** Obstacles for pushes and pull requests, in sentences. Empty if none. */
  readonly problems: string[];
  /** Comments, reviews, and permissions to write. */
  readonly talk: HostTalk;
  /** Commits as the credential, marked as verified; null if that is not possible. */
  readonly commit: ((input: HostCommitInput) => Promise<HostCommit>) | null;
  /** User and password for git over HTTP. */
  gitLogin(): Promise<{ username: string; password: string }>;
  /**
   * Why opening a pull request would be refused; empty if it would not, or if that is unknown. Opens none.
   * @param base a branch that exists
   */
  pullRequestProblems(base: string): Promise<string[]>;
  /** All of this head branch in this repository, in all states. `known`: the last known number of ours. */
  findByHead(at: { head: string; base: string; known: number | null }): Promise<RemotePullRequest[]>;
  /** For an open one: its checks (one page of them), whether it can be merged, and reviews. */
  status(number: number, headCommit: string): Promise<RemoteStatus>;
  /**
   * Null if the head branch already has one. If the host does not see the head branch, or nothing new on it,
   * this throws a temporary HostProblem: it was pushed, and APIs lag behind their git.
   */
  create(input: {
    head: string;
    base: string;
    title: string;
    body: string;
    draft: boolean;
  }): Promise<RemotePullRequest | null>;
  updateBody(number: number, body: string): Promise<RemotePullRequest>;
  /** Adds the labels that the repository has; answers the others. */
  addLabels(number: number, labels: readonly string[]): Promise<string[]>;
  /** Requests reviews from possible reviewers; returns the others. */
  addReviewers(number: number, reviewers: readonly string[]): Promise<string[]>;
  /** Merges if the head is still this commit. */
  merge(number: number, input: { headCommit: string; method?: MergeMethod | undefined }): Promise<HostMerge>;
  close(number: number): Promise<void>;
  /** Creates the webhook with this URL, or sets its secret and Docent's events. Safe to repeat. */
  saveHook(hook: HookInput): Promise<SavedHook>;
  /** Requests for polling, at a path below the repository. */
  get: Get;
}

export interface HookInput {
  url: string;
  secret: string;
}

/** All repositories of a GitHub App share one webhook; the App's settings choose its events. */
export type SavedHook = 'created' | 'updated';
