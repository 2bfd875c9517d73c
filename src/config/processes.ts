import { availableParallelism } from 'node:os';
import { stepsAtOnce } from '../platform/processes/pool-sizes.ts';
import { wholeNumber } from './readers.ts';
import { define } from './setting.ts';

const GROUP = 'Processes';

/** How much a process takes on. */
export const processSettings = {
  analyticsMemoryMb: define({
    env: 'DOCENT_ANALYTICS_MEMORY_MB',
    group: GROUP,
    about: 'Memory that one process may use for counting page views, in megabytes. What does not fit goes to the disk.',
    fallback: 512,
    read: wholeNumber(128, 1_000_000),
  }),
  workerConcurrency: define({
    env: 'DOCENT_WORKER_CONCURRENCY',
    group: GROUP,
    about: 'Steps of jobs that one worker works on at once.',
    shownDefault: '5 for each processor core, from 10 to 40',
    fallback: stepsAtOnce(),
    read: wholeNumber(1, 200),
  }),
  concurrentJobs: define({
    env: 'DOCENT_CONCURRENT_JOBS',
    group: GROUP,
    about:
      'Jobs that all workers together work on at once. What comes above that [waits](/concepts/queue-and-limits#the-queue). Set it alike for all ' +
      'workers, where their machines differ.',
    shownDefault: '20 for each processor core',
    fallback: 20 * availableParallelism(),
    read: wholeNumber(1, 100_000),
  }),
  projectConcurrentJobs: define({
    env: 'DOCENT_PROJECT_CONCURRENT_JOBS',
    group: GROUP,
    about: 'Jobs of one project that are worked on at once. A project may have its own number.',
    fallback: 10,
    read: wholeNumber(1, 100_000),
  }),
  databaseConnections: define({
    env: 'DOCENT_DATABASE_CONNECTIONS',
    group: GROUP,
    about: 'Connections to PostgreSQL that one process holds at most.',
    fallback: 10,
    read: wholeNumber(2, 1_000),
  }),
  drainSeconds: define({
    env: 'DOCENT_DRAIN_SECONDS',
    group: GROUP,
    about:
      'How long, after SIGTERM, the API goes on taking requests while `/readyz` answers 503, so that load balancers send theirs ' +
      'elsewhere. Ctrl-C and `docent start` do not wait.',
    fallback: 5,
    read: wholeNumber(0, 600),
  }),
  shutdownGraceSeconds: define({
    env: 'DOCENT_SHUTDOWN_GRACE_SECONDS',
    group: GROUP,
    about:
      'How long, after SIGTERM, a process finishes what it is doing. What a worker cannot finish, another one takes over.',
    fallback: 10,
    read: wholeNumber(0, 600),
  }),
};
