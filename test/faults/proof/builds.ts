import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cliIn, nextBuild, type Build } from '../../support/builds.ts';
import { ROOT } from '../../support/processes.ts';

const COPIED = ['src', 'bin', 'openapi.yaml', 'docs', 'integrations'];
const SHARED = ['node_modules', 'dist', 'packages'];

/** This checkout as a release later: its own version, and a schema that has moved on. In `folder`. */
export function laterBuild(folder: string): Build & { version: string } {
  mkdirSync(folder);
  for (const name of COPIED) cpSync(path.join(ROOT, name), path.join(folder, name), { recursive: true });
  for (const name of SHARED) symlinkSync(path.join(ROOT, name), path.join(folder, name));
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const version = manifest.version.replace(/\d+$/, (patch) => `${Number(patch) + 1}-next`);
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
  return { ...nextBuild(), name: version, version, cli: cliIn(folder) };
}
