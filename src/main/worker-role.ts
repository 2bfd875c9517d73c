import { join } from 'node:path';
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { createHostActivities } from '../activities/host-activities.ts';
import type { TurnSettings } from '../activities/deps.ts';
import { createTurnActivities } from '../activities/turn-activities.ts';
import { createAgentPool } from '../agent/agent-pool.ts';
import { createBuiltinModel } from '../agent/models/builtin.ts';
import { Dispatcher } from '../dispatch/dispatcher.ts';
import { createJobBell } from '../dispatch/job-bell.ts';
import { registerSearchAttributes } from '../dispatch/search-attributes.ts';
import { createGitStore } from '../git/git-store.ts';
import { createLocalHost } from '../git/hosts/local.ts';
import type { Logger } from '../log.ts';
import { migrate, openDatabase } from '../store/database.ts';
import { installationId } from '../store/installation.ts';
import { taskQueueOf, type TurnLimits } from '../workflows/contract.ts';
import { workflowBundlePath } from './workflow-bundle.ts';

export interface WorkerRoleOptions {
  databaseUrl: string;
  temporal: ConnectionOptions;
  namespace: string;
  /** Mirrors, snapshots and the workflow bundle: may be lost at any time, may be shared by several workers. */
  cacheDir: string;
  /** What links to pull request pages begin with. */
  publicUrl: () => string;
  limits: TurnLimits;
  settings: TurnSettings;
  searchAttributes: boolean;
  /** How long activities may go on after SIGTERM, in milliseconds. */
  shutdownGraceMs: number;
  /** Turns' activities that run at once in this process. */
  concurrency: number;
  log: Logger;
}

export interface WorkerRole {
  /** Settles when the worker has stopped, by request or by a fault. */
  stopped: Promise<void>;
  /** Stops taking tasks, lets running activities end within the grace time, closes everything. */
  stop(): Promise<void>;
}

/** A worker and its dispatcher. Resolves when it takes tasks. */
export async function startWorkerRole(options: WorkerRoleOptions): Promise<WorkerRole> {
  const { log, concurrency } = options;
  const onIdleError = (err: Error) => log.warn({ err }, 'a database connection broke');
  const database = openDatabase(options.databaseUrl, { applicationName: 'docent worker', maxConnections: 10, onIdleError });
  const publishing = openDatabase(options.databaseUrl, {
    applicationName: 'docent publish',
    maxConnections: concurrency,
    onIdleError,
  });
  await migrate(database);
  const installation = await installationId(database.db);
  const connection = await Connection.connect(options.temporal);
  if (options.searchAttributes) await registerSearchAttributes(connection, options.namespace);
  const client = new Client({ connection, namespace: options.namespace });
  const native = await NativeConnection.connect(options.temporal);
  const git = createGitStore({ cacheDir: join(options.cacheDir, 'git'), log });
  const agents = createAgentPool({ cacheDir: join(options.cacheDir, 'pages') });
  const local = createLocalHost({ db: database.db, publicUrl: options.publicUrl });
  const builtin = createBuiltinModel();
  const deps = {
    db: database.db,
    publishing: publishing.db,
    git,
    agents,
    hosts: new Map([[local.kind, local]]),
    models: new Map([[builtin.id, builtin]]),
    log,
    settings: options.settings,
  };
  const worker = await Worker.create({
    connection: native,
    namespace: options.namespace,
    taskQueue: taskQueueOf(installation),
    workflowBundle: { codePath: await workflowBundlePath(join(options.cacheDir, 'bundle')) },
    activities: { ...createTurnActivities(deps), ...createHostActivities(deps) },
    maxConcurrentActivityTaskExecutions: concurrency,
    // A cancel must reach a running activity within seconds; heartbeats carry it back.
    maxHeartbeatThrottleInterval: '2 seconds',
    defaultHeartbeatThrottleInterval: '2 seconds',
    shutdownGraceTime: options.shutdownGraceMs,
    shutdownForceTime: options.shutdownGraceMs + 10_000,
  });
  const bell = createJobBell(client, {
    installationId: installation,
    limits: options.limits,
    searchAttributes: options.searchAttributes,
    deadlineMs: 5_000,
  });
  const dispatcher = new Dispatcher({ db: database.db, client, bell, installationId: installation, log });
  dispatcher.start();

  const stopped = worker.run().finally(async () => {
    await dispatcher.stop();
    await Promise.all([git.close(), agents.close(), native.close(), connection.close()]);
    await Promise.all([publishing.close(), database.close()]);
  });
  stopped.catch((err: unknown) => log.error({ err }, 'worker stopped by a fault'));
  return {
    stopped,
    async stop() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await stopped;
    },
  };
}
