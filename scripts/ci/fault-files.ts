/**
 * Prints the files of fault tests that a change can plausibly break, one per line, and what is not run on standard error.
 *
 *   node scripts/ci/fault-files.ts
 *
 * The change is everything since DOCENT_CI_BASE (a commit). Without it, the change is everything of the last day: what is older was in a
 * nightly run, which runs all fault tests.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { faultFilesFor } from './fault-areas.ts';

const root = path.join(import.meta.dirname, '..', '..');
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

const base = process.env.DOCENT_CI_BASE || git('rev-list', '-1', '--before=1 day ago', 'HEAD');
// A shallow clone may not have an older commit. Then everything is the change.
const changed = base === '' ? git('ls-files') : git('diff', '--name-only', `${base}...HEAD`);
const all = readdirSync(path.join(root, 'test/faults')).filter((name) => name.endsWith('.test.ts'));
const chosen = faultFilesFor(changed.split('\n'), all);
const left = all.filter((name) => !chosen.includes(name));
process.stdout.write(chosen.map((name) => `test/faults/${name}\n`).join(''));
process.stderr.write(
  left.length === 0
    ? 'All fault tests are run.\n'
    : `Fault tests that are not run, since no file changed that they depend on: ${left.join(', ')}. "npm run test:faults" runs them, and so does the nightly workflow.\n`,
);
