import type { Endpoint, Published } from '../contract.ts';
import { RepositoryProblem } from '../repository-problem.ts';
import { fetchHistory, oldestFirst, type History } from '../history.ts';
import { parseCommit } from '../objects/commit.ts';
import type { SnapshotCache } from '../snapshot/snapshot-cache.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { changedPages } from './changed-pages.ts';
import { diffTrees } from './diff-trees.ts';

const MAX_LISTED_COMMITS = 250;

/** What a push of `tip` would have returned. Writes nothing; no `commits`: nothing beyond `chainBase`. */
export async function describeBranch(
  cache: SnapshotCache,
  endpoint: Endpoint,
  { tip, chainBase }: { tip: string; chainBase: string },
  snapshotOf: (commit: string) => Promise<Snapshot>,
  options: ExchangeOptions,
): Promise<Published> {
  const tipTree = await snapshotOf(tip);
  const chainBaseTree = await snapshotOf(chainBase);
  const pullRequestDiff = diffTrees(chainBaseTree, tipTree);
  const parent = parseCommit(tipTree.commitObject).parents[0] ?? chainBase;
  const parentTree = parent === chainBase ? chainBaseTree : await orNull(snapshotOf(parent));
  const history: History = tip === chainBase ? new Map() : await fetchHistory(cache, endpoint, tip, chainBase, options);
  return {
    commit: tip,
    diff: parentTree === chainBaseTree || !parentTree ? pullRequestDiff : diffTrees(parentTree, tipTree),
    pullRequestDiff,
    pages: changedPages(chainBaseTree, tipTree),
    commits: listCommits(history, tip),
  };
}

/** A pull request's commits, oldest first; if too many, the newest. */
export function listCommits(history: History, tip: string): Published['commits'] {
  return oldestFirst(history, tip)
    .slice(-MAX_LISTED_COMMITS)
    .map(({ id, commit: { message, authorName, time } }) => ({
      id,
      message: message.slice(0, 10_000),
      authorName: authorName.slice(0, 200),
      time: new Date(Math.min(Math.max(time, -8.64e12), 8.64e12) * 1000).toISOString(),
    }));
}

/** A server need not give what no branch points to; one that cannot be reached is another matter. */
async function orNull(snapshot: Promise<Snapshot>): Promise<Snapshot | null> {
  try {
    return await snapshot;
  } catch (err) {
    if (err instanceof RepositoryProblem && err.code !== 'unreachable') return null;
    throw err;
  }
}
