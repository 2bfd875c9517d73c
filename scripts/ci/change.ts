import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import path from 'node:path';

export const ROOT = path.join(import.meta.dirname, '..', '..');

const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();

/**
 * The files that a change touches: everything since DOCENT_CI_BASE (a commit). Without it, everything of the
 * last day: older changes were in a nightly run, which runs all tests.
 */
export function changedFiles(): string[] {
  const base = process.env.DOCENT_CI_BASE || git('rev-list', '-1', '--before=1 day ago', 'HEAD');
  // A shallow clone may not have an older commit. Then everything is the change.
  return (base === '' ? git('ls-files') : git('diff', '--name-only', `${base}...HEAD`)).split('\n');
}

export const headCommit = (): string => git('rev-parse', 'HEAD');

/** In an order that depends on the seed. With the commit as the seed, every name comes first at some time. */
export function shuffled(names: readonly string[], seed: string): string[] {
  const place = new Map(names.map((name) => [name, createHash('sha256').update(`${seed} ${name}`).digest('hex')]));
  return names.toSorted((a, b) => (place.get(a)! < place.get(b)! ? -1 : 1));
}
