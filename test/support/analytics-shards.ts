import { mergeShard, planSharedMerge, publishSharedMerge } from '../../src/analytics/counts/shared-merge.ts';
import type { StorageDeps } from '../../src/analytics/storage/storage.ts';

/** Merges a project whose visitors are merged in shards, as the workflow has workers do it: the shards side by side. */
export async function mergeAsWorkersDo(deps: StorageDeps, project: string): Promise<void> {
  for (let merge = await planSharedMerge(deps, project); merge; merge = await planSharedMerge(deps, project)) {
    const { id, shards } = merge;
    await Promise.all(Array.from({ length: shards }, (_, shard) => mergeShard(deps, project, id, shard)));
    await publishSharedMerge(deps, project, id);
  }
}
