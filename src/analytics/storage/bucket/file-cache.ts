import { rm, stat, utimes } from 'node:fs/promises';
import { isMissing } from '../durable-files.ts';
import { filesBelow } from '../files-below.ts';
import type { LetGo } from '../local-paths.ts';

export interface CacheOptions {
  /** Bytes of files that are kept; more only as long as they are read. */
  maxBytes: number;
  /** Recently used files stay: another process may be reading them. */
  freshMs?: number;
  /** How often a file that is held is touched. */
  touchMs?: number;
}

const FRESH_MS = 120_000;
const TOUCH_MS = 30_000;
/** The part of the limit that is deleted together: listing all files for each new one would cost too much. */
const SLACK = 0.1;

interface Kept {
  bytes: number;
  /** When this process last updated the file's time: `Date.now()`. */
  touchedAt: number;
  holds: number;
}

/** Bounded copies of objects, least recently used first out. Processes share times by touching files. */
export class FileCache {
  readonly #root: string;
  readonly #options: Required<CacheOptions>;
  readonly #files = new Map<string, Kept>();
  readonly #timer: NodeJS.Timeout;
  #bytes = 0;
  #isEvicting = false;

  /** @param root an absolute path: everything below it is a copy */
  constructor(root: string, options: CacheOptions) {
    this.#root = root;
    this.#options = { freshMs: FRESH_MS, touchMs: TOUCH_MS, ...options };
    this.#timer = setInterval(() => void this.#touchHeld(), this.#options.touchMs);
    this.#timer.unref();
  }

  /** Keeps a file that exists or is being fetched until it is released. */
  hold(file: string): LetGo {
    const kept = this.#files.get(file) ?? { bytes: 0, touchedAt: 0, holds: 0 };
    this.#files.set(file, kept);
    kept.holds += 1;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      kept.holds -= 1;
    };
  }

  isHeld(file: string): boolean {
    return (this.#files.get(file)?.holds ?? 0) > 0;
  }

  /** Marks a file as used and makes room in time. @returns false if it is not here */
  async use(file: string): Promise<boolean> {
    const kept = this.#files.get(file);
    const now = Date.now();
    if (kept && kept.bytes > 0 && now - kept.touchedAt < this.#options.touchMs) return true;
    try {
      const { size } = await stat(file);
      await utimes(file, new Date(now), new Date(now));
      this.#note(file, size, now);
    } catch (err) {
      if (!isMissing(err)) throw err;
      this.forget(file);
      return false;
    }
    if (this.#bytes > this.#options.maxBytes) void this.evict();
    return true;
  }

  /** The file is gone from this disk. */
  forget(file: string): void {
    const kept = this.#files.get(file);
    if (!kept) return;
    this.#bytes -= kept.bytes;
    kept.bytes = 0;
    if (kept.holds === 0) this.#files.delete(file);
  }

  /** Deletes the least recently used until the rest fits. Never rejects. @returns the bytes that are left */
  async evict(): Promise<number> {
    if (this.#isEvicting) return this.#bytes;
    this.#isEvicting = true;
    try {
      const files = await this.#list();
      let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
      if (bytes > this.#options.maxBytes) {
        const now = Date.now();
        for (const { file, bytes: own, usedAt } of files.toSorted((a, b) => a.usedAt - b.usedAt)) {
          if (bytes <= this.#options.maxBytes * (1 - SLACK)) break;
          if (this.isHeld(file) || now - usedAt < this.#options.freshMs) continue;
          await rm(file, { force: true });
          this.forget(file);
          bytes -= own;
        }
      }
      // Includes copies of other processes in the same folder.
      this.#bytes = bytes;
      return bytes;
    } catch {
      return this.#bytes;
    } finally {
      this.#isEvicting = false;
    }
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #note(file: string, bytes: number, touchedAt: number): void {
    const kept = this.#files.get(file) ?? { bytes: 0, touchedAt: 0, holds: 0 };
    this.#bytes += bytes - kept.bytes;
    this.#files.set(file, Object.assign(kept, { bytes, touchedAt }));
  }

  async #list(): Promise<{ file: string; bytes: number; usedAt: number }[]> {
    const found = [];
    for (const file of await filesBelow(this.#root)) {
      const now = await stat(file).catch(() => null);
      if (now) found.push({ file, bytes: now.size, usedAt: now.mtimeMs });
    }
    return found;
  }

  async #touchHeld(): Promise<void> {
    const now = new Date();
    for (const [file, kept] of this.#files) {
      if (kept.holds === 0) continue;
      kept.touchedAt = now.getTime();
      await utimes(file, now, now).catch(() => {});
    }
  }
}
