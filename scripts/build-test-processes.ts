/**
 * Bundles the processes that fault tests start again and again: a bundle starts in half the processor time.
 * Does nothing if they were built from the same sources.
 */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Plugin } from 'rolldown';
import { BARE_ENV, BUILT_PROCESSES } from '../test/support/bare-env.ts';
import { buildOnce } from './package/fingerprint.ts';

const ENTRIES = ['analytics-process', 'analytics-server', 'folder-process', 'move-process'];
const root = path.join(import.meta.dirname, '..');
const SOURCES = [
  'src',
  'packages',
  'test/support',
  'scripts/package',
  'scripts/build-test-processes.ts',
  'package-lock.json',
];

await buildOnce(BUILT_PROCESSES, SOURCES, async () => {
  await rm(BUILT_PROCESSES, { recursive: true, force: true });
  await bundleProcesses();
  for (const name of ENTRIES) await fillCache(name);
});

async function bundleProcesses(): Promise<void> {
  // Loaded only for a build: loading takes longer than checking.
  const { rolldown } = await import('rolldown');
  const { BUNDLED_AS } = await import('./package/bundle-program.ts');
  const bundle = await rolldown({
    ...BUNDLED_AS,
    input: Object.fromEntries(ENTRIES.map((name) => [name, path.join(root, 'test', 'support', `${name}.ts`)])),
    plugins: [sourcePlaces()],
    onLog() {},
  });
  await bundle.write({ dir: BUILT_PROCESSES, format: 'esm' });
  await bundle.close();
}

/** A process that is killed leaves nothing in Node's cache. Without orders, it ends at once. */
async function fillCache(name: string): Promise<void> {
  const program = path.join(BUILT_PROCESSES, `${name}.js`);
  await promisify(execFile)(process.execPath, [program], { env: BARE_ENV }).catch(() => {});
}

/** A module that asks where it is, gets its place in the sources. */
function sourcePlaces(): Plugin {
  return {
    name: 'source-places',
    transform(code, id) {
      if (!id.startsWith(root) || id.includes('/node_modules/') || !code.includes('import.meta.')) return null;
      const url = JSON.stringify(pathToFileURL(id).href);
      const dirname = JSON.stringify(path.dirname(id));
      return { code: code.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', dirname), map: null };
    },
  };
}
