import { closeSync, openSync, rmSync } from 'node:fs';
import type { Endpoint } from './contract.ts';
import { parseCommit, type CommitFields } from './objects/commit.ts';
import { readPack } from './objects/pack-reader.ts';
import { fetchPack, serverHas } from './protocol/fetch-pack.ts';
import type { SnapshotCache } from './snapshot/snapshot-cache.ts';
import type { ExchangeOptions } from './transport/transport.ts';

/** How many commits back from a tip are looked at. */
const HISTORY_DEPTH = 500;

export type History = Map<string, CommitFields>;

/**
 * Commit objects from `tip` on back, at most {@link HISTORY_DEPTH} deep, leaving out what `stopAt` has. Where the server
 * cannot leave trees and blobs out, they come along and are dropped.
 */
export async function fetchHistory(
  cache: SnapshotCache,
  endpoint: Endpoint,
  tip: string,
  stopAt: string | null,
  options: ExchangeOptions,
): Promise<History> {
  const path = cache.attemptPath(endpoint, 'pack');
  const request = { wants: [tip], haves: stopAt === null ? [] : [stopAt], depth: HISTORY_DEPTH, filter: 'tree:0' };
  const history: History = new Map();
  try {
    const { bytes } = await fetchPack(endpoint, request, path, options);
    const fd = openSync(path, 'r');
    try {
      const keep = (object: { type: string; id: string; content: Buffer }) => {
        if (object.type === 'commit') history.set(object.id, parseCommit(object.content));
      };
      await readPack(fd, bytes, keep, { signal: options.signal });
    } finally {
      closeSync(fd);
    }
    return history;
  } finally {
    rmSync(path, { force: true });
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
