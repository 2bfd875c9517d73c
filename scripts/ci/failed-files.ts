/**
 * Prints the test files that are to be tried again, one per line: see `filesToTryAgain`.
 *
 *   node scripts/ci/failed-files.ts REPORT COSTS
 */
import { readFile } from 'node:fs/promises';
import type { FileCost } from '../../test/support/test-costs.ts';
import { filesToTryAgain, readReport } from './test-report.ts';

const [reportFile = '', costsFile = ''] = process.argv.slice(2);
const report = await readReport(reportFile);
if (report) {
  const costs = JSON.parse(await readFile(costsFile, 'utf8')) as FileCost[];
  for (const file of filesToTryAgain(report, costs, process.cwd())) process.stdout.write(`${file}\n`);
}
