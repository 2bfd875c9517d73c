import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { SUBJECTS } from './subjects.ts';

interface Report {
  testResults: { name: string; assertionResults: { status: string }[] }[];
}

/**
 * How many tests of each subject held, from vitest's JSON reports.
 * @param reports the files of each column
 * @returns a Markdown table
 * @throws Error when a fault test belongs to no subject
 */
export async function faultsTable(reports: ReadonlyMap<string, readonly string[]>): Promise<string> {
  const columns = await Promise.all(
    [...reports].map(async ([title, files]) => {
      const read = files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as Report);
      return { title, counts: countsOf((await Promise.all(read)).flatMap(({ testResults }) => testResults)) };
    }),
  );
  const rows = SUBJECTS.map(({ done, files }) => [
    done,
    ...columns.map(({ counts }) => {
      const [held, all] = sum(files.map((file) => counts.get(file) ?? [0, 0]));
      return all === 0 ? '–' : held === all ? `${held}` : `${held} of ${all}`;
    }),
  ]);
  const total = columns.map(({ counts }) => sum([...counts.values()]).join(' of '));
  const lines = [
    ['What is done', ...columns.map(({ title }) => title)],
    ['---', ...columns.map(() => '--:')],
    ...rows,
    ['**All**', ...total],
  ];
  return `\n${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`;
}

/** By file: how many tests held, and how many were run. */
function countsOf(testResults: Report['testResults']): Map<string, [held: number, all: number]> {
  const known = new Set(SUBJECTS.flatMap(({ files }) => files));
  return new Map(
    testResults.map(({ name, assertionResults }) => {
      const file = path.basename(name, '.test.ts');
      if (!known.has(file)) throw new Error(`scripts/faults/subjects.ts does not say what ${file} is about.`);
      const run = assertionResults.filter(({ status }) => status === 'passed' || status === 'failed');
      return [file, [run.filter(({ status }) => status === 'passed').length, run.length]];
    }),
  );
}

const sum = (pairs: readonly (readonly [number, number])[]): [number, number] =>
  pairs.reduce<[number, number]>(([held, all], [moreHeld, more]) => [held + moreHeld, all + more], [0, 0]);
