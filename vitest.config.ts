import { defineConfig } from 'vitest/config';
import { BARE_ENV } from './test/support/bare-env.ts';
import { QUICKLY } from './test/support/processes.ts';
import { SideBySide } from './test/support/sequencer.ts';

export default defineConfig({
  test: {
    // The Temporal SDK's native part does not survive worker threads.
    pool: 'forks',
    // Most of the time, integration and fault tests wait: four files side by side, also on two cores.
    maxWorkers: 4,
    sequence: { sequencer: SideBySide },
    // A busy machine is no failure: what has to come within a time says so itself.
    expect: { poll: { timeout: 120_000 } },
    // As in all processes that tests start: see test/support/bare-env.ts.
    execArgv: QUICKLY,
    env: { NODE_COMPILE_CACHE: BARE_ENV.NODE_COMPILE_CACHE },
    projects: [
      // A busy machine is no failure: tests that care for time measure it themselves.
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 180_000, hookTimeout: 180_000 },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup: ['test/support/services.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'faults',
          include: ['test/faults/**/*.test.ts'],
          globalSetup: ['test/support/services.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
          // Installations side by side: mostly they wait for time-outs.
          maxConcurrency: 4,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/support/services.ts'],
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
      // Only with the servers that `npm run cluster` starts: see scripts/cluster.ts.
      {
        extends: true,
        test: {
          name: 'cluster',
          include: process.env.DOCENT_TEST_CLUSTER_PIDS ? ['test/cluster/**/*.test.ts'] : [],
          globalSetup: ['test/support/services.ts'],
        },
      },
    ],
  },
});
