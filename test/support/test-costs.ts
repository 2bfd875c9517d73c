import path from 'node:path';

/** What a test file took. */
export interface FileCost {
  file: string;
  tests: number;
  wall: number;
  cpu: number;
  /** How many times slower than usual the machine was. */
  slowness: number;
}

const TESTS = path.join(import.meta.dirname, '..');
/** The folder of `test` in which a test file is. */
export const partOf = (file: string): string => path.relative(TESTS, file).split(path.sep)[0]!;

/**
 * The processor time that a file of a folder may take, in seconds. A slower file belongs to another folder,
 * or does too much.
 */
const MOST_SECONDS: Record<string, number> = { unit: 5, integration: 60 };
/** Files that need more, and why. */
const ALLOWED: Record<string, number> = {
  // Every command of the docs, as a reader pastes it: about 170 blocks, most of them processes.
  'test/integration/docs-commands.test.ts': 300,
  // `docent start` with PostgreSQL, Temporal, API and worker, three times.
  'test/integration/start-everything.test.ts': 100,
};
/** Random inputs that are tried more often take longer, and so does all on a slow machine. */
export const mostSeconds = ({ file, slowness }: FileCost) =>
  (ALLOWED[file] ?? MOST_SECONDS[partOf(file)] ?? Infinity) * slowness * Number(process.env.DOCENT_TEST_TIMES ?? 1);

/** Files that took more processor time than they may. */
export const tooSlow = (costs: readonly FileCost[]): FileCost[] => costs.filter((cost) => cost.cpu > mostSeconds(cost));
