import { mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { mountSmallDisk, type SmallDisk } from '../../support/small-disk.ts';

const CHUNK = Buffer.alloc(32 * 1024 * 1024);

/**
 * A separate disk that can be filled up if the process may mount one, which only root may; else a folder.
 */
export class Disk {
  readonly folder: string;
  readonly #mounted: SmallDisk | null;

  constructor(size: string) {
    this.#mounted = mountSmallDisk(size);
    this.folder = this.#mounted?.folder ?? mkdtempSync(path.join(tmpdir(), 'docent-disk-'));
  }

  get canBeFull(): boolean {
    return this.#mounted !== null;
  }

  get #filler(): string {
    return path.join(this.folder, 'filler');
  }

  /** To the last block, while others write to it. */
  async fillUp(): Promise<void> {
    const file = await open(this.#filler, 'a');
    try {
      for (let size = CHUNK.length; size >= 4_096;) {
        try {
          const { bytesWritten } = await file.write(CHUNK, 0, size);
          if (bytesWritten < size) size >>= 2;
        } catch {
          size >>= 2;
        }
      }
    } finally {
      await file.close();
    }
  }

  async makeRoom(): Promise<void> {
    await rm(this.#filler, { force: true });
  }

  /** Call it when nothing on it is open. */
  remove(): void {
    if (this.#mounted) this.#mounted.remove();
    else rmSync(this.folder, { recursive: true, force: true });
  }
}
