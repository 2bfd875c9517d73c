import type { CommitPlan, CommitRequest, Endpoint, PlannedFile } from '../contract.ts';
import { newCommit } from '../objects/commit.ts';
import { parseTree } from '../objects/tree.ts';
import { uploadToLfs } from '../lfs/upload.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { ExchangeOptions } from '../transport/transport.ts';
import { checkChanges, rewrittenTree } from './publish.ts';

/**
 * What a code host needs to make the commit itself: {@link commitAndPush} without a commit and a push. Null
 * if the changes change nothing. Throws RepositoryProblem, WorkspaceRefusal.
 */
export async function planCommit(
  endpoint: Endpoint,
  parent: Snapshot,
  request: CommitRequest,
  options: ExchangeOptions,
): Promise<CommitPlan | null> {
  checkChanges(parent, request);
  const changes = await uploadToLfs(endpoint, parent, request, options);
  const { rootTree, trees } = rewrittenTree(parent, changes);
  if (rootTree === parent.rootTree) return null;

  const files = changes.map(({ path, content, blobId }): PlannedFile => {
    if (content === null && blobId === null) return { path, mode: '100644', id: null, bytes: null };
    const { mode, id } = entryAt(path);
    if (content !== null) return { path, mode, id, bytes: Buffer.from(content) };
    return { path, mode, id, bytes: parent.hasBlob(id) ? null : (request.blobs?.get(id) ?? null) };
  });
  const { message } = newCommit({ ...request, tree: rootTree });
  return { tree: rootTree, baseTree: parent.rootTree, parent: request.parent, message, files };

  function entryAt(path: string): { mode: string; id: string } {
    let at = { mode: '', id: rootTree };
    for (const name of path.split('/')) {
      const raw = trees.get(at.id) ?? parent.tree(at.id);
      const found = raw && parseTree(raw).find((entry) => entry.name.toString('utf8') === name);
      if (!found) throw new Error(`The new tree has no ${path}.`);
      at = found;
    }
    return at;
  }
}
