import type { NewFile } from '../../store/analytics/manifest.ts';

/** What tells a file of the manifest, wherever its bytes lie. */
export type StoredFile = Pick<NewFile, 'id' | 'path' | 'bytes' | 'sha256'>;

/** Keeps files on this disk until it is called. May be called twice. */
export type LetGo = () => void;

/**
 * Absolute paths of files of the manifest, as a value to bind. A statement that names it has them on this
 * disk while it runs: where they are in a bucket, they are fetched before it, and stay until it has ended.
 * What `filter` and the like make of it is a list of names alone: see `part`.
 */
export class LocalPaths extends Array<string> {
  readonly #hold: (paths: readonly string[]) => Promise<LetGo>;

  private constructor(hold: (paths: readonly string[]) => Promise<LetGo>) {
    super();
    this.#hold = hold;
  }

  static over(paths: readonly string[], hold: (paths: readonly string[]) => Promise<LetGo>): LocalPaths {
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
    return this.#hold(this);
  }

  /** Those of these paths that are named, as such a value: the others are not brought here. */
  part(paths: readonly string[]): LocalPaths {
    return LocalPaths.over(paths, this.#hold);
  }
}
