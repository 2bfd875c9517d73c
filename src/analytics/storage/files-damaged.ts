import type { StoredFile } from './local-paths.ts';

/** The reason of a file that is not there. */
export const MISSING = 'is missing';

/** Whether a damage may be none: a network file system may show late what another machine wrote. */
export const isMissingFile = ({ reason }: { reason: string }): boolean => reason === MISSING;

/** Files turned out to be damaged before anything was read from them. */
export class FilesDamaged extends Error {
  /** None is there: they may have been erased after the manifest was read. */
  readonly areMissing: boolean;

  constructor(damaged: readonly { file: Pick<StoredFile, 'path'>; reason: string }[]) {
    super(`Damaged: ${damaged.map(({ file, reason }) => `${file.path} ${reason}`).join(', ')}.`);
    this.areMissing = damaged.every(isMissingFile);
  }
}
