import type { NewFile } from '../../store/analytics/manifest.ts';

/** Identifies a file of the manifest, regardless of where it is stored. */
export type StoredFile = Pick<NewFile, 'id' | 'path' | 'bytes' | 'sha256'>;

/** Releases the files that it keeps on this disk. May be called twice. */
export type LetGo = () => void;

/**
 * Absolute paths to bind. While a statement that names them runs, they are kept on this disk, if need be
 * fetched from the bucket. `filter` and the like return plain names: see `part`.
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

  /** Results of `filter` and similar methods are not. */
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Resolves once all are here. @throws AppError `unavailable`, FilesDamaged */
  hold(): Promise<LetGo> {
    return this.#hold(this);
  }

  /** A value with only these of the paths: the others are not fetched. */
  part(paths: readonly string[]): LocalPaths {
    return LocalPaths.over(paths, this.#hold);
  }
}
