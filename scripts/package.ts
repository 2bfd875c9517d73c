/**
 * `npm run package`: builds a release in `release/`: the packages of server, client and docs-check, the
 * server's software bill of materials (CycloneDX), and their checksums. The same commit makes the same bytes,
 * at any time and on any machine.
 */
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { npm, stageManifest, billOfMaterials } from './package/stage.ts';
import type { Manifest } from './package/published.ts';

const ROOT = path.join(import.meta.dirname, '..');
const { values: options } = parseArgs({
  options: { out: { type: 'string', default: path.join(ROOT, 'release') }, 'no-build': { type: 'boolean' } },
});
const out = path.resolve(options.out);

if (!options['no-build']) await import('./build.ts');
await rm(out, { recursive: true, force: true });
await mkdir(out, { recursive: true });
const work = await mkdtemp(path.join(tmpdir(), 'docent-package-'));
try {
  // npm takes the name in the bill of materials from the folder.
  const folder = path.join(work, 'docent-server');
  const { version } = await stageServer(folder);
  await pack(folder);
  for (const name of ['client', 'docs-check']) {
    const built = path.join(work, `docent-${name}`);
    await cp(path.join(ROOT, 'packages', name, 'dist'), built, { recursive: true });
    await pack(built);
  }
  // With the packages bundled into the program's files.
  const whole = path.join(work, 'whole', 'docent-server');
  await mkdir(whole, { recursive: true });
  await stageManifest(whole, 'all');
  await writeFile(path.join(out, `docent-server-${version}.cdx.json`), await billOfMaterials(whole));
} finally {
  await rm(work, { recursive: true, force: true });
}
const sums: string[] = [];
for (const name of (await readdir(out)).toSorted()) {
  const content = await readFile(path.join(out, name));
  sums.push(`${createHash('sha256').update(content).digest('hex')}  ${name}\n`);
  process.stdout.write(`${path.join(path.relative('', out), name)}  ${(content.length / 1e6).toFixed(1)} MB\n`);
}
await writeFile(path.join(out, 'SHA256SUMS'), sums.join(''));

/**
 * What is installed: the files that the manifest lists, and with them the exact versions that were tested.
 */
async function stageServer(folder: string): Promise<Manifest> {
  await mkdir(folder);
  const manifest = await stageManifest(folder, 'own');
  for (const name of [...manifest.files, 'LICENSE', 'README.md']) {
    if (name === 'npm-shrinkwrap.json') continue;
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  }
  return manifest;
}

/**
 * npm normalizes times, owners and order of the files, but keeps their modes.
 */
async function pack(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const isProgram = path.relative(folder, file) === path.join('bin', 'docent.js');
    await chmod(file, entry.isDirectory() || isProgram ? 0o755 : 0o644);
  }
  await npm(folder, 'pack', '--ignore-scripts', '--pack-destination', out);
}
