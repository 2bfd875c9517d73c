import type { OverlayEntry } from '@docent/base/files/base-tree';

/** How to reach a repository over git's protocol. Plain data: child processes receive it. */
export type Endpoint =
  | { kind: 'local'; path: string }
  | {
      kind: 'http';
      url: string;
      headers: Record<string, string>;
      /** DOCENT_PRIVATE_HOSTS: destinations allowed besides the internet. */
      privateHosts: readonly string[];
      /** Identifies the repository independently of its URL, also for caches; absent: the URL does. */
      identity?: string;
    };

/** The key of a repository's stored data. It survives a rename. */
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
  /** Whether the host accepts files for Git LFS. Without it, none is written at a path of LFS. */
  lfs?: boolean;
}

export interface CommitRequest {
  /** Without `refs/heads/`. */
  branch: string;
  /** The current commit of the branch; null: it must not exist. The server compares and sets. */
  expectedTip: string | null;
  /** The new commit's parent; `changes` apply to its tree. */
  parent: string;
  /** The commit where the pull request's branch left the base branch: its diff starts there. */
  chainBase: string;
  changes: OverlayEntry[];
  /** Contents of blobs that `changes` name and the parent may lack, by id. */
  blobs?: ReadonlyMap<string, Uint8Array>;
  /** Checked again before anything is sent. Without it, only changes that no policy allows are refused. */
  policy?: WritePolicy;
  message: string;
  author: { name: string; email: string };
  /** Signs the commit: see {@link commitSigner}. */
  signingKey?: string | undefined;
  /** No earlier attempt can have pushed it, so a local repository is not asked before the push. */
  isFirstAttempt?: boolean;
  /** Seconds since the epoch, UTC. Part of the commit: the same request always makes the same commit id. */
  timestamp: number;
}

/** A commit that a code host makes itself. */
export interface CommitPlan {
  /** The commit's tree, and that of its parent. */
  tree: string;
  baseTree: string;
  parent: string;
  message: string;
  files: PlannedFile[];
}

export interface PlannedFile {
  path: string;
  mode: string;
  /** Of the blob; null: the file is deleted. */
  id: string | null;
  /** Null if the repository has the blob, or the file is deleted. */
  bytes: Uint8Array | null;
}

export interface Published {
  commit: string;
  /** Unified diff of this commit alone; at most 1 MB, then cut at a file boundary with a note. */
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
  /** The branch has another commit (null: it is gone). Nothing was changed. */
  | { status: 'stale'; tip: string | null }
  /** The server refused (hook, protected branch, permissions). Final. */
  | { status: 'refused'; reason: string }
  /** The changes have no effect on the tree: there is nothing to commit. */
  | { status: 'empty' };

/** The git work of a worker. Heavy parts run in child processes; every call may be repeated and aborted. */
export interface GitStore {
  /** All branches and their tips, read from the server. Errors: {@link RepositoryProblem}. */
  listBranches(endpoint: Endpoint, options?: GitCallOptions): Promise<Map<string, string>>;
  /** All tags, and the objects that they name. Errors: {@link RepositoryProblem}. */
  listTags(endpoint: Endpoint, options?: GitCallOptions): Promise<Map<string, string>>;
  /**
   * Makes sure that the commit's files are on disk (fetching it by `branch` or id) and returns the snapshot
   * file's path, which `openSnapshot` reads in any process. The file stays for at least ten minutes. Reading
   * a damaged or deleted one throws Expected `snapshot_unusable`; call this again then.
   * @param endpoint a function is called only if the repository must be contacted
   */
  ensureSnapshot(
    endpoint: Endpoint | (() => Promise<Endpoint>),
    target: { branch: string; commit: string },
    options?: GitCallOptions,
  ): Promise<string>;
  /** Pushes exactly the new objects. Idempotent. Throws {@link RepositoryProblem}, WorkspaceRefusal. */
  commitAndPush(endpoint: Endpoint, request: CommitRequest, options?: GitCallOptions): Promise<PushOutcome>;
  /**
   * For a code host that makes the commit itself. Null for no change. Throws as {@link
   * GitStore.commitAndPush}.
   */
  planCommit(endpoint: Endpoint, request: CommitRequest, options?: GitCallOptions): Promise<CommitPlan | null>;
  /**
   * The result of {@link GitStore.commitAndPush} as if `tip`, which is on the branch, had just been pushed:
   * for a push whose answer was lost. If the server no longer has the tip's parent, `diff` covers the whole
   * pull request. `commits` is empty if the branch adds nothing to `chainBase`. Only reads. Errors: {@link
   * RepositoryProblem}.
   */
  describeBranch(
    endpoint: Endpoint,
    at: { branch: string; tip: string; chainBase: string },
    options?: GitCallOptions,
  ): Promise<Published>;
  /** The merge base; null if the newest 500 commits of both have none. Throws {@link RepositoryProblem}. */
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
  /** Caches the answer of `ensureSnapshot` for a minute: the caller and the repository. */
  known?: string;
  /** Trust the cache for this name, without reading the file or asking the repository. */
  recent?: boolean;
}

/** A page that a change touches, whole, before and after it; null if it is not there, or is not text. */
export interface ChangedPage {
  path: string;
  before: string | null;
  after: string | null;
}
