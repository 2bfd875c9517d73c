/**
 * Builds the content of the published packages: `dist/` (the program as few files, and beside it what it
 * reads, at the places of `src/`) and `packages/client/dist/`. Node does not strip types below node_modules.
 * Program and dashboard are kept if they were built from the same sources.
 */
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '..');
const clientDist = path.join(root, 'packages/client/dist');

await rm(clientDist, { recursive: true, force: true });
await import('./build-program.ts');
await import('./build-dashboard.ts');
await import('./build-reference.ts');
await import('../packages/docs-check/build.ts');
await compile('scripts/tsconfig.client.json');
await writeClientManifest();
process.stdout.write('Built dist, packages/client/dist and packages/docs-check/dist.\n');

async function compile(project: string): Promise<void> {
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  try {
    await run(tsc, ['-p', path.join(root, project)], { cwd: root });
  } catch (err) {
    throw new Error(`${project} does not compile:\n${(err as { stdout?: string }).stdout ?? ''}`, { cause: err });
  }
}

/**
 * `packages/client/dist` is published: `packages/client/` itself points at the sources, for use in this
 * checkout.
 */
async function writeClientManifest(): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(root, 'packages/client/package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  delete manifest.files;
  manifest.exports = { '.': { types: './index.d.ts', default: './index.js' } };
  await writeFile(path.join(clientDist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
