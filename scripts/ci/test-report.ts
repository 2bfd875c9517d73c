import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { tooSlow, type FileCost } from '../../test/support/test-costs.ts';

/** What is used of vitest's JSON report. */
export interface Report {
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

export type FileResult = Report['testResults'][number];

/** Null if the tests did not run to their end. */
export async function readReport(file: string): Promise<Report | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** A file that could not be run at all counts as one failure. */
export function failuresOf({ name, status, assertionResults }: FileResult): string[] {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [`could not be run: ${name}`];
  return failed.map(({ fullName }) => fullName);
}

/** More files are not tried again: something is broken. */
const MOST_AGAIN = 3;

/** The files, below `root`, in which something failed or that took too much processor time, unless there are many. */
export function filesToTryAgain(report: Report, costs: readonly FileCost[], root: string): string[] {
  const failed = report.testResults.filter((file) => failuresOf(file).length > 0);
  const files = new Set([
    ...failed.map(({ name }) => path.relative(root, name)),
    ...tooSlow(costs).map(({ file }) => file),
  ]);
  return files.size <= MOST_AGAIN ? [...files] : [];
}

/**
 * The results of a run and of a second try of some of its files: of files in both, those of the second try.
 * `flaky` lists what failed the first time and not the second.
 */
export function combined(first: Report, again: Report | null): { files: FileResult[]; flaky: string[] } {
  const second = new Map(again?.testResults.map((file) => [file.name, file]));
  const files = first.testResults.map((file) => second.get(file.name) ?? file);
  const failed = new Set(files.flatMap(failuresOf));
  return { files, flaky: first.testResults.flatMap(failuresOf).filter((failure) => !failed.has(failure)) };
}
