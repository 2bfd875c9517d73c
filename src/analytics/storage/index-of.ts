import { access } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from './durable-files.ts';

const besides = (file: string, extension: string): string => `${file.slice(0, -path.extname(file).length)}${extension}`;

/** The name of the index beside a file of presence or events: see `counts/index-file`. */
export const indexOf = (file: string): string => besides(file, '.index');

/** The name of the image beside a cube file: see `query/cube-image`. */
export const imageOf = (cube: string): string => besides(cube, '.image');

/** All files that may exist beside a file of the manifest, and are deleted with it. */
export const besideOf = (file: string): string[] => [indexOf(file), imageOf(file)];

export const hasIndex = (file: string): Promise<boolean> => isThere(indexOf(file));

export const hasImage = (cube: string): Promise<boolean> => isThere(imageOf(cube));

async function isThere(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch (err) {
    if (isMissing(err)) return false;
    throw err;
  }
}
