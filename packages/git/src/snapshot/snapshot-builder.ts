import type { BaseFile } from '@docent/base/files/base-tree';
import { otherEncoding } from '@docent/base/files/encoding';
import { isText, MAX_READABLE_BYTES } from '@docent/base/files/memory-base-tree';
import { parseCommit } from '../objects/commit.ts';
import type { PackedObject } from '../objects/pack-reader.ts';
import { isFolder, assertSafeEntries, utf8Name, parseTree } from '../objects/tree.ts';
import type { Snapshot } from './snapshot.ts';
import { isChecked, isConfiguration, MAX_CHECKED_BYTES } from '@docent/base/files/large-files';
import { FILE_KINDS, type SnapshotIndex, type SnapshotWriter } from './snapshot-file.ts';
import { GitError } from '../git-error.ts';

/** Bounds of one commit's tree. */
export interface TreeLimits {
  /** Files and folders together. */
  entries: number;
  pathBytes: number;
  /** Bytes of all distinct tree objects. */
  treeBytes: number;
}

export const DEFAULT_TREE_LIMITS: TreeLimits = { entries: 300_000, pathBytes: 4_096, treeBytes: 128 * 1024 * 1024 };

interface Blob {
  size: number;
  text: boolean;
  /** -1: not stored. */
  offset: number;
}

/** Larger than any stored size: represents a blob that the server left out. */
const LEFT_OUT: Blob = { size: MAX_READABLE_BYTES + 1, text: false, offset: -1 };

const SUBMODULE = '160000';
const SYMLINK = '120000';

/** A blob of a commit's tree, at one of its paths. */
interface TreeFile {
  path: string;
  id: string;
  mode: string;
}

/** Builds a snapshot from packed objects, in any order, and from other snapshots. */
export class SnapshotBuilder {
  readonly #commit: string;
  readonly #writer: SnapshotWriter;
  readonly #bases: readonly Snapshot[];
  readonly #limits: TreeLimits;
  readonly #trees = new Map<string, Buffer>();
  readonly #blobs = new Map<string, Blob>();
  #treeBytes = 0;
  #commitObject: Buffer | null = null;
  #files: TreeFile[] = [];
  #rootTree = '';
  readonly #keptTrees = new Map<string, { size: number; offset: number }>();

  constructor(commit: string, writer: SnapshotWriter, bases: readonly Snapshot[], limits: TreeLimits) {
    this.#commit = commit;
    this.#writer = writer;
    this.#bases = bases;
    this.#limits = limits;
  }

