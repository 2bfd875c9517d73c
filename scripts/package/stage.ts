import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { OWN_PACKAGES } from './bundle-program.ts';
import { productionLock, publishedManifest, reproducibleBom, type Lock, type Manifest } from './published.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..', '..');
/** The packages whose code is part of the server. */
const PACKAGES = [
  'access-log',
  'agent',
  'base',
  'cli',
  'client',
  'code-hosts',
  'docs-check',
  'find-secrets',
  'git',
  'models',
  'pages',
  'recipes',
  'servers',
];

/**
 * Writes the server's package.json and npm-shrinkwrap.json.
 * @param folder an existing one
 * @param dependencies `own`: those that are installed beside the program's files; `all`: also those that are
 * bundled into them
 */
export async function stageManifest(folder: string, dependencies: 'own' | 'all'): Promise<Manifest> {
  const source = JSON.parse(await textOf('package.json')) as Manifest;
  for (const name of PACKAGES) {
    const manifest = JSON.parse(await textOf(`packages/${name}/package.json`)) as Manifest;
    for (const [other, range] of Object.entries(manifest.dependencies)) {
      if (!other.startsWith('@docent/')) source.dependencies[other] = range;
    }
  }
  const names = dependencies === 'own' ? OWN_PACKAGES : Object.keys(source.dependencies);
  const manifest = publishedManifest(source, names);
  const lock = productionLock(JSON.parse(await textOf('package-lock.json')) as Lock, manifest);
  await writeJson(path.join(folder, 'package.json'), manifest);
  await writeJson(path.join(folder, 'npm-shrinkwrap.json'), lock);
  return manifest;
}

/**
 * CycloneDX, the same bytes for the same commit.
 * @param folder what {@link stageManifest} wrote
 * @throws Error if the lock does not fit the manifest
 */
export async function billOfMaterials(folder: string): Promise<string> {
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

export async function npm(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, npm_config_loglevel: 'error' };
  return (await run('npm', args, { cwd, env, maxBuffer: 64 * 1024 * 1024 })).stdout;
}

function textOf(name: string): Promise<string> {
  return readFile(path.join(ROOT, name), 'utf8');
}

async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`);
}
