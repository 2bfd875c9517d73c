import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../store/database.ts';
import type { BucketFiles } from './bucket/bucket-files.ts';
import { guardFolder, type FolderGuard, type GuardOptions } from './folder-guard.ts';
import { LocalPaths, type LetGo, type StoredFile } from './local-paths.ts';

/** A process's event files in a shared folder; with a bucket, its logs and copies of objects. */
export class AnalyticsFolder {
  readonly root: string;
  readonly bucketFiles: BucketFiles | null;
  readonly #guard: FolderGuard | null;

  /** @param guard proves the folder's identity; required on shared databases, see {@link openFolder} */
  constructor(root: string, guard: FolderGuard | null = null, bucketFiles: BucketFiles | null = null) {
    this.root = path.resolve(root);
    this.#guard = guard;
    this.bucketFiles = bucketFiles;
    for (const name of ['wal', 'files', 'set-aside', 'tmp']) {
      mkdirSync(path.join(this.root, name), { recursive: true, mode: 0o700 });
    }
  }

  /** @throws AppError `unavailable` if the folder is known to be missing or to be the wrong one */
  assertMounted(): void {
    this.#guard?.assertMounted();
  }

  /** Checks the disk. @throws AppError as {@link assertMounted} does */
  async verify(): Promise<void> {
    await this.#guard?.verify();
  }

  /** Like {@link verify}, and checks the bucket. Call it before files are considered lost. */
  async verifyAll(): Promise<void> {
    await this.#guard?.verify();
    await this.#guard?.verifyBucket();
  }

  /** Checks that a new file is in this folder. @throws AppError as {@link assertMounted} does */
  async requireWritten(file: string): Promise<void> {
    await this.#guard?.requireWritten(file);
  }

  /** See {@link FolderGuard.patienceMs}. */
  get patienceMs(): number {
    return this.#guard?.patienceMs ?? 0;
  }

  /** Lets go of the folder. */
  async close(): Promise<void> {
    await this.#guard?.close();
    this.bucketFiles?.close();
  }

  get walFolder(): string {
    return path.join(this.root, 'wal');
  }

  /** The writers with a folder below {@link walFolder}; beside them are the lock files of living ones. */
  async writerIds(): Promise<string[]> {
    return (await readdir(this.walFolder)).filter((name) => /^[0-9a-z]{20}$/.test(name));
  }

  get filesFolder(): string {
    return path.join(this.root, 'files');
  }

  /** Damaged files, kept for a person. */
  get setAsideFolder(): string {
    return path.join(this.root, 'set-aside');
  }

  /** Files of events that no manifest names, by project and family as they lay. */
  get unnamedFolder(): string {
    return path.join(this.setAsideFolder, 'unnamed');
  }

  /** Logs with lines that could not become events. */
  get unreadFolder(): string {
    return path.join(this.setAsideFolder, 'unread');
  }

  /** Unfinished files. Old ones are orphaned. */
  get temporaryFolder(): string {
    return path.join(this.root, 'tmp');
  }

  writerFolder(writerId: string): string {
    return path.join(this.walFolder, writerId);
  }

  segmentFile(writerId: string, no: number): string {
    return path.join(this.writerFolder(writerId), `${String(no).padStart(12, '0')}.log`);
  }

  /** The manifest's name of a file. */
  nameOf(projectId: string, family: string, id: string): string {
    return path.posix.join('files', projectId, family, `${id}.parquet`);
  }

  /** The absolute path of a manifest's file; with a bucket, of its copy. */
  fileOf(name: string): string {
    return path.join(this.root, name);
  }

  /** Files of the manifest as a value to bind: see {@link LocalPaths}. */
  localPaths(files: readonly StoredFile[]): LocalPaths {
    const byPath = new Map(files.map((file) => [this.fileOf(file.path), file]));
    return LocalPaths.over([...byPath.keys()], (paths) => this.hold(paths.flatMap((one) => byPath.get(one) ?? [])));
  }

  /**
   * Keeps files on this disk until released.
   * @throws AppError `unavailable`, FilesDamaged: both only with a bucket
   */
  async hold(files: readonly StoredFile[]): Promise<LetGo> {
    return (await this.bucketFiles?.hold(files)) ?? (() => {});
  }

  /** Stores a finished file in the bucket, if there is one. @throws AppError `unavailable` */
  async store(file: StoredFile): Promise<void> {
    await this.bucketFiles?.store(file);
  }
}

/**
 * Opens an installation's folder: claims or compares it, and watches it.
 * @throws Refused for another folder or a copy
 */
export async function openFolder(database: Database, root: string, options: GuardOptions): Promise<AnalyticsFolder> {
  return new AnalyticsFolder(root, await guardFolder(database, path.resolve(root), options));
}

/** The number of a segment's file, or null for another file. */
export function segmentNo(fileName: string): number | null {
  const match = /^(\d{12})\.log$/.exec(fileName);
  return match ? Number(match[1]) : null;
}
