import { rmSync } from 'node:fs';
import type { Endpoint } from '../contract.ts';
import { fetchObjects, unreadable, type FetchOptions } from '../fetch-objects.ts';
import { MAX_READABLE_BYTES } from '../memory-base-tree.ts';
import type { PackRequest } from '../protocol/fetch-pack.ts';
import { RepositoryProblem } from '../repository-problem.ts';
import { DEFAULT_TREE_LIMITS, IncompleteCommit, SnapshotBuilder, type TreeLimits } from './snapshot-builder.ts';
import type { SnapshotCache } from './snapshot-cache.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { SnapshotUnusable, SnapshotWriter } from './snapshot-file.ts';

export interface FetchSnapshotOptions extends FetchOptions {
  treeLimits?: TreeLimits;
}

/** How many earlier snapshots a fetch builds on. */
const BASES = 2;

/**
 * Fetches one commit's files, without its history, and writes its snapshot. What the latest snapshots of the same
 * repository have already is neither fetched nor unpacked again. Safe to run twice, at once too, and to be killed.
 * Errors: RepositoryProblem.
 */
export async function fetchSnapshot(
  cache: SnapshotCache,
  endpoint: Endpoint,
  commit: string,
  options: FetchSnapshotOptions,
): Promise<Snapshot> {
  const bases = cache.latest(endpoint, BASES);
  if (bases.length > 0) {
    try {
      return await attempt(cache, endpoint, commit, bases, options);
    } catch (err) {
      // Damaged or insufficient bases cost a whole fetch, nothing else.
      if (!(err instanceof IncompleteCommit || err instanceof SnapshotUnusable)) throw asProblem(err, commit);
    }
  }
  try {
    return await attempt(cache, endpoint, commit, [], options);
  } catch (err) {
    throw asProblem(err, commit);
  }
}

async function attempt(
  cache: SnapshotCache,
  endpoint: Endpoint,
  commit: string,
  bases: Snapshot[],
  options: FetchSnapshotOptions,
): Promise<Snapshot> {
  const snapshotPath = cache.attemptPath(endpoint, 'part');
  try {
    const ids = bases.map((base) => base.commit);
    const request: PackRequest = {
      wants: [commit],
      haves: ids,
      shallow: ids,
      depth: 1,
      // Without deltas on what we have, git would not leave out what we have either (its walk needs the edge).
      thin: bases.length > 0,
      filter: `blob:limit=${MAX_READABLE_BYTES + 1}`,
    };
    const writer = new SnapshotWriter(snapshotPath);
    try {
      const builder = new SnapshotBuilder(commit, writer, bases, options.treeLimits ?? DEFAULT_TREE_LIMITS);
      const add = builder.add.bind(builder);
      const pack = await fetchObjects(cache, endpoint, request, add, options, (id) => findBase(bases, id));
      if (pack.baseless > 0) throw new IncompleteCommit('The pack has deltas on objects that are not at hand.');
      writer.finish(builder.finish(pack.filtered || pack.passedOver > 0));
    } finally {
      writer.close();
    }
    return openSnapshot(cache.publish(snapshotPath, endpoint, commit));
  } finally {
    rmSync(snapshotPath, { force: true });
  }
}

function findBase(bases: readonly Snapshot[], id: string) {
  for (const base of bases) {
    const tree = base.tree(id);
    if (tree) return { type: 'tree' as const, content: tree };
    if (base.commit === id) return { type: 'commit' as const, content: base.commitObject };
    const blob = base.blob(id)?.content;
    // The reader's window moves on: what outlives this call must be a copy.
    if (blob) return { type: 'blob' as const, content: Buffer.from(blob) };
  }
  return null;
}

function asProblem(err: unknown, commit: string): unknown {
  if (err instanceof IncompleteCommit) {
    return new RepositoryProblem(
      'repository_unreadable',
      `The repository does not have all objects of commit ${commit.slice(0, 12)}; "git fsck" there shows what is missing.`,
      { cause: err },
    );
  }
  return unreadable(err, commit);
}
