import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

const here = fileURLToPath(import.meta.url);
/** Beside this module in the published package. */
export const WORKFLOW_BUNDLE_FILE = 'workflows.bundle.js';
const workflowsDir = join(dirname(here), '..', 'workflows');

/** The workflows as one file, cached beside the compiled code, else in `cacheDir` by their hash. */
export async function workflowBundlePath(cacheDir: string): Promise<string> {
  const built = join(dirname(here), WORKFLOW_BUNDLE_FILE);
  if (existsSync(built)) return built;
  const cached = join(cacheDir, `workflow-bundle-${await bundleKey()}.js`);
  if (existsSync(cached)) return cached;
  await mkdir(cacheDir, { recursive: true });
  // Concurrent processes each write their own file; the rename is atomic, and the content is the same.
  const temporary = `${cached}.${process.pid}`;
  await writeFile(temporary, await bundleWorkflows());
  await rename(temporary, cached);
  return cached;
}

/** Bundles the sources, deterministic in every folder: relative names and lines, no columns and texts. */
export async function bundleWorkflows(): Promise<string> {
  const { code } = await bundleWorkflowCode({
    workflowsPath: join(workflowsDir, `index${extname(here)}`),
    workflowInterceptorModules: [join(workflowsDir, `trace-interceptors${extname(here)}`)],
    webpackConfigHook: (config) => ({
      ...config,
      devtool: 'inline-nosources-cheap-module-source-map',
      output: { ...config.output, filename: WORKFLOW_BUNDLE_FILE, devtoolModuleFilenameTemplate: fromRoot },
    }),
    logger: { log() {}, trace() {}, debug() {}, info() {}, warn() {}, error() {} },
  });
  return code;
}

function fromRoot({ absoluteResourcePath }: { absoluteResourcePath: string }): string {
  // Excluded modules are named too, as `ignored|/path/to/folder|module`.
  return absoluteResourcePath.replace(`${join(workflowsDir, '..', '..')}${sep}`, '');
}

async function bundleKey(): Promise<string> {
  const hash = createHash('sha256');
  const { version }: { version: string } = createRequire(import.meta.url)('@temporalio/worker/package.json');
  hash.update(version);
  for (const name of (await readdir(workflowsDir)).toSorted()) {
    if (extname(name) !== extname(here)) continue;
    hash.update(`\0${name}\0`).update(await readFile(join(workflowsDir, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
