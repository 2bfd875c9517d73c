import { armFault } from '../../faults.ts';
import { openDatabase } from '../../store/database.ts';
import { cacheFolderOf, publicUrlOf, requiredServices } from '../required-services.ts';
import { runRole } from '../role.ts';
import { migrateWhenReachable, temporalReachable } from '../waiting.ts';
import { startWorkerRole } from '../worker-role.ts';

/** `docent worker`: carries out jobs until it is asked to stop. Waits for a database and a Temporal that are not up yet. */
export function runWorker(): Promise<void> {
  return runRole('worker', async (context) => {
    const { config, log, stopping } = context;
    const { databaseUrl, temporal } = requiredServices(context);
    armFault(config.fault);
    const patience = { log, signal: stopping };
    const database = openDatabase(databaseUrl, { maxConnections: 1 });
    await migrateWhenReachable(database, patience).finally(() => database.close());
    await temporalReachable(temporal, patience);

    const worker = await startWorkerRole({
      databaseUrl,
      temporal: temporal.connection,
      namespace: temporal.namespace,
      cacheDir: cacheFolderOf(config),
      publicUrl: () => publicUrlOf(config),
      limits: config.limits,
      settings: {
        messagesPerTurn: config.messagesPerTurn,
        maxFiles: config.maxFiles,
        maxFileBytes: config.maxFileBytes,
        maxTotalBytes: config.maxTotalBytes,
        branchPrefix: config.branchPrefix,
        commitAuthor: config.commitAuthor,
      },
      searchAttributes: config.searchAttributes,
      shutdownGraceMs: config.shutdownGraceSeconds * 1_000,
      concurrency: config.workerConcurrency,
      log,
    });
    log.info({ namespace: temporal.namespace }, 'taking jobs');
    return worker;
  });
}
