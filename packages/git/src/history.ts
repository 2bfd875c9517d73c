import type { Endpoint } from './contract.ts';
import { fetchObjects, unreadable } from './fetch-objects.ts';
import { parseCommit, type CommitFields } from './objects/commit.ts';
import type { PackedObject } from './objects/pack-reader.ts';
import { serverHas } from './protocol/fetch-pack.ts';
import type { SnapshotCache } from './snapshot/snapshot-cache.ts';
import type { ExchangeOptions } from './transport/transport.ts';

/** The number of commits that are read back from a tip. */
const HISTORY_DEPTH = 500;

export type History = Map<string, CommitFields>;

/**
 * Commits from `tip` back, at most {@link HISTORY_DEPTH} deep, without those of `stopAt`. If the server
 * cannot omit trees and blobs, they are received and dropped. Errors: RepositoryProblem.
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

/**
 * The commit at which a branch left another one, as in `git merge-base`: commits that others merged into the
 * branch, or rebased it on, are not the branch's own. Of several (criss-cross merges), the newest. Null if
 * the newest {@link HISTORY_DEPTH} commits have none. Errors: RepositoryProblem.
 */
export async function mergeBase(
  cache: SnapshotCache,
  endpoint: Endpoint,
  { tip, baseTip }: { tip: string; baseTip: string },
  options: ExchangeOptions,
): Promise<string | null> {
  if (tip === baseTip) return tip;
  const base = await fetchHistory(cache, endpoint, baseTip, null, options);
  if (base.has(tip)) return tip;
  const own = await fetchHistory(cache, endpoint, tip, baseTip, options);
  const left = new Set([...own.values()].flatMap(({ parents }) => parents).filter((id) => base.has(id)));
  const older = ancestorsOf(base, left);
  const [newest] = [...left].filter((id) => !older.has(id)).toSorted((a, b) => timeOf(base, b) - timeOf(base, a));
  return newest ?? null;
}

/** The ancestors of these commits, including those of them that are ancestors of others. */
function ancestorsOf(history: History, commits: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const open = [...commits];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const parent of history.get(id)?.parents ?? []) {
      if (found.has(parent)) continue;
      found.add(parent);
      open.push(parent);
    }
  }
  return found;
}

function timeOf(history: History, id: string): number {
  return history.get(id)?.time ?? 0;
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
  // A commit that the server does not have is not an ancestor there; asking costs less than a history.
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
