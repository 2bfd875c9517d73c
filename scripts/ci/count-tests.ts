/**
 * Reads vitest's JSON report, and the report of a second try of files that failed, and ends with the line
 * `N passed, N failed`. Lists what failed only once. A file that could not be run at all counts as one
 * failure; so does a run without a report. Exits with 1 if anything failed.
 *
 *   node scripts/ci/count-tests.ts REPORT [SECOND_REPORT]
 */
import { combined, failuresOf, readReport } from './test-report.ts';

const [first, again] = await Promise.all(process.argv.slice(2).map(readReport));
if (first) {
  const { files, flaky } = combined(first, again ?? null);
  const failures = files.flatMap(failuresOf);
  const count = (...statuses: string[]) =>
    files.flatMap(({ assertionResults }) => assertionResults).filter(({ status }) => statuses.includes(status)).length;
  for (const name of failures) print(`Failed: ${name}`);
  for (const name of flaky) print(`Failed once, and passed when it was tried again alone. Find the cause: ${name}`);
  const skipped = count('pending', 'skipped', 'todo', 'disabled');
  if (skipped > 0) print(`${skipped} skipped`);
  const passed = count('passed');
  print(`${passed} passed, ${failures.length} failed`);
  if (failures.length > 0 || passed === 0) process.exitCode = 1;
} else {
  print('Failed: there is no report: the tests did not run to their end.');
  print('0 passed, 1 failed');
  process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
