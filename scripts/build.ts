/**
 * Compiles what the published packages hold: `dist/` (the program; its folders are those of `src/`, so that paths relative to
 * the package's root stay the same) and `client/dist/`. Node does not strip types below node_modules.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { WORKFLOW_BUNDLE_FILE } from '../src/main/roles/workflow-bundle.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const compiled = path.join(dist, '.compiled');
const clientDist = path.join(root, 'client', 'dist');

await rm(dist, { recursive: true, force: true });
await rm(clientDist, { recursive: true, force: true });
await compile('scripts/tsconfig.build.json');
for (const name of await readdir(path.join(compiled, 'src'))) {
  await rename(path.join(compiled, 'src', name), path.join(dist, name));
}
await rename(path.join(compiled, 'client', 'src'), path.join(dist, 'client'));
await rm(compiled, { recursive: true });
await bringClientAlong(path.join(dist, 'main'));
await bringMigrationsAlong();
await writeWorkflowBundle();
await import('./build-dashboard.ts');
await import('./build-reference.ts');
await compile('scripts/tsconfig.client.json');
await writeClientManifest();
process.stdout.write('Built dist and client/dist.\n');

async function compile(project: string): Promise<void> {
  const tsc = path.join(root, 'node_modules/.bin/tsc');
  try {
    await run(tsc, ['-p', path.join(root, project)], { cwd: root });
  } catch (err) {
    throw new Error(`${project} does not compile:\n${(err as { stdout?: string }).stdout ?? ''}`, { cause: err });
  }
}

/** The program carries its own copy of the client: in a checkout `@docent/client` is a workspace. */
async function bringClientAlong(folder: string): Promise<void> {
  const client = path.join(dist, 'client', 'index.js');
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.endsWith('.js')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const source = await readFile(file, 'utf8');
    if (!source.includes("'@docent/client'")) continue;
    const relative = path.relative(entry.parentPath, client);
    await writeFile(
      file,
      source.replaceAll("'@docent/client'", `'${relative.startsWith('.') ? relative : `./${relative}`}'`),
    );
  }
}

/** Without the snapshots that drizzle-kit compares the schema with. */
async function bringMigrationsAlong(): Promise<void> {
  await cp(path.join(root, 'src/store/migrations'), path.join(dist, 'store/migrations'), {
    recursive: true,
    filter: isNoSnapshot,
  });
}

function isNoSnapshot(file: string): boolean {
  return !file.endsWith('_snapshot.json');
}

/** `client/dist` is what is published: `client/` itself points at the sources, for use in this checkout. */
async function writeClientManifest(): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(root, 'client/package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  delete manifest.files;
  manifest.exports = { '.': { types: './index.d.ts', default: './index.js' } };
  await writeFile(path.join(clientDist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

/** A worker of the published package need not bundle its workflows at its first start. */
async function writeWorkflowBundle(): Promise<void> {
  const module = (await import(pathToFileURL(path.join(dist, 'main/roles/workflow-bundle.js')).href)) as {
    bundleWorkflows(): Promise<string>;
  };
  await mkdir(path.join(dist, 'main', 'roles'), { recursive: true });
  await writeFile(path.join(dist, 'main', 'roles', WORKFLOW_BUNDLE_FILE), await module.bundleWorkflows());
}
