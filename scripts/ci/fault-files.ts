/**
 * Prints files of fault tests that a change can plausibly break, one per line, and what is not run on standard error.
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
const { run, beyond } = faultFilesFor(changed.split('\n'), all, git('rev-parse', 'HEAD'));
const others = all.filter((name) => ![...run, ...beyond].includes(name));
process.stdout.write(run.map((name) => `test/faults/${name}\n`).join(''));
const left = [
  ['the change is too large to run all that it can break', beyond],
  ['no file changed that they depend on', others],
] as const;
for (const [reason, names] of left)
  if (names.length > 0) process.stderr.write(`Fault tests that are not run, since ${reason}: ${names.join(', ')}.\n`);
process.stderr.write(
  run.length === all.length
    ? 'All fault tests are run.\n'
    : '"npm run test:faults" runs them all, and so does the nightly workflow.\n',
);
