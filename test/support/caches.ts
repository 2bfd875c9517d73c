import { execFile } from 'node:child_process';
import { cp, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { workflowBundlePath } from '../../src/main/roles/workflow-bundle.ts';
import { BARE_ENV, CACHE_FOLDER } from './bare-env.ts';
import { ROOT } from './processes.ts';

const BUNDLES = path.join(CACHE_FOLDER, 'bundle');

/** The workflows as the worker wants them, put together once. */
export const workflowBundle = async () => ({ codePath: await workflowBundlePath(BUNDLES) });

/** Puts the bundle where a worker with this DOCENT_CACHE_DIR looks for it. */
export async function giveWorkflowBundle(cacheDir: string): Promise<void> {
  const bundle = await workflowBundlePath(BUNDLES);
  await mkdir(path.join(cacheDir, 'bundle'), { recursive: true });
  await cp(bundle, path.join(cacheDir, 'bundle', path.basename(bundle)));
}

/** Fills the caches: processes that are killed leave nothing in Node's. */
export async function fillCaches(): Promise<void> {
  await workflowBundlePath(BUNDLES);
  const load = ['cli/program.ts', 'roles/api.ts', 'roles/worker.ts']
    .map((name) => `await import('${ROOT}/src/main/${name}');`)
    .join('\n');
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', load], {
    env: { ...process.env, ...BARE_ENV },
  });
}
