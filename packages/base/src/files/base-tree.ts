/** An entry of a commit's tree, as a snapshot lists it. Directories are not listed. */
export interface BaseFile {
  path: string;
  /** Blob id, 40 hex characters (SHA-1). */
  blobId: string;
  /**
   * Bytes; 0 for symlinks and submodules. A blob above 1 MB that the server left out counts as 1 MB and a
   * byte; one that turned out to be above 16 MB as that and a byte.
   */
  size: number;
  kind: 'text' | 'binary' | 'symlink' | 'submodule' | 'executable-text' | 'executable-binary';
}

/** An immutable commit's files. Reading is synchronous and served from a file on disk. */
export interface BaseTree {
  readonly commit: string;
  files(): readonly BaseFile[];
  file(path: string): BaseFile | undefined;
  /** The file's text, or null if it is absent, not text, or larger than 1 MB. */
  readText(path: string): string | null;
  /** Like `readText`; also pages and site configurations up to 16 MB, as far as the server sent them. */
  readLarge(path: string): string | null;
  /**
   * How a file that is not text in UTF-8 seems to be encoded, for people; null for other files, and if the
   * encoding is unknown.
   */
  encoding?(path: string): string | null;
  /** The target of a symbolic link, as written; null for other files, and if unknown. */
  linkTarget?(path: string): string | null;
}

/** A changed file of the workspace. `content: null` and `blobId: null` means deleted. */
export interface OverlayEntry {
  path: string;
  content: string | null;
  /**
   * A blob that lives at this path: one of the base (a moved binary), or an attachment's; then `content` is
   * null.
   */
  blobId: string | null;
}
