import { createHash } from 'node:crypto';

export interface Manifest {
  name: string;
  version: string;
  files: string[];
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  overrides?: unknown;
  [key: string]: unknown;
}

/** One package of a lock file: see package-lock.json of npm. */
export interface LockEntry {
  dev?: boolean;
  link?: boolean;
  [key: string]: unknown;
}

export interface Lock {
  name: string;
  version: string;
  packages: Record<string, LockEntry>;
  [key: string]: unknown;
}

/** What only a checkout has. */
const CHECKOUT_ONLY = ['devDependencies', 'workspaces', 'overrides', 'scripts'];

/** The manifest of the package that is installed: without what only a checkout has, so that `npm ci` takes it with its lock. */
export function publishedManifest(manifest: Manifest): Manifest {
  const published = Object.fromEntries(Object.entries(manifest).filter(([key]) => !CHECKOUT_ONLY.includes(key)));
  return {
    ...(published as Manifest),
    scripts: { postinstall: 'node bin/trim.js' },
    files: [...manifest.files, 'npm-shrinkwrap.json'],
  };
}

/** The lock without packages that only development needs, and without the workspace. It fits {@link publishedManifest}. */
export function productionLock(lock: Lock, manifest: Manifest): Lock {
  const { name, version, license, dependencies, optionalDependencies, bin, engines } = manifest;
  const packages: Record<string, LockEntry> = {
    '': { name, version, hasInstallScript: true, license, dependencies, bin, engines, optionalDependencies },
  };
  for (const [place, entry] of Object.entries(lock.packages))
    if (place.startsWith('node_modules/') && !entry.dev && !entry.link) packages[place] = entry;
  return { ...lock, packages };
}

/** npm's bill of materials with the time of the commit, and a serial number that follows from what it lists. */
export function reproducibleBom(text: string, time: Date): string {
  const bom = JSON.parse(text) as { serialNumber?: string; metadata: { timestamp?: string } };
  bom.metadata.timestamp = time.toISOString();
  delete bom.serialNumber;
  const hash = createHash('sha256').update(JSON.stringify(bom)).digest('hex');
  // Version 8 of RFC 9562: bits of one's own, beside those of version and variant.
  const uuid = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ];
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${uuid.join('-')}` }, null, 2)}\n`;
}