  add({ type, id, content }: PackedObject): void {
    if (type === 'blob') this.#addBlob(id, content);
    else if (type === 'tree') this.#addTree(id, content);
    else if (id === this.#commit) this.#commitObject = content;
  }

  /** Walks the tree. Throws GitError `commit_incomplete`, or `object_bad` if no checkout would accept it. */
  walk(): void {
    if (!this.#commitObject) throw new GitError('commit_incomplete', `The pack does not have commit ${this.#commit}.`);
    this.#rootTree = parseCommit(this.#commitObject).tree;
    const files = this.#files;
    const folders: { path: string; id: string }[] = [{ path: '', id: this.#rootTree }];
    const kept = this.#keptTrees;
    // Counts repeated subtrees each time: a few trees can name each other into billions of paths.
    let visited = 0;
    for (let folder = folders.pop(); folder; folder = folders.pop()) {
      visited++;
      const raw = this.#treeOf(folder.id);
      if (!kept.has(folder.id)) kept.set(folder.id, { size: raw.length, offset: this.#writer.append(raw) });
      const entries = parseTree(raw);
      assertSafeEntries(entries);
      for (const entry of entries) {
        const name = utf8Name(entry);
        // Paths are text everywhere in Docent. Files with other names stay in the tree, unseen and unchanged.
        if (name === null) continue;
        const path = folder.path === '' ? name : `${folder.path}/${name}`;
        if (Buffer.byteLength(path) > this.#limits.pathBytes) {
          throw new GitError('object_bad', `it has paths longer than ${this.#limits.pathBytes} bytes`);
        }
        if (isFolder(entry)) folders.push({ path, id: entry.id });
        else files.push({ path, id: entry.id, mode: entry.mode });
      }
      if (files.length + folders.length + visited > this.#limits.entries) {
        throw new GitError('object_bad', `it has more than ${this.#limits.entries} files and folders`);
      }
    }
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /**
   * After {@link SnapshotBuilder.walk}: unstored blobs above {@link MAX_READABLE_BYTES} that checks read,
   * site configurations first; and the bytes of those in an earlier snapshot.
   * @param mayLackBlobs whether a missing blob was left out for its size
   */
  largeBlobs(mayLackBlobs: boolean): { wanted: string[]; keptBytes: number } {
    const configurations = new Set<string>();
    const pages = new Set<string>();
    const kept = new Map<string, number>();
    for (const { path, id, mode } of this.#files) {
      if (mode === SUBMODULE || mode === SYMLINK || !isChecked(path)) continue;
      const blob = this.#blobs.get(id) ?? this.#fromBase(id) ?? (mayLackBlobs ? LEFT_OUT : null);
      if (!blob || blob.size <= MAX_READABLE_BYTES || blob.size > MAX_CHECKED_BYTES) continue;
      if (blob.offset >= 0) kept.set(id, blob.size);
      else if (blob.text || blob.size === LEFT_OUT.size) (isConfiguration(path) ? configurations : pages).add(id);
    }
    const keptBytes = [...kept.values()].reduce((sum, size) => sum + size, 0);
    return { wanted: [...configurations.union(pages)], keptBytes };
  }

  /** One of {@link SnapshotBuilder.largeBlobs}. */
  addLarge({ type, id, content }: PackedObject): void {
    if (type === 'blob') this.#keep(id, content, MAX_CHECKED_BYTES);
  }

  /** One of {@link SnapshotBuilder.largeBlobs} is larger than checks read: it is not requested again. */
  passOver(id: string): void {
    this.#blobs.set(id, { size: MAX_CHECKED_BYTES + 1, text: false, offset: -1 });
  }

  /**
   * After {@link SnapshotBuilder.walk}. Throws GitError `commit_incomplete`.
   * @param mayLackBlobs whether a missing blob is one that was left out for its size
   */
  finish(mayLackBlobs: boolean): SnapshotIndex {
    const files = this.#files.map(({ path, id, mode }) => ({ path, id, ...this.#fileOf(mode, id, mayLackBlobs) }));
    return {
      commit: this.#commit,
      commitObject: this.#commitObject!.toString('base64'),
      rootTree: this.#rootTree,
      files: {
        paths: files.map((file) => file.path),
        ids: files.map((file) => file.id).join(''),
        sizes: files.map((file) => file.blob.size),
        kinds: files.map((file) => FILE_KINDS.indexOf(file.kind)),
        offsets: files.map((file) => file.blob.offset),
      },
      trees: {
        ids: [...this.#keptTrees.keys()].join(''),
        sizes: [...this.#keptTrees.values()].map(({ size }) => size),
        offsets: [...this.#keptTrees.values()].map(({ offset }) => offset),
      },
    };
  }

  #fileOf(mode: string, id: string, mayLackBlobs: boolean): { kind: BaseFile['kind']; blob: Blob } {
    if (mode === SUBMODULE) return { kind: 'submodule', blob: { size: 0, text: false, offset: -1 } };
    // Its content is where it leads to.
    if (mode === SYMLINK) return { kind: 'symlink', blob: this.#blobs.get(id) ?? { size: 0, text: false, offset: -1 } };
    const blob = this.#blobs.get(id) ?? this.#fromBase(id) ?? (mayLackBlobs ? LEFT_OUT : null);
    if (!blob) throw new GitError('commit_incomplete', `The pack does not have blob ${id}.`);
    const type = blob.text ? 'text' : 'binary';
    const executable = (parseInt(mode, 8) & 0o111) !== 0;
    return { kind: executable ? `executable-${type}` : type, blob };
  }

  #fromBase(id: string): Blob | null {
    for (const base of this.#bases) {
      const found = base.blob(id);
      if (!found) continue;
      const { file, content } = found;
      const text = file.kind === 'text' || file.kind === 'executable-text';
      const blob = { size: file.size, text, offset: content ? this.#writer.append(content) : -1 };
      this.#blobs.set(id, blob);
      return blob;
    }
    return null;
  }

  #treeOf(id: string): Buffer {
    const known = this.#trees.get(id);
    if (known) return known;
    for (const base of this.#bases) {
      const raw = base.tree(id);
      if (!raw) continue;
      this.#addTree(id, raw);
      return raw;
    }
    throw new GitError('commit_incomplete', `The pack does not have tree ${id}.`);
  }

  #addBlob(id: string, content: Buffer): void {
    if (!this.#blobs.has(id)) this.#keep(id, content, MAX_READABLE_BYTES);
  }

  #keep(id: string, content: Buffer, maxBytes: number): void {
    const text = isText(content);
    // A file in another encoding cannot be read, but its kind can be reported.
    const kept = content.length <= maxBytes && (text || otherEncoding(content) !== null);
    this.#blobs.set(id, { size: content.length, text, offset: kept ? this.#writer.append(content) : -1 });
  }

  #addTree(id: string, raw: Buffer): void {
    if (this.#trees.has(id)) return;
    this.#treeBytes += raw.length;
    if (this.#treeBytes > this.#limits.treeBytes) {
      throw new GitError(
        'object_bad',
        `its folders alone have more than ${Math.round(this.#limits.treeBytes / 1_048_576)} MB`,
      );
    }
    this.#trees.set(id, raw);
  }
}
