import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** What of swagger-ui-dist the reference is made of, and what its license wants to be with it. */
export const REFERENCE_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'] as const;

/** A built package has them in `dist/reference`. */
const BUILT = path.join(import.meta.dirname, '../../../../dist/reference');

/** Where the files of the reference lie: in the published package, or those that a checkout has of npm. */
export function referenceFolder(): string {
  if (existsSync(path.join(BUILT, REFERENCE_FILES[0]))) return BUILT;
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/**
 * The program and the style sheet of the reference, as they are.
 * @throws where the package was built without them
 */
export async function readReference(name: 'swagger-ui-bundle.js' | 'swagger-ui.css'): Promise<string> {
  return readFile(path.join(referenceFolder(), name), 'utf8');
}
