/**
 * Builds the program into `dist`, for `npm start` and the published package. The files that it reads are
 * beside it, as in `src`. Does nothing if it was built from the same sources.
 */
import { cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflows, WORKFLOW_BUNDLE_FILE } from '../src/roles/workflow-bundle.ts';
import { buildOnce } from './package/fingerprint.ts';

const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
/** In `dist`, what other scripts build: `build-dashboard.ts` and `build-reference.ts`. */
const OTHERS = ['dashboard', 'reference'];
const SOURCES = ['src', 'packages', 'scripts/package', 'scripts/build-program.ts', 'package-lock.json'];

const seconds = await buildOnce(path.join(dist, 'program'), SOURCES, async () => {
  process.stdout.write('Building the program, which takes some seconds after each change of the sources …\n');
  // Loaded only for a build: loading takes longer than checking.
  const { bundleProgram } = await import('./package/bundle-program.ts');
  const { thirdPartyNotice } = await import('./package/third-party.ts');
  await mkdir(dist, { recursive: true });
  for (const name of await readdir(dist))
    if (!OTHERS.includes(name)) await rm(path.join(dist, name), { recursive: true, force: true });
  const packages = await bundleProgram(dist);
  await writeFile(path.join(dist, 'THIRD-PARTY.txt'), await thirdPartyNotice(packages));
  await bringMigrationsAlong();
  await writeWorkflowBundle();
});
if (seconds !== null) process.stdout.write(`Built the program in ${seconds} s.\n`);

/** Without the snapshots that drizzle-kit compares the schema with. */
async function bringMigrationsAlong(): Promise<void> {
  const folder = path.join(dist, 'store', 'migrations');
  await cp(path.join(root, 'src/store/migrations'), folder, { recursive: true, filter: isNoSnapshot });
}

function isNoSnapshot(file: string): boolean {
  return !file.endsWith('_snapshot.json');
}

/** A worker need not bundle its workflows at its first start. */
async function writeWorkflowBundle(): Promise<void> {
  const folder = path.join(dist, 'roles');
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, WORKFLOW_BUNDLE_FILE), await bundleWorkflows());
}
