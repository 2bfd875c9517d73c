import { isUtf8 } from 'node:buffer';
import type { BaseFile, BaseTree } from './base-tree.ts';
import { otherEncoding } from './encoding.ts';
import { objectId } from './object-id.ts';
import { isChecked, MAX_CHECKED_BYTES } from './large-files.ts';

/** A file of {@link memoryBaseTree}: text, bytes, or one of the odd kinds that trees hold. */
export type MemoryFile =
  | string
  | Uint8Array
  | { executable: string | Uint8Array }
  | { symlink: string }
  | { submodule: string };

/** Texts above this size are listed but cannot be read, as in a snapshot. */
export const MAX_READABLE_BYTES = 1_048_576;

/**
 * Whether Docent treats a blob as text: UTF-8 without NUL, so that an edit preserves every byte that it did
 * not touch.
 */
export function isText(content: Uint8Array): boolean {
  return isUtf8(content) && !content.includes(0);
}

/** A base tree in memory, with the blob ids that git would compute. The commit id depends on the content. */
export function memoryBaseTree(files: Record<string, MemoryFile>): BaseTree {
  const contents = new Map<string, string>();
  const encodings = new Map<string, string | null>();
  const links = new Map<string, string>();
  const entries = Object.entries(files)
    .map(([path, file]): BaseFile => {
      if (typeof file === 'object' && 'submodule' in file) {
        return { path, blobId: file.submodule, size: 0, kind: 'submodule' };
      }
      if (typeof file === 'object' && 'symlink' in file) {
        links.set(path, file.symlink);
        return { path, blobId: objectId('blob', Buffer.from(file.symlink)), size: 0, kind: 'symlink' };
      }
      const executable = typeof file === 'object' && 'executable' in file;
      const raw = executable ? file.executable : file;
      const bytes = typeof raw === 'string' ? Buffer.from(raw) : raw;
      const type = isText(bytes) ? 'text' : 'binary';
      const limit = isChecked(path) ? MAX_CHECKED_BYTES : MAX_READABLE_BYTES;
      if (type === 'text' && bytes.length <= limit) contents.set(path, Buffer.from(bytes).toString());
      if (type === 'binary') encodings.set(path, otherEncoding(bytes));
      const kind = executable ? (`executable-${type}` as const) : type;
      return { path, blobId: objectId('blob', bytes), size: bytes.length, kind };
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const byPath = new Map(entries.map((file) => [file.path, file]));
  const listing = entries.map((file) => `${file.kind} ${file.blobId} ${file.path}`).join('\n');
  return {
    commit: objectId('commit', Buffer.from(listing)),
    files: () => entries,
    file: (path) => byPath.get(path),
    readText: (path) => ((byPath.get(path)?.size ?? 0) > MAX_READABLE_BYTES ? null : (contents.get(path) ?? null)),
    readLarge: (path) => contents.get(path) ?? null,
    encoding: (path) => encodings.get(path) ?? null,
    linkTarget: (path) => links.get(path) ?? null,
  };
}
