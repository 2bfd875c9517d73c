import type { Get } from '../events/poll-source.ts';
import type { MergeMethod } from '../../config/project-settings.ts';
import type { CommitCheck, HostTalk } from '../talk.ts';
import type { PullRequestReview } from '../../store/pull-request-checks.ts';

/** A pull or merge request as its host shows it. */
export interface RemotePullRequest {
  /** What its URL ends with: `number`, or GitLab's `iid`. */
  number: number;
  link: string;
  state: 'open' | 'merged' | 'closed';
  title: string;
  body: string;
  isDraft: boolean;
  /** Null where the host does not tell it: GitLab, of a merge request that it is still making, or whose branch is gone. */
  headCommit: string | null;
  mergeCommit: string | null;
}

/** What else a host says of an open pull request. Null for what it does not tell, or the credential may not see. */
export interface RemoteStanding {
  checks: CommitCheck[] | null;
  mergeable: boolean | null;
  review: PullRequestReview | null;
}

/** By what a host is asked for a repository: the path below its URL (`org/repo`, `group/sub/repo`), or its own id. */
export type RepositoryKey = { path: string } | { id: string };

/**
 * What Docent needs of a code host's API. One implementation per kind; each turns the host's answers into these shapes and its
 * errors into HostProblem, and decides nothing else.
 */
export interface RemoteApi {
  /** Whose credential it is, and what it lacks whatever the repository. */
  account(): Promise<{ name: string; problems: string[] }>;
  /** Asks the code host each time. Throws HostProblem `repository_missing` where it is not, or not visible. */
  open(key: RepositoryKey): Promise<RemoteRepository>;
}

/** A repository as its host showed it just now. */
export interface RemoteRepository {
  /** The host's own, which stays the same for as long as the repository is there. Never given to another one. */
  readonly id: string;
  /** Where it is by now, below the host's URL. */
  readonly path: string;
  readonly defaultBranch: string | null;
  /** What stands in the way of pushing and of pull requests, in sentences. Empty if nothing. */
  readonly problems: string[];
  /** Comments, reviews, and who may write. */
  readonly talk: HostTalk;
  /** User and password for git over HTTP. */
  gitLogin(): Promise<{ username: string; password: string }>;
  /**
   * What opening a pull request would be refused for; empty where it would not, or where that cannot be told. Opens none.
   * @param base a branch that exists
   */
  pullRequestProblems(base: string): Promise<string[]>;
  /** All with this head branch in this very repository, in all states. `known` is the number that ours had last. */
  findByHead(at: { head: string; base: string; known: number | null }): Promise<RemotePullRequest[]>;
  /** Of an open one: its checks (one page of them), whether it can be merged, and what reviewers said. */
  standing(number: number, headCommit: string): Promise<RemoteStanding>;
  /**
   * Null if the head branch has one already. A head branch that the host does not see, or sees nothing new on, is a HostProblem
   * that may pass: it was pushed, and APIs lag behind their git.
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
  /** Asks those who can be asked; answers the others. */
  addReviewers(number: number, reviewers: readonly string[]): Promise<string[]>;
  /** Merges if the head is still this commit; answers the merge commit. Throws HostRefusal. */
  merge(number: number, input: { headCommit: string; method?: MergeMethod | undefined }): Promise<string>;
  close(number: number): Promise<void>;
  /** Creates the webhook with this URL, or gives it this secret and the events that Docent uses. Safe to repeat. */
  saveHook(hook: HookInput): Promise<SavedHook>;
  /** Asks the API for what polling reads, at a path below the repository. */
  get: Get;
}

export interface HookInput {
  url: string;
  secret: string;
}

/** Of a GitHub App, all repositories share one webhook; the App's settings choose its events. */
export type SavedHook = 'created' | 'updated';
