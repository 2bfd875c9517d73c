import type { BaseFile, BaseTree, OverlayEntry } from '@docent/base/files/base-tree';
import { MAX_READABLE_BYTES } from '@docent/base/files/memory-base-tree';
import { blobIdOf } from '@docent/base/files/object-id';
import { movedExecutables } from './kept-modes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The tree that a commit of these changes has, without fetching it. */
export function overlaidTree(parent: Snapshot, changes: readonly OverlayEntry[], commit: string): BaseTree {
  const texts = new Map<string, string>();
  const files = new Map(parent.files().map((file) => [file.path, file]));
  const moved = movedExecutables(parent, changes);
  for (const { path, content, blobId } of changes) {
    const executable = moved.has(path) || (parent.file(path)?.kind.startsWith('executable') ?? false);
    if (content !== null) {
      texts.set(path, content);
      const kind = executable ? 'executable-text' : 'text';
      files.set(path, { path, blobId: blobIdOf(content), size: Buffer.byteLength(content), kind });
    } else if (blobId !== null) {
      const origin = parent.blob(blobId)?.file;
      const text = origin?.kind === 'text' || origin?.kind === 'executable-text';
      const plain = text ? 'text' : 'binary';
      const kind: BaseFile['kind'] = executable ? `executable-${plain}` : plain;
      files.set(path, { path, blobId, size: origin?.size ?? 0, kind });
    } else {
      files.delete(path);
    }
  }
  const sorted = [...files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const changed = new Set(changes.map(({ path }) => path));
  const textOf = (path: string) => {
    const file = files.get(path);
    if (!file || file.kind.endsWith('binary')) return null;
    return texts.get(path) ?? parent.blob(file.blobId)?.content?.toString('utf8') ?? null;
  };
  return {
    commit,
    files: () => sorted,
    file: (path) => files.get(path),
    readText(path) {
      if (!changed.has(path)) return parent.readText(path);
      const isMovedAndLarge = !texts.has(path) && (files.get(path)?.size ?? 0) > MAX_READABLE_BYTES;
      return isMovedAndLarge ? null : textOf(path);
    },
    readLarge: (path) => (changed.has(path) ? textOf(path) : parent.readLarge(path)),
  };
}
