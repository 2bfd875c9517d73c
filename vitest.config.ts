import { defineConfig } from 'vitest/config';
import { BARE_ENV } from './test/support/bare-env.ts';
import { QUICKLY } from './test/support/processes.ts';
import { SideBySide } from './test/support/sequencer.ts';

/** Recorded for every file: see `cost-reporter.ts`. */
const FILE_COST = 'test/support/file-cost.ts';

/** A project whose tests use the run's PostgreSQL and Temporal. */
const withServices = (name: string, timeout: number) => ({
  extends: true as const,
  test: {
    name,
    include: [`test/${name}/**/*.test.ts`],
    globalSetup: ['test/support/services.ts'],
    setupFiles: [FILE_COST, 'test/support/run-services.ts'],
    testTimeout: timeout,
    hookTimeout: timeout,
  },
});

export default defineConfig({
  test: {
    // The Temporal SDK's native part does not survive worker threads.
    pool: 'forks',
    // Most of the time, all tests but those in `unit` wait: four files side by side, also on two cores.
    maxWorkers: 4,
    sequence: { sequencer: SideBySide },
    setupFiles: [FILE_COST],
    reporters: ['default', './test/support/cost-reporter.ts'],
    expect: { poll: { timeout: 120_000 } },
    // As in all processes that tests start: see test/support/bare-env.ts.
    execArgv: QUICKLY,
    env: { NODE_COMPILE_CACHE: BARE_ENV.NODE_COMPILE_CACHE },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          // The files of a worker share its modules: loading them took most of a file's time.
          isolate: false,
          testTimeout: 10_000,
          hookTimeout: 10_000,
        },
      },
      withServices('smoke', 600_000),
      withServices('integration', 600_000),
      // Installations side by side: mostly they wait for time-outs.
      withServices('faults', 600_000),
      withServices('browser', 600_000),
      // Only with the servers that `npm run cluster` starts: see scripts/cluster.ts.
      ...(process.env.DOCENT_TEST_CLUSTER_PIDS ? [withServices('cluster', 600_000)] : []),
    ],
  },
});
