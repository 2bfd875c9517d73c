import { rmSync } from 'node:fs';
import type { Endpoint } from '../contract.ts';
import { fetchObjects, unreadable, type FetchOptions } from '../fetch-objects.ts';
import { MAX_READABLE_BYTES } from '@docent/base/files/memory-base-tree';
import type { PackedObject } from '../objects/pack-reader.ts';
import type { PackRequest } from '../protocol/fetch-pack.ts';
import { RepositoryProblem } from '../repository-problem.ts';
import { LARGE_FILES, MAX_CHECKED_BYTES } from '@docent/base/files/large-files';
import { DEFAULT_TREE_LIMITS, SnapshotBuilder, type TreeLimits } from './snapshot-builder.ts';
import type { SnapshotCache } from './snapshot-cache.ts';
import { openSnapshot, type Snapshot } from './snapshot.ts';
import { SnapshotWriter } from './snapshot-file.ts';
import { GitError, isGitError } from '../git-error.ts';

export interface FetchSnapshotOptions extends FetchOptions {
  treeLimits?: TreeLimits;
}

/** How many earlier snapshots a fetch builds on. */
const BASES = 2;

/** The part of a pack other than its blob, which may not shrink. */
const PACK_ROOM = 65_536;

/**
 * Fetches one commit's files, without its history, and writes its snapshot. Objects in the latest snapshots
 * of the same repository are neither fetched nor unpacked again. Safe to run twice, in parallel, and to kill.
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
      // A damaged or insufficient base only costs a complete fetch.
      if (!isGitError(err, 'commit_incomplete', 'snapshot_unusable')) throw asProblem(err, commit);
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
      // Without deltas on our objects, git would not leave out what we have either (its walk needs the edge).
      thin: bases.length > 0,
      filter: `blob:limit=${MAX_READABLE_BYTES + 1}`,
    };
    const writer = new SnapshotWriter(snapshotPath);
    try {
      const builder = new SnapshotBuilder(commit, writer, bases, options.treeLimits ?? DEFAULT_TREE_LIMITS);
      const add = builder.add.bind(builder);
      const pack = await fetchObjects(cache, endpoint, request, add, options, (id) => findBase(bases, id));
      if (pack.baseless > 0) throw new GitError('commit_incomplete', 'The pack has deltas against missing objects.');
      const mayLackBlobs = pack.filtered || pack.passedOver > 0;
      builder.walk();
      await addLargeBlobs(builder, builder.largeBlobs(mayLackBlobs), cache, endpoint, options);
      writer.finish(builder.finish(mayLackBlobs));
    } finally {
      writer.close();
    }
    return openSnapshot(cache.publish(snapshotPath, endpoint, commit));
  } finally {
    rmSync(snapshotPath, { force: true });
  }
}

/**
 * Fetches large pages and configurations one by one: only the transfer shows how large each is. If the server
 * does not serve single blobs, or fails, the snapshot is complete without them, and checks report what they
 * did not read.
 */
async function addLargeBlobs(
  builder: SnapshotBuilder,
  { wanted, keptBytes }: { wanted: readonly string[]; keptBytes: number },
  cache: SnapshotCache,
  endpoint: Endpoint,
  options: FetchSnapshotOptions,
): Promise<void> {
  let room = LARGE_FILES.totalBytes - keptBytes;
  for (const id of wanted.slice(0, LARGE_FILES.files)) {
    if (room <= 0) return;
    const maxBytes = Math.min(options.limits.maxBytes, MAX_CHECKED_BYTES + PACK_ROOM);
    const visit = (object: PackedObject) => {
      room -= object.content.length;
      if (object.id === id) builder.addLarge(object);
    };
    try {
      const bounded = { ...options, limits: { ...options.limits, maxBytes } };
      const { passedOver } = await fetchObjects(cache, endpoint, { wants: [id] }, visit, bounded);
      if (passedOver > 0) builder.passOver(id);
    } catch (err) {
      if (err instanceof RepositoryProblem && err.code === 'repository_unsupported') builder.passOver(id);
      else if (err instanceof RepositoryProblem || unreadable(err, '') instanceof RepositoryProblem) return;
      else throw err;
    }
  }
}

function findBase(bases: readonly Snapshot[], id: string) {
  for (const base of bases) {
    const tree = base.tree(id);
    if (tree) return { type: 'tree' as const, content: tree };
    if (base.commit === id) return { type: 'commit' as const, content: base.commitObject };
    const blob = base.blob(id)?.content;
    // The reader reuses its window: anything that outlives this call must be a copy.
    if (blob) return { type: 'blob' as const, content: Buffer.from(blob) };
  }
  return null;
}

function asProblem(err: unknown, commit: string): unknown {
  if (isGitError(err, 'commit_incomplete')) {
    return new RepositoryProblem(
      'repository_unreadable',
      `The repository lacks objects of commit ${commit.slice(0, 12)}. Run "git fsck" there for details.`,
      { cause: err },
    );
  }
  return unreadable(err, commit);
}
