/**
 * Copies the files of the API reference at `/docs/api` into `dist/reference`: the published package does not
 * depend on swagger-ui-dist, whose own dependency counts its installations.
 */
import { cp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { REFERENCE_FILES } from '../src/api/pages/docs-site.ts';

const source = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const folder = path.join(import.meta.dirname, '../dist/reference');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
for (const name of REFERENCE_FILES) await cp(path.join(source, name), path.join(folder, name));
