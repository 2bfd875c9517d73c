/**
 * Builds the dashboard into `dist/dashboard`, each file with its brotli and gzip versions. Does nothing if
 * the folder was built from the same sources: `npm ci` and `npm start` call it.
 */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { buildOnce, filesOf } from './package/fingerprint.ts';

const root = path.join(import.meta.dirname, '..');
const sources = path.join(root, 'packages/dashboard/src');
const folder = path.join(root, 'dist/dashboard');
/** The code of all pages, without the parts that few of them load on demand. */
const SHARED = new RegExp(
  [
    String.raw`/packages/dashboard/src/(?:words\.ts$|(?:api|parts(?!/markdown-tree)|shell)/)`,
    String.raw`/packages/client/src/index\.ts$`,
    String.raw`/node_modules/(?:@preact|preact|preact-iso|lucide|openapi-fetch|devlop)/`,
    String.raw`vite/preload-helper`,
  ]
    .join('|')
    .replaceAll('/', String.raw`[\\/]`),
);

const SOURCES = ['packages/dashboard/src', 'packages/client/src', 'package-lock.json', 'scripts/build-dashboard.ts'];

const seconds = await buildOnce(folder, SOURCES, async () => {
  // In any caller: otherwise packages export their development code, which is a fifth larger.
  process.env.NODE_ENV = 'production';
  // Loaded only for a build: loading takes longer than checking.
  const { build } = await import('vite');
  await build({
    configFile: false,
    root: sources,
    base: './',
    // It says of theme.js, which has to run before anything is painted, that it is not a module.
    logLevel: 'error',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: folder,
      emptyOutDir: true,
      assetsDir: 'assets',
      // No `data:` addresses, which the content security policy would have to allow.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2023',
      sourcemap: false,
      rolldownOptions: {
        output: {
          // One file: each further one costs a request and its headers.
          codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: 'parts', test: SHARED }] },
        },
      },
    },
  });
  await packAll();
});
if (seconds !== null) process.stdout.write(`Built the dashboard in ${seconds} s.\n`);

async function packAll(): Promise<void> {
  const pack = { br: promisify(brotliCompress), gz: promisify(gzip) };
  for (const file of await filesOf(folder)) {
    if (!/\.(?:js|css|html|svg|json)$/.test(file)) continue;
    const bytes = await readFile(file);
    await writeFile(`${file}.br`, await pack.br(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
    await writeFile(`${file}.gz`, await pack.gz(bytes, { level: 9 }));
  }
}
