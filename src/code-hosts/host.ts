import type { Endpoint } from '../git/contract.ts';
import type { HostEvent } from './events/host-event.ts';
import type { MergeMethod } from '../config/project-settings.ts';
import type { CodeHostAccess } from '../store/hosts/code-hosts.ts';
import type { CommitCheck, HostTalk } from './talk.ts';
import type { PullRequestChecks, PullRequestReview } from '../store/pull-request-checks.ts';

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
  /** What could not be done and does not matter enough to fail: a label that is not there. Sentences. */
  notes: string[];
}

/**
 * Which repository is meant. On a host of the network it is the one with the host's own id, whatever it is named by now and
 * whatever has its old name. On `local` it is the path: what is there now is the repository.
 */
export interface RepositoryIdentity {
  /** An absolute path, or the URL at which it was last. */
  repository: string;
  /** The host's own id of it. Null on `local`, and where none was learned yet: then it is what the URL names now. */
  repositoryId: string | null;
}

export interface CheckedRepository extends RepositoryIdentity {
  /** What the API shows: always a URL without user info. */
  url: string;
  /** The base branch: the one asked for, or the repository's own default. */
  ref: string;
  commit: string;
}

/** Where a pull request is found: by its head branch, of which a repository has at most one open pull request of ours. */
export interface PullRequestTarget {
  projectId: string;
  headBranch: string;
  baseBranch: string;
}

/** What a host shows of a pull request now. Null for what it does not tell, or the credential may not see. */
export interface PullRequestSight {
  state: PullRequest['state'];
  headCommit: string | null;
  checks: PullRequestChecks | null;
  /** The same checks, each with what it says of its result. */
  commitChecks: CommitCheck[] | null;
  /** Whether it could be merged without a conflict. */
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
   * Says at once what is wrong with a repository or lacks the credential. Throws {@link RepositoryProblem}, HostProblem.
   * @param branchPrefix of the branches that Docent will make there; without one, it is not looked at
   */
  check(which: RepositoryIdentity, ref: string | null, branchPrefix?: string): Promise<CheckedRepository>;
  /** The same for a repository that is only read. Throws as {@link CodeHost.check}. */
  checkReadable(which: RepositoryIdentity, ref: string | null): Promise<CheckedRepository>;
  /** Whose credential Docent has here, and what it lacks whatever the repository. Throws HostProblem. */
  checkAccount(): Promise<{ name: string | null; problems: string[] }>;
  /**
   * Asks the host where the repository is now. Good for one attempt: it may be renamed at any time, and its credential may be good
   * for an hour only.
   * @param which with the project, whose earlier pull requests tell whether a URL without an id still names their repository; null
   *   where there is none yet
   * @throws RepositoryProblem `repository_replaced` where another repository has its name; HostProblem
   */
  open(which: RepositoryIdentity & { projectId: string | null }): Promise<OpenRepository>;
  /** What happened in the repository since the cursor: see events/poll-repository.ts. Throws HostProblem, RepositoryProblem. */
  poll(which: RepositoryIdentity, input: { cursor: unknown; own: readonly number[] }): Promise<Polled>;
  /** Creates the repository's webhook, or brings it up to date. Safe to repeat. Throws HostProblem, RepositoryProblem. */
  saveHook(which: RepositoryIdentity, hook: { url: string; secret: string }): Promise<'created' | 'updated'>;
}

/** A repository where it is now. Keep it no longer than an attempt. */
export interface OpenRepository extends Readonly<RepositoryIdentity> {
  readonly endpoint: Endpoint;
  /** Null on `local`, where people do not write. */
  readonly talk: HostTalk | null;
  /** The repository's own default branch; null where it has none, or the host does not tell. */
  defaultBranch(): Promise<string | null>;
  /** By head branch, in all states, the open one before others; a merge made by hand counts as merged. */
  findPullRequest(target: PullRequestTarget): Promise<PullRequest | null>;
  /** The same one with its checks and reviews; its row says its state then. Null where there is none (any more). */
  pollPullRequest(target: PullRequestTarget): Promise<PullRequestSight | null>;
  /**
   * Opens it, or brings the one that this head branch has up to date. Safe to repeat. One that was merged or closed stays as
   * it is, and is what the answer shows: look at its state.
   */
  savePullRequest(input: PullRequestInput): Promise<SavedPullRequest>;
  /**
   * Merges the branch into its base; `close` ends the pull request without. Both safe to repeat. Throw {@link HostRefusal}.
   * @param method without one, the first that the repository allows. Local repositories ignore it.
   */
  merge(target: PullRequestTarget, method?: MergeMethod): Promise<{ state: 'merged'; mergeCommit: string }>;
  close(target: PullRequestTarget): Promise<{ state: 'closed' }>;
}

/** All code hosts of the installation, by their ids. */
export interface CodeHosts {
  /** @throws HostProblem where there is none, or its credential cannot be read */
  get(id: string): Promise<CodeHost>;
  /** One that is not among them, or not with this credential: tried before it is kept. @throws HostProblem */
  connect(access: CodeHostAccess): Promise<CodeHost>;
  /** What the host signs its deliveries with; null where none was created. @throws HostProblem where it cannot be read */
  hookSecret(id: string): Promise<string | null>;
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

/**
 * A repository that is only read, such as a source: where its host says that it is now.
 * @throws HostProblem, RepositoryProblem
 */
export async function openForReading(
  hosts: Pick<CodeHosts, 'get'>,
  { host, repository, repositoryId }: RepositoryIdentity & { host: string },
): Promise<OpenRepository> {
  return (await hosts.get(host)).open({ repository, repositoryId, projectId: null });
}
