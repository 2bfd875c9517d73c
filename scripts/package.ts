/**
 * `npm run package`: builds a release in `release/`: the packages of server, client and docs-check, the
 * server's software bill of materials (CycloneDX), and their checksums. The same commit makes the same bytes,
 * at any time and on any machine.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { OWN_PACKAGES } from './package/bundle-program.ts';
import { productionLock, publishedManifest, reproducibleBom, type Lock, type Manifest } from './package/published.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..');
/** The packages whose code is part of the server. */
const PACKAGES = ['base', 'client', 'docs-check', 'recipes'];
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
  await stageManifest(whole, (manifest) => Object.keys(manifest.dependencies));
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
  const manifest = await stageManifest(folder, () => OWN_PACKAGES);
  for (const name of [...manifest.files, 'LICENSE', 'README.md']) {
    if (name === 'npm-shrinkwrap.json') continue;
    await cp(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  }
  return manifest;
}

/** @param own which dependencies it has */
async function stageManifest(folder: string, own: (manifest: Manifest) => readonly string[]): Promise<Manifest> {
  const source = JSON.parse(await textOf('package.json')) as Manifest;
  for (const name of PACKAGES) {
    const { dependencies } = JSON.parse(await textOf(`packages/${name}/package.json`)) as Manifest;
    for (const [other, range] of Object.entries(dependencies)) {
      if (!other.startsWith('@docent/')) source.dependencies[other] = range;
    }
  }
  const manifest = publishedManifest(source, own(source));
  const lock = productionLock(JSON.parse(await textOf('package-lock.json')) as Lock, manifest);
  await writeJson(path.join(folder, 'package.json'), manifest);
  await writeJson(path.join(folder, 'npm-shrinkwrap.json'), lock);
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

async function billOfMaterials(folder: string): Promise<string> {
  const bom = await npm(
    folder,
    'sbom',
    '--sbom-format',
    'cyclonedx',
    '--sbom-type',
    'application',
    '--package-lock-only',
  );
  return reproducibleBom(bom, new Date(Number(await commitTime()) * 1_000));
}

/** In seconds. https://reproducible-builds.org/specs/source-date-epoch/ */
async function commitTime(): Promise<string> {
  const { SOURCE_DATE_EPOCH } = process.env;
  return SOURCE_DATE_EPOCH ?? (await run('git', ['log', '-1', '--format=%ct'], { cwd: ROOT })).stdout.trim();
}

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, npm_config_loglevel: 'error' };
  return (await run('npm', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

function textOf(name: string): Promise<string> {
  return readFile(path.join(ROOT, name), 'utf8');
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
