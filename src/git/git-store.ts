import { existsSync } from 'node:fs';
import { LRUCache } from 'lru-cache';
import { childrenAtOnce } from '../platform/processes/pool-sizes.ts';
import { ChildPool, type CarriedError } from '../platform/children/child-pool.ts';
import {
  repositoryKey,
  type CommitPlan,
  type CommitRequest,
  type Endpoint,
  type Published,
  type PushOutcome,
} from '@docent/git/contract';
import type { GitCall, GitMethods } from './git-child.ts';
import { RepositoryProblem, type RepositoryProblemCode } from '@docent/git/repository-problem';
import type { Logger } from '../platform/log.ts';
import { Shortage, type ShortOf } from '@docent/base/shortage';
import { inSpan } from '../platform/telemetry/spans.ts';
import { isObjectId } from '@docent/base/files/object-id';
import { DEFAULT_CACHE_LIMITS, type CacheLimits } from '@docent/git/snapshot/snapshot-cache';
import { cleanEnvironment } from '@docent/base/clean-environment';
import { DEFAULT_TRANSFER_LIMITS, type TransferLimits } from '@docent/git/transport/transport';
import { WorkspaceRefusal } from '@docent/git/workspace';

/** The git work of a worker. Heavy parts run in child processes; every call may be repeated and aborted. */
export interface GitStore {
  /** All branches and their tips, read from the server. Errors: {@link RepositoryProblem}. */
  listBranches(endpoint: Endpoint, options?: GitCallOptions): Promise<Map<string, string>>;
  /** All tags, and the objects that they name. Errors: {@link RepositoryProblem}. */
  listTags(endpoint: Endpoint, options?: GitCallOptions): Promise<Map<string, string>>;
  /**
   * Makes sure that the commit's files are on disk (fetching it by `branch` or id) and returns the snapshot
   * file's path, which `openSnapshot` reads in any process. The file stays for at least ten minutes. Reading
   * a damaged or deleted one throws GitError `snapshot_unusable`; call this again then.
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

export interface GitStoreOptions {
  /** A separate folder. Several processes may share it. All of it can be rebuilt. */
  cacheDir: string;
  /** Child processes at most. */
  poolSize?: number;
  log?: Logger;
  cacheLimits?: CacheLimits;
  transferLimits?: Partial<TransferLimits>;
  /** Resident memory, in bytes, above which a child is replaced after its call, or killed during it. */
  memory?: { recycleAbove: number; killAbove: number };
}

const DEFAULT_MEMORY = { recycleAbove: 400 * 1_048_576, killAbove: 1_536 * 1_048_576 };
/** Above what the transfer's own limits allow, below the time that an activity has. */
const CALL_LIMIT_MS = 13 * 60_000;
const COLLECT_EVERY_MS = 3_600_000;
/** How long a snapshot counts as recently found: a tenth of the time for which it is kept. */
const RECENT_MS = 60_000;
const MAX_RECENT = 10_000;

