/**
 * Prints files of fault tests that a change can plausibly break, one per line, and what is not run on
 * standard error.
 *
 *   node scripts/ci/fault-files.ts
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { changedFiles, headCommit, ROOT } from './change.ts';
import { faultFilesFor } from './fault-areas.ts';

const all = readdirSync(path.join(ROOT, 'test/faults')).filter((name) => name.endsWith('.test.ts'));
const { run, beyond } = faultFilesFor(changedFiles(), all, headCommit());
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
