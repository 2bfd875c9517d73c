import { defineConfig } from 'vitest/config';
import { BARE_ENV } from './test/support/bare-env.ts';
import { QUICKLY } from './test/support/processes.ts';
import { SideBySide } from './test/support/sequencer.ts';

const { DOCENT_TEST_REPORT, DOCENT_TEST_CLUSTER_PIDS, DOCENT_TEST_TIMES = '1' } = process.env;
/** A JSON report, besides what is printed. */
const report: [string, Record<string, unknown>][] = DOCENT_TEST_REPORT
  ? [['json', { outputFile: DOCENT_TEST_REPORT }]]
  : [];

/** The machines of CI systems are slower, and shared. */
const SLOWER = process.env.CI === undefined ? 1 : 2;

/** A poll asks a server or a browser, which takes the processor from what is waited for. */
const POLL_MS = 150;

/** Waits of tests end a little earlier than the test itself, and so can say what did not happen. */
const timeouts = (usualMs: number, interval: number, ms = usualMs * SLOWER) => ({
  testTimeout: ms * Number(DOCENT_TEST_TIMES),
  hookTimeout: ms,
  expect: { poll: { timeout: ms * 0.9, interval } },
  env: { DOCENT_TEST_PATIENCE_MS: String(ms * 0.9) },
});

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
const withServices = (name: string, timeoutMs: number, own: Record<string, unknown> = {}) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    globalSetup: ['./test/support/services.ts'],
    setupFiles: ['./test/support/run-services.ts'],
    ...timeouts(timeoutMs, POLL_MS),
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
    setupFiles: ['./test/support/file-cost.ts'],
    reporters: ['default', './test/support/cost-reporter.ts', ...report],
    // As in all processes that tests start: see test/support/bare-env.ts.
    execArgv: QUICKLY,
    env: { NODE_COMPILE_CACHE: BARE_ENV.NODE_COMPILE_CACHE },
    // The files of a worker share its modules: loading them took most of the time of many a file.
    isolate: false,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], ...timeouts(10_000, 20) },
      },
      withServices('smoke', 60_000),
      withServices('integration', 60_000, { exclude: ISOLATED }),
      withServices('integration-isolated', 60_000, { include: ISOLATED, isolate: true }),
      // Some wait for Temporal to notice a dead worker, or for a server that is started again.
      withServices('faults', 180_000),
      withServices('browser', 60_000),
      // Only with the servers that `npm run cluster` starts: see scripts/cluster.ts.
      ...(DOCENT_TEST_CLUSTER_PIDS ? [withServices('cluster', 180_000)] : []),
    ],
  },
});
