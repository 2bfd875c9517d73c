import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A separate disk that can be filled up. */
export interface SmallDisk {
  folder: string;
  /** Fills it up, but for this many bytes. */
  fillUp(leave?: number): void;
  /** Makes room again. */
  makeRoom(): void;
  /** Call it when nothing on it is open. */
  remove(): void;
}

/** A file system in memory. Null if no one may mount one: only root may. */
export function mountSmallDisk(size: string): SmallDisk | null {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
  const filler = path.join(folder, 'filler');
  return {
    folder,
    fillUp(leave = 0) {
      rmSync(filler, { force: true });
      const { bavail, bsize } = statfsSync(folder);
      for (let bytes = bavail * bsize - leave; bytes > 0; bytes -= 4_096) {
        try {
          writeFileSync(filler, Buffer.alloc(bytes));
          return;
        } catch {
          // A little less, then.
        }
      }
    },
    makeRoom: () => rmSync(filler, { force: true }),
    remove() {
      // Busy for a moment, if a process that was stopped has not let go of its files.
      execFileSync('sh', [
        '-c',
        'for i in 1 2 3 4 5 6 7 8 9; do umount "$0" 2>/dev/null && exit; sleep 1; done; umount "$0"',
        folder,
      ]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
