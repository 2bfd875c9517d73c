import { availableParallelism } from 'node:os';
import { stepsAtOnce } from '../platform/processes/pool-sizes.ts';
import { wholeNumber } from './readers.ts';
import { define } from './setting.ts';

/** How much a process takes on. */
export const processSettings = {
  analyticsMemoryMb: define({
    env: 'DOCENT_ANALYTICS_MEMORY_MB',
    about: 'Megabytes of memory that one process may use to count page views. The rest goes to disk.',
    fallback: 512,
    read: wholeNumber(128, 1_000_000),
  }),
  workerConcurrency: define({
    env: 'DOCENT_WORKER_CONCURRENCY',
    about: 'Steps of jobs that one worker runs at once.',
    shownDefault: '5 for each processor core, from 10 to 40',
    fallback: stepsAtOnce(),
    read: wholeNumber(1, 200),
  }),
  concurrentJobs: define({
    env: 'DOCENT_CONCURRENT_JOBS',
    about:
      'Jobs that run at once on all workers together. Others ' +
      '[wait](/concepts/queue-and-limits#the-queue). Use the same number for all processes.',
    shownDefault: '20 for each processor core',
    fallback: 20 * availableParallelism(),
    read: wholeNumber(1, 100_000),
  }),
  projectConcurrentJobs: define({
    env: 'DOCENT_PROJECT_CONCURRENT_JOBS',
    about: 'Jobs of one project that run at once. A project can override it.',
    fallback: 10,
    read: wholeNumber(1, 100_000),
  }),
  hostPollSeconds: define({
    env: 'DOCENT_HOST_POLL_SECONDS',
    about:
      'Seconds between two polls of a repository whose [webhook](/operate/code-host-events) does not ' +
      'deliver. With `0`, Docent polls only to complete deliveries: those of Gitea lack reviews and ' +
      'labels.',
    fallback: 60,
    read: wholeNumber(0, 86_400),
  }),
  databaseConnections: define({
    env: 'DOCENT_DATABASE_CONNECTIONS',
    about: 'Maximum connections of one process to PostgreSQL.',
    fallback: 10,
    read: wholeNumber(2, 1_000),
  }),
  drainSeconds: define({
    env: 'DOCENT_DRAIN_SECONDS',
    about:
      'Seconds after SIGTERM in which the API still answers while `/readyz` returns 503. Ctrl-C and `docent start` do not wait.',
    fallback: 5,
    read: wholeNumber(0, 600),
  }),
  shutdownGraceSeconds: define({
    env: 'DOCENT_SHUTDOWN_GRACE_SECONDS',
    about: 'Seconds after SIGTERM in which a process finishes its work. Another worker takes over the rest.',
    fallback: 10,
    read: wholeNumber(0, 600),
  }),
};
