import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { createLogger, type Logger } from '../../src/platform/log.ts';
import { freePort } from './free-port.ts';
import { startPostgres } from '../../src/main/start/postgres/cluster.ts';
import { Reaper } from '../../src/platform/processes/reaper.ts';
import { findTemporal } from '../../src/main/start/temporal-server/find.ts';
import { startTemporal } from '../../src/main/start/temporal-server/server.ts';
import { terminalProgress } from '../../src/main/cli/terminal-progress.ts';
import { SEARCH_ATTRIBUTES } from '../../src/workflows/contract.ts';
import { fillCaches } from './caches.ts';
import { makeDatabaseTemplate, type DatabaseTemplate } from './databases.ts';
import { BUILT, ROOT } from './processes.ts';

const run = promisify(execFile);

declare module 'vitest' {
  interface ProvidedContext {
    /** A server on which `createTestDatabase` may create databases. */
    postgresUrl: string;
    /** The database there that it copies: it has the schema, and nobody is connected to it. */
    databaseTemplate: string;
    /** host:port of a Temporal server that has the namespace `default` and Docent's search attributes. */
    temporalAddress: string;
  }
}

interface Services {
  postgresUrl: string;
  databaseTemplate: string;
  temporalAddress: string;
  stop(): Promise<void>;
}

const SHARED = Symbol.for('docent.test.services');
const shared = globalThis as { [SHARED]?: Promise<Services> };

/**
 * One PostgreSQL and one Temporal for the whole run, shared by the test projects. Running ones are used where
 * DOCENT_TEST_POSTGRES_URL and DOCENT_TEST_TEMPORAL_ADDRESS name them: those variables only, so that a TEMPORAL_ADDRESS
 * or DATABASE_URL in someone's shell never has the tests run against something real.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[SHARED] ??= startServices();
  const services = await shared[SHARED];
  project.provide('postgresUrl', services.postgresUrl);
  project.provide('databaseTemplate', services.databaseTemplate);
  project.provide('temporalAddress', services.temporalAddress);
  return () => services.stop();
}

async function startServices(): Promise<Services> {
  // What browsers get and what roles run, from the sources as they are.
  await build('build-dashboard.ts');
  if (process.env.DOCENT_TEST_PROGRAM === undefined) {
    await build('build-program.ts');
    process.env.DOCENT_TEST_PROGRAM = BUILT;
  }
  const program = process.env.DOCENT_TEST_PROGRAM;
  const { DOCENT_TEST_POSTGRES_URL: givenPostgres, DOCENT_TEST_TEMPORAL_ADDRESS: givenTemporal } = process.env;
  const folder = await mkdtemp(path.join(await fastFolder(), 'docent-test-'));
  // As root, PostgreSQL runs under another user, who must be able to pass through.
  await chmod(folder, 0o711);
  // Of all tests from now on: their temporary folders go with this one.
  process.env.TMPDIR = folder;
  const reaper = new Reaper();
  // Whatever ends this process, the servers end and their folder goes.
  reaper.deleteAfterDeath(folder);
  const log = createLogger({ level: process.env.DOCENT_TEST_LOG_LEVEL ?? 'error', name: 'services' });
  let template: DatabaseTemplate | undefined;
  const stop = async () => {
    try {
      // A server of the run's own goes as a whole.
      if (givenPostgres !== undefined) await template?.drop();
    } finally {
      await reaper.close();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  try {
    const [postgresUrl, temporalAddress] = await Promise.all([
      givenPostgres ?? startPostgres({ dir: path.join(folder, 'postgres'), log, reaper }).then((server) => server.url),
      givenTemporal ?? startSharedTemporal(log, reaper),
      fillCaches(program),
    ]);
    template = await makeDatabaseTemplate(postgresUrl);
    return { postgresUrl, databaseTemplate: template.name, temporalAddress, stop };
  } catch (err) {
    await stop();
    throw err;
  }
}

async function build(script: string): Promise<void> {
  await run(process.execPath, [path.join(ROOT, 'scripts', script)]);
}

/**
 * In memory, where there is room: hundreds of databases, repositories and analytics folders are made, used and dropped, and a file of events
 * is synced to the disk many times. All programs are asked to write as in production, and what dies in these tests are processes,
 * which take nothing from a file that the system has.
 */
async function fastFolder(): Promise<string> {
  const memory = '/dev/shm';
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize > 4 * 1024 ** 3 ? memory : tmpdir();
}

async function startSharedTemporal(log: Logger, reaper: Reaper): Promise<string> {
  const progress = terminalProgress(process.stderr);
  const { binary } = await findTemporal({ env: process.env, onProgress: progress.update });
  progress.done();
  const server = await startTemporal({
    binary,
    port: await freePort(),
    uiPort: await freePort(),
    searchAttributes: { [SEARCH_ATTRIBUTES.project]: 'Keyword', [SEARCH_ATTRIBUTES.status]: 'Keyword' },
    log,
    reaper,
  });
  return server.address;
}
