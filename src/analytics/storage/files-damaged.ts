import type { StoredFile } from './local-paths.ts';

/** The reason for a missing file. */
export const MISSING = 'is missing';

/** Files turned out to be damaged before anything was read from them. */
export class FilesDamaged extends Error {
  /** All of them are missing: they may have been erased after the manifest was read. */
  readonly areMissing: boolean;

  constructor(damaged: readonly { file: Pick<StoredFile, 'path'>; reason: string }[]) {
    super(`Damaged: ${damaged.map(({ file, reason }) => `${file.path} ${reason}`).join(', ')}.`);
    this.areMissing = damaged.every(({ reason }) => reason === MISSING);
  }
}
