import type { OverlayEntry } from '@docent/base/files/base-tree';

/**
 * How git's smart protocol reaches a repository. Plain data: it crosses into the child processes that do the
 * git work.
 */
export type Endpoint =
  | { kind: 'local'; path: string }
  | {
      kind: 'http';
      url: string;
      headers: Record<string, string>;
      /** DOCENT_PRIVATE_HOSTS: where requests may go besides the internet. */
      privateHosts: readonly string[];
      /**
       * Names the repository whatever its URL is by now; absent, the URL does. What is kept of it is kept
       * under this.
       */
      identity?: string;
    };

/**
 * What a repository's things are kept under: the same after a rename, another for the next one with its name.
 */
export function repositoryKey(endpoint: Endpoint): string {
  return endpoint.kind === 'local' ? `local\0${endpoint.path}` : `http\0${endpoint.identity ?? endpoint.url}`;
}

/** What the agent may change. */
export interface WritePolicy {
  /** Folder without slashes at its ends; empty for the whole repository. */
  docsDir: string;
  maxFiles: number;
  maxFileBytes: number;
  maxTotalBytes: number;
  /** Whether the host takes files for Git LFS. Without it, none is written at a path of LFS. */
  lfs?: boolean;
}

export interface CommitRequest {
  /** Without `refs/heads/`. */
  branch: string;
  /** What the branch must point to now; null: it must not exist. The server compares and sets. */
  expectedTip: string | null;
  /** The new commit's parent; `changes` lie on its tree. */
  parent: string;
  /** The commit where the pull request's branch left the base branch: its diff starts there. */
  chainBase: string;
  changes: OverlayEntry[];
  /** Contents of blobs that `changes` name and the parent may lack, by id. */
  blobs?: ReadonlyMap<string, Uint8Array>;
  /** Checked again before anything is sent. Without it, only what no policy allows is refused. */
  policy?: WritePolicy;
  message: string;
  author: { name: string; email: string };
  /** Signs the commit: see {@link readSshKey}. */
  signingKey?: string | undefined;
  /**
   * No earlier attempt can have pushed it: a new branch in a repository on this machine is then not looked
   * for before the push.
   */
  isFirstAttempt?: boolean;
  /** Seconds since the epoch, UTC. Part of the commit: the same request always makes the same commit id. */
  timestamp: number;
}

export interface Published {
  commit: string;
  /**
   * Unified diff of this commit alone; at most 1 MB, then cut at a file boundary with a line that says so.
   */
  diff: string;
  /** Unified diff from `chainBase` to the commit, limited likewise. */
  pullRequestDiff: string;
  /** The pages of `pullRequestDiff`, whole; limited in number and length. */
  pages: ChangedPage[];
  /** From `chainBase` (exclusive) to the tip, oldest first; at most 250. */
  commits: { id: string; message: string; authorName: string; time: string }[];
}

export type PushOutcome =
  | ({ status: 'published' } & Published)
  /** The branch's tip already is or contains this very commit: an earlier attempt's push went through. */
  | ({ status: 'already-there' } & Published)
  /** The branch is somewhere else (null: gone). Nothing was changed. */
  | { status: 'stale'; tip: string | null }
  /** The server said no (hook, protected branch, permissions). Final. */
  | { status: 'refused'; reason: string }
  /** The changes leave the tree as it is: there is nothing to commit. */
  | { status: 'empty' };

/**
 * The git work of a worker: heavy parts run in child processes; every call may be repeated and may be
 * aborted.
 */
export interface GitStore {
  /** All branches and their tips, read from the server. Errors: {@link RepositoryProblem}. */
  listBranches(endpoint: Endpoint, options?: GitCallOptions): Promise<Map<string, string>>;
  /**
   * Makes sure that the commit's files are on disk (fetching it by `branch` or id) and returns the snapshot
   * file's path, which `openSnapshot` reads in any process. The file stays for at least ten minutes; reading
   * a damaged or removed one throws SnapshotUnusable, and then this makes it again.
   * @param endpoint a function is called only if the repository has to be asked
   */
  ensureSnapshot(
    endpoint: Endpoint | (() => Promise<Endpoint>),
    target: { branch: string; commit: string },
    options?: GitCallOptions,
  ): Promise<string>;
  /**
   * Builds the deterministic commit and pushes exactly its new objects. Safe to repeat after any error.
   * Errors: {@link RepositoryProblem}; WorkspaceRefusal where the changes break the policy.
   */
  commitAndPush(endpoint: Endpoint, request: CommitRequest, options?: GitCallOptions): Promise<PushOutcome>;
  /**
   * What {@link GitStore.commitAndPush} would have answered if `tip`, which is on the branch, had just been
   * pushed: for a push whose answer was lost. Where the server does not give the tip's parent any more,
   * `diff` is the whole pull request's. `commits` is empty if the branch adds nothing to `chainBase`. Reads
   * alone. Errors: {@link RepositoryProblem}.
   */
  describeBranch(
    endpoint: Endpoint,
    at: { branch: string; tip: string; chainBase: string },
    options?: GitCallOptions,
  ): Promise<Published>;
  /**
   * Where a branch with this tip left the one with the other, as `git merge-base` finds it; null where the
   * newest 500 commits of both have none in common. Reads alone. Errors: {@link RepositoryProblem}.
   */
  mergeBase(endpoint: Endpoint, at: { tip: string; baseTip: string }, options?: GitCallOptions): Promise<string | null>;
  /** Paths that differ between two commits, both reachable from the branch tips. */
  changedPaths(
    endpoint: Endpoint,
    from: string,
    to: { branch: string; commit: string },
    options?: GitCallOptions,
  ): Promise<string[]>;
  close(): Promise<void>;
}

export interface GitCallOptions {
  signal?: AbortSignal;
  onProgress?: (message: string) => void;
  /** What `ensureSnapshot` remembers its answer by, for a minute: who asks for which repository. */
  known?: string;
  /**
   * `ensureSnapshot` may trust what it remembers by that name, without another look into the file or at the
   * repository.
   */
  recent?: boolean;
}

/** A page that a change touches, whole, before and after it; null where it is not there, or is no text. */
export interface ChangedPage {
  path: string;
  before: string | null;
  after: string | null;
}
