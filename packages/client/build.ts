/**
 * Makes `packages/client/dist`, a package that Node and bundlers use without compiling anything: `npm publish
 * packages/client/dist`.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const folder = import.meta.dirname;
const dist = resolve(folder, 'dist');

rmSync(dist, { recursive: true, force: true });
execFileSync(resolve(folder, '../../node_modules/.bin/tsc'), ['-p', resolve(folder, 'tsconfig.build.json')], {
  stdio: 'inherit',
});

const { name, version, description, license, homepage, bugs, repository, type, sideEffects, dependencies } = JSON.parse(
  readFileSync(resolve(folder, 'package.json'), 'utf8'),
) as Record<string, unknown>;
const manifest = {
  name,
  version,
  description,
  license,
  homepage,
  bugs,
  repository,
  type,
  sideEffects,
  // As eventsource-parser. A checkout is installed by an older npm, too, which would warn.
  engines: { node: '>=22.12' },
  exports: { '.': { types: './index.d.ts', default: './index.js' } },
  dependencies,
};
writeFileSync(resolve(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
copyFileSync(resolve(folder, 'README.md'), resolve(dist, 'README.md'));
copyFileSync(resolve(folder, '../../LICENSE'), resolve(dist, 'LICENSE'));
