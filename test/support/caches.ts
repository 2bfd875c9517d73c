import { execFile } from 'node:child_process';
import { cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { workflowBundlePath } from '../../src/roles/workflow-bundle.ts';
import { BARE_ENV, CACHE_FOLDER } from './bare-env.ts';
import { BUILT, ROOT } from './processes.ts';

const BUNDLES = path.join(CACHE_FOLDER, 'bundle');

/** The worker's bundle of workflows, built once. */
export const workflowBundle = async () => ({ codePath: await workflowBundlePath(BUNDLES) });

/** Puts the bundle where a worker with this DOCENT_CACHE_DIR looks for it. */
export async function giveWorkflowBundle(cacheDir: string): Promise<void> {
  const bundle = await workflowBundlePath(BUNDLES);
  await mkdir(path.join(cacheDir, 'bundle'), { recursive: true });
  await cp(bundle, path.join(cacheDir, 'bundle', path.basename(bundle)));
}

const CHUNKS = path.join(ROOT, 'dist', 'program');
/** They end in a hash. The other files there are programs, which would begin to run. */
const IS_CHUNK = /-[\w-]{8}\.js$/;

/**
 * Fills the caches: processes that are killed leave nothing in Node's.
 * @param program what tests start
 * @param roles runs them before the rest is loaded: what they leave has the functions that ran, too
 */
export async function fillCaches(program: string, roles?: () => Promise<void>): Promise<void> {
  await workflowBundlePath(BUNDLES);
  await roles?.();
  const modules =
    program === BUILT
      ? (await readdir(CHUNKS)).filter((name) => IS_CHUNK.test(name)).map((name) => path.join(CHUNKS, name))
      : ['cli/program.ts', 'roles/api.ts', 'roles/worker.ts'].map((name) => path.join(ROOT, 'src', name));
  const load = modules.map((file) => `await import('${file}');`).join('\n');
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', load], {
    env: { ...process.env, ...BARE_ENV },
  });
}
