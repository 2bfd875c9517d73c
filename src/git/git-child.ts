import { describeBranch } from '@docent/git/commit/describe-branch';
import { changedPaths } from '@docent/git/commit/diff-trees';
import { planCommit } from '@docent/git/commit/plan-commit';
import { commitAndPush } from '@docent/git/commit/publish';
import { serveChild, type CallContext } from '../platform/children/child-server.ts';
import type { CommitPlan, CommitRequest, Endpoint, Published, PushOutcome } from '@docent/git/contract';
import { mergeBase } from '@docent/git/history';
import { listBranches, listTags } from '@docent/git/protocol/list-refs';
import { fetchSnapshot } from '@docent/git/snapshot/fetch-snapshot';
import { SnapshotCache, type CacheLimits } from '@docent/git/snapshot/snapshot-cache';
import type { Snapshot } from '@docent/git/snapshot/snapshot';
import type { TransferLimits } from '@docent/git/transport/transport';

/** The arguments of every call. */
export interface GitCall {
  cacheDir: string;
  endpoint: Endpoint;
  limits: TransferLimits;
}

const methods = {
  listBranches: (call: GitCall, context: CallContext): Promise<Map<string, string>> =>
    listBranches(call.endpoint, { ...context, limits: call.limits }),

  listTags: (call: GitCall, context: CallContext): Promise<Map<string, string>> =>
    listTags(call.endpoint, { ...context, limits: call.limits }),

  async ensureSnapshot(call: GitCall & { commit: string }, context: CallContext): Promise<string> {
    return (await snapshotOf(call, call.commit, context)).path;
  },

  async commitAndPush(call: GitCall & { request: CommitRequest }, context: CallContext): Promise<PushOutcome> {
    const { request } = call;
    const parent = await snapshotOf(call, request.parent, context);
    const chainBase =
      request.chainBase === request.parent ? parent : await snapshotOf(call, request.chainBase, context);
    const options = { ...context, limits: call.limits };
    return commitAndPush(cacheOf(call), call.endpoint, request, { parent, chainBase }, options);
  },

  async planCommit(call: GitCall & { request: CommitRequest }, context: CallContext): Promise<CommitPlan | null> {
    const parent = await snapshotOf(call, call.request.parent, context);
    return planCommit(call.endpoint, parent, call.request, { ...context, limits: call.limits });
  },

  async describeBranch(call: GitCall & { tip: string; chainBase: string }, context: CallContext): Promise<Published> {
    const options = { ...context, limits: call.limits };
    return describeBranch(cacheOf(call), call.endpoint, call, (commit) => snapshotOf(call, commit, context), options);
  },

  mergeBase: (call: GitCall & { tip: string; baseTip: string }, context: CallContext): Promise<string | null> =>
    mergeBase(cacheOf(call), call.endpoint, call, { ...context, limits: call.limits }),

  async changedPaths(call: GitCall & { from: string; to: string }, context: CallContext): Promise<string[]> {
    const [from, to] = [await snapshotOf(call, call.from, context), await snapshotOf(call, call.to, context)];
    return changedPaths(from, to);
  },

  collectGarbage: async ({ cacheDir, limits }: { cacheDir: string; limits: CacheLimits }) =>
    new SnapshotCache(cacheDir).collectGarbage(limits),
};

export type GitMethods = typeof methods;

let cache: SnapshotCache | null = null;

function cacheOf({ cacheDir }: GitCall): SnapshotCache {
  cache ??= new SnapshotCache(cacheDir);
  return cache;
}

async function snapshotOf(call: GitCall, commit: string, context: CallContext): Promise<Snapshot> {
  const found = cacheOf(call).find(call.endpoint, commit);
  if (found) return found;
  const options = { signal: context.signal, limits: call.limits, onProgress: context.progress };
  return fetchSnapshot(cacheOf(call), call.endpoint, commit, options);
}

serveChild(methods);
