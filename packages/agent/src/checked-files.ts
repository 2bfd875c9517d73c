import type { DocsFiles } from '@docent/docs-check/read/docs-site';
import type { Workspace } from '@docent/git/workspace';

/** A workspace as the checks read it: with the large pages and configurations that tools do not open. */
export function checkedFiles(workspace: Workspace): DocsFiles {
  return {
    paths: () => workspace.paths(),
    kind: (path) => workspace.kind(path),
    exists: (path) => workspace.exists(path),
    size: (path) => workspace.size(path),
    blobKey: (path) => workspace.blobKey(path),
    readText: (path) => workspace.readLarge(path),
    encoding: (path) => workspace.encoding(path),
  };
}
