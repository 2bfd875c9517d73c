import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** The files of swagger-ui-dist that the reference uses, and those that its license requires. */
export const REFERENCE_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'] as const;

/** A built package has them in `dist/reference`. */
const BUILT = path.join(import.meta.dirname, '../../../../dist/reference');

/** The folder of the reference's files: in the published package, or in a checkout's node_modules. */
export function referenceFolder(): string {
  if (existsSync(path.join(BUILT, REFERENCE_FILES[0]))) return BUILT;
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/** The reference's program and style sheet. @throws if the package was built without them */
export async function readReference(name: 'swagger-ui-bundle.js' | 'swagger-ui.css'): Promise<string> {
  return readFile(path.join(referenceFolder(), name), 'utf8');
}
