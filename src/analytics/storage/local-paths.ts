import type { NewFile } from '../../store/analytics/manifest.ts';

/** Identifies a file of the manifest, wherever it is stored. */
export type StoredFile = Pick<NewFile, 'id' | 'path' | 'bytes' | 'sha256'>;

/** Releases the files that it keeps on this disk. May be called twice. */
export type LetGo = () => void;

/**
 * Absolute paths of the manifest's files, as a bound value. While a statement that names it runs, the files
 * are on this disk: with a bucket, they are fetched first and kept until its end. Results of `filter` and
 * similar methods are plain lists of names: see `part`.
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

  /** Results of `filter` and similar methods are no such values. */
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
