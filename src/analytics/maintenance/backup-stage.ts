import { constants } from 'node:fs';
import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from '@docent/base/thrown';
import { segmentNo, type AnalyticsFolder } from '../storage/analytics-folder.ts';
import { isMissing } from '../storage/durable-files.ts';
import { claimOwned, type OwnedFolder } from '../storage/folder-claim.ts';
import { filesBelow } from '../storage/files-below.ts';

/** A file that stays as long as the stage does, even if the original is deleted. */
export interface HeldFile {
  /** Relative to the analytics folder, with slashes. */
  name: string;
  /** The path of the held file. */
  file: string;
  /** How much of it there was: a log may have grown since. */
  bytes: number;
}

/** Errors of file systems without hard links, or without any more of them. */
const NO_LINK = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES', 'EINVAL']);

/** Holds files for a backup by hard links or copies, which garbage collection spares in the meantime. */
export class BackupStage {
  readonly #folder: AnalyticsFolder;
  readonly #owned: OwnedFolder;

  private constructor(folder: AnalyticsFolder, owned: OwnedFolder) {
    this.#folder = folder;
    this.#owned = owned;
  }

  /** For other data that must be read from a copy. */
  get path(): string {
    return this.#owned.path;
  }

  static async open(folder: AnalyticsFolder): Promise<BackupStage> {
    const owned = claimOwned(folder.temporaryFolder, 'backup');
    await mkdir(owned.path, { recursive: true, mode: 0o700 });
    return new BackupStage(folder, owned);
  }

  /** All logs as they are, which cover acknowledged events. Their ends may be truncated. */
  async holdLogs(): Promise<HeldFile[]> {
    const held: HeldFile[] = [];
    for (const writer of await this.#folder.writerIds()) {
      for (const file of await namesIn(this.#folder.writerFolder(writer))) {
        if (segmentNo(file) === null) continue;
        const found = await this.hold(path.posix.join('wal', writer, file), { again: true });
        if (found) held.push(found);
      }
    }
    return held;
  }

  /** Files with acknowledged events that count nowhere yet: `docent analytics recover` takes them in. */
  async holdUncounted(): Promise<HeldFile[]> {
    const held: HeldFile[] = [];
    for (const kept of [this.#folder.unnamedFolder, this.#folder.unreadFolder]) {
      for (const file of await filesBelow(kept)) {
        const found = await this.hold(path.relative(this.#folder.root, file).split(path.sep).join('/'));
        if (found) held.push(found);
      }
    }
    return held;
  }

  /**
   * Null if the file no longer exists, now and at the previous call.
   * @param name relative to the analytics folder
   * @param options.again as it is now: for a growing log
   */
  async hold(name: string, options: { again?: boolean } = {}): Promise<HeldFile | null> {
    const from = this.#folder.fileOf(name);
    const file = path.join(this.#owned.path, name);
    try {
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      if (options.again) await rm(file, { force: true });
      await this.#secondName(from, file);
      return { name, file, bytes: (await stat(file)).size };
    } catch (err) {
      if (!isMissing(err)) throw err;
      const held = options.again ? null : await stat(file).catch(() => null);
      return held && { name, file, bytes: held.size };
    }
  }

  /** Lets go of a file that was read. */
  async release({ file }: HeldFile): Promise<void> {
    await rm(file, { force: true });
  }

  close(): void {
    this.#owned.release();
  }

  async #secondName(from: string, to: string): Promise<void> {
    try {
      await link(from, to);
    } catch (err) {
      if (codeOf(err) === 'EEXIST') return;
      if (!NO_LINK.has(String(codeOf(err)))) throw err;
      await copyFile(from, to, constants.COPYFILE_FICLONE);
    }
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted();
  } catch (err) {
    if (isMissing(err)) return [];
    throw err;
  }
}
