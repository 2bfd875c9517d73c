import { withEllipsis } from '@docent/base/ellipsis';
import { Failure } from '@docent/base/failure';
import { canonical, isAscii } from '@docent/base/canonical';
import type { WritePolicy } from './contract.ts';
import type { BaseFile, BaseTree, OverlayEntry } from '@docent/base/files/base-tree';
import { MAX_READABLE_BYTES } from '@docent/base/files/memory-base-tree';
import { blobIdOf, isObjectId } from '@docent/base/files/object-id';
import { isConfiguration } from '@docent/base/files/large-files';
import { lfsPaths } from './lfs/attributes.ts';
import { isPointer, MAX_POINTER_BYTES } from './lfs/pointer.ts';
import { PathIndex, prefixesOf } from './path-index.ts';
import { malformedPath, protectedPath, unwiseNewPath } from './path-policy.ts';
import { secretFileNoun } from './secret-files.ts';

/** A change that the workspace refuses, as a sentence for the model. Nothing was changed. */
export class WorkspaceRefusal extends Failure {
  readonly path: string;

  constructor(path: string, reason: string, message = `${display(path)}: ${reason}.`) {
    super(message, { code: 'change_refused', attempts: 1, message: `The change is not allowed: ${message}` });
    this.name = 'WorkspaceRefusal';
    this.path = path;
  }

  /** The same refusal on the other side of a process boundary. */
  static revived(path: string, message: string): WorkspaceRefusal {
    return new WorkspaceRefusal(path, '', message);
  }
}

export type EntryKind = 'text' | 'binary' | 'symlink' | 'submodule' | 'folder';

/** A changed file as the workspace stores it. At most one of the two is set; both null: deleted. */
interface Change {
  content: string | null;
  blobId: string | null;
  /** Bytes that count towards the limits. */
  bytes: number;
}

const DELETED: Change = { content: null, blobId: null, bytes: 0 };

/**
 * The agent's view of a repository: an immutable base tree with changed files on top. Everything is
 * synchronous and in memory. If `write`, `remove` or `move` throw {@link WorkspaceRefusal}, they change
 * nothing. The constructor accepts any overlay; {@link Workspace.check} reports whether it keeps the policy.
 */
export class Workspace {
  readonly #base: BaseTree;
  readonly #policy: WritePolicy;
  readonly #changes = new Map<string, Change>();
  readonly #blobs: ReadonlyMap<string, number>;
  #totalBytes = 0;
  #index: PathIndex | null = null;
  #sorted: readonly string[] | null = null;
  #byBlob: Map<string, BaseFile> | null = null;
  #lfs: ((path: string) => boolean) | null = null;

  /** @param blobs bytes of blobs that are not in the base tree, by id */
  constructor(
    base: BaseTree,
    overlay: readonly OverlayEntry[],
    policy: WritePolicy,
    blobs: ReadonlyMap<string, number> = new Map(),
  ) {
    this.#base = base;
    this.#blobs = blobs;
    this.#policy = policy;
    for (const { path, content, blobId } of overlay) {
      this.#set(path, this.#changeOf(content, blobId));
    }
  }

  /** The repository's spelling of a path in another Unicode normal form: macOS decomposes names. */
  spelled(path: string): string {
    return isAscii(path) || this.exists(path) ? path : this.#pathIndex().spelled(path);
  }

  /** Paths of all files (symlinks and submodules included, folders not), by code unit order. */
  paths(): readonly string[] {
    this.#sorted ??= [...this.#livePaths()].toSorted();
    return this.#sorted;
  }

  /** Whether there is a file (of any kind) at this path. Folders do not count: see {@link kind}. */
  exists(path: string): boolean {
    const change = this.#changes.get(path);
    return change ? !isDeleted(change) : this.#base.file(path) !== undefined;
  }

  kind(path: string): EntryKind | null {
    const change = this.#changes.get(path);
    if (!change || isDeleted(change)) {
      const file = change ? undefined : this.#base.file(path);
      if (file) return this.#isBasePointer(file) ? 'binary' : plainKind(file);
      return this.#pathIndex().has(path) ? 'folder' : null;
    }
    if (change.content !== null) return this.#isMovedPointer(path, change) ? 'binary' : 'text';
    const origin = this.#baseFileOf(change.blobId);
    return origin ? plainKind(origin) : 'binary';
  }

