/**
 * Builds `packages/docs-check/dist`: the package as it is published, without dependencies. `npm pack
 * packages/docs-check/dist` makes one file of it that `npx` and `npm install` take.
 */
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';

const FOLDER = import.meta.dirname;
const DIST = path.join(FOLDER, 'dist');
const SOURCES = path.join(FOLDER, 'src');

await rm(DIST, { recursive: true, force: true });
const bundle = await rolldown({
  input: {
    'docent-check': path.join(SOURCES, 'main.ts'),
    'facts-worker': path.join(SOURCES, 'cli/facts-worker.ts'),
  },
  cwd: FOLDER,
  platform: 'node',
  transform: { target: 'node24' },
  resolve: {
    // Its other build requires its own files by names that no bundler sees.
    alias: { 'jsonc-parser': path.join(FOLDER, '../../node_modules/jsonc-parser/lib/esm/main.js') },
  },
});
await bundle.write({ dir: DIST, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
await bundle.close();

const { name, version, description, license, type } = JSON.parse(
  await readFile(path.join(FOLDER, 'package.json'), 'utf8'),
) as Record<string, unknown>;
const { homepage, bugs, repository } = JSON.parse(
  await readFile(path.join(FOLDER, '../../package.json'), 'utf8'),
) as Record<string, unknown>;
const bin = { 'docent-check': 'docent-check.js' };
const manifest = { name, version, description, license, homepage, bugs, repository, type, bin };
await writeFile(
  path.join(DIST, 'package.json'),
  `${JSON.stringify({ ...manifest, engines: { node: '>=24' } }, null, 2)}\n`,
);
await copyFile(path.join(FOLDER, 'README.md'), path.join(DIST, 'README.md'));
await copyFile(path.join(FOLDER, '../../LICENSE'), path.join(DIST, 'LICENSE'));
