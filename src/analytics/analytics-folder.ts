import { mkdirSync } from 'node:fs';
import path from 'node:path';

/** Where a process keeps and finds event files. Several processes share one folder. */
export class AnalyticsFolder {
  readonly root: string;

  constructor(root: string) {
    this.root = path.resolve(root);
    for (const name of ['wal', 'files', 'set-aside', 'tmp']) {
      mkdirSync(path.join(this.root, name), { recursive: true, mode: 0o700 });
    }
  }

  get walFolder(): string {
    return path.join(this.root, 'wal');
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

/** The number of a segment's file, or null for another file. */
export function segmentNo(fileName: string): number | null {
  const match = /^(\d{12})\.log$/.exec(fileName);
  return match ? Number(match[1]) : null;
}
