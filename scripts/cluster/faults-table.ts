import { readFile } from 'node:fs/promises';
import path from 'node:path';

interface Report {
  testResults: {
    name: string;
    assertionResults: { status: string; fullName: string; duration?: number | null }[];
  }[];
}

/**
 * One row a file of fault tests: how many of its tests held and how long they took, from vitest's JSON report.
 * @returns a Markdown table
 */
export async function faultsTable(reportFile: string): Promise<string> {
  const { testResults } = JSON.parse(await readFile(reportFile, 'utf8')) as Report;
  const rows = testResults
    .map(({ name, assertionResults }) => {
      const count = (status: string) => assertionResults.filter((test) => test.status === status).length;
      const seconds = assertionResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0) / 1000;
      const subject = path.basename(name, '.test.ts').replaceAll('-', ' ');
      return [
        subject,
        count('passed'),
        count('failed'),
        count('pending') + count('skipped'),
        `${seconds.toFixed(0)} s`,
      ];
    })
    .toSorted(([left], [right]) => String(left).localeCompare(String(right), 'en'));
  const lines = [['Tests', 'Held', 'Failed', 'Skipped', 'Took'], ['---', '--:', '--:', '--:', '--:'], ...rows];
  return `\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}
