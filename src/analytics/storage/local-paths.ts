import type { NewFile } from '../../store/analytics-manifest.ts';

/** What tells a file of the manifest, wherever its bytes lie. */
export type StoredFile = Pick<NewFile, 'id' | 'path' | 'bytes' | 'sha256'>;

/** Keeps files on this disk until it is called. May be called twice. */
export type LetGo = () => void;

/**
 * Absolute paths of files of the manifest, as a value to bind. A statement that names it has them on this disk while it runs: where they
 * lie in a bucket, they are fetched before it, and stay until it has ended. A part of it, or a copy, is a list of names alone.
 */
export class LocalPaths extends Array<string> {
  readonly #hold: () => Promise<LetGo>;

  private constructor(hold: () => Promise<LetGo>) {
    super();
    this.#hold = hold;
  }

  static over(paths: readonly string[], hold: () => Promise<LetGo>): LocalPaths {
    const made = new LocalPaths(hold);
    for (const path of paths) made.push(path);
    return made;
  }

  /** What `filter` and the like give is no such value. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Resolves once all are here. @throws AppError `unavailable`, FilesDamaged */
  hold(): Promise<LetGo> {
    return this.#hold();
  }
}
