import { LRUCache } from 'lru-cache';
import { parseCommit, type CommitFields } from '../objects/commit.ts';
import type { BaseFile, BaseTree } from '@docent/base/files/base-tree';
import { MAX_READABLE_BYTES } from '@docent/base/files/memory-base-tree';
import { otherEncoding } from '@docent/base/files/encoding';
import { objectId } from '@docent/base/files/object-id';
import { FILE_KINDS, SnapshotReader } from './snapshot-file.ts';

/** How many snapshots a process keeps open. */
const OPEN_SNAPSHOTS = 8;

const open = new LRUCache<string, Snapshot>({
  max: OPEN_SNAPSHOTS,
  dispose(snapshot, _path, reason) {
    // Current users can continue: it opens its file again.
    if (reason === 'evict') snapshot.close();
  },
});

/** An immutable commit from its snapshot file. Every content is checked against its id when read. */
export class Snapshot implements BaseTree {
  readonly commit: string;
  readonly commitObject: Buffer;
  readonly rootTree: string;
  readonly #reader: SnapshotReader;
  readonly #files: BaseFile[];
  readonly #positions = new Map<string, number>();
  #blobs: Map<string, number> | null = null;
  #trees: Map<string, number> | null = null;

  constructor(path: string) {
    this.#reader = new SnapshotReader(path);
    const { commit, commitObject, rootTree, files } = this.#reader.index;
    this.commit = commit;
    this.commitObject = Buffer.from(commitObject, 'base64');
    this.rootTree = rootTree;
    this.#files = files.paths.map((at, i) => {
      const kind = FILE_KINDS[files.kinds[i]!]!;
      const size = kind === 'symlink' ? 0 : files.sizes[i]!;
      return { path: at, blobId: files.ids.slice(i * 40, i * 40 + 40), size, kind };
    });
    for (const [i, file] of this.#files.entries()) this.#positions.set(file.path, i);
  }

  get path(): string {
    return this.#reader.path;
  }

  commitFields(): CommitFields {
    return parseCommit(this.commitObject);
  }

  files(): readonly BaseFile[] {
    return this.#files;
  }

  file(path: string): BaseFile | undefined {
    const position = this.#positions.get(path);
    return position === undefined ? undefined : this.#files[position];
  }

  /** Throws GitError `snapshot_unusable` if the file is gone or damaged: request the snapshot again. */
  readText(path: string): string | null {
    return (this.file(path)?.size ?? 0) > MAX_READABLE_BYTES ? null : this.readLarge(path);
  }

  /** Throws as {@link Snapshot.readText}. */
  readLarge(path: string): string | null {
    const position = this.#positions.get(path);
    if (position === undefined) return null;
    const { kind } = this.#files[position]!;
    if (kind !== 'text' && kind !== 'executable-text') return null;
    return this.#contentAt(position)?.toString('utf8') ?? null;
  }

  linkTarget(path: string): string | null {
    const position = this.#positions.get(path);
    if (position === undefined || this.#files[position]!.kind !== 'symlink') return null;
    return this.#contentAt(position)?.toString('utf8') ?? null;
  }

  encoding(path: string): string | null {
    const position = this.#positions.get(path);
    if (position === undefined || !this.#files[position]!.kind.endsWith('binary')) return null;
    const content = this.#contentAt(position);
    return content && otherEncoding(content);
  }

  /** A blob that one of the regular files has; `content` is null if it is not kept. */
  blob(id: string): { file: BaseFile; content: Buffer | null } | null {
    const position = this.#blobPositions().get(id);
    if (position === undefined) return null;
    return { file: this.#files[position]!, content: this.#contentAt(position) };
  }

  hasBlob(id: string): boolean {
    return this.#blobPositions().has(id);
  }

  hasTree(id: string): boolean {
    return this.#treePositions().has(id);
  }

  /** A tree object that one of the folders has. */
  tree(id: string): Buffer | null {
    const position = this.#treePositions().get(id);
    if (position === undefined) return null;
    const { sizes, offsets } = this.#reader.index.trees;
    const content = this.#reader.read(offsets[position]!, sizes[position]!);
    if (objectId('tree', content) !== id) throw this.#damaged('a tree is not what was written');
    return Buffer.from(content);
  }

  close(): void {
    this.#reader.close();
  }

  #contentAt(position: number): Buffer | null {
    const { files } = this.#reader.index;
    const offset = files.offsets[position]!;
    if (offset < 0) return null;
    const content = this.#reader.read(offset, files.sizes[position]!);
    if (objectId('blob', content) !== this.#files[position]!.blobId) {
      throw this.#damaged('a file is not what was written');
    }
    return content;
  }

  #damaged(why: string): Error {
    open.delete(this.path);
    return this.#reader.damaged(why);
  }

  /** A symlink's text may equal a file's, so only regular files count. */
  #blobPositions(): Map<string, number> {
    if (this.#blobs) return this.#blobs;
    this.#blobs = new Map();
    for (const [i, { blobId, kind }] of this.#files.entries()) {
      if (kind !== 'symlink' && kind !== 'submodule') this.#blobs.set(blobId, i);
    }
    return this.#blobs;
  }

  #treePositions(): Map<string, number> {
    if (this.#trees) return this.#trees;
    const { ids, sizes } = this.#reader.index.trees;
    this.#trees = new Map(sizes.map((_, i) => [ids.slice(i * 40, i * 40 + 40), i]));
    return this.#trees;
  }
}

/**
 * Opens a file of any process; the last few stay open. Throws GitError `snapshot_unusable`: call
 * `ensureSnapshot`.
 */
export function openSnapshot(path: string): Snapshot {
  const snapshot = open.get(path) ?? new Snapshot(path);
  open.set(path, snapshot);
  return snapshot;
}
