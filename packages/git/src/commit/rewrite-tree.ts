import type { OverlayEntry } from '@docent/base/files/base-tree';
import { blobIdOf, objectId } from '@docent/base/files/object-id';
import { isFolder, parseTree, serializeTree, type TreeEntry } from '../objects/tree.ts';
import { WorkspaceRefusal } from '../workspace.ts';

/** A regular file without the executable bit, and with it. */
const FILE_MODE = '100644';
const EXECUTABLE_MODE = '100755';
const FOLDER_MODE = '40000';

export interface RewrittenTree {
  rootTree: string;
  /** The trees that differ from those read, by id. */
  trees: Map<string, Buffer>;
}

interface Node {
  /** The entry's new state: a blob, nothing (deleted), or undefined if it is not changed. */
  blob?: string | null;
  /** For a new file. */
  mode?: string;
  children: Map<string, Node>;
}

/**
 * Applies changed files to a tree. Other entries keep their bytes, including odd modes and names; an existing
 * file keeps its mode; a folder that loses its last entry disappears.
 * @param executables new files that are executable
 * @param readTree returns a tree object of the base by its id
 */
export function rewriteTree(
  rootTree: string,
  changes: readonly OverlayEntry[],
  readTree: (id: string) => Buffer,
  executables: ReadonlySet<string> = new Set(),
): RewrittenTree {
  const root: Node = { children: new Map() };
  for (const { path, content, blobId } of changes) {
    let node = root;
    for (const name of path.split('/')) {
      const child = node.children.get(name) ?? { children: new Map() };
      node.children.set(name, child);
      node = child;
    }
    node.blob = content === null ? blobId : blobIdOf(content);
    if (executables.has(path)) node.mode = EXECUTABLE_MODE;
  }
  const trees = new Map<string, Buffer>();
  const emptyTree = objectId('tree', new Uint8Array());
  const rewritten = rewriteFolder(rootTree, root, '', readTree, trees);
  if (rewritten === null) trees.set(emptyTree, Buffer.alloc(0));
  return { rootTree: rewritten ?? emptyTree, trees };
}

function rewriteFolder(
  treeId: string | null,
  node: Node,
  path: string,
  readTree: (id: string) => Buffer,
  trees: Map<string, Buffer>,
): string | null {
  const entries = treeId === null ? [] : parseTree(readTree(treeId));
  const byName = new Map<string, TreeEntry>(entries.map((entry) => [entry.name.toString('latin1'), entry]));
  for (const [name, child] of node.children) {
    const bytes = Buffer.from(name);
    const key = bytes.toString('latin1');
    const old = byName.get(key);
    const at = path === '' ? name : `${path}/${name}`;
    const oldFolder = old && isFolder(old) ? old.id : null;
    const folder = child.children.size > 0 ? rewriteFolder(oldFolder, child, at, readTree, trees) : oldFolder;
    if (child.blob) {
      if (folder !== null) throw new WorkspaceRefusal(at, 'there is a folder with this name');
      byName.set(key, {
        mode: old?.mode.startsWith('100') ? old.mode : (child.mode ?? FILE_MODE),
        name: bytes,
        id: child.blob,
      });
    } else if (folder !== null) {
      if (old && !oldFolder && child.blob !== null) throw new WorkspaceRefusal(at, 'there is a file with this name');
      byName.set(key, oldFolder ? { ...old!, id: folder } : { mode: FOLDER_MODE, name: bytes, id: folder });
    } else if (child.blob === null || oldFolder) {
      byName.delete(key);
    }
  }
  if (byName.size === 0) return null;
  const raw = serializeTree([...byName.values()]);
  const id = objectId('tree', raw);
  if (id !== treeId) trees.set(id, raw);
  return id;
}
