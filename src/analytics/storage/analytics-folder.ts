import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Database } from '../../store/database.ts';
import { FolderGuard, type GuardOptions } from './folder-guard.ts';

/** Where a process keeps and finds event files. Several processes share one folder. */
export class AnalyticsFolder {
  readonly root: string;
  readonly #guard: FolderGuard | null;

  /**
   * @param guard proves that this is the folder of the installation. Whatever runs on a database that others may use has one: see
   * {@link openFolder}
   */
  constructor(root: string, guard: FolderGuard | null = null) {
    this.root = path.resolve(root);
    this.#guard = guard;
    for (const name of ['wal', 'files', 'set-aside', 'tmp']) {
      mkdirSync(path.join(this.root, name), { recursive: true, mode: 0o700 });
    }
  }

  /** @throws AppError `unavailable` where the folder is away, or not the right one, as far as is known */
  requireHere(): void {
    this.#guard?.requireHere();
  }

  /** Looks at the disk. @throws AppError as {@link requireHere} does */
  async prove(): Promise<void> {
    await this.#guard?.prove();
  }

  /** That a file which was just written is in this folder. @throws AppError as {@link requireHere} does */
  async requireWritten(file: string): Promise<void> {
    await this.#guard?.requireWritten(file);
  }

  /** How long a file that another process wrote may not show here, in milliseconds. */
  get patienceMs(): number {
    return this.#guard?.patienceMs ?? 0;
  }

  /** Lets go of the folder. */
  async close(): Promise<void> {
    await this.#guard?.close();
  }

  get walFolder(): string {
    return path.join(this.root, 'wal');
  }

  /** The writers whose folders are below {@link walFolder}; beside them lie the lock files of living ones. */
  async writerIds(): Promise<string[]> {
    return (await readdir(this.walFolder)).filter((name) => /^[0-9a-z]{20}$/.test(name));
  }

  get filesFolder(): string {
    return path.join(this.root, 'files');
  }

  /** Damaged files, kept for a person to look at. */
  get setAsideFolder(): string {
    return path.join(this.root, 'set-aside');
  }

  /** Files of events that no manifest names, by project and family as they lay. */
  get unnamedFolder(): string {
    return path.join(this.setAsideFolder, 'unnamed');
  }

  /** Logs with lines that no event could be made of. */
  get unreadFolder(): string {
    return path.join(this.setAsideFolder, 'unread');
  }

  /** Files that are not finished. What lies here long belongs to nobody. */
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

  /** The absolute path of a file of the manifest. */
  fileOf(name: string): string {
    return path.join(this.root, name);
  }
}

/**
 * Opens the folder of an installation: claims or compares it, and watches it from then on.
 * @throws FolderRefused where it is not the one that the database knows, or a copy
 */
export async function openFolder(database: Database, root: string, options: GuardOptions): Promise<AnalyticsFolder> {
  const guard = await FolderGuard.open(database, path.resolve(root), options);
  return new AnalyticsFolder(root, guard);
}

/** The name of the index of a file of presence, which lies beside it: see `counts/presence-index`. */
export const indexOf = (presence: string): string => `${presence.slice(0, -path.extname(presence).length)}.index`;

/** The number of a segment's file, or null for another file. */
export function segmentNo(fileName: string): number | null {
  const match = /^(\d{12})\.log$/.exec(fileName);
  return match ? Number(match[1]) : null;
}