/** Commits are kept in snapshot files, which processes share: see SnapshotCache. */
export function createGitStore(options: GitStoreOptions): GitStore {
  const { cacheDir, poolSize = childrenAtOnce(), log } = options;
  const limits = { ...DEFAULT_TRANSFER_LIMITS, ...options.transferLimits };
  const pool = new ChildPool({
    entry: new URL(import.meta.url.endsWith('.ts') ? './git-child.ts' : './git-child.js', import.meta.url),
    size: poolSize,
    environment: cleanEnvironment(),
    ...(options.memory ?? DEFAULT_MEMORY),
    timeLimitMs: CALL_LIMIT_MS,
    log,
    reviveError,
  });
  const fetching = new Map<string, Promise<unknown>>();
  const found = new LRUCache<string, string>({ max: MAX_RECENT, ttl: RECENT_MS });
  let collectedAt = 0;

  const call = <M extends keyof GitMethods>(
    method: M,
    endpoint: Endpoint,
    args: Omit<Parameters<GitMethods[M]>[0], keyof GitCall>,
    { signal, onProgress }: GitCallOptions = {},
  ) =>
    inSpan(
      { name: `git ${method}`, kind: 'client', fields: { 'server.address': hostOf(endpoint) } },
      () => pool.run(method, { cacheDir, endpoint, limits, ...args }, { signal, onProgress }) as GitAnswer<M>,
    );

  const collectNowAndThen = () => {
    if (Date.now() - collectedAt < COLLECT_EVERY_MS) return;
    collectedAt = Date.now();
    pool
      .run('collectGarbage', { cacheDir, limits: options.cacheLimits ?? DEFAULT_CACHE_LIMITS })
      .catch((err: unknown) => {
        log?.warn({ err }, 'the snapshot cache could not be cleaned up');
      });
  };

  return {
    listBranches: (endpoint, callOptions) => call('listBranches', endpoint, {}, callOptions),

    listTags: (endpoint, callOptions) => call('listTags', endpoint, {}, callOptions),

    async ensureSnapshot(at, { commit }, callOptions = {}) {
      assertIds(commit);
      collectNowAndThen();
      const known = callOptions.known === undefined ? null : `${callOptions.known}\0${commit}`;
      const recent = callOptions.recent && known !== null ? found.get(known) : undefined;
      if (recent && existsSync(recent)) return recent;
      const endpoint = typeof at === 'function' ? await at() : at;
      // Callers that want the same commit share one fetch, so it does not fill the pool.
      const key = `${repositoryKey(endpoint)}\0${commit}`;
      const earlier = fetching.get(key);
      if (earlier) await untilSettled(earlier, callOptions.signal);
      const fetched = call('ensureSnapshot', endpoint, { commit }, callOptions);
      fetching.set(key, fetched);
      try {
        const path = await fetched;
        if (known !== null) found.set(known, path);
        return path;
      } finally {
        if (fetching.get(key) === fetched) fetching.delete(key);
      }
    },

    async commitAndPush(endpoint: Endpoint, request: CommitRequest, callOptions) {
      assertIds(request.parent, request.chainBase, ...(request.expectedTip === null ? [] : [request.expectedTip]));
      return call('commitAndPush', endpoint, { request }, callOptions);
    },

    async planCommit(endpoint, request, callOptions) {
      assertIds(request.parent);
      return call('planCommit', endpoint, { request }, callOptions);
    },

    async describeBranch(endpoint, { tip, chainBase }, callOptions) {
      assertIds(tip, chainBase);
      return call('describeBranch', endpoint, { tip, chainBase }, callOptions);
    },

    async mergeBase(endpoint, { tip, baseTip }, callOptions) {
      assertIds(tip, baseTip);
      return call('mergeBase', endpoint, { tip, baseTip }, callOptions);
    },

    async changedPaths(endpoint, from, to, callOptions) {
      assertIds(from, to.commit);
      return call('changedPaths', endpoint, { from, to: to.commit }, callOptions);
    },

    close: () => pool.close(),
  };
}

type GitAnswer<M extends keyof GitMethods> = Promise<Awaited<ReturnType<GitMethods[M]>>>;

/** Undefined for a repository on this machine. */
function hostOf(endpoint: Endpoint): string | undefined {
  return endpoint.kind === 'http' && URL.canParse(endpoint.url) ? new URL(endpoint.url).hostname : undefined;
}

function assertIds(...ids: string[]): void {
  for (const id of ids)
    if (!isObjectId(id)) throw new TypeError(`${JSON.stringify(id.slice(0, 60))} is not a commit id.`);
}

async function untilSettled(work: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.reject(signal?.reason);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    // Its failure is its caller's; we try for ourselves then.
    await Promise.race([work.catch(() => {}), aborted.promise]);
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

function reviveError({ name, message, stack, fields }: CarriedError): Error {
  if (name === 'RepositoryProblem') {
    const retryAfterMs = fields['retryAfterMs'] === undefined ? undefined : Number(fields['retryAfterMs']);
    return new RepositoryProblem(fields['code'] as RepositoryProblemCode, message, { retryAfterMs });
  }
  if (name === 'Shortage') return new Shortage(fields['of'] as ShortOf, message);
  if (name === 'WorkspaceRefusal') return WorkspaceRefusal.revived(fields['path'] ?? '', message);
  return Object.assign(new Error(message), { name, stack, ...fields });
}
