/**
 * Reads vitest's JSON report and ends with the line `N passed, N failed`. A file that could not be run at all counts as one
 * failure; so does a run without a report. Exits with 1 where anything failed.
 */
import { readFile } from 'node:fs/promises';

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message?: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const report = await readReport(process.argv[2] ?? '');
const broken = report?.testResults.filter(
  ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
);
for (const file of broken ?? []) process.stdout.write(`Could not be run: ${file.name}\n`);
for (const { assertionResults } of report?.testResults ?? [])
  for (const test of assertionResults) if (test.status === 'failed') process.stdout.write(`Failed: ${test.fullName}\n`);
const skipped = report?.numPendingTests ?? 0;
if (skipped > 0) process.stdout.write(`${skipped} skipped\n`);

const passed = report?.numPassedTests ?? 0;
const failed = report ? report.numFailedTests + (broken?.length ?? 0) : 1;
process.stdout.write(`${passed} passed, ${failed} failed\n`);
if (failed > 0 || passed === 0) process.exitCode = 1;

async function readReport(file: string): Promise<Report | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } catch {
    process.stdout.write('There is no report: the tests did not run to their end.\n');
    return null;
  }
}
