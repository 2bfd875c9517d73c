import type { StoredFile } from '../local-paths.ts';

/** Objects of the manifest that are not in the bucket. */
export class ObjectsMissing extends Error {
  readonly files: readonly StoredFile[];

  constructor(files: readonly StoredFile[]) {
    super(`Not in the bucket: ${files.map((file) => file.path).join(', ')}.`);
    this.name = 'ObjectsMissing';
    this.files = files;
  }
}
