import { access } from 'node:fs/promises';
import { isMissing } from './durable-files.ts';

import path from 'node:path';

const besides = (file: string, extension: string): string => `${file.slice(0, -path.extname(file).length)}${extension}`;

/** The name of the index of a file of presence, which lies beside it: see `counts/presence-index`. */
export const indexOf = (presence: string): string => besides(presence, '.index');

/** The name of the image of a cube's file, which lies beside it: see `query/cube-image`. */
export const imageOf = (cube: string): string => besides(cube, '.image');

/** All that may lie beside a file of the manifest, and goes with it. */
export const besideOf = (file: string): string[] => [indexOf(file), imageOf(file)];

export const hasIndex = (presence: string): Promise<boolean> => isThere(indexOf(presence));

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
