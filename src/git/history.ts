import type { Endpoint } from './contract.ts';
import { fetchObjects, unreadable } from './fetch-objects.ts';
import { parseCommit, type CommitFields } from './objects/commit.ts';
import type { PackedObject } from './objects/pack-reader.ts';
import { serverHas } from './protocol/fetch-pack.ts';
import type { SnapshotCache } from './snapshot/snapshot-cache.ts';
import type { ExchangeOptions } from './transport/transport.ts';

/** How many commits back from a tip are looked at. */
const HISTORY_DEPTH = 500;

export type History = Map<string, CommitFields>;

/**
 * Commit objects from `tip` on back, at most {@link HISTORY_DEPTH} deep, leaving out what `stopAt` has. Where the server
 * cannot leave trees and blobs out, they come along and are dropped. Errors: RepositoryProblem.
 */
export async function fetchHistory(
  cache: SnapshotCache,
  endpoint: Endpoint,
  tip: string,
  stopAt: string | null,
  options: ExchangeOptions,
): Promise<History> {
  const request = { wants: [tip], haves: stopAt === null ? [] : [stopAt], depth: HISTORY_DEPTH, filter: 'tree:0' };
  const history: History = new Map();
  const keep = ({ type, id, content }: PackedObject) => {
    if (type === 'commit') history.set(id, parseCommit(content));
  };
  try {
    await fetchObjects(cache, endpoint, request, keep, options);
    return history;
  } catch (err) {
    throw unreadable(err, tip);
  }
}

/** Whether `commit` is `tip` or, within {@link HISTORY_DEPTH}, an ancestor of it. */
export async function isAncestor(
  cache: SnapshotCache,
  endpoint: Endpoint,
  commit: string,
  tip: string,
  options: ExchangeOptions,
): Promise<boolean> {
  if (commit === tip) return true;
  // A commit that the server does not have is nobody's ancestor there; and to ask costs less than a history.
  if (!(await serverHas(endpoint, commit, tip, options))) return false;
  const history = await fetchHistory(cache, endpoint, tip, commit, options);
  return [...history.values()].some(({ parents }) => parents.includes(commit));
}

/** Commits of a history, parents before children, from the ones reachable from `tip`. */
export function oldestFirst(history: History, tip: string): { id: string; commit: CommitFields }[] {
  const ordered: { id: string; commit: CommitFields }[] = [];
  const state = new Map<string, 'entered' | 'done'>();
  const stack = [tip];
  while (stack.length > 0) {
    const id = stack.at(-1)!;
    const commit = history.get(id);
    const seen = state.get(id);
    if (!commit || seen) {
      stack.pop();
      if (commit && seen === 'entered') ordered.push({ id, commit });
      state.set(id, 'done');
      continue;
    }
    state.set(id, 'entered');
    stack.push(...commit.parents.filter((parent) => history.has(parent) && !state.has(parent)).toReversed());
  }
  return ordered;
}
