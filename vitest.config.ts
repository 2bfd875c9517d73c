import { defineConfig } from 'vitest/config';
import { BARE_ENV } from './test/support/bare-env.ts';
import { QUICKLY } from './test/support/processes.ts';
import { SideBySide } from './test/support/sequencer.ts';

const { DOCENT_TEST_REPORT, DOCENT_TEST_CLUSTER_PIDS } = process.env;
/** A JSON report, besides what is printed. */
const report: [string, Record<string, unknown>][] = DOCENT_TEST_REPORT
  ? [['json', { outputFile: DOCENT_TEST_REPORT }]]
  : [];

/** The folders of `test` whose tests run. The scripts of package.json name some of them. */
const PARTS = (process.env.DOCENT_TEST_PARTS ?? 'unit smoke integration browser faults cluster').split(' ');
const testsOf = (...parts: string[]) =>
  parts.filter((part) => PARTS.includes(part)).map((part) => `test/${part}/**/*.test.ts`);

/** Integration tests that need a process of their own: they measure it, or change what all its modules share. */
const ISOLATED = [
  'analytics-traces',
  'api-contract-compiled',
  'check-memory',
  'git-diff-effort',
  'heap-growth',
  'review-notes-time',
  'telemetry',
  'temporal-memory',
  'traces',
  'tracing',
  'workflow-traces',
].map((name) => `test/integration/${name}.test.ts`);

/** A project whose tests use the run's PostgreSQL and Temporal. */
const withServices = (name: string, include: string[], own: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: {
    name,
    include,
    globalSetup: ['./test/support/services.ts'],
    setupFiles: ['./test/support/run-services.ts'],
    ...own,
  },
});

export default defineConfig({
  test: {
    // The Temporal SDK's native part does not survive worker threads.
    pool: 'forks',
    // Most of the time, all tests but those in `unit` wait: five files side by side, also on two cores.
    maxWorkers: 5,
    sequence: { sequencer: SideBySide },
    setupFiles: ['./test/support/file-cost.ts', './test/support/time-limits.ts'],
    reporters: ['default', './test/support/cost-reporter.ts', ...report],
    // As in all processes that tests start: see test/support/bare-env.ts.
    execArgv: QUICKLY,
    env: { NODE_COMPILE_CACHE: BARE_ENV.NODE_COMPILE_CACHE },
    // The files of a worker share its modules: loading them took most of the time of many a file.
    isolate: false,
    projects: [
      { extends: true, test: { name: 'unit', include: testsOf('unit') } },
      // One project: vitest ends a worker whose next file is of another one, and a worker takes 2 s to start.
      withServices('services', testsOf('smoke', 'integration', 'browser', 'faults'), { exclude: ISOLATED }),
      withServices('isolated', PARTS.includes('integration') ? ISOLATED : [], { isolate: true }),
      // Only with the servers that `npm run cluster` starts: see scripts/cluster.ts.
      ...(DOCENT_TEST_CLUSTER_PIDS ? [withServices('cluster', testsOf('cluster'))] : []),
    ],
  },
});
