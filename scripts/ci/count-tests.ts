/**
 * Reads vitest's JSON reports and ends with the line `N passed, N failed`. A file that could not be run at
 * all counts as one failure; so does a run without a report. Exits with 1 if anything failed.
 *
 *   node scripts/ci/count-tests.ts REPORT…
 */
import { readFile } from 'node:fs/promises';

interface Report {
  numPassedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const reports = await Promise.all(process.argv.slice(2).map(readReport));
const failures = reports.flatMap(failuresOf);
for (const failure of failures) process.stdout.write(`${failure}\n`);
const sum = (of: (report: Report) => number) => reports.reduce((total, report) => total + (report ? of(report) : 0), 0);
const skipped = sum(({ numPendingTests }) => numPendingTests);
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);
const passed = sum(({ numPassedTests }) => numPassedTests);
process.stdout.write(`${passed} passed, ${failures.length} failed\n`);
if (failures.length > 0 || passed === 0) process.exitCode = 1;

function failuresOf(report: Report | null): string[] {
  if (!report) return ['There is no report: the tests did not run to their end.'];
  return report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [`Could not be run: ${name}`];
    return failed.map(({ fullName }) => `Failed: ${fullName}`);
  });
}

async function readReport(file: string): Promise<Report | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}
