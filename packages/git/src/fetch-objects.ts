import { closeSync, openSync, rmSync } from 'node:fs';
import type { Endpoint } from './contract.ts';
import type { ObjectType } from '@docent/base/files/object-id';
import { readPack, type PackedObject, type PackSummary } from './objects/pack-reader.ts';
import { fetchPack, type PackRequest } from './protocol/fetch-pack.ts';
import { RepositoryProblem } from './repository-problem.ts';
import type { SnapshotCache } from './snapshot/snapshot-cache.ts';
import type { ExchangeOptions } from './transport/transport.ts';
import { isGitError } from './git-error.ts';

export interface FetchOptions extends ExchangeOptions {
  onProgress?: ((message: string) => void) | undefined;
}

/**
 * Fetches a pack and calls `visit` with each of its objects, using a temporary file. Errors:
 * RepositoryProblem, errors of `visit`, and GitError `object_bad`, which {@link unreadable} explains.
 * @param findBase objects that deltas may depend on, for a thin pack
 */
export async function fetchObjects(
  cache: SnapshotCache,
  endpoint: Endpoint,
  request: PackRequest,
  visit: (object: PackedObject) => void,
  { onProgress, ...options }: FetchOptions,
  findBase?: (id: string) => { type: ObjectType; content: Buffer } | null,
): Promise<PackSummary & { filtered: boolean }> {
  const path = cache.attemptPath(endpoint, 'pack');
  try {
    const { bytes, filtered } = await fetchPack(endpoint, request, path, {
      ...options,
      onProgress: (fetched) => onProgress?.(`fetched ${fetched} bytes`),
    });
    const fd = openSync(path, 'r');
    try {
      const summary = await readPack(fd, bytes, visit, {
        findBase,
        signal: options.signal,
        onProgress: (done, total) => onProgress?.(`unpacked ${done} of ${total} objects`),
      });
      return { ...summary, filtered };
    } finally {
      closeSync(fd);
    }
  } finally {
    rmSync(path, { force: true });
  }
}

/** The final problem of a repository with unreadable objects; other errors unchanged. */
export function unreadable(err: unknown, commit: string): unknown {
  if (!isGitError(err, 'object_bad')) return err;
  const sentence = `Docent cannot read commit ${commit.slice(0, 12)}: ${err.message}.`;
  return new RepositoryProblem('repository_unsupported', sentence, { cause: err });
}
