import type { Endpoint } from '@docent/git/contract';
import type { HostEvent } from '@docent/code-hosts/events/host-event';
import type { HostCommit, HostCommitInput, MergeMethod } from '@docent/code-hosts/remote-api';
import type { CodeHostAccess } from '../store/hosts/code-hosts.ts';
import type { CommitCheck, HostTalk } from '@docent/code-hosts/talk';
import type { PullRequestChecks, PullRequestReview } from '@docent/code-hosts/checks';

export interface PullRequest {
  /** URL of its page. */
  link: string;
  state: 'open' | 'merged' | 'closed';
  headBranch: string;
}

export interface PullRequestInput {
  projectId: string;
  jobId: string;
  chainNo: number;
  headBranch: string;
  baseBranch: string;
  title: string;
  /** Markdown. */
  body: string;
  headCommit: string;
  diff: string;
  commits: { id: string; message: string; authorName: string; time: string }[];
  draft: boolean;
  labels: readonly string[];
  reviewers: readonly string[];
}

export interface SavedPullRequest extends PullRequest {
  /** What could not be done, but is not worth failing: a missing label. Sentences. */
  notes: string[];
}

/**
 * Identifies a repository. On a network host by the host's own id, independent of its name and of others with
 * its old name. On `local` by path: the repository is the one that is there now.
 */
export interface RepositoryIdentity {
  /** An absolute path, or the URL at which it was last. */
  repository: string;
  /** The host's own id. Null on `local`, and before it was learned: then the URL decides. */
  repositoryId: string | null;
}

export interface CheckedRepository extends RepositoryIdentity {
  /** As the API shows it: always a URL without user info. */
  url: string;
  /** The base branch: the requested one, or the repository's default. */
  ref: string;
  commit: string;
}

/** A pull request by its head branch, which has at most one open pull request of ours. */
export interface PullRequestTarget {
  projectId: string;
  headBranch: string;
  baseBranch: string;
}

/** A pull request's state at the host. Null for what the host or the credential does not show. */
export interface PullRequestSight {
  state: PullRequest['state'];
  headCommit: string | null;
  checks: PullRequestChecks | null;
  /** The same checks, each with the summary of its result. */
  commitChecks: CommitCheck[] | null;
  /** Whether it can be merged without a conflict. */
  mergeable: boolean | null;
  review: PullRequestReview | null;
}

export interface Polled {
  events: HostEvent[];
  /** For the next poll. */
  cursor: Record<string, unknown>;
}

/** A place where repositories and pull requests live. One per row of `code_hosts`, and `local`. */
export interface CodeHost {
  readonly kind: string;
  /**
   * Reports problems of a repository, and missing permissions of the credential, immediately. Throws
   * {@link RepositoryProblem}, HostProblem.
   * @param branchPrefix of the branches that Docent will create there; without one, it is not checked
   */
  check(which: RepositoryIdentity, ref: string | null, branchPrefix?: string): Promise<CheckedRepository>;
  /** The same for a repository that is only read. Throws as {@link CodeHost.check}. */
  checkReadable(which: RepositoryIdentity, ref: string | null): Promise<CheckedRepository>;
  /** The credential's account, and what it lacks for any repository. Throws HostProblem. */
  checkAccount(): Promise<{ name: string | null; problems: string[] }>;
  /**
   * Asks the host where the repository is now. Valid for one attempt: it may be renamed at any time, and its
   * credential may expire in an hour.
   * @param which with the project, whose earlier pull requests show whether a URL without an id still names
   *   their repository; null if there is none yet
   * @throws RepositoryProblem `repository_replaced` if another repository has its name; HostProblem
   */
  open(which: RepositoryIdentity & { projectId: string | null }): Promise<OpenRepository>;
  /** Events since the cursor: see `pollRepository`. Throws HostProblem, RepositoryProblem. */
  poll(which: RepositoryIdentity, input: { cursor: unknown; own: readonly number[] }): Promise<Polled>;
  /** Creates or updates the repository's webhook. Safe to repeat. Throws HostProblem, RepositoryProblem. */
  saveHook(which: RepositoryIdentity, hook: { url: string; secret: string }): Promise<'created' | 'updated'>;
}

/** A repository where it is now. Keep it no longer than an attempt. */
export interface OpenRepository extends Readonly<RepositoryIdentity> {
  readonly endpoint: Endpoint;
  /** Null on `local`, where people do not write. */
  readonly talk: HostTalk | null;
  /** Commits as the credential, so that the host marks it as verified; null if it cannot. */
  readonly commit: ((input: HostCommitInput) => Promise<HostCommit>) | null;
  /** The repository's default branch; null if it has none, or the host does not report it. */
  defaultBranch(): Promise<string | null>;
  /** By head branch, in all states, an open one before others. A manual merge counts as merged. */
  findPullRequest(target: PullRequestTarget): Promise<PullRequest | null>;
  /** The same one with its checks and reviews; its row has its state then. Null if it does not exist. */
  pollPullRequest(target: PullRequestTarget): Promise<PullRequestSight | null>;
  /** Opens or updates a head branch's pull request. Idempotent. A merged or closed one stays: check it. */
  savePullRequest(input: PullRequestInput): Promise<SavedPullRequest>;
  /**
   * Merges the branch into its base; `close` closes the pull request without merging. Both are safe to
   * repeat. Throw AppError.
   * @param method default: the first that the repository allows. Local repositories ignore it.
   */
  merge(target: PullRequestTarget, method?: MergeMethod): Promise<{ state: 'merged'; mergeCommit: string }>;
  close(target: PullRequestTarget): Promise<{ state: 'closed' }>;
}

/** All code hosts of the installation, by their ids. */
export interface CodeHosts {
  /** @throws HostProblem if there is none, or its credential cannot be read */
  get(id: string): Promise<CodeHost>;
  /** One that is not among them, or not with this credential: tried before it is kept. @throws HostProblem */
  connect(access: CodeHostAccess): Promise<CodeHost>;
  /**
   * The host's signature secret for deliveries; null before one was created.
   * @throws HostProblem if it cannot be read
   */
  hookSecret(id: string): Promise<string | null>;
}

/**
 * A repository that is only read, such as a source, at its current address.
 * @throws HostProblem, RepositoryProblem
 */
export async function openForReading(
  hosts: Pick<CodeHosts, 'get'>,
  { host, repository, repositoryId }: RepositoryIdentity & { host: string },
): Promise<OpenRepository> {
  return (await hosts.get(host)).open({ repository, repositoryId, projectId: null });
}