  /** The file's text; null if it is missing, binary, above 1 MB, or named like a file with secrets. */
  readText(path: string): string | null {
    return this.#read(path, (origin) => this.#base.readText(origin));
  }

  /** As {@link Workspace.readText}, but checks also read pages and site configuration above 1 MB. */
  readLarge(path: string): string | null {
    return this.#read(path, (origin) => this.#base.readLarge(origin));
  }

  #read(path: string, readBase: (path: string) => string | null): string | null {
    if (secretFileNoun(path) !== null) return null;
    const change = this.#changes.get(path);
    if (this.isLfsPointer(path)) return null;
    if (!change) return readBase(path);
    if (change.content !== null || change.blobId === null) return change.content;
    const origin = this.#baseFileOf(change.blobId);
    return origin ? readBase(origin.path) : null;
  }

  /** Whether the repository has an LFS pointer at this path instead of the file. */
  isLfsPointer(path: string): boolean {
    const change = this.#changes.get(path);
    if (change) return this.#isMovedPointer(path, change);
    const file = this.#base.file(path);
    return file !== undefined && this.#isBasePointer(file);
  }

  /** Why an existing file has no text to read or edit: the rest of a sentence that begins with `it`. */
  whyNoText(path: string): string {
    const kind = this.kind(path);
    if (kind === 'symlink' || kind === 'submodule') return `is a ${kind}`;
    if (this.isLfsPointer(path)) {
      return 'is kept in Git LFS: the repository has a pointer to it, which is not for reading or editing';
    }
    if (this.size(path) > MAX_READABLE_BYTES) return 'is larger than 1 MB';
    const encoding = this.encoding(path);
    if (encoding !== null) return `is text in ${encoding}, not in UTF-8: a person has to convert it to UTF-8 first`;
    return `is ${kind}`;
  }

  encoding(path: string): string | null {
    const change = this.#changes.get(path);
    const origin = change ? this.#baseFileOf(change.blobId)?.path : path;
    return (origin !== undefined && this.#base.encoding?.(origin)) || null;
  }

  /** Bytes of a file; 0 for symlinks, submodules and missing files. */
  size(path: string): number {
    const change = this.#changes.get(path);
    if (!change) return this.#base.file(path)?.size ?? 0;
    if (change.content !== null || this.#blobs.has(change.blobId ?? '')) return change.bytes;
    return this.#baseFileOf(change.blobId)?.size ?? 0;
  }

  /** Creates a text file or replaces a text file's whole content. */
  write(written: string, text: string): void {
    const path = this.spelled(written);
    this.#mayChange(path);
    assertText(path, text);
    this.#mayBeInLfs(path, text);
    if (this.exists(path)) {
      const kind = this.kind(path);
      if (kind !== 'text' && (this.isLfsPointer(path) || this.encoding(path) !== null)) {
        throw new WorkspaceRefusal(path, `it ${this.whyNoText(path)}`);
      }
      if (kind !== 'text') {
        throw new WorkspaceRefusal(path, `it is a ${kind} file, which cannot be replaced by text; delete it first`);
      }
    } else {
      this.#mayAppear(path, null);
    }
    this.#setWithinLimits(path, { content: text, blobId: null, bytes: bytesOf(text) });
  }

  /** Places a binary file from a blob that the constructor got. It replaces only a binary file. */
  place(written: string, blobId: string): void {
    const path = this.spelled(written);
    this.#mayChange(path);
    this.#mayBeInLfs(path, null);
    if (this.exists(path)) {
      const kind = this.kind(path);
      if (kind !== 'binary') throw new WorkspaceRefusal(path, `it is a ${kind} file, which this cannot replace`);
    } else {
      this.#mayAppear(path, null);
    }
    this.#setWithinLimits(path, this.#changeOf(null, blobId));
  }

  remove(written: string): void {
    const path = this.spelled(written);
    this.#mayDisappear(path);
    this.#setWithinLimits(path, DELETED);
  }

  /** Renames a file, content unchanged. A change of upper and lower case alone is fine. */
  move(writtenFrom: string, writtenTo: string): void {
    const [from, to] = [this.spelled(writtenFrom), this.spelled(writtenTo)];
    if (from === to) throw new WorkspaceRefusal(from, 'the old and the new path are the same');
    this.#mayDisappear(from);
    this.#mayChange(to);
    if (this.exists(to)) throw new WorkspaceRefusal(to, 'there is a file already');
    this.#mayAppear(to, from);
    const moved = this.#contentOf(from);
    this.#mayMoveInLfs(from, to, moved);
    const before = [this.#changes.get(from), this.#changes.get(to)] as const;
    this.#set(from, DELETED);
    this.#set(to, moved);
    const problem = this.#limitProblem(to, moved.bytes);
    if (!problem) return;
    this.#restore(to, before[1]);
    this.#restore(from, before[0]);
    throw new WorkspaceRefusal(to, problem);
  }

  /** The differences from the base tree, by path. */
  changes(): OverlayEntry[] {
    return [...this.#changes]
      .map(([path, { content, blobId }]) => ({ path, content, blobId }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The id of the file's blob, in the base tree or as git would compute it: a cache key for its content. */
  blobKey(path: string): string {
    const change = this.#changes.get(path);
    const id = change ? (change.content !== null ? blobIdOf(change.content) : change.blobId) : null;
    const key = change ? id : this.#base.file(path)?.blobId;
    if (!key) throw new WorkspaceRefusal(path, 'there is no such file');
    return key;
  }

  inDocsDir(path: string): boolean {
    const { docsDir } = this.#policy;
    return docsDir === '' || canonical(path).startsWith(`${canonical(docsDir)}/`);
  }

  /** Whether a file may be written: in the docs folder, or an existing site configuration above it. */
  mayWrite(path: string): boolean {
    return this.inDocsDir(path) || this.#isSiteConfiguration(path);
  }

  #isSiteConfiguration(path: string): boolean {
    if (!isConfiguration(path) || !this.#base.file(path)?.kind.endsWith('text')) return false;
    const folder = path.replace(/(?:\.vitepress\/config\/?)?[^/]*$/, '').replace(/\.vitepress\/$/, '');
    return canonical(`${this.#policy.docsDir}/`).startsWith(canonical(folder));
  }

  /**
   * Checks a whole overlay against a base tree and the policy: first the removals, then the rest.
   * Throws {@link WorkspaceRefusal} for the first change that is not allowed. The overlay may come from
   * anywhere.
   */
  static check(
    base: BaseTree,
    overlay: readonly OverlayEntry[],
    policy: WritePolicy,
    blobs?: ReadonlyMap<string, number>,
  ): void {
    const workspace = new Workspace(base, [], policy, blobs);
    const seen = new Set<string>();
    const [removals, writes]: [OverlayEntry[], OverlayEntry[]] = [[], []];
    for (const entry of overlay) {
      if (seen.has(entry.path)) throw new WorkspaceRefusal(entry.path, 'it is changed twice');
      seen.add(entry.path);
      const removed = entry.content === null && entry.blobId === null;
      if (!removed) writes.push(entry);
      else if (workspace.exists(entry.path)) removals.push(entry);
    }
    for (const { path } of removals) workspace.remove(path);
    for (const { path, content, blobId } of writes) {
      if (content === null && (blobId === null || !isObjectId(blobId))) {
        throw new WorkspaceRefusal(path, 'its blob id is not one');
      }
      workspace.#mayChange(path);
      if (!workspace.exists(path)) workspace.#mayAppear(path, null);
      if (content !== null) assertText(path, content);
      const isKnown = workspace.#baseFileOf(blobId ?? blobIdOf(content ?? '')) !== undefined;
      if (!isKnown) workspace.#mayBeInLfs(path, content);
      workspace.#setWithinLimits(path, workspace.#changeOf(content, blobId));
    }
  }

  #mayChange(path: string): void {
    const problem = malformedPath(path) ?? protectedPath(path);
    if (problem) throw new WorkspaceRefusal(path, problem);
    if (!this.mayWrite(path)) throw this.#outside(path);
    for (const prefix of prefixesOf(path)) {
      if (prefix === path) break;
      const kind = this.exists(prefix) ? this.kind(prefix) : null;
      if (kind)
        throw new WorkspaceRefusal(path, `${display(prefix)} on the way to it is a ${nounOf(kind)}, not a folder`);
    }
    const kind = this.exists(path) ? this.kind(path) : null;
    if (kind === 'symlink' || kind === 'submodule') {
      throw new WorkspaceRefusal(path, `it is a ${kind}, which is not for Docent to read or change`);
    }
  }

  /** @param text null for a file that is not text */
  #mayBeInLfs(path: string, text: string | null): void {
    if (!this.#inLfs(path)) return;
    if (text !== null && isPointer(text)) {
      throw new WorkspaceRefusal(path, 'the text is a pointer of Git LFS, which is not for Docent to write');
    }
    if (this.#policy.lfs) return;
    throw new WorkspaceRefusal(
      path,
      '.gitattributes keeps files of this name in Git LFS, and this repository has no LFS server that ' +
        'Docent could upload to; use a path that is not in LFS',
    );
  }

  #mayMoveInLfs(from: string, to: string, { content }: Change): void {
    if (this.isLfsPointer(from)) {
      if (this.#inLfs(to)) return;
      throw new WorkspaceRefusal(
        to,
        `${display(from)} is kept in Git LFS, and by .gitattributes no file at this path is`,
      );
    }
    if (!this.#inLfs(to)) return;
    const isFromBase = content === null && this.#base.file(from) !== undefined;
    if (isFromBase && !this.#inLfs(from)) {
      throw new WorkspaceRefusal(to, 'by .gitattributes, files at this path are kept in Git LFS, and this one is not');
    }
    if (!isFromBase) this.#mayBeInLfs(to, content);
  }

  #inLfs(path: string): boolean {
    this.#lfs ??= lfsPaths(this.#base);
    return this.#lfs(path);
  }

  #isBasePointer({ path, size, kind }: BaseFile): boolean {
    if (size > MAX_POINTER_BYTES || !kind.endsWith('text') || !this.#inLfs(path)) return false;
    return isPointer(this.#base.readText(path) ?? '');
  }

  #isMovedPointer(path: string, { content }: Change): boolean {
    return content !== null && content.length <= MAX_POINTER_BYTES && this.#inLfs(path) && isPointer(content);
  }

  #outside(path: string): WorkspaceRefusal {
    return new WorkspaceRefusal(path, `it is outside ${this.#policy.docsDir}/, the only folder that may be changed`);
  }

  #mayDisappear(path: string): void {
    this.#mayChange(path);
    if (!this.inDocsDir(path)) throw this.#outside(path);
    if (this.exists(path)) return;
    const isFolder = this.kind(path) === 'folder';
    throw new WorkspaceRefusal(path, isFolder ? 'it is a folder; name each file in it' : 'there is no such file');
  }

  /** @param leaving a file that the same change removes, so it cannot collide */
  #mayAppear(path: string, leaving: string | null): void {
    const original = this.#base.file(path);
    const index = this.#pathIndex();
    const problem = original ? null : unwiseNewPath(path.slice(index.existingPart(path).length));
    if (problem) throw new WorkspaceRefusal(path, problem);
    if (leaving !== null) index.delete(leaving);
    try {
      if (index.has(path)) throw new WorkspaceRefusal(path, 'there is a folder with this name');
      const twin = index.twinOf(path);
      if (twin !== null) {
        throw new WorkspaceRefusal(path, `${display(twin)} exists, and some file systems take the two for one`);
      }
    } finally {
      if (leaving !== null) index.add(leaving);
    }
  }

  #setWithinLimits(path: string, change: Change): void {
    const before = this.#changes.get(path);
    this.#set(path, change);
    const problem = this.#limitProblem(path, change.content === null ? 0 : change.bytes);
    if (!problem) return;
    this.#restore(path, before);
    throw new WorkspaceRefusal(path, problem);
  }

  #changeOf(content: string | null, blobId: string | null): Change {
    if (content !== null) return { content, blobId: null, bytes: bytesOf(content) };
    return { content, blobId, bytes: this.#blobs.get(blobId ?? '') ?? 0 };
  }

  /** @param bytes of a text; limits of binary files are checked where they are added */
  #limitProblem(path: string, bytes: number): string | null {
    // Restoring the base tree's content is always allowed.
    if (!this.#changes.has(path)) return null;
    const { maxFiles, maxFileBytes, maxTotalBytes } = this.#policy;
    if (bytes > maxFileBytes) return `the file would have ${bytes} bytes; at most ${maxFileBytes} are allowed`;
    if (this.#changes.size > maxFiles) {
      return `no more than ${maxFiles} files may be changed at a time, and this would be one more`;
    }
    if (this.#totalBytes > maxTotalBytes) {
      return `the changed files would have ${this.#totalBytes} bytes together; at most ${maxTotalBytes} are allowed`;
    }
    return null;
  }

  /** Adds a change to the overlay, unless the base tree already has this content. */
  #set(path: string, change: Change): void {
    this.#restore(path, this.#sameAsBase(path, change) ? undefined : change);
  }

  #restore(path: string, change: Change | undefined): void {
    const existed = this.exists(path);
    this.#totalBytes += (change?.bytes ?? 0) - (this.#changes.get(path)?.bytes ?? 0);
    if (change) this.#changes.set(path, change);
    else this.#changes.delete(path);
    const exists = this.exists(path);
    if (existed === exists) return;
    this.#sorted = null;
    if (exists) this.#index?.add(path);
    else this.#index?.delete(path);
  }

  #sameAsBase(path: string, change: Change): boolean {
    const file = this.#base.file(path);
    if (!file) return isDeleted(change);
    if (isDeleted(change) || file.kind === 'symlink' || file.kind === 'submodule') return false;
    if (change.blobId !== null) return change.blobId === file.blobId;
    return change.bytes === file.size && blobIdOf(change.content ?? '') === file.blobId;
  }

  #contentOf(path: string): Change {
    const change = this.#changes.get(path);
    if (change) return change;
    const text = this.#base.readText(path);
    if (text !== null) return { content: text, blobId: null, bytes: bytesOf(text) };
    return { content: null, blobId: this.#base.file(path)?.blobId ?? null, bytes: 0 };
  }

  #baseFileOf(blobId: string | null): BaseFile | undefined {
    if (blobId === null) return undefined;
    this.#byBlob ??= new Map(
      this.#base
        .files()
        .filter((file) => file.kind !== 'submodule' && file.kind !== 'symlink')
        .map((file) => [file.blobId, file]),
    );
    return this.#byBlob.get(blobId);
  }

  #pathIndex(): PathIndex {
    this.#index ??= new PathIndex(this.#livePaths());
    return this.#index;
  }

  *#livePaths(): Generator<string> {
    for (const { path } of this.#base.files()) if (!this.#changes.has(path)) yield path;
    for (const [path, change] of this.#changes) if (!isDeleted(change)) yield path;
  }
}

function assertText(path: string, text: string): void {
  if (text.isWellFormed() && !text.includes('\0')) return;
  throw new WorkspaceRefusal(path, 'the text has NUL or lone surrogates, so it would not be a text file');
}

function plainKind(file: BaseFile): EntryKind {
  if (file.kind === 'executable-text') return 'text';
  return file.kind === 'executable-binary' ? 'binary' : file.kind;
}

function nounOf(kind: EntryKind): string {
  return kind === 'text' || kind === 'binary' ? 'file' : kind;
}

function isDeleted(change: Change): boolean {
  return change.content === null && change.blobId === null;
}

function bytesOf(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

/** A path for a sentence: quoted, cut, and with control characters escaped. */
function display(path: string): string {
  const quoted = JSON.stringify(withEllipsis(path, 200));
  return quoted.replace(/[\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '?');
}
