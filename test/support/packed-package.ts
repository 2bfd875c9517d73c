import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './processes.ts';

const run = promisify(execFile);

/**
 * What a package is built from, with the program and dashboard that the run has built. Not in the checkout
 * itself: other tests use what was built there.
 */
const SOURCES = [
  'bin',
  'dist',
  'docs',
  'scripts',
  'src',
  'LICENSE',
  'README.md',
  'openapi.yaml',
  'package-lock.json',
  'package.json',
  'packages',
  'tsconfig.json',
];

/**
 * Packs this checkout as `npm publish` would, and unpacks it where npm would install it.
 * @returns its folder, and the files that it holds
 */
export async function packedPackage(): Promise<{ folder: string; files: string[] }> {
  const work = await mkdtemp(path.join(tmpdir(), 'docent-packed-'));
  const checkout = path.join(work, 'checkout');
  for (const name of SOURCES) await cp(path.join(ROOT, name), path.join(checkout, name), { recursive: true });
  await symlink(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
  const env = { ...process.env, npm_config_loglevel: 'error' };
  await run('npm', ['pack', '--pack-destination', work], { cwd: checkout, env, maxBuffer: 16 * 1024 * 1024 });
  const tarball = (await readdir(work)).find((name) => name.endsWith('.tgz'));
  if (tarball === undefined) throw new Error('npm pack has written no package.');
  await run('tar', ['-xzf', path.join(work, tarball), '-C', work]);
  const folder = path.join(work, 'package');
  await installDependencies(folder);
  const { stdout } = await run('tar', ['-tzf', path.join(work, tarball)], { maxBuffer: 16 * 1024 * 1024 });
  return { folder, files: stdout.split('\n').map((name) => name.replace(/^package\//, '')) };
}

/** Without what the package does not ask for, where it would be missed unnoticed. */
async function installDependencies(folder: string): Promise<void> {
  await mkdir(path.join(folder, 'node_modules'));
  for (const name of await readdir(path.join(ROOT, 'node_modules'))) {
    if (name.startsWith('.') || name === 'swagger-ui-dist' || name === '@docent') continue;
    await symlink(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name));
  }
}
