/**
 * Prints the test files of a vitest report in which something failed, one per line, if there are at most
 * three. More are not tried again: something is broken.
 *
 *   node scripts/ci/failed-files.ts REPORT
 */
import path from 'node:path';
import { failuresOf, readReport } from './test-report.ts';

const MOST = 3;

const report = await readReport(process.argv[2] ?? '');
const failed = report?.testResults.filter((file) => failuresOf(file).length > 0) ?? [];
if (failed.length <= MOST)
  process.stdout.write(failed.map(({ name }) => `${path.relative(process.cwd(), name)}\n`).join(''));
