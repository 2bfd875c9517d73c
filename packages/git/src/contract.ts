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
      /** Identifies the repository independently of its URL, for caches too; absent: the URL does. */
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

/** A page that a change touches, whole, before and after it; null if it does not exist, or is not text. */
export interface ChangedPage {
  path: string;
  before: string | null;
  after: string | null;
}
