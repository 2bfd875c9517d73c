import { createHash } from 'node:crypto';

export interface Manifest {
  name: string;
  version: string;
  files: string[];
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
  overrides?: Record<string, unknown>;
  [key: string]: unknown;
}

/** One package of a lock file: see package-lock.json of npm. */
export interface LockEntry {
  dev?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  [key: string]: unknown;
}

export interface Lock {
  name: string;
  version: string;
  packages: Record<string, LockEntry>;
  [key: string]: unknown;
}

/** The Node that the program runs on. A checkout includes it, so an older one can start it. */
const NODE = '>=24';
/** What only a checkout has. */
const CHECKOUT_ONLY = ['devDependencies', 'workspaces', 'overrides', 'scripts'];
/** In an override, `$name` is the range of the dependency `name`. */
const OF_DEPENDENCY = '$';

/**
 * The manifest of the package that is installed: without the parts of a checkout, so that `npm ci` accepts it
 * with its lock.
 * @param own the dependencies that are not part of the program's files
 * @throws Error if one of them is not a dependency
 */
export function publishedManifest(manifest: Manifest, own: readonly string[]): Manifest {
  const published = Object.fromEntries(Object.entries(manifest).filter(([key]) => !CHECKOUT_ONLY.includes(key)));
  const dependencies = Object.fromEntries(
    own.map((name) => {
      const range = manifest.dependencies[name];
      if (range === undefined) throw new Error(`${name} has to be in the dependencies of package.json.`);
      return [name, range];
    }),
  );
  const installed = { ...dependencies, ...manifest.optionalDependencies };
  return {
    ...(published as Manifest),
    engines: { node: NODE },
    dependencies,
    overrides: overridesFor(manifest.overrides, dependencies),
    allowScripts: Object.fromEntries(Object.entries(manifest.allowScripts).filter(([name]) => name in installed)),
    files: [...manifest.files, 'npm-shrinkwrap.json'],
  };
}

/** Without them, npm calls each version in the lock that an override chose invalid. */
function overridesFor(
  overrides: Manifest['overrides'] = {},
  dependencies: Record<string, string>,
): Manifest['overrides'] {
  const isKept = (range: unknown): boolean =>
    typeof range === 'string'
      ? !range.startsWith(OF_DEPENDENCY) || range.slice(OF_DEPENDENCY.length) in dependencies
      : Object.values(range as Record<string, unknown>).every(isKept);
  return Object.fromEntries(Object.entries(overrides).filter(([, range]) => isKept(range)));
}

/**
 * The lock with what the manifest depends on, directly or not, and nothing else. It fits
 * {@link publishedManifest}.
 */
export function productionLock(lock: Lock, manifest: Manifest): Lock {
  const { name, version, license, dependencies, optionalDependencies, bin, engines } = manifest;
  const packages: Record<string, LockEntry> = {
    '': { name, version, license, dependencies, bin, engines, optionalDependencies },
  };
  const wanted = neededPlaces(lock, { ...dependencies, ...optionalDependencies });
  for (const [place, entry] of Object.entries(lock.packages))
    if (wanted.has(place) && !entry.dev && !entry.link) packages[place] = entry;
  return { ...lock, packages };
}

/** The packages that Node resolves, with their own dependencies. */
function neededPlaces({ packages }: Lock, dependencies: Record<string, string>): Set<string> {
  const found = new Set<string>();
  const look = (from: string, names: Record<string, unknown> | undefined) => {
    for (const name of Object.keys(names ?? {})) {
      const place = placeOf(packages, from, name);
      if (place === undefined || found.has(place)) continue;
      found.add(place);
      const { dependencies: needs, optionalDependencies: mayHave, peerDependencies: expects } = packages[place]!;
      for (const more of [needs, mayHave, expects]) look(place, more);
    }
  };
  look('', dependencies);
  return found;
}

/** The nearest folder `node_modules` with it, from the inside out. */
function placeOf(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.replace(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (packages[place]) return place;
    if (folder === '') return undefined;
  }
}

/**
 * npm's bill of materials with the time of the commit, and a serial number that follows from what it lists.
 */
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
