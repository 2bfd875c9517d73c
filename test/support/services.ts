import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect, promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { createLogger, type Logger } from '../../src/platform/log.ts';
import { freePort } from './free-port.ts';
import { startPostgres } from '@docent/servers/postgres/cluster';
import { Reaper } from '@docent/servers/processes/reaper';
import { findTemporal } from '@docent/servers/temporal/find';
import { startTemporal } from '@docent/servers/temporal/server';
import { terminalProgress } from '@docent/base/terminal/terminal-progress';
import { SEARCH_ATTRIBUTES } from '../../src/workflows/contract.ts';
import { fillCaches } from './caches.ts';
import { runOneJob } from './warm-up.ts';
import { makeDatabaseTemplate, type DatabaseTemplate } from './databases.ts';
import { BUILT, ROOT } from './processes.ts';

const run = promisify(execFile);

declare module 'vitest' {
  interface ProvidedContext {
    /** The file in which the run's servers are described once they have started: see `run-services.ts`. */
    servicesFile: string;
  }
}

/** What `servicesFile` holds. */
export interface Services {
  /** A server on which `createTestDatabase` may create databases. */
  postgresUrl: string;
  /** The database there that it copies: it has the schema, and no one is connected to it. */
  databaseTemplate: string;
  /** host:port of a Temporal server that has the namespace `default` and Docent's search attributes. */
  temporalAddress: string;
}

interface Starting {
  file: string;
  stop(): Promise<void>;
}

const SHARED = Symbol.for('docent.test.services');
const shared = globalThis as { [SHARED]?: Promise<Starting> };

/**
 * One PostgreSQL and one Temporal for the whole run, shared by the test projects. They start in the
 * background: unit tests do not wait for them, and the other files do (`run-services.ts`). Running servers
 * are used where DOCENT_TEST_POSTGRES_URL and DOCENT_TEST_TEMPORAL_ADDRESS name them: those variables only,
 * so that a TEMPORAL_ADDRESS or DATABASE_URL in someone's shell never has the tests run against something
 * real.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared[SHARED] ??= beginServices();
  const { file, stop } = await shared[SHARED];
  project.provide('servicesFile', file);
  return stop;
}

/** Prepares what the processes of test files inherit, and leaves the rest to the background. */
async function beginServices(): Promise<Starting> {
  const folder = await mkdtemp(path.join(await fastFolder(), 'docent-test-'));
  // As root, PostgreSQL runs under another user, who must be able to pass through.
  await chmod(folder, 0o711);
  // For all tests from now on: their temporary folders are deleted with this one.
  process.env.TMPDIR = folder;
  const isProgramGiven = process.env.DOCENT_TEST_PROGRAM !== undefined;
  process.env.DOCENT_TEST_PROGRAM ??= BUILT;
  const reaper = new Reaper();
  // However this process ends, the servers end and their folder is deleted.
  reaper.deleteAfterDeath(folder);
  const file = path.join(folder, 'services.json');
  const started = startServices({ folder, reaper, isProgramGiven });
  const written = started.then(
    ({ services }) => writeWhole(file, { services }),
    (err: unknown) => writeWhole(file, { failure: inspect(err) }),
  );
  return {
    file,
    async stop() {
      await written;
      try {
        await (await started.catch(() => null))?.template?.drop();
      } finally {
        await reaper.close();
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

async function writeWhole(file: string, content: unknown): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(content));
  await rename(`${file}.new`, file);
}

interface ServicesStart {
  folder: string;
  reaper: Reaper;
  isProgramGiven: boolean;
}

/**
 * @returns also the template, where it has to be dropped at the end: on a server that is not this run's own
 */
async function startServices({
  folder,
  reaper,
  isProgramGiven,
}: ServicesStart): Promise<{ services: Services; template: DatabaseTemplate | null }> {
  const { DOCENT_TEST_POSTGRES_URL: givenPostgres, DOCENT_TEST_TEMPORAL_ADDRESS: givenTemporal } = process.env;
  const log = createLogger({ level: process.env.DOCENT_TEST_LOG_LEVEL ?? 'error', name: 'services' });
  const preparePostgres = async () => {
    const postgresUrl = givenPostgres ?? (await startPostgres({ dir: path.join(folder, 'postgres'), log, reaper })).url;
    return { postgresUrl, template: await makeDatabaseTemplate(postgresUrl) };
  };
  const [{ postgresUrl, template }, temporalAddress] = await Promise.all([
    preparePostgres(),
    givenTemporal ?? startSharedTemporal(log, reaper),
    preparePrograms(isProgramGiven),
  ]);
  const program = process.env.DOCENT_TEST_PROGRAM ?? BUILT;
  const warmUp = { program, postgresUrl, databaseTemplate: template.name, temporalAddress, folder };
  await fillCaches(program, process.env.DOCENT_TEST_WARM ? () => runOneJob(warmUp) : undefined);
  return {
    services: { postgresUrl, databaseTemplate: template.name, temporalAddress },
    template: givenPostgres === undefined ? null : template,
  };
}

/** What browsers get, what roles run, and processes of tests, from the sources as they are. */
async function preparePrograms(isProgramGiven: boolean): Promise<void> {
  await build('build-dashboard.ts');
  await build('build-test-processes.ts');
  if (!isProgramGiven) await build('build-program.ts');
}

async function build(script: string): Promise<void> {
  await run(process.execPath, [path.join(ROOT, 'scripts', script)]);
}

/**
 * In memory, where there is room: hundreds of databases, repositories and analytics folders are made, used
 * and dropped, and a file of events is synced to the disk many times. All programs are asked to write as in
 * production, and what dies in these tests are processes, which take nothing from a file that the system has.
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
    // A run has memory, and no processor time to spare.
    runtime: { GOGC: '400' },
    log,
    reaper,
  });
  return server.address;
}
