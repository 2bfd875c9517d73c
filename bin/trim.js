// Plain JavaScript for Node 20 and newer: takes out of an installed package what this machine never uses: programs for other platforms,
// types, and source maps. npm runs it after an installation; where scripts may not run, run it yourself, at any time and again. It touches
// only the packages below the package's own folder, and nothing in a checkout.
import { existsSync } from 'node:fs';
import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const isCheckout = existsSync(path.join(root, 'src', 'main', 'cli.ts'));

/** As `@temporalio/core-bridge` names its programs. */
const PLATFORMS = {
  'linux-x64': 'x86_64-unknown-linux-gnu',
  'linux-arm64': 'aarch64-unknown-linux-gnu',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
};
/** What only compilers, debuggers and linkers read. */
const NEEDLESS_FILE = /\.(?:map|[cm]?ts|a)$/;

let freed = 0;
if (!isCheckout && existsSync(modules)) {
  await trimBridge(path.join(modules, '@temporalio', 'core-bridge'));
  await trimFiles(modules);
  process.stdout.write(
    `Docent: removed ${Math.round(freed / 1e6)} MB that ${process.platform} on ${process.arch} does not use.\n`,
  );
}

/** Its package has the programs for all platforms, and the sources that they are made of. */
async function trimBridge(folder) {
  const releases = path.join(folder, 'releases');
  const own = PLATFORMS[`${process.platform}-${process.arch}`];
  if (own === undefined || !existsSync(path.join(releases, own, 'index.node'))) return;
  for (const name of await readdir(releases)) if (name !== own) await remove(path.join(releases, name));
  for (const name of ['sdk-core', 'src', 'bridge-macros']) await remove(path.join(folder, name));
}

async function trimFiles(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await trimFiles(file);
    else if (entry.isFile() && NEEDLESS_FILE.test(entry.name)) await remove(file);
  }
}

/** A file with several names frees its room with the last one: it is counted once. */
async function remove(file) {
  freed += await sizeOf(file);
  await rm(file, { recursive: true, force: true });
}

async function sizeOf(file) {
  const found = await stat(file).catch(() => null);
  if (found === null) return 0;
  if (found.isFile()) return found.size / found.nlink;
  const sizes = await Promise.all((await readdir(file)).map((name) => sizeOf(path.join(file, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}
